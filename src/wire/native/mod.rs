//! The text of the native protocol, which `protocol.md` describes. Clients send a [`Command`], and engines answer with
//! a [`Reply`]. The parser checks only the syntax. The session checks whether a move is legal and whether an option
//! exists.

mod command;
mod go;
mod reply;
pub mod words;

pub use command::{COMMANDS, Command, CommandRow, Start, WhileSearching};
pub use go::{GO_PARAMETERS, Go, GoParameter, go_parameter, limits};
pub use reply::{Info, Reply, per_second};
pub use words::CommandError;
