//! Annotates game records. Every position gets a score; every bad move gets a mark, a comment and the better line as a
//! variation.

mod analyst;
mod annotation;
mod explain;
mod game;
mod material;
mod own_text;
mod report;

pub use analyst::{AnalysisTask, Analyst, HashClearing, PositionAnalysis};
pub(crate) use annotation::before_only_move;
pub use annotation::{Analysis, MissedResult, MoveAnnotation, MoveMark, MoveScores};
pub use explain::{BadMove, explain, moves_of};
pub use game::{AnnotateError, PlayableGame};
pub use own_text::clear;
pub use report::{SideSummary, Summary, annotate};
