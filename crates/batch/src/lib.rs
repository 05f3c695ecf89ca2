//! Bulk work on draughts games: [`batch`] analyses positions and games as JSON lines, [`puzzles`] mines games for puzzles and
//! checks problems.
#![deny(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod batch;
pub mod puzzles;
