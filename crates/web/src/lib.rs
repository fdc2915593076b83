//! `endspiel serve`: the page in the browser and the HTTP API below it.
//!
//! One binary: the page's files are compiled in, nothing is fetched from elsewhere. The API answers with the
//! catalog's own report types, the same that `--json` prints. Long questions are *jobs*: they wait in a queue
//! for one of a few workers, tell their progress over server-sent events, and stop when nobody watches.
//!
//! From a request to its answer: [`server`] (limits, headers) → `gate` (host, token) → `api` → `place`, `position`, `jobs`, `proofs`
//! or `record` → the catalog.
//!
//! ```
//! # tokio::runtime::Runtime::new().unwrap().block_on(async {
//! use endspiel_web::{Options, Server};
//!
//! // Port 0 takes any; the future given to `run` says when to stop.
//! let server = Server::bind(Options { port: 0, ..Options::default() }).await.unwrap();
//! println!("open {}", server.url());
//! server.run(async {}).await;
//! # });
//! ```

mod api;
mod assets;
mod cache;
mod certificates;
mod databases;
mod download;
mod fault;
mod gate;
mod glance;
mod impatient;
mod job;
mod jobs;
mod laboratory;
mod names;
mod pgn;
mod place;
mod position;
mod proofs;
mod record;
mod refusal;
mod scratch;
pub mod server;
mod store;
mod worker;

pub use jobs::Limits;
pub use server::{Options, Server, StartError, serve, serve_until};

/// The description of the API, as it is served.
pub const OPENAPI: &str = include_str!("../assets/openapi.json");
