//! Reports of a running search, and its result.

use super::{Score, Value};
use crate::position::Move;
use std::time::Duration;

/// How a reported score relates to the true score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// The exact score.
    #[default]
    Exact = 0,
    /// A lower bound.
    Lower = 1,
    /// An upper bound.
    Upper = 2,
}

/// State of a search after an iteration or after a score outside the aspiration window.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Depth of the iteration in plies.
    pub depth: u8,
    /// Deepest ply reached, including quiescence.
    pub selective_depth: u16,
    /// Index of the line among the requested lines, from 0.
    pub rank: usize,
    /// Value for the side to move.
    pub value: Value,
    /// Whether the value is exact or a bound.
    pub bound: Bound,
    /// Nodes since the start of the search.
    pub nodes: u64,
    /// Successful probes of endgame tables.
    pub table_hits: u64,
    /// Transposition table usage in permille.
    pub permille_used: u16,
    /// Time since the search was requested.
    pub time: Duration,
    /// Principal variation.
    pub line: Vec<Move<u128>>,
}

/// Result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult {
    /// Best move; `None` if there is no legal move.
    pub best: Option<Move<u128>>,
    /// Expected reply, to ponder on.
    pub reply: Option<Move<u128>>,
    /// Score for the side to move, from the last iteration, even if incomplete.
    pub score: Score,
    /// The score as reported.
    pub value: Value,
    /// Nodes searched by all threads.
    pub nodes: u64,
    /// Whether the search proved that there is no win within the requested number of moves.
    pub has_no_win: bool,
}

/// The root move that a long search is currently searching.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CurrentMove {
    /// Depth of the iteration in plies.
    pub depth: u8,
    /// The root move.
    pub mv: Move<u128>,
    /// Its position in the move order of the iteration, from 1.
    pub number: usize,
}

/// Receives the reports of a search.
pub trait Observer {
    /// Called after an iteration, and when a score leaves the aspiration window.
    fn report(&mut self, report: Report);

    /// Called before a root move is searched, in long searches only.
    fn current(&mut self, _current: CurrentMove) {}

    /// Called when a search for a win within `_moves` moves ends without a result.
    fn undecided(&mut self, _moves: u16) {}
}

/// An observer that ignores all reports.
pub struct Silent;

impl Observer for Silent {
    fn report(&mut self, _: Report) {}
}
