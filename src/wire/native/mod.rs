//! The native protocol as text, described in `protocol.md`: clients send a [`Command`], engines answer with a
//! [`Reply`]. Parsing checks only the syntax; the session checks whether a move is legal and an option exists.

mod command;
mod go;
mod reply;
pub mod words;

pub use command::{COMMANDS, Command, CommandRow, Start, WhileSearching};
pub use go::{GO_PARAMETERS, Go, GoParameter, go_parameter, limits};
pub use reply::{Info, Reply, per_second};
pub use words::CommandError;
