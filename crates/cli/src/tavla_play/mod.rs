//! Tavla at the keyboard: the table with its game, in lines and on the screen of a terminal.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod command;
mod lines;
mod screen;
mod table;
mod thoughts;

pub use lines::run_lines;
pub use screen::run_screen;
pub use table::Table;

#[cfg(test)]
mod tests;
