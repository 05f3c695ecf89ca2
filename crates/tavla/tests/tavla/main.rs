//! Tests of the public API of the tavla package: rules, games, notation, players and the protocol session.
#![cfg(test)]

mod game;
mod players;
mod random;
mod reference;
mod rules;
mod session;
mod texts;
