//! The `soffio` command-line program, which connects the engine in the `soffio` package to the terminal, other
//! processes, the network and files.
//!
//! [`command_line`] parses the arguments, and `commands` runs the commands.

pub mod command_line;
mod commands;
mod input;
mod plot;
mod progress;
mod values;
