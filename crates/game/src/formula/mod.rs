//! Formulas over who moves and what holds, each kept once (hash-consing).
//!
//! `[a] f`: after every move of player a, f holds (true where he has no move); `<a> f`: after some move. A
//! negation is pushed down to the atoms as it is made, so a formula is a tree of and, or, all and some over
//! signed atoms, and a formula and its negation cost the same to check. Searches look for an answer, certificates
//! hold what convinces of it, and both mean by a formula what is said here.

mod families;
mod parse;

pub use families::{Family, Maker};
pub use parse::{MOST_ORDER, MOST_PLIES, parse, spelt};

use crate::{Player, TwoPlayer};
use std::collections::HashMap;
use std::ops::ControlFlow;

/// The number of a formula in its [`Formulas`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(pub(super) u32);

/// What can be seen of a position at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// Always.
    True,
    /// The game is over.
    Over,
    /// The game is over and this player has won.
    Won(Player),
    /// This player is to move.
    Turn(Player),
}

impl Atom {
    /// Does it hold of a position?
    #[inline]
    pub fn holds<P: TwoPlayer>(self, position: &P) -> bool {
        match self {
            Self::True => true,
            Self::Over => position.turn().is_over(),
            Self::Won(player) => position.turn().is_over() && position.payoff().of(player) > 0,
            Self::Turn(player) => position.turn().player() == Some(player),
        }
    }
}

/// The head of a formula.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// An atom, or what denies it.
    Atom(Atom, bool),
    /// All of these.
    And(Vec<Id>),
    /// One of these.
    Or(Vec<Id>),
    /// After all moves of a player.
    All(Player, Id),
    /// After some move of a player.
    Some(Player, Id),
}

/// A store of formulas, each once.
#[derive(Clone, Debug, Default)]
pub struct Formulas {
    nodes: Vec<Node>,
    ids: HashMap<Node, Id>,
    denied: HashMap<Id, Id>,
    /// The formulas of families, by player, size, and whether it is the player who moves.
    families: HashMap<(Player, Family, u32, bool), Id>,
}

impl Formulas {
    /// The head of a formula.
    #[inline]
    pub fn node(&self, id: Id) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// How many formulas there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    fn keep(&mut self, node: Node) -> Id {
        if let Some(&id) = self.ids.get(&node) {
            return id;
        }
        let id = Id(self.nodes.len() as u32);
        self.nodes.push(node.clone());
        self.ids.insert(node, id);
        id
    }

    /// An atom.
    pub fn atom(&mut self, atom: Atom) -> Id {
        self.keep(Node::Atom(atom, true))
    }

    /// The player has won.
    pub fn won(&mut self, player: Player) -> Id {
        self.atom(Atom::Won(player))
    }

    /// The game is over, and the player has not won.
    pub fn failed(&mut self, player: Player) -> Id {
        let (over, won) = (self.atom(Atom::Over), self.won(player));
        let not_won = self.not(won);
        self.and(vec![over, not_won])
    }

    /// The contrary.
    pub fn not(&mut self, id: Id) -> Id {
        if let Some(&denied) = self.denied.get(&id) {
            return denied;
        }
        let node = match self.node(id).clone() {
            Node::Atom(atom, sign) => Node::Atom(atom, !sign),
            Node::And(parts) => Node::Or(parts.into_iter().map(|part| self.not(part)).collect()),
            Node::Or(parts) => Node::And(parts.into_iter().map(|part| self.not(part)).collect()),
            Node::All(player, then) => Node::Some(player, self.not(then)),
            Node::Some(player, then) => Node::All(player, self.not(then)),
        };
        let denied = self.keep(node);
        self.denied.insert(id, denied);
        self.denied.insert(denied, id);
        denied
    }

    /// All of these; they are looked at from left to right.
    pub fn and(&mut self, parts: Vec<Id>) -> Id {
        match parts[..] {
            [one] => one,
            _ => self.keep(Node::And(parts)),
        }
    }

    /// One of these; they are looked at from left to right.
    pub fn or(&mut self, parts: Vec<Id>) -> Id {
        match parts[..] {
            [one] => one,
            _ => self.keep(Node::Or(parts)),
        }
    }

    /// After all moves of the player.
    pub fn all(&mut self, player: Player, then: Id) -> Id {
        self.keep(Node::All(player, then))
    }

    /// After some move of the player.
    pub fn some(&mut self, player: Player, then: Id) -> Id {
        self.keep(Node::Some(player, then))
    }
}

/// Calls `each` with the moves of `player` here, and the position that they are made at: the position itself, or the
/// same with the other player to move, where the game can tell what he would do.
pub fn moves_of<P: TwoPlayer>(
    position: &P,
    player: Player,
    mut each: impl FnMut(&P, P::Move) -> ControlFlow<()>,
) {
    let turned;
    let from = match position.turn().player() {
        Some(mover) if mover == player => position,
        Some(_) => match position.turned() {
            Some(other) => {
                turned = other;
                &turned
            }
            None => return,
        },
        None => return,
    };
    let mut flow = ControlFlow::Continue(());
    from.moves(|m| {
        if flow.is_continue() {
            flow = each(from, m);
        }
    });
}
