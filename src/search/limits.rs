//! What ends a search.

use crate::position::Move;
use crate::rules::Rules;
use std::time::Duration;

/// A game clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time left for the game, or for the moves to go.
    pub remaining: Duration,
    /// Time added with each move.
    pub increment: Duration,
    /// Moves until more time is added; `None` when the time is for the whole game.
    pub moves_to_go: Option<u32>,
}

/// What ends a search; the first limit that is reached counts. Without any it goes on until it is stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits<R: Rules> {
    /// Deepest iteration.
    pub depth: Option<u8>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// Time kept back for the way of the move to the clock.
    pub overhead: Duration,
    /// Whether the answer waits for a stop, whatever the other limits say.
    pub infinite: bool,
    /// Whether the opponent is to move on the real board: until then time does not count and no answer is given.
    pub ponder: bool,
    /// The root moves to look at; empty for all.
    pub root_moves: Vec<Move<R>>,
}

impl<R: Rules> Default for Limits<R> {
    fn default() -> Self {
        Self {
            depth: None,
            nodes: None,
            move_time: None,
            clock: None,
            overhead: Duration::ZERO,
            infinite: false,
            ponder: false,
            root_moves: Vec::new(),
        }
    }
}
