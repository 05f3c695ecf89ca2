//! Bulk work on draughts games: [`batch`] analyses positions and games as JSON lines, [`puzzles`] mines games for
//! puzzles and checks problems.

pub mod batch;
pub mod puzzles;
