//! The tree that the best-first methods share: nodes in one arena, children side by side, each with proven
//! bounds and whatever the method keeps beside them. Positions are replayed from the root. Children come after
//! their parents, so that a pass from the last node to the first is a pass from the leaves to the root.
//! All values are the first player's, in [`Units`].

use crate::units::Units;
use endspiel_game::{Expertise, Goal, Player, TwoPlayer};
use std::cmp::Reverse;
use std::ops::Range;

/// A node with the data of a method.
#[derive(Clone, Debug)]
pub struct Node<M, D> {
    pub(super) parent: u32,
    first: u32,
    count: u32,
    pub(super) low: i32,
    pub(super) high: i32,
    /// Does the first player choose here?
    pub(super) maximise: bool,
    /// The move that leads here; none at the root.
    pub(super) m: Option<M>,
    pub(super) data: D,
}

impl<M, D> Node<M, D> {
    pub(super) fn is_settled(&self) -> bool {
        self.low >= self.high
    }

    pub(super) fn is_expanded(&self) -> bool {
        self.count > 0
    }

    pub(super) fn children(&self) -> Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// The arena. Node 0 is the root.
pub struct Store<P: TwoPlayer, D> {
    root: P,
    pub(super) units: Units,
    pub(super) nodes: Vec<Node<P::Move, D>>,
    capacity: usize,
    /// The keys from the root to the node last walked to.
    keys: Vec<u64>,
    moves: Vec<(Reverse<i32>, P::Move)>,
}

impl<P: TwoPlayer, D: Clone> Store<P, D> {
    /// A tree of one node that takes at most `memory` bytes, `extra` of them a node outside the store.
    pub(super) fn new(root: &P, goal: Goal, memory: usize, extra: usize, data: D) -> Self {
        let units = Units::new(goal, root);
        let (low, high) = units.range();
        let node =
            Node { parent: 0, first: 0, count: 0, low, high, maximise: maximises(root), m: None, data };
        Self {
            root: root.clone(),
            units,
            nodes: vec![node],
            capacity: (memory / (size_of::<Node<P::Move, D>>() + extra)).clamp(1, u32::MAX as usize),
            keys: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// The root position.
    pub(super) fn root(&self) -> &P {
        &self.root
    }

    /// Walks from the root as `choose` says, to a node without children or where it chooses none.
    pub(super) fn walk(&mut self, mut choose: impl FnMut(&Self, usize) -> Option<usize>) -> (usize, P) {
        let (mut node, mut position) = (0, self.root.clone());
        self.keys.clear();
        loop {
            if P::CYCLIC {
                self.keys.push(position.key());
            }
            let next = if self.nodes[node].is_expanded() { choose(self, node) } else { None };
            let Some(child) = next else { return (node, position) };
            if let Some(m) = self.nodes[child].m {
                position.play(m);
            }
            node = child;
        }
    }

    /// What is known at once of a position whose path has these keys: bounds by the rules if the game is over
    /// or has come back to the path, otherwise by expertise. The flag says that it is a leaf of the game.
    fn look<E: Expertise<P>>(&self, position: &P, path: &[u64], expertise: &E) -> (i32, i32, bool) {
        let payoff = if position.turn().is_over() {
            position.payoff()
        } else if P::CYCLIC && path.contains(&position.key()) {
            position.repeated()
        } else {
            let (low, high) = self.units.of_mover(position.mover(), expertise.bounds(position));
            return (low, high, false);
        };
        let value = self.units.value(payoff);
        (value, value, true)
    }

    /// Lists the moves of a position, most promising first. False if the arena has no room for them.
    fn list_moves<E: Expertise<P>>(&mut self, position: &P, expertise: &E) -> bool {
        self.moves.clear();
        let moves = &mut self.moves;
        expertise.candidates(position, |m| moves.push((Reverse(expertise.promise(position, m)), m)));
        if moves.iter().any(|p| p.0 != moves[0].0) {
            moves.sort_unstable();
        }
        self.nodes.len() + self.moves.len() <= self.capacity
    }

    /// Gives the node just walked to its children, each looked at. `data` is asked for what the method keeps
    /// of a child: its position, its bounds, and whether it is a leaf of the game. Returns how many there are:
    /// none if there are no moves or no room.
    pub(super) fn expand<E: Expertise<P>>(
        &mut self,
        node: usize,
        position: &P,
        expertise: &E,
        mut data: impl FnMut(&P, (i32, i32), bool) -> D,
    ) -> usize {
        if !self.list_moves(position, expertise) {
            return 0;
        }
        let first = self.nodes.len() as u32;
        for i in 0..self.moves.len() {
            let m = self.moves[i].1;
            let child = position.after(m);
            let (low, high, leaf) = self.look(&child, &self.keys, expertise);
            let data = data(&child, (low, high), leaf);
            let (parent, maximise) = (node as u32, maximises(&child));
            self.nodes.push(Node { parent, first: 0, count: 0, low, high, maximise, m: Some(m), data });
        }
        (self.nodes[node].first, self.nodes[node].count) = (first, self.moves.len() as u32);
        self.moves.len()
    }

    /// Looks at the node just walked to, for methods that look at children one by one. True if it is a leaf
    /// of the game.
    pub(super) fn visit<E: Expertise<P>>(&mut self, node: usize, position: &P, expertise: &E) -> bool {
        let path = self.keys.split_last().map_or(&[][..], |(_, path)| path);
        let (low, high, leaf) = self.look(position, path, expertise);
        let n = &mut self.nodes[node];
        (n.low, n.high, n.maximise) = (n.low.max(low), n.high.min(high), maximises(position));
        leaf
    }

    /// Gives the node just walked to its children without looking at them. Returns how many there are.
    pub(super) fn sprout<E: Expertise<P>>(
        &mut self,
        node: usize,
        position: &P,
        expertise: &E,
        data: &D,
    ) -> usize {
        if !self.list_moves(position, expertise) {
            return 0;
        }
        let (first, count) = (self.nodes.len() as u32, self.moves.len());
        let (low, high) = self.units.of_mover(Player::FIRST, position.score_range());
        for &(_, m) in &self.moves {
            let (parent, data) = (node as u32, data.clone());
            self.nodes.push(Node {
                parent,
                first: 0,
                count: 0,
                low,
                high,
                maximise: false,
                m: Some(m),
                data,
            });
        }
        (self.nodes[node].first, self.nodes[node].count) = (first, count as u32);
        count
    }

    /// From `node` to the root, calls `update` on each node that has children.
    pub(super) fn back_up(&mut self, node: usize, mut update: impl FnMut(&mut Self, usize)) {
        let mut node = node;
        loop {
            if self.nodes[node].is_expanded() {
                update(self, node);
            }
            if node == 0 {
                return;
            }
            node = self.nodes[node].parent as usize;
        }
    }

    /// Takes the bounds of the children into those of their parent.
    pub(super) fn refresh(&mut self, node: usize) {
        let (low, high) = (self.best(node, |n| n.low), self.best(node, |n| n.high));
        let n = &mut self.nodes[node];
        n.low = n.low.max(low.unwrap_or(n.low));
        n.high = n.high.min(high.unwrap_or(n.high));
    }

    /// The best number among the children in the eyes of the player who chooses.
    pub(super) fn best<T: Ord + Copy>(&self, node: usize, of: impl Fn(&Node<P::Move, D>) -> T) -> Option<T> {
        let n = &self.nodes[node];
        let numbers = self.nodes[n.children()].iter().map(of);
        if n.maximise { numbers.max() } else { numbers.min() }
    }

    /// Is there still something to find out below this child that its parent cares about?
    pub(super) fn is_open(&self, child: usize) -> bool {
        let n = &self.nodes[child];
        let parent = &self.nodes[n.parent as usize];
        !n.is_settled() && if parent.maximise { n.high > parent.low } else { n.low < parent.high }
    }

    /// Plays a move at the root and keeps what is known below it. False if nothing is.
    pub(super) fn advance(&mut self, m: P::Move) -> bool {
        let Some(start) = self.nodes[0].children().find(|&c| self.nodes[c].m == Some(m)) else {
            return false;
        };
        self.root.play(m);
        let mut kept = vec![Node { parent: 0, m: None, ..self.nodes[start].clone() }];
        let mut at = 0;
        while at < kept.len() {
            let children = kept[at].children();
            if !children.is_empty() {
                kept[at].first = kept.len() as u32;
            }
            let parent = at as u32;
            kept.extend(self.nodes[children].iter().map(|n| Node { parent, ..n.clone() }));
            at += 1;
        }
        self.nodes = kept;
        true
    }

    /// Do the bounds of the root answer all that is asked?
    pub(super) fn decides(&self, goal: Goal) -> bool {
        let n = &self.nodes[0];
        n.is_settled() || self.units.payoffs(self.root.mover(), (n.low, n.high)).decide(goal)
    }

    /// The moves from the root along `choice`.
    pub(super) fn line(&self, choice: impl Fn(usize) -> Option<usize>) -> Vec<P::Move> {
        let (mut line, mut node) = (Vec::new(), 0);
        while let Some(child) = choice(node) {
            line.extend(self.nodes[child].m);
            node = child;
        }
        line
    }
}

fn maximises(position: &impl TwoPlayer) -> bool {
    position.mover() == Player::FIRST
}
