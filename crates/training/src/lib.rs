//! Training from self-play games: game files ([`data`]), self-play ([`self_play`]), fitting of the evaluation weights
//! ([`train`]), and tuning of search parameters ([`tune`]).
//!
//! [`train`] selects suitable positions ([`Samples`]) and fits the weights of [`soffio::eval::nnue`] to the game
//! results and the search scores. The same files and [`TrainingSettings`] always give the same weights, regardless of
//! the number of threads.
#![allow(clippy::indexing_slicing, reason = "indices of weights and positions are in range by construction")]

pub mod data;
mod learn;
mod model;
mod samples;
pub mod self_play;
#[cfg(test)]
mod tests;
pub mod tune;

pub use learn::{Epoch, TrainingProgress, TrainingReport, TrainingResult, fit, train};
pub use samples::{SampleCounts, Samples, TrainingSample, TrainingSettings};
