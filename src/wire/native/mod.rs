//! The native protocol as text, which `protocol.md` describes: a [`Command`] is what a client sends, a [`Reply`] what an engine
//! answers. Both are written and read here.
//!
//! Reading a command knows syntax only. Whether a move is legal or an option exists is found out by the session.

mod command;
mod parse;
mod reply;

pub use command::{Command, CommandError, Go, Start};
pub use reply::{Info, OptionLine, Reply, per_second};
