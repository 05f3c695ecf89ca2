//! The native protocol as text, which `protocol.md` describes: a [`Command`] is what a client sends, a [`Reply`] what an engine
//! answers. Both are written and read here.
//!
//! Reading a command knows syntax only. Whether a move is legal or an option exists is found out by the session.

mod command;
mod error;
mod go;
mod help;
mod info;
mod option;
mod parse;
mod reply;

pub use command::{Command, Go, Start};
pub use error::CommandError;
pub use info::{Info, per_second};
pub use option::OptionLine;
pub use reply::Reply;
