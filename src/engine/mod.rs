//! The engine, for programs that link the library: it searches positions of games, and has the table of its options.
//!
//! [`Engine::go`] answers when the search is over; [`Engine::start`] returns at once, and what a thread finds comes as
//! [`Event`]s. A [`Game`](crate::game::Game) is what is searched, a [`Move`](crate::game::Move) is what comes back.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod bench;
mod endgames;
mod job;
mod options;
mod search_engine;
mod style;

pub use crate::eval::learned::EvalFileError;
pub use crate::plain::{PlainKind, PlainPlayer};
pub use crate::position::{CaptureOrder, Status};
pub use crate::search::{AllocationError, Bound, Clock, CurrentMove, Limits, Report, Signal, Value, Wdl, budget};
pub use crate::tables::{TableOutcome, Verdict};
pub use bench::{BenchResult, BenchSettings, bench};
pub use endgames::Probed;
pub use job::{Event, PerftRequest};
pub use options::{Kind, NO_TEXT, OptionError, OptionSpec, Options, Setting, SquareStyle};
pub use search_engine::{Answer, Engine, EngineError, SettingError};
pub use style::{EvaluationKind, Level, Strength, Style};

/// Entries of the transposition table in a MiB.
pub const ENTRIES_PER_MIB: usize = crate::search::TranspositionTable::ENTRIES_PER_MIB;
