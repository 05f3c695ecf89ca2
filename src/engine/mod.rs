//! The engine API for programs that use the library. An [`Engine`] searches game positions and stores the options.
//!
//! [`Engine::go`] blocks until the search ends. [`Engine::start`] returns at once, and [`Event`]s are sent from a
//! separate thread.

mod background_solver;
mod bench;
mod endgames;
mod job;
mod options;
mod search_engine;
mod solving_time;
mod style;

pub use crate::eval::nnue::EvalFileError;
pub use crate::plain::{PlainKind, PlainPlayer};
pub use crate::position::{CaptureOrder, Status};
pub use crate::search::{
    AllocationError, Bound, Clock, CurrentMove, Gain, GainLimits, Lead, Limits, MAN, MAX_DEPTH, Report, Signal, Value,
    Wdl, budget,
};
pub use crate::tables::{TableOutcome, Verdict};
pub use bench::{BenchResult, BenchSettings, bench};
pub use endgames::Probed;
pub use job::{Event, PerftRequest};
pub use options::{
    Kind, MAX_HASH, MAX_LINES, MAX_THREADS, NO_TEXT, OptionError, OptionSpec, Options, Setting, SquareStyle,
};
pub use search_engine::{Answer, Engine, EngineError, SettingError, value_of_evaluation, wdl};
pub use style::{EvaluationKind, Level, PlayerSettings, Strength};

use crate::game::{Game, Move};
use crate::position::with_width;
use crate::rules::Color;
use crate::search::{self, balance};

/// Number of transposition table entries per MiB.
pub const ENTRIES_PER_MIB: usize = crate::search::TranspositionTable::ENTRIES_PER_MIB;

/// Returns the material balance from the point of view of `color`, in half-men.
pub fn lead(game: &Game, color: Color) -> i32 {
    with_width!(game.history(), history => balance(history.position(), color))
}

/// Searches for a lead of at least `wanted`, counted as in `lead`, that the side to move can force. If `mv` is given,
/// the side to move must start with this move.
pub fn forced_gain(game: &Game, mv: Option<Move>, (lead, wanted): (Lead, i32), limits: GainLimits) -> Gain {
    with_width!(game.history(), history => {
        search::forced_gain(history.position(), mv.map(|mv| mv.narrowed()), (lead, wanted), limits)
    })
}

/// Returns whether neither side could capture if it were its turn.
pub fn is_quiet(game: &Game) -> bool {
    with_width!(game.history(), history => {
        let position = history.position();
        ![Color::White, Color::Black].into_iter().any(|side| position.can_capture(side))
    })
}

/// Returns whether the position is quiet and `color` leads by at least `wanted` half-men.
pub fn has_gained(game: &Game, color: Color, wanted: i32) -> bool {
    lead(game, color) >= wanted && is_quiet(game)
}
