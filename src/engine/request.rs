//! What the search thread can be asked to do.

use super::{Strength, Style};
use crate::notation::MoveRecord;
use crate::position::CaptureOrder;
use crate::search::Clock;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

/// A search of the present position.
#[derive(Clone, Debug)]
pub struct Request {
    /// When it was asked for; time counts from here.
    pub asked_at: Instant,
    /// Deepest iteration in plies.
    pub depth: Option<u8>,
    /// Only look for a win in at most so many moves of the side to move.
    pub win_in: Option<u16>,
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
    /// Whether the opponent's time is used too.
    pub ponders: bool,
    /// Whether the answer waits for a stop.
    pub infinite: bool,
    /// Whether the opponent is still to move on the real board.
    pub ponder: bool,
    /// Whether the search goes on although its result is certain, as long as a limit allows.
    pub analysis: bool,
    /// The only moves to consider; none means all.
    pub root_moves: Vec<MoveRecord>,
    /// How strong to play.
    pub strength: Strength,
    /// Which player moves, and by which evaluation.
    pub style: Style,
    /// Threads that search.
    pub threads: NonZeroUsize,
    /// How many of the best moves are to have exact scores and lines.
    pub lines: NonZeroUsize,
}

impl Request {
    /// A search without limits and at full strength by one thread, asked for at `instant`.
    pub fn new(instant: Instant) -> Self {
        Self {
            asked_at: instant,
            depth: None,
            win_in: None,
            nodes: None,
            move_time: None,
            white: None,
            black: None,
            overhead: Duration::ZERO,
            ponders: false,
            infinite: false,
            ponder: false,
            analysis: false,
            root_moves: Vec::new(),
            strength: Strength::default(),
            style: Style::default(),
            threads: NonZeroUsize::MIN,
            lines: NonZeroUsize::MIN,
        }
    }
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
