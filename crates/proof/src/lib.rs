//! Certificates of proven answers, and the checker that needs the rules alone.
//!
//! A certificate proves a [`Statement`] about a root position by *strategies*: a move for each position of
//! the prover's that can arise, whatever the opponent replies. [`build`] makes a strategy from the moves of an
//! [`Advisor`](endspiel_game::Advisor) (a solver, a database), [`write()`] makes a file of it, [`read_header`]
//! tells what a file is about, and [`verify`] accepts it or names the first hole. The format, and what a
//! certificate does and does not prove, is described in `docs/certificates.md`. Answers to questions have certificates
//! of their own: [`Answered`].
//!
//! On a grid of three by three nobody gets four in a row, so any move will do for a draw:
//!
//! ```
//! use endspiel_game::{Advisor, Budget, Game, Position, Question, Quiet, TwoPlayer};
//! use endspiel_proof::{Statement, build, read_header, verify, write};
//! use endspiel_rules::connect_four::ConnectFour;
//!
//! struct FirstMove;
//! impl<P: TwoPlayer> Advisor<P> for FirstMove {
//!     fn advise(&mut self, position: &P, _: Question) -> Option<P::Move> {
//!         position.move_list().first().copied()
//!     }
//! }
//!
//! let game = ConnectFour::from_variant("3x3")?;
//! let root = game.start();
//! let statement = Statement::exactly(root.mover(), 0);
//! let mut strategies = Vec::new();
//! for claim in statement.claims() {
//!     strategies.push(build(&root, claim, true, &mut FirstMove, &Budget::default(), &Quiet)?);
//! }
//! let path = std::env::temp_dir().join("draw-3x3.proof");
//! write(&path, &game, &root, statement, &strategies)?;
//!
//! assert_eq!(read_header(&path)?.game, "connect-four:3x3");
//! let verified = verify(&game, &path, 1)?;
//! assert_eq!(verified.statement.to_string(), "first player gets exactly 0");
//! # std::fs::remove_file(&path)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod blocks;
mod build;
mod check;
mod explore;
mod file;
mod formula;
mod ground;
mod header;
mod hole;
mod ranks;
mod records;
mod statement;
mod step;
mod work;

#[cfg(test)]
mod garbage;
#[cfg(test)]
mod grounds;
#[cfg(test)]
mod mutations;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use build::{BuildError, Strategy, build, build_on};
pub use check::{Rejected, Verified, verify, verify_on, verify_with};
pub use explore::Proof;
pub use file::{FileError, WriteError, read_header, try_path, write};
pub use formula::{Answered, Refused};
pub use ground::Ground;
pub use header::{Header, Summary};
pub use hole::{Fault, Hole};
pub use statement::Statement;
