//! Games from files, judged by the engine: the score of every position, the moves that lost something, and what would
//! have been better, as comments, glyphs and variations of the game record.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod analyst;
mod error;
mod game;
mod judgement;
mod notes;
mod score;
mod summary;

pub use analyst::{Analyst, Effort};
pub use error::AnnotateError;
pub use game::PlayableGame;
pub use judgement::{Analysis, GivenAway, JudgedMove, Judgement, Mark, Thresholds};
pub use notes::annotate;
pub use score::WhiteScore;
pub use summary::{SideSummary, Summary};
