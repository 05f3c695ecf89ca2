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
    /// Place of the line among those asked for, from 0.
    pub rank: usize,
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

/// The root move that a long search is looking at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Current {
    /// Depth of the iteration in plies.
    pub depth: u8,
    /// The move.
    pub text: String,
    /// Its place in the order of the iteration, from 1.
    pub number: usize,
}

/// Something that the search thread has found. Every job ends with exactly one event of the kinds marked *last*.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The state of a search.
    Info(Info),
    /// What a long search is looking at.
    Current(Current),
    /// It is proved that there is no win in as many moves as was asked for.
    NoWin {
        /// The moves.
        moves: u16,
    },
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
        !matches!(self, Self::Info(_) | Self::Current(_) | Self::NoWin { .. } | Self::BenchVariant(_))
    }
}
