//! Methods that look back: endgame databases by retrograde analysis.
//!
//! A game that numbers its positions ([`Indexed`]) is solved slice by slice, each after those it converts
//! into: by [`backward`], from the ends to their predecessors, or by [`iterate`], value iteration with forward
//! moves. Both give the same table, in whatever [`Metric`] it is asked for.

mod backward;
mod graph;
mod indexed;
mod iterate;
mod label;
mod table;
mod work;

pub use backward::backward;
pub use indexed::{Indexed, closure};
pub use iterate::{Scheme, iterate};
pub use label::{Label, Metric};
pub use table::{Cells, Known, Table};
pub use work::{Job, Pass, Stage, Stopped, Watch, Work};
