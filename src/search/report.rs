//! Reports of a running search, and its answer.

use super::{Score, Value};
use crate::position::Move;
use std::time::Duration;

/// How a score is to be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// The value.
    #[default]
    Exact = 0,
    /// The value is at least this.
    Lower = 1,
    /// The value is at most this.
    Upper = 2,
}

/// The state of a search after an iteration, or after an iteration has left its window.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Depth of the iteration in plies.
    pub depth: u8,
    /// Deepest ply reached, with quiescence.
    pub selective_depth: u16,
    /// Place of the line among those asked for, from 0.
    pub rank: usize,
    /// The value for the side to move.
    pub value: Value,
    /// How the value is to be read.
    pub bound: Bound,
    /// Positions searched since the search began.
    pub nodes: u64,
    /// Positions that endgame tables had an answer for.
    pub table_hits: u64,
    /// Fill of the transposition table, in permille.
    pub permille_used: u16,
    /// Time since the search was asked for.
    pub time: Duration,
    /// The line that both sides are expected to play.
    pub line: Vec<Move<u128>>,
}

/// The answer of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult {
    /// The move to play; `None` when there is no legal one.
    pub best: Option<Move<u128>>,
    /// The reply that is expected.
    pub reply: Option<Move<u128>>,
    /// Score for the side to move, from the last iteration, as far as it came.
    pub score: Score,
    /// The same in terms of the game.
    pub value: Value,
    /// Positions searched.
    pub nodes: u64,
    /// True if it is proved that there is no win in as many moves as was asked for.
    pub has_no_win: bool,
}

/// The root move that a long search is looking at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CurrentMove {
    /// Depth of the iteration in plies.
    pub depth: u8,
    /// The move.
    pub mv: Move<u128>,
    /// Its place in the order of the iteration, from 1.
    pub number: usize,
}

/// Receives the reports of a search.
pub trait Observer {
    /// Takes the report of an iteration.
    fn report(&mut self, report: Report);

    /// Takes the root move that is looked at next.
    fn current(&mut self, _current: CurrentMove) {}

    /// Hears that a search for a win in so many moves has run out before it was decided.
    fn undecided(&mut self, _moves: u16) {}
}

/// An observer that ignores all reports.
pub struct Silent;

impl Observer for Silent {
    fn report(&mut self, _: Report) {}
}
