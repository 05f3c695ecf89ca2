//! Tavla on the screen of a terminal.
//!
//! An [`App`] is the state of the screen, changed by keys, clicks and what the program has chosen; it draws into any buffer, without a
//! terminal. [`run_screen`] connects it to the terminal and to the thread that thinks.

mod app;
mod board;
mod layout;
mod panel;
mod run;

pub use run::run_screen;

#[cfg(test)]
mod tests;
