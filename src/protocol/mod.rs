//! The native protocol as text: lines in, [`Command`]s out; [`Reply`]s in, lines out. `protocol.md` describes it.
//!
//! Reading a command knows syntax only. Whether a move is legal or an option exists is found out by the session.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod command;
mod error;
mod go;
mod help;
mod parse;
mod reply;

pub use command::{Command, Go, Start};
pub use error::CommandError;
pub use parse::parse;
pub use reply::Reply;
