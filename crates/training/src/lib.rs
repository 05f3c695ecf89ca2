//! Learning from games: files of games ([`data`]), games of the engine against itself ([`self_play`]), weights fitted to them, and
//! the parameters of the search ([`tune`]).
//!
//! [`learn`] reads files of games, keeps the positions that are worth learning from ([`Samples`]), and fits the weights of
//! [`soffio::eval::learned`] to the results. The same files and [`TrainingSettings`] give the same weights, whatever the number of
//! threads.

pub mod data;
mod learn;
mod model;
mod samples;
pub mod self_play;
#[cfg(test)]
mod tests;
pub mod tune;

pub use learn::{Epoch, TrainError, Trained, TrainingProgress, TrainingReport, fit, learn};
pub use samples::{Sample, SampleCounts, Samples, TrainingSettings};
