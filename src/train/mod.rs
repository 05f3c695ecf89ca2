//! Learning from games: the files that games are kept in, and the fitting of weights to their results.
//!
//! [`train`] reads files of games ([`data`]), keeps the positions that are worth learning from ([`Samples`]), and fits the weights
//! of [`crate::eval::learned`] to their results. The same files and [`TrainingSettings`] give the same weights, whatever the number of
//! threads.

mod adam;
pub mod data;
mod error;
mod export;
mod fit;
mod layers;
mod loss;
mod model;
mod report;
mod run;
mod samples;
pub mod self_play;
mod settings;
#[cfg(test)]
mod tests;

pub use error::TrainError;
pub use fit::fit;
pub use loss::{Loss, logistic, sigmoid};
pub use report::{Epoch, SampleCounts, TrainingProgress, TrainingReport};
pub use run::{Trained, learn, train};
use samples::mixed;
pub use samples::{Sample, Samples};
pub use settings::TrainingSettings;
