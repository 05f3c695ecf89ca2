//! An evaluation that is learned from games: a small network.
//!
//! Its [`Inputs`] are the pieces on their squares, as the side to move sees the board; what it says is made of integers, and the same
//! on every machine. [`Learned`] evaluates, [`Weights`] are what has been learned, and a [`WeightsFile`] is how they are kept.

mod embedded;
mod evaluate;
mod inputs;
mod network;
#[cfg(test)]
mod tests;
mod weights_file;

pub use embedded::embedded;
pub use evaluate::{FULL_SCALE, GameKind, Learned, Part, scale_factor};
pub use inputs::Inputs;
pub use network::{
    ACCUMULATOR_LIMIT, FIRST_UNITS, OUTPUT_SCALE, QA, QB, SECOND_BIAS_LIMIT, SECOND_SCALE, SECOND_UNITS, Weights,
    greatest_accumulator,
};
pub use weights_file::{EvalFileError, WeightsError, WeightsFile, read_eval_file};
