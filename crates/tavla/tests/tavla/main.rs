//! Tavla as a library: rules, games, notation, players and the conversation, through what the package exports.
#![cfg(test)]

mod game;
mod players;
mod random;
mod reference;
mod rules;
mod session;
mod texts;
