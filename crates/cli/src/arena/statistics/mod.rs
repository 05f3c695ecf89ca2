//! What results say about strength: Elo with its error, likelihood of superiority, and the sequential test.
//!
//! Both games of a pair begin with the same opening, and their results depend on each other. So the unit of counting is
//! the pair (the "pentanomial" of five possible pair scores) as soon as there is one, and the game before.

mod elo;
mod sample;
mod sprt;
mod tally;

pub use elo::{Elo, elo_of_score, score_of_elo};
pub use sample::Sample;
pub use sprt::{Decision, Model, Sprt, SprtError};
pub use tally::{Outcome, Tally};
