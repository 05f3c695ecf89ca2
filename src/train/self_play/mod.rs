//! Games of the engine against itself, to learn from.
//!
//! A [`Plan`] says how the games are played: each has a number, and the game depends on the plan and the number alone. So a
//! plan can be played in parts, by many threads and machines, and an interrupted run can be resumed.

mod game;
mod opening;
mod plan;
mod players;
mod run;
#[cfg(test)]
mod tests;

pub use plan::{Limit, Plan, Shard};
pub use players::{Player, PlayersError};
pub use run::{Played, SelfPlayError, play};
