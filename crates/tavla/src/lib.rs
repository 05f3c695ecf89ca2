//! Tavla, the Turkish variant of backgammon.

pub mod duel;
pub mod game;
pub mod learned;
pub mod notation;
pub mod plain;
pub mod player;
pub mod rules;
pub mod session;
