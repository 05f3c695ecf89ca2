//! Integration tests of the engine library, in a single binary so that it is linked only once.
#![cfg(test)]

mod books;
mod captures;
mod commands;
#[path = "../common/mod.rs"]
mod common;
mod endgame_play;
mod generators;
mod hub;
mod king_endings;
mod lattices;
mod layering;
mod library;
mod notation;
mod perft;
mod plain;
mod prose;
mod rules;
mod streams;
mod tables;
mod wire;
