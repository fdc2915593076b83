//! Methods that look back: endgame databases by retrograde analysis.
//!
//! A game that numbers its positions ([`Indexed`]) is solved slice by slice, each after those it converts
//! into: by [`backward`], from the ends to their predecessors, or by [`iterate`], value iteration with forward
//! moves. Both give the same table, in whatever [`Metric`] it is asked for.

//!
//! Tables are kept in a [`Store`]: one file a slice, written atomically, checked on reading, asked by a
//! [`Probe`]. [`build`] goes on where an earlier one was cut off.

mod backward;
mod build;
mod consistent;
mod error;
mod file;
mod graph;
mod indexed;
mod iterate;
mod label;
mod probe;
mod store;
mod table;
mod work;

pub use backward::backward;
pub use build::{Plan, Step, build, plan};
pub use consistent::check_values;
pub use error::Error;
pub use file::{Digest, Header, Reader};
pub use indexed::{Indexed, closure};
pub use iterate::{Scheme, iterate};
pub use label::{Label, Metric};
pub use probe::{Probe, Valued};
pub use store::{Guard, Store};
pub use table::{Cells, Known, Table};
pub use work::{Job, Pass, Stage, Stopped, Watch, Work};
