//! Finds puzzles in games, proves and writes their solutions, checks problems, and lets users solve puzzles.

mod collection;
mod lidraughts;
mod miner;
mod problem;
mod record;
mod source;
mod trainer;

pub use collection::{Collection, PuzzleFormat};
pub use miner::Miner;
pub use problem::{Judged, Problem};
pub use record::{Before, Mined, PuzzleRecord};
pub use source::{RawSource, Source, Step};
pub use trainer::{Attempt, Trainer};
