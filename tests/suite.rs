//! All tests that run the library or the program from outside, in one program: with link-time optimisation each further
//! one would compile every variant again.

mod annotate;
mod captures;
mod commands;
mod common;
mod determinism;
mod dialogues;
mod documents;
mod dxp;
mod endgame_play;
mod endings;
mod engine_games;
mod examples;
mod generators;
mod hub;
mod king_endings;
mod lattices;
mod layering;
mod lines;
mod matches;
mod notation;
mod perft;
mod pydraughts;
mod rules;
mod seeds;
mod streams;
mod strength;
mod tables;
mod tavla;
