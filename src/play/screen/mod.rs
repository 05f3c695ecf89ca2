//! The game on the screen of a terminal.
//!
//! An [`App`] is what is on the screen and what keys and clicks do to it; it draws into any buffer and knows no terminal.
//! [`run_screen`] puts it on the terminal and takes the terminal back when it is over, however that comes.

mod app;
mod board;
mod cursor;
mod entry;
mod form;
mod help;
mod keys;
mod layout;
mod message;
mod panel;
mod popup;
mod run;
mod selection;
mod settings;
mod terminal;
mod theme;

#[cfg(test)]
mod tests;

pub use app::App;
pub use run::run_screen;
