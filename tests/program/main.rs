//! Tests that run the program from outside, and tests of the packages below it: `dxp_messages`, `fuzz`, and some of the
//! files in `matches`. They are in a single program, so that they are linked only once.
#![cfg(test)]

mod annotate;
mod batch;
mod board_command;
mod book_commands;
mod command_line;
#[path = "../common/mod.rs"]
mod common;
mod determinism;
mod dialogues;
mod documents;
mod dxp;
mod dxp_messages;
mod endings;
mod engine_games;
mod examples;
mod fuzz;
mod lines;
mod matches;
mod output_files;
mod pdn_command;
mod play;
#[path = "../process/mod.rs"]
mod process;
mod puzzles;
mod records;
mod seeds;
mod serve_command;
mod solved_tables;
mod table_commands;
mod table_readers;
mod tavla;
mod variants;
