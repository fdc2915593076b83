//! Methods that look back: endgame databases by retrograde analysis.
//!
//! A game that numbers its positions ([`Indexed`]) is solved slice by slice, each after those it converts
//! into: by [`backward`], from the ends to their predecessors, or by [`iterate`], value iteration with forward
//! moves. Both give the same table, in whatever [`Metric`] it is asked for.
//!
//! Tables are kept in a [`Store`]: one file a slice, written atomically, checked on reading, asked by a
//! [`Probe`]. [`build`] goes on where an earlier one was cut off.
//!
//! ```
//! use endspiel_game::{Payoff, Player, Position, TextError, Turn, TwoPlayer};
//! use endspiel_retro::{Indexed, Job, Known, Metric, Work, backward};
//!
//! /// A heap: take one counter or two; who takes the last one wins.
//! #[derive(Clone)]
//! struct Heap(u64, Player);
//!
//! impl Position for Heap {
//!     type Move = u64;
//!     fn turn(&self) -> Turn { if self.0 == 0 { Turn::Over } else { Turn::Player(self.1) } }
//!     fn moves(&self, each: impl FnMut(u64)) { (1..=self.0.min(2)).for_each(each) }
//!     fn play(&mut self, m: u64) { *self = Heap(self.0 - m, self.1.other()) }
//!     fn payoff(&self) -> Payoff { Payoff::win(self.1.other()) }
//!     fn key(&self) -> u64 { 2 * self.0 + u64::from(self.1.0) }
//! }
//! impl TwoPlayer for Heap {}
//!
//! /// All heaps of up to nine counters are one slice; who is to move makes no difference.
//! struct Heaps;
//!
//! impl Indexed for Heaps {
//!     type Position = Heap;
//!     type Slice = ();
//!     fn slice_name(&self, (): ()) -> String { "0-9".into() }
//!     fn read_slices(&self, _: &str) -> Result<Vec<()>, TextError> { Ok(vec![()]) }
//!     fn size(&self, (): ()) -> u64 { 10 }
//!     fn conversions(&self, (): ()) -> Vec<()> { Vec::new() }
//!     fn position(&self, (): (), index: u64) -> Option<Heap> { Some(Heap(index, Player::FIRST)) }
//!     fn place(&self, heap: &Heap) -> Option<((), u64)> { Some(((), heap.0)) }
//!     fn mover(&self, heap: &Heap) -> Player { heap.1 }
//! }
//!
//! let (known, work) = (Known::default(), Work::default());
//! let job = Job { slice: (), metric: Metric::Score, known: &known, work: &work };
//! let table = backward(&Heaps, &job).unwrap();
//! let cold: Vec<u64> = (0..10).filter(|&n| table.get(n) == Some(-1)).collect();
//! assert_eq!(cold, [0, 3, 6, 9]);
//! ```

mod absorb;
mod across;
mod agents;
mod alone;
mod backward;
mod belief;
mod bits;
mod build;
mod cache;
mod cluster;
mod consistent;
mod cut;
mod derive;
mod error;
mod fallible;
mod fifty;
mod file;
mod firing;
mod forecast;
mod graph;
mod in_time;
mod indexed;
mod iterate;
mod label;
mod leaves;
mod linear;
mod loopy;
mod numbering;
pub mod parquet;
mod probe;
mod reader;
mod rule;
mod slips;
mod small;
mod sparring;
mod spool;
mod state;
mod states;
mod store;
mod strategy;
mod streamed;
mod table;
mod tally;
#[cfg(test)]
mod viruses;
mod whole;
mod words;
mod work;

pub use across::check_across;
pub use agents::Agent;
pub use alone::{
    Alone, Chances, Told, build_alone, check_room_alone, is_built_alone, open_alone, verify_alone,
};
pub use backward::{SOLVING_BYTES, backward};
pub use belief::{Belief, Choice};
pub use bits::Bits;
pub use build::{Plan, Step, build, plan};
pub use cluster::{Cluster, Traffic, build_together};
pub use consistent::{Checking, check_planned, check_values, plan_check, plan_checks};
pub use derive::may_follow;
pub use error::Error;
pub use fallible::{Chain, Errant, chains};
pub use file::{Digest, Header};
pub use firing::Firing;
pub use forecast::{Forecast, forecast};
pub use indexed::{Indexed, Omits, closure, slice_named};
pub use iterate::{Scheme, iterate};
pub use label::{Label, Metric};
pub use leaves::Leaves;
pub use linear::{Linear, free_of_sums};
pub use loopy::{Grundy, Status, grundy, grundy_of, grundy_within};
pub use numbering::{Arcs, NUMBERING_BYTES, number_slice};
pub use probe::{Probe, Valued, outside};
pub use reader::Reader;
pub use slips::{Judged, Review, review};
pub use small::{check_small, pack, pack_planned, plan_pack, plan_small};
pub use sparring::{Depths, Options, Source, Sparring};
pub use states::{Scale, State};
pub use store::{Checked, Guard, Store};
pub use strategy::{Critical, Line, Played, Strategist, Strategy};
pub use streamed::Parts;
pub use table::{Cells, Known, Table};
pub use tally::Tally;
pub use whole::{cells, whole};
pub use work::{Job, Pass, Stage, Stopped, Watch, Work};
