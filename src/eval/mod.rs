//! The value of a position without looking ahead.
//!
//! A score is in 1/100 of a man, seen from the side to move. What is [`learned`] from games plays best, where there are
//! weights. [`HandMade`] is a weighted sum of [`Term`]s: what is counted is the same for every variant, how much it is worth is one
//! table of [`Weights`] for each. [`Plain`] ones are for comparison and teaching.

mod danger;
mod drawish;
mod evaluation;
mod hand_made;
mod kings;
pub mod learned;
mod masks;
mod men;
mod noisy;
mod plain;
mod term;
#[cfg(test)]
pub(crate) mod tests;
mod weights;

pub use evaluation::Evaluation;
pub use hand_made::HandMade;
pub use noisy::Noisy;
pub use plain::{Plain, PlainKind};
pub use term::Term;
pub use weights::Weights;

/// No evaluation is further from 0 than this; scores beyond it are free for proven wins and losses.
pub const MAX_EVALUATION: i32 = 9_000;
