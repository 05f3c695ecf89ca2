//! Search limits.

use super::Parameters;
use crate::position::Move;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

/// The game clock of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time left until the next time control, or until the end of the game.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Number of moves until the next time control, or `None` if the remaining time is for the whole game.
    pub moves_to_go: Option<u32>,
}

/// Search limits. The first limit that is reached ends the search. A search without limits runs until it is stopped. A
/// limit of `None` does not apply.
///
/// [`Engine::limits`](crate::Engine::limits) returns the limits that follow from the options of an engine, such as the
/// number of threads, the number of lines and the overhead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum search depth in plies.
    pub depth: Option<u8>,
    /// If set, the search is exhaustive and looks only for a win for the side to move within this many of its own
    /// moves.
    pub win_in: Option<u16>,
    /// Maximum number of nodes, summed over all threads. The search may exceed it slightly.
    pub nodes: Option<u64>,
    /// Maximum time for this move, including `overhead`.
    pub move_time: Option<Duration>,
    /// Clock of the side to move.
    pub clock: Option<Clock>,
    /// Time reserved for the delay between the engine's answer and the moment when its clock stops.
    pub overhead: Duration,
    /// Whether the engine also searches during the opponent's time. It can then spend more of its own time on each
    /// move.
    pub ponders: bool,
    /// Whether the result is held back until the search is stopped, even if another limit has been reached.
    pub infinite: bool,
    /// Whether this is a ponder search. Before a ponderhit, time does not count, and the result is held back.
    pub ponder: bool,
    /// Whether the search continues until it reaches a limit even if the result is already certain.
    pub analysis: bool,
    /// Root moves to search. If empty, all legal moves are searched.
    pub root_moves: Vec<Move<u128>>,
    /// How the playing strength is reduced, or `None` for full strength.
    pub handicap: Option<Handicap>,
    /// Number of search threads.
    pub threads: NonZeroUsize,
    /// Number of best root moves for which the search determines an exact score and a line (MultiPV).
    pub lines: NonZeroUsize,
    /// Search parameters, or `None` for the defaults.
    pub parameters: Option<Arc<Parameters>>,
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
            parameters: None,
        }
    }
}

/// Settings that make the search play below its full strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handicap {
    /// Maximum search depth in plies.
    pub depth: u8,
    /// A move that is worse than the best move by this amount in cp is chosen about a third as often as the best move.
    /// If 0, the best move is always chosen.
    pub spread: u16,
    /// Random seed for the choice among the best moves.
    pub seed: u64,
}

impl Handicap {
    /// Number of best moves among which a handicapped player chooses.
    pub const CANDIDATES: usize = 8;

    pub(super) fn lines(self) -> usize {
        if self.spread == 0 { 1 } else { Self::CANDIDATES }
    }
}
