//! What a search tells while it runs, and what it answers.

use super::Score;
use crate::position::Move;
use crate::rules::Rules;
use std::time::Duration;

/// What a score means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The value.
    Exact = 0,
    /// The value is at least this.
    Lower = 1,
    /// The value is at most this.
    Upper = 2,
}

/// The state of a search after an iteration, or after an iteration has left its window.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<R: Rules> {
    /// Depth of the iteration in plies.
    pub depth: u8,
    /// Deepest ply reached, with quiescence.
    pub selective_depth: u16,
    /// Score for the side to move.
    pub score: Score,
    /// What the score means.
    pub bound: Bound,
    /// Positions searched since the search began.
    pub nodes: u64,
    /// Fill of the transposition table, in permille.
    pub permille_used: u16,
    /// Time since the search was asked for.
    pub time: Duration,
    /// The line that both sides are expected to play.
    pub line: Vec<Move<R>>,
}

/// The answer of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome<R: Rules> {
    /// The move to play; `None` when there is no legal one.
    pub best: Option<Move<R>>,
    /// The reply that is expected.
    pub reply: Option<Move<R>>,
    /// Score for the side to move, from the last finished iteration.
    pub score: Score,
    /// Positions searched.
    pub nodes: u64,
}

/// One who is told how a search goes.
pub trait Observer<R: Rules> {
    /// Takes the report of an iteration.
    fn report(&mut self, report: Report<R>);
}

impl<R: Rules, F: FnMut(Report<R>)> Observer<R> for F {
    fn report(&mut self, report: Report<R>) {
        self(report);
    }
}
