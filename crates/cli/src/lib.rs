//! The `soffio` program: the terminal, other processes, the network and files around the engine of the `soffio`
//! package.
//!
//! [`command_line`] parses the arguments, `console` runs the commands, `book_tools` builds and converts opening books,
//! and [`seeds`] repeats the experiments of student reports.

mod book_tools;
pub mod command_line;
mod console;
pub mod seeds;
