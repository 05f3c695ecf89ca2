//! The `soffio` command-line program, which connects the engine in the `soffio` package to the terminal, other
//! processes, the network and files.
//!
//! [`command_line`] parses the arguments, `commands` runs the commands, and [`seeds`] reproduces the experiments from
//! student reports.

pub mod command_line;
mod commands;
mod input;
mod plot;
mod progress;
pub mod seeds;
mod values;
