//! One thread of Monte-Carlo search: simulations from the root of its own tree. A simulation walks down by
//! upper confidence bounds, gives the leaf it reaches children at its second visit, plays one random game, and
//! counts the result on the way back. Nothing is allocated on the way.

use super::tree::Tree;
use super::uct::Options;
use crate::units::Units;
use endspiel_game::{Expertise, Player, Rng, TwoPlayer};
use std::cmp::Reverse;

/// What the simulations of one thread share.
pub(super) struct Worker<'a, P: TwoPlayer, E> {
    root: &'a P,
    expertise: &'a E,
    options: &'a Options,
    units: Units,
    rng: Rng,
    /// The exploration constant in units of the results seen so far.
    exploration: f32,
    path: Vec<(u32, bool)>,
    keys: Vec<u64>,
    moves: Vec<P::Move>,
    promises: Vec<(Reverse<i32>, P::Move)>,
    pub playouts: u64,
    /// The arena had no room for the children of some leaf.
    pub full: bool,
}

impl<'a, P: TwoPlayer, E: Expertise<P>> Worker<'a, P, E> {
    pub fn new(root: &'a P, expertise: &'a E, options: &'a Options, units: Units, seed: u64) -> Self {
        Self {
            root,
            expertise,
            options,
            units,
            rng: Rng::new(seed),
            exploration: options.exploration as f32,
            path: Vec::new(),
            keys: Vec::new(),
            moves: Vec::new(),
            promises: Vec::new(),
            playouts: 0,
            full: false,
        }
    }

    /// Where results are a matter of degree, the constant follows their spread.
    pub fn tune(&mut self, tree: &Tree<P::Move>) {
        if self.units.graded() {
            let (low, high) = self.units.range();
            let least = f64::from(high - low) / 64.0;
            self.exploration = (self.options.exploration * tree.all.deviation().max(least)) as f32;
        }
    }

    /// One simulation.
    pub fn simulate(&mut self, tree: &mut Tree<P::Move>) {
        let mut position = self.root.clone();
        let mut node = 0;
        self.path.clear();
        self.keys.clear();
        // Walk down.
        loop {
            let maximise = position.mover() == Player::FIRST;
            self.path.push((node as u32, maximise));
            if P::CYCLIC {
                self.keys.push(position.key());
            }
            if !tree.nodes[node].is_expanded() && !self.expand(tree, node, &position) {
                break;
            }
            let Some(child) = tree.select(node, maximise, self.exploration) else { break };
            position.play(tree.nodes[child].m);
            node = child;
        }
        // Find out what is known of the leaf, and sample the rest.
        let news = tree.nodes[node].visits == 0 && self.look(tree, node, &position);
        let leaf = &tree.nodes[node];
        let value = if leaf.is_settled() {
            leaf.low
        } else {
            self.playouts += 1;
            self.units.value(position.playout(&mut self.rng, self.options.playout_limit))
        };
        tree.back_up(&self.path, value, news);
    }

    /// Starts the tree again with the moves of the root.
    pub fn plant(&mut self, tree: &mut Tree<P::Move>) {
        self.list_moves(self.root);
        let root = self.units.of_mover(self.root.mover(), self.expertise.bounds(self.root));
        tree.reset(&self.moves, root, self.units.range(), self.options.urgency as f32);
    }

    /// Gives a leaf children when it has been visited often enough: a wide tree waits longer, since most of
    /// its nodes are never looked at again.
    fn expand(&mut self, tree: &mut Tree<P::Move>, node: usize, position: &P) -> bool {
        if tree.nodes[node].visits as usize <= tree.average_width() / 32 {
            return false;
        }
        self.list_moves(position);
        let bounds = self.units.of_mover(Player::FIRST, position.score_range());
        let done = tree.expand(node, &self.moves, bounds, self.options.urgency as f32);
        self.full |= !done;
        done
    }

    /// The moves to look at, the most promising first.
    fn list_moves(&mut self, position: &P) {
        let (promises, expertise) = (&mut self.promises, self.expertise);
        promises.clear();
        expertise.candidates(position, |m| promises.push((Reverse(expertise.promise(position, m)), m)));
        if promises.iter().any(|p| p.0 != promises[0].0) {
            promises.sort_unstable();
        }
        self.moves.clear();
        self.moves.extend(promises.iter().map(|p| p.1));
    }

    /// Bounds a leaf at its first visit: by the rules if the game is over or has come back to a position of
    /// the path, by expertise otherwise. True if the bounds say something new.
    fn look(&self, tree: &mut Tree<P::Move>, node: usize, position: &P) -> bool {
        let (low, high) = if position.turn().is_over() {
            let value = self.units.value(position.payoff());
            (value, value)
        } else if P::CYCLIC && self.keys.split_last().is_some_and(|(key, path)| path.contains(key)) {
            let value = self.units.value(position.repeated());
            (value, value)
        } else {
            self.units.of_mover(position.mover(), self.expertise.bounds(position))
        };
        tree.bound(node, low, high)
    }
}
