//! The game on the screen of a terminal.
//!
//! An [`App`] is the state of the screen, changed by keys and clicks; it draws into any buffer, without a terminal.
//! [`run_screen`] connects it to the terminal, which it restores however the program ends.

mod app;
mod board;
mod cursor;
mod form;
mod help;
mod keys;
mod layout;
mod message;
mod panel;
mod run;
mod selection;
mod settings;

#[cfg(test)]
mod tests;

pub use app::App;
pub use run::run_screen;
