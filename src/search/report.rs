//! Reports from a running search, and its result.

use super::{Score, Value};
use crate::position::Move;
use std::time::Duration;

/// How a reported score relates to the true score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// The reported score is exact.
    #[default]
    Exact = 0,
    /// The reported score is a lower bound.
    Lower = 1,
    /// The reported score is an upper bound.
    Upper = 2,
}

/// The state of a search. It is reported after every iteration, whenever a score falls outside the aspiration window,
/// for a new best move of a long search, and when the search ends.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Depth of the iteration in plies.
    pub depth: u8,
    /// Maximum number of plies from the root that the search has reached, including quiescence.
    pub selective_depth: u16,
    /// Index of the line among the requested lines, counted from 0.
    pub rank: usize,
    /// Value from the point of view of the side to move.
    pub value: Value,
    /// Whether the value is exact or a bound.
    pub bound: Bound,
    /// Number of nodes searched since the start of the search.
    pub nodes: u64,
    /// Number of successful probes of endgame tables.
    pub table_hits: u64,
    /// Share of the transposition table that holds entries from this search, in permille.
    pub hashfull: u16,
    /// Time since the search was requested.
    pub time: Duration,
    /// The principal variation.
    pub line: Vec<Move<u128>>,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult {
    /// The best move, or `None` if there is no legal move.
    pub best: Option<Move<u128>>,
    /// The expected reply, on which the engine can ponder, or `None` if the search has not found one.
    pub reply: Option<Move<u128>>,
    /// Score of the best move from the point of view of the side to move. It comes from the last iteration, which may
    /// be incomplete.
    pub score: Score,
    /// The score as it is reported to users.
    pub value: Value,
    /// Number of nodes searched by all threads.
    pub nodes: u64,
    /// Whether the search proved that there is no win within the requested number of moves.
    pub has_no_win: bool,
}

/// The root move that a long search is currently examining.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CurrentMove {
    /// Depth of the iteration in plies.
    pub depth: u8,
    /// The root move that is being searched.
    pub mv: Move<u128>,
    /// Position of this move in the move order of the iteration, counted from 1.
    pub number: usize,
}

/// Receives the reports of a search.
pub trait Observer {
    /// Called on the occasions that [`Report`] lists.
    fn report(&mut self, report: Report);

    /// Called before a root move is searched, but only in long searches.
    fn current(&mut self, _current: CurrentMove) {}

    /// Called when a search for a win within `_moves` moves has neither found a win nor proved that there is none.
    fn undecided(&mut self, _moves: u16) {}
}

/// An observer that ignores all reports.
pub struct Silent;

impl Observer for Silent {
    fn report(&mut self, _: Report) {}
}
