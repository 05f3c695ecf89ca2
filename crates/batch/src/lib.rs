//! Processes draughts games in bulk. [`batch`] analyses positions and games as JSON lines; [`puzzles`] generates
//! puzzles from games and checks problems.

pub mod batch;
pub mod puzzles;
