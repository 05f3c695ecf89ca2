//! Static evaluation.
//!
//! A score is in 1/100 of a man, from the side to move's point of view. The evaluation [`learned`] from games is the strongest,
//! where there are weights. [`HandMade`] is a weighted sum of [`Term`]s: the terms are the same for every variant, and each
//! variant has its table of [`Weights`]. An [`Evaluator`] is one that another room has made.

mod danger;
mod drawish;
mod evaluation;
mod hand_made;
mod kings;
pub mod learned;
mod masks;
mod material;
mod men;
mod noisy;
mod term;
#[cfg(test)]
pub(crate) mod tests;
mod weights;

pub use evaluation::{Evaluation, Evaluator};
pub use hand_made::HandMade;
pub use material::Material;
pub use noisy::Noisy;
pub use term::Term;
pub use weights::Weights;

/// No evaluation is further from 0 than this; scores beyond it are free for proven wins and losses.
pub const MAX_EVALUATION: i32 = 9_000;
