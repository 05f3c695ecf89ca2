//! Matches of tavla between engine processes, with the same dice for both orders.
//!
//! The engines are those of other matches: their processes, clocks and faults are what [`crate::arena`] makes of them, and the games
//! are shared out to the one worker pool. Here are the rules, the dice and the points.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod game;
mod log;
mod results;
mod table;

pub use log::GameLog;
pub use results::Results;
pub use table::{MatchSettings, run};
