//! The `soffio` command-line program, which connects the engine in the `soffio` package to the terminal, other
//! processes, the network and files.
//!
//! [`command_line`] parses the arguments, `console` runs the commands, `book_tools` builds and converts opening books,
//! and [`seeds`] repeats the experiments from student reports.

mod book_tools;
pub mod command_line;
mod console;
pub mod seeds;
