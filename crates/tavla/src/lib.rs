//! Tavla, the Turkish variant of backgammon.

pub mod duel;
pub mod game;
pub mod learned;
pub mod notation;
pub mod plain;
pub mod player;
#[cfg(test)]
#[path = "../tests/tavla/random.rs"]
mod random;
pub mod rules;
pub mod session;

#[cfg(test)]
extern crate self as soffio_tavla;
