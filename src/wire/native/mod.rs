//! The text of the native protocol, described in `protocol.md`. Clients send a [`NativeCommand`], and engines answer
//! with a [`NativeReply`]. The parser checks only the syntax. The session checks whether a move is legal and whether an
//! option exists.

mod command;
mod go;
mod reply;
pub mod words;

pub use command::{COMMANDS, CommandRow, MAX_PERFT_DEPTH, NativeCommand, Start, WhileSearching};
pub use go::{GO_PARAMETERS, Go, GoParameter, go_parameter, limits};
pub use reply::{NativeInfo, NativeReply, per_second};
pub use words::CommandError;
