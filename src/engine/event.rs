//! The events of a running engine.

use super::BenchResult;
use crate::game::Move;
use crate::position::Stopped;
use crate::search::{CurrentMove, Report};
use std::time::Duration;

/// Something that a job has found. Every job ends with exactly one event of the kinds marked *last*.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A report of a search.
    Report(Report),
    /// The root move that a long search is searching.
    Current(CurrentMove),
    /// It is proved that there is no win in as many moves as was asked for.
    NoWin {
        /// The moves.
        moves: u16,
    },
    /// *Last* of a search: its answer.
    BestMove {
        /// The move to play, if there is a legal one.
        best: Option<Move>,
        /// The reply that is expected.
        reply: Option<Move>,
    },
    /// *Last* of a perft.
    Perft {
        /// Length of the sequences.
        depth: u8,
        /// Their number, or how many were counted before it was stopped.
        count: Result<u64, Stopped>,
        /// Their number by first move, if that was asked for.
        by_move: Vec<(Move, u64)>,
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
    /// *Last* of a job that broke off because of a bug.
    Failed {
        /// What happened.
        message: String,
        /// For a search a legal move, so that the game can go on.
        fallback: Option<Move>,
    },
}

impl Event {
    /// Whether this is the last event of its job.
    pub fn is_last(&self) -> bool {
        match self {
            Self::Report(_) | Self::Current(_) | Self::NoWin { .. } | Self::BenchVariant(_) => false,
            Self::BestMove { .. } | Self::Perft { .. } | Self::BenchDone { .. } | Self::Failed { .. } => true,
        }
    }
}
