//! Finds puzzles in games, proves and writes their solutions, checks problems, and lets users solve puzzles.

mod collection;
mod miner;
mod problem;
mod record;
mod source;
mod trainer;

pub use collection::{Collection, PuzzleFormat};
pub use miner::Miner;
pub use problem::{DraughtsProblem, ProblemReport, ProblemVerdict};
pub use record::{MinedGame, PreviousPosition, PuzzleRecord};
pub use source::{GameSource, RawSource, SourceForm, SourceInput, SourcePosition};
pub use trainer::{PuzzleAttempt, PuzzleTrainer};
