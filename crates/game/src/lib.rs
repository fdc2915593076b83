//! What a game is: the traits and the small vocabulary that rules, methods and proofs share.
//!
//! One small trait, [`Position`], makes a game; each further ability is one more small trait. Here is a
//! whole game, the subtraction game: take one, two or three; who takes the last one wins.
//!
//! ```
//! use endspiel_game::{Payoff, Player, Position, Turn, TwoPlayer, perft};
//!
//! #[derive(Clone)]
//! struct Heap { left: u32, mover: Player }
//!
//! impl Position for Heap {
//!     type Move = u32;
//!     fn turn(&self) -> Turn {
//!         if self.left == 0 { Turn::Over } else { Turn::Player(self.mover) }
//!     }
//!     fn moves(&self, each: impl FnMut(u32)) {
//!         (1..=self.left.min(3)).for_each(each);
//!     }
//!     fn play(&mut self, taken: u32) {
//!         self.left -= taken;
//!         self.mover = self.mover.other();
//!     }
//!     fn payoff(&self) -> Payoff {
//!         Payoff::win(self.mover.other())
//!     }
//!     fn key(&self) -> u64 {
//!         u64::from(self.left) << 1 | u64::from(self.mover.0)
//!     }
//! }
//! impl TwoPlayer for Heap {}
//!
//! let heap = Heap { left: 5, mover: Player::FIRST };
//! assert_eq!(heap.move_list(), [1, 2, 3]);
//! assert_eq!(perft(&heap, 2), 3 + 3 + 2);
//! assert_eq!(heap.after(1).after(3).after(1).payoff(), Payoff::win(Player::FIRST));
//! ```
//!
//! A [`Game`] is a rule set: it starts positions and reads them from text. [`Notation`] writes moves and
//! positions, [`Picture`] draws them. A method takes a [`Task`] (root, goal, [`Expertise`], [`Budget`],
//! [`Observer`]) and gives an [`Answer`] that never says more than it knows.

mod abilities;
mod answer;
mod budget;
pub mod conform;
mod expertise;
pub mod formula;
pub mod garbage;
pub mod notation;
mod oracle;
mod payoff;
mod perft;
pub mod picture;
mod player;
mod position;
mod rng;
mod sequence;
mod structured;
pub mod superset;

pub use abilities::{Chance, Hidden, Puzzle, Symmetric, Together};
pub use answer::{
    Advisor, Answer, Bounds, Counts, Distance, Estimate, Goal, Observer, Progress, Question, Quiet, Task,
};
pub use budget::{Budget, Meter, Stop};
pub use expertise::{Attack, Expertise, Offer, Rules};
pub use notation::{Notation, TextError};
pub use oracle::{Informed, Oracle, Source};
pub use payoff::{Outcome, Payoff};
pub use perft::perft;
pub use picture::{Picture, Scene};
pub use player::{Player, Players, Turn};
pub use position::{About, Convergence, Flipping, Game, Position, TwoPlayer};
pub use rng::{Rng, mix};
pub use sequence::{Counter, Plan, Sequence, Variation};
pub use structured::{Operator, Structured};
pub use superset::Superset;
