//! What the search thread can be asked to do.

use crate::notation::MoveRecord;
use crate::position::CaptureOrder;
use crate::search::Clock;
use std::time::{Duration, Instant};

/// A search of the present position.
#[derive(Clone, Debug)]
pub struct Request {
    /// When it was asked for; time counts from here.
    pub asked_at: Instant,
    /// Deepest iteration in plies.
    pub depth: Option<u8>,
    /// Positions to search.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// White's clock.
    pub white: Option<Clock>,
    /// Black's clock.
    pub black: Option<Clock>,
    /// Time kept back for the way of the move to the clock.
    pub overhead: Duration,
    /// Whether the answer waits for a stop.
    pub infinite: bool,
    /// Whether the opponent is still to move on the real board.
    pub ponder: bool,
    /// The only moves to consider; none means all.
    pub root_moves: Vec<MoveRecord>,
}

/// A count of move sequences from the present position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerftRequest {
    /// Length of the sequences.
    pub depth: u8,
    /// How captures are counted.
    pub order: CaptureOrder,
    /// Whether to count by first move.
    pub by_move: bool,
}
