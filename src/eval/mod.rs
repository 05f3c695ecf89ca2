//! Static evaluation.
//!
//! A score is in 1/100 of a man, from the side to move's point of view. Every variant plays by an evaluation [`learned`] from games;
//! [`Material`] is that from which learning begins. An [`Evaluator`] is one that another room has made.

mod evaluation;
pub mod learned;
mod material;
mod noisy;
#[cfg(test)]
pub(crate) mod tests;

pub use evaluation::{Evaluation, Evaluator};
pub use material::Material;
pub use noisy::Noisy;

/// No evaluation is further from 0 than this; scores beyond it are free for proven wins and losses.
pub const MAX_EVALUATION: i32 = 9_000;
