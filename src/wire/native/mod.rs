//! The native protocol as text, which `protocol.md` describes: a [`Command`] is what a client sends, a [`Reply`] what an engine
//! answers. Both are parsed and printed here.
//!
//! Parsing a command checks its syntax only. The session checks whether a move is legal and an option exists.

mod command;
mod go;
mod reply;
pub mod words;

pub use command::{COMMANDS, Command, CommandRow, Start, WhileSearching};
pub use go::{GO_PARAMETERS, Go, GoParameter, go_parameter, limits};
pub use reply::{Info, Reply, per_second};
pub use words::CommandError;
