//! Formulas with names: the shapes of tree that searches of threats look for.
//!
//! Source: Saffidine and Cazenave, *A General Multi-Agent Modal Logic K Framework for Game Tree Search* (2012),
//! section on solution concepts; lambda trees: Thomsen (2000); abstract proof trees: Cazenave (2001). `n` counts
//! plies. A name stands for the tree with the player who asks to move (`true`) or the other one (`false`).

use super::{Formulas, Id};
use crate::Player;

/// A named family of formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// A winning strategy.
    Wins,
    /// The player wins by `n` moves of his own, nobody answering.
    Path,
    /// Threats to win at once, answered or not.
    Ladder,
    /// Threats of the order: each move threatens a win by threats of a lower one.
    Lambda(u32),
    /// Moves that would win if the other passed.
    Abstract,
    /// Moves that lie on a path of the player's own to a win.
    Progress,
    /// The others help each other against the player: with two players, a winning strategy.
    Paranoid,
    /// One reply of the others together: with two players, a winning strategy.
    BestReply,
    /// Both help, the opponent begins: `n` moves of each.
    Helpmate,
    /// The opponent forces the player to win, the opponent begins: `n` moves of each.
    Selfmate,
}

impl Family {
    /// The names, with what stands between the brackets.
    pub const NAMES: [(&'static str, &'static str); 10] = [
        ("wins", "player, plies"),
        ("path", "player, moves"),
        ("ladder", "player, plies"),
        ("lambda", "player, order, plies"),
        ("abstract", "player, plies"),
        ("progress", "player, plies"),
        ("paranoid", "player, plies"),
        ("best-reply", "player, plies"),
        ("helpmate", "player, moves"),
        ("selfmate", "player, moves"),
    ];

    /// Is it the other player who begins?
    pub fn other_begins(self) -> bool {
        matches!(self, Self::Helpmate | Self::Selfmate)
    }

    /// The family of this name; the order matters to lambda trees alone.
    pub fn named(name: &str, order: u32) -> Option<Self> {
        Some(match name {
            "wins" => Self::Wins,
            "path" => Self::Path,
            "ladder" => Self::Ladder,
            "lambda" => Self::Lambda(order),
            "abstract" => Self::Abstract,
            "progress" => Self::Progress,
            "paranoid" => Self::Paranoid,
            "best-reply" => Self::BestReply,
            "helpmate" => Self::Helpmate,
            "selfmate" => Self::Selfmate,
            _ => return None,
        })
    }
}

/// Makes formulas of the families for one player.
pub struct Maker<'a> {
    formulas: &'a mut Formulas,
    player: Player,
}

impl<'a> Maker<'a> {
    /// Formulas about `player`.
    pub fn new(formulas: &'a mut Formulas, player: Player) -> Self {
        Self { formulas, player }
    }

    /// The formula of size `n`, with the player to move or the other one.
    pub fn make(&mut self, family: Family, n: u32, own: bool) -> Id {
        // From the small ones up: no deep recursion.
        for smaller in 0..n {
            self.of(family, smaller, true);
            self.of(family, smaller, false);
        }
        let id = self.of(family, n, own);
        // Where the game is over there is no move, and all of no moves may do anything.
        let failed = self.formulas.failed(self.player);
        let open = self.formulas.not(failed);
        match family {
            Family::Wins | Family::Ladder | Family::Progress | Family::Path | Family::Helpmate => id,
            _ if n == 0 => id,
            _ => self.formulas.and(vec![open, id]),
        }
    }

    fn of(&mut self, family: Family, n: u32, own: bool) -> Id {
        let name = (self.player, family, n, own);
        if let Some(&id) = self.formulas.families.get(&name) {
            return id;
        }
        let won = self.formulas.won(self.player);
        let id = if n == 0 { won } else { self.step(family, n, own, won) };
        self.formulas.families.insert(name, id);
        id
    }

    fn step(&mut self, family: Family, n: u32, own: bool, won: Id) -> Id {
        let (a, b) = (self.player, self.player.other());
        let failed = self.formulas.failed(a);
        let open = self.formulas.not(failed);
        let next = |maker: &mut Self, own| maker.of(family, n - 1, own);
        let body = match (family, own) {
            // w or (not l and <A> WSb), w or (not l and [B] WSa).
            (Family::Wins, true) => {
                let then = next(self, false);
                let some = self.formulas.some(a, then);
                self.formulas.and(vec![open, some])
            }
            (Family::Wins | Family::Ladder | Family::Progress, false) => {
                let then = next(self, true);
                let all = self.formulas.all(b, then);
                self.formulas.and(vec![open, all])
            }
            (Family::Path, _) => {
                let then = next(self, true);
                self.formulas.some(a, then)
            }
            // w or (not l and <A>(w or (<A> w and Lb))).
            (Family::Ladder, true) => {
                let then = next(self, false);
                let threat = self.formulas.some(a, won);
                let both = self.formulas.and(vec![threat, then]);
                let either = self.formulas.or(vec![won, both]);
                let some = self.formulas.some(a, either);
                self.formulas.and(vec![open, some])
            }
            (Family::Lambda(0), _) => return won,
            // w or <A>(not l and LSa of one order less and LSb).
            (Family::Lambda(order), true) => {
                let threat = self.of(Family::Lambda(order - 1), n - 1, true);
                let then = next(self, false);
                let both = self.formulas.and(vec![open, threat, then]);
                self.formulas.some(a, both)
            }
            (Family::Abstract, true) => {
                let (threat, then) = (next(self, true), next(self, false));
                let both = self.formulas.and(vec![open, threat, then]);
                self.formulas.some(a, both)
            }
            // After A's move n - 1 plies are left, (n - 1) / 2 of them his own.
            (Family::Progress, true) => {
                let path = self.of(Family::Path, (n - 1) / 2, true);
                let then = next(self, false);
                let both = self.formulas.and(vec![open, path, then]);
                self.formulas.some(a, both)
            }
            (Family::Paranoid | Family::BestReply, true) => {
                let then = next(self, false);
                let both = self.formulas.and(vec![open, then]);
                self.formulas.some(a, both)
            }
            (Family::Lambda(_) | Family::Abstract | Family::Paranoid | Family::BestReply, false) => {
                let then = next(self, true);
                let both = self.formulas.and(vec![open, then]);
                self.formulas.all(b, both)
            }
            (Family::Helpmate, _) => {
                let then = next(self, true);
                let own = self.formulas.some(a, then);
                self.formulas.some(b, own)
            }
            (Family::Selfmate, _) => {
                let then = next(self, true);
                let forced = self.formulas.all(a, then);
                let both = self.formulas.and(vec![open, forced]);
                self.formulas.some(b, both)
            }
        };
        self.formulas.or(vec![won, body])
    }
}
