//! Analyses draughts games: [`annotate`] scores and comments on the moves of a game record, [`puzzle`] proves positions
//! with a unique solution.

pub mod annotate;
pub mod puzzle;
