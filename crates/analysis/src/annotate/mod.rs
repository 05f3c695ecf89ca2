//! Games from files, judged by the engine: the score of every position, the moves that lost something, and what would
//! have been better, as comments, glyphs and variations of the game record.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod analyst;
mod explain;
mod game;
mod judgement;
mod material;
mod report;

pub use analyst::{Analyst, Forgetting, Found, Task};
pub use explain::{BadMove, explain, moves_of};
pub use game::{AnnotateError, PlayableGame};
pub(crate) use judgement::before_only_move;
pub use judgement::{Analysis, JudgedMove, Judgement, Mark, MissedResult, Thresholds, WhiteScore};
pub use report::{SideSummary, Summary, annotate};
