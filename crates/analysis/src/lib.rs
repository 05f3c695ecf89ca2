//! Analysis of draughts games: [`annotate`] scores and comments the moves of a game record, [`puzzle`] proves positions with a
//! unique solution.
#![deny(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod annotate;
pub mod puzzle;
