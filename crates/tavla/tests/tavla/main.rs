//! Tests of the tavla package through its public API: rules, games, notation, players and the protocol session.
#![cfg(test)]

mod game;
mod players;
mod random;
mod reference;
mod rules;
mod session;
mod texts;
