//! Annotates game records. Every position gets a score; every bad move gets a glyph, a comment and the better line as a
//! variation.

mod analyst;
mod explain;
mod game;
mod judgement;
mod material;
mod report;

pub use analyst::{AnalysisTask, Analyst, Forgetting, SearchResult};
pub use explain::{BadMove, explain, moves_of};
pub use game::{AnnotateError, PlayableGame};
pub(crate) use judgement::before_only_move;
pub use judgement::{Analysis, MissedResult, MoveJudgement, MoveMark, MoveScores};
pub use report::{SideSummary, Summary, annotate, clear};
