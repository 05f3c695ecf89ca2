//! An evaluation that is learned from games: a small network.
//!
//! Its [`Inputs`] are the pieces on their squares, as the side to move sees the board; what it says is made of integers, and the same
//! on every machine. [`Learned`] evaluates, [`Weights`] are what has been learned, and a [`WeightsFile`] is how they are kept.

mod embedded;
mod error;
mod eval_file;
mod evaluate;
mod file;
mod game_kind;
mod inputs;
mod network;
#[cfg(test)]
mod tests;
mod weights;

pub use super::drawish::{KEPT_PARTS, kept_parts};
pub use embedded::embedded;
pub use error::WeightsError;
pub use eval_file::{EvalFileError, read_eval_file};
pub use evaluate::{Learned, Part};
pub use file::WeightsFile;
pub use game_kind::GameKind;
pub use inputs::Inputs;
pub use network::{
    FIRST_ONE, FIRST_UNITS, MOST_OF_A_SUM, MOST_SECOND_BIAS, SECOND_ONE, SECOND_UNITS, SECOND_WEIGHT_ONE, VALUE_ONE,
    greatest_sum,
};
pub use weights::Weights;
