//! Puzzles: positions whose solution is proved, and unique at every turn of the side that solves.
//!
//! A [`Prover`] says of each move of a position what is proved of it, by endgame tables, by a search that has seen the end of the
//! game, or by a search of every answer for a gain of material. From that a [`Solution`] is followed move by move.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod proof;
mod solution;
mod theme;

pub use proof::{Aim, Budget, Goal, MoveFacts, Outcome, Proof, Prover, Verdict};
pub use solution::{Solution, canonical};
pub use theme::{Theme, themes};
