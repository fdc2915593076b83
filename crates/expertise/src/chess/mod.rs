//! Chess: the numbers of its endings for databases and the fast way to solve them; an evaluation.
//!
//! `material` names the slices, `kings` folds the symmetries, `layout` numbers the positions, `endings` is what the
//! database engine sees. `rows` moves 64 positions at once; `begin`, `passing` and `packed` are how solving with it begins and
//! ends, `rounds` solves a slice move by move, `countdown` and `limits` go through `phases` for metrics of the fifty-move rule.
//! `knights` sees at a glance how two knights against a minor piece end, `play` judges positions for a search, `published`
//! has the figures of others.

mod begin;
mod countdown;
mod endings;
mod kings;
mod knights;
mod layout;
mod limits;
mod material;
mod packed;
mod passing;
mod phases;
mod play;
mod published;
mod rounds;
mod rows;
#[cfg(test)]
mod tests;

pub use endings::{Depths, Endings, Impact};
pub use knights::{Glimpse, glimpse, glimpse_as_printed};
pub use material::Material;
pub use play::Expert;
pub use published::{Published, published, published_five, touched};
