//! What ends a search.

use super::Handicap;
use crate::position::Move;
use std::num::NonZeroUsize;
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

/// What ends a search; the first limit that is reached counts. Without any it goes on until it is stopped. An engine's options
/// (threads, lines, strength, overhead) are in its own [`Engine::limits`](crate::Engine::limits), to be completed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Deepest iteration.
    pub depth: Option<u8>,
    /// Only look for a win of the side to move in at most so many of its own moves, but for every one.
    pub win_in: Option<u16>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// Time reserved for the delay between the answer and the stop of the clock.
    pub overhead: Duration,
    /// Whether the opponent's time is used too: then more of the clock can be spent on each own move.
    pub ponders: bool,
    /// Whether the answer waits for a stop, whatever the other limits say.
    pub infinite: bool,
    /// Whether the opponent is to move on the real board: until then time does not count and no answer is given.
    pub ponder: bool,
    /// Whether the search goes on although its result is certain, as long as a limit allows.
    pub analysis: bool,
    /// The root moves to look at; empty for all.
    pub root_moves: Vec<Move<u128>>,
    /// Whether to play weaker than possible.
    pub handicap: Option<Handicap>,
    /// Threads that search.
    pub threads: NonZeroUsize,
    /// How many of the best root moves are to have exact scores and lines.
    pub lines: NonZeroUsize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            depth: None,
            win_in: None,
            nodes: None,
            move_time: None,
            clock: None,
            overhead: Duration::ZERO,
            ponders: false,
            infinite: false,
            ponder: false,
            analysis: false,
            root_moves: Vec::new(),
            handicap: None,
            threads: NonZeroUsize::MIN,
            lines: NonZeroUsize::MIN,
        }
    }
}
