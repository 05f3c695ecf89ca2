//! What the search thread tells.

use super::BenchResult;
use crate::search::{Bound, Value};
use std::time::Duration;

/// The state of a search, with moves as text.
#[derive(Clone, Debug, PartialEq)]
pub struct Info {
    /// Depth of the iteration in plies.
    pub depth: u8,
    /// Deepest ply reached, with quiescence.
    pub selective_depth: u16,
    /// Score for the side to move.
    pub value: Value,
    /// What the score means.
    pub bound: Bound,
    /// Positions searched since the search began.
    pub nodes: u64,
    /// Fill of the transposition table in permille.
    pub permille_used: u16,
    /// Time since the search was asked for.
    pub time: Duration,
    /// The line that both sides are expected to play.
    pub line: Vec<String>,
}

/// Something that the search thread has found. Every job ends with exactly one event of the kinds marked *last*.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The state of a search.
    Info(Info),
    /// *Last* of a search: its answer.
    BestMove {
        /// The move to play, if there is a legal one.
        best: Option<String>,
        /// The reply that is expected.
        reply: Option<String>,
    },
    /// *Last* of a perft.
    Perft {
        /// Length of the sequences.
        depth: u8,
        /// Their number; `None` when it was stopped.
        count: Option<u64>,
        /// Their number by first move, if that was asked for.
        by_move: Vec<(String, u64)>,
        /// Time it took.
        time: Duration,
    },
    /// The bench of one variant.
    BenchVariant(BenchResult),
    /// *Last* of a bench; whether it was finished.
    BenchDone {
        /// False when it was stopped.
        finished: bool,
    },
    /// *Last* of a job that broke off because of a fault of the program.
    Failed {
        /// What happened.
        message: String,
        /// For a search a legal move, so that the game can go on.
        fallback: Option<String>,
    },
}

impl Event {
    /// Whether this is the last event of its job.
    pub fn is_last(&self) -> bool {
        !matches!(self, Self::Info(_) | Self::BenchVariant(_))
    }
}
