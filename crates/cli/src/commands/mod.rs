//! The commands of the program, one module per command or group of commands.

pub mod analyse;
pub mod annotate;
pub mod batch;
pub mod bench;
pub mod board;
pub mod book;
pub mod data;
pub mod dxp;
pub mod matches;
pub mod merge;
pub mod pdn;
pub mod perft;
pub mod play;
pub mod puzzles;
mod search_arguments;
pub mod seeds;
pub mod selfplay;
pub mod serve;
mod shard;
pub mod solve;
pub mod sprt;
pub mod tables;
pub mod tavla;
pub mod train;
pub mod tune;
pub mod variants;
