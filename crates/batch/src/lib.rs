//! Bulk work on draughts games: [`batch`] analyses positions and games as JSON lines, and [`puzzles`] generates puzzles
//! from games and checks problems.

pub mod batch;
pub mod puzzles;
