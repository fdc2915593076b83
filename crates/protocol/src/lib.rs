//! How other programs talk to Endspiel: one folder a protocol of engines.
//!
//! A protocol is a conversation in lines of text. It works on any reader and writer, so that the program, a test and a
//! referee in one process talk to the same engine.
//!
//! ```
//! use std::io::Cursor;
//!
//! let mut answers = Vec::new();
//! let commands = "START 15\nINFO timeout_turn 50\nBEGIN\n";
//! endspiel_protocol::gomocup::run(Cursor::new(commands), &mut answers).unwrap();
//! assert!(String::from_utf8_lossy(&answers).ends_with("OK\n7,7\n"));
//! ```

pub mod gomocup;
mod listen;
