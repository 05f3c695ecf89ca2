//! The game on the screen of a terminal.

mod app;
mod board;
mod form;
mod keys;
mod panel;
mod selection;

#[cfg(test)]
mod tests;

pub use app::run_screen;
