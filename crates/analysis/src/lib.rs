//! Analyses draughts games. [`annotate`] scores the moves of a game record and comments on them; [`puzzle`] finds
//! positions with a unique solution and proves the solution.

pub mod annotate;
pub mod puzzle;
