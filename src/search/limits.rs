//! Search limits, and the signals that a running search can receive: stop and ponderhit.

use super::Parameters;
use crate::clock::Moment;
use crate::position::Move;
use crate::stop::Stop;
use crate::turns::{Pause, Turns};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
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

/// Search limits. The first limit that is reached ends the search. A search without limits runs until it is stopped.
///
/// [`Engine::limits`](crate::Engine::limits) returns the limits that follow from the options of an engine, such as the
/// number of threads, the number of lines and the overhead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum search depth in plies.
    pub depth: Option<u8>,
    /// If set, the search is exhaustive and only looks for a win of the side to move within this many of its own moves.
    pub win_in: Option<u16>,
    /// Maximum number of nodes.
    pub nodes: Option<u64>,
    /// Maximum time for this move.
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
    /// Loss in cp, relative to the best move, at which a move is chosen about a third as often as the best move. If 0,
    /// the best move is always chosen.
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

/// Signals to a single search. Each search has its own signals, so that a late stop cannot end the next search.
#[derive(Debug, Default)]
pub struct Signal {
    stop: Arc<AtomicBool>,
    ponder_hit: OnceLock<Moment>,
    waiting: Mutex<()>,
    changed: Condvar,
    /// Set on platforms without threads. Each poll of the signals then yields to other work.
    turns: Option<Turns>,
}

impl Signal {
    /// Creates signals that stop the search when `stop` is set. The search must not be infinite or pondering, because
    /// `stop` does not wake a search that is only waiting for a signal.
    pub fn of(stop: &Stop) -> Self {
        Self { stop: Arc::clone(stop.flag()), ..Self::default() }
    }

    /// Creates signals for a search that has no thread of its own. The search yields to the sender of the signals
    /// whenever it polls them.
    pub fn in_turns(turns: Turns) -> Self {
        Self { turns: Some(turns), ..Self::default() }
    }

    /// Returns whether the search shares a single thread with its caller.
    pub fn is_alone(&self) -> bool {
        self.turns.is_some()
    }

    /// Requests that the search stop at once.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.wake();
    }

    /// Informs a pondering search that the expected move was played at `instant`. The time of the search counts from
    /// then on.
    pub fn ponder_hit(&self, instant: Moment) {
        // Only the first ponderhit counts.
        let _ = self.ponder_hit.set(instant);
        self.wake();
    }

    /// Returns whether a stop was requested.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.turns.iter().for_each(|turns| turns.give(Pause::Look));
        self.stop.load(Ordering::Relaxed)
    }

    /// Returns the moment when the expected move was played, or `None` if it has not been played.
    pub fn ponder_hit_at(&self) -> Option<Moment> {
        self.ponder_hit.get().copied()
    }

    pub(super) fn wait(&self, or_ponder_hit: bool) {
        if let Some(turns) = &self.turns {
            while !self.is_over(or_ponder_hit) {
                turns.give(Pause::Wait);
            }
            return;
        }
        let guard = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.changed.wait_while(guard, |()| !self.is_over(or_ponder_hit)));
    }

    fn is_over(&self, or_ponder_hit: bool) -> bool {
        self.is_stopped() || (or_ponder_hit && self.ponder_hit_at().is_some())
    }

    fn wake(&self) {
        // The lock ensures that a waiting thread cannot miss the change between its check and its sleep.
        let _guard = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        self.changed.notify_all();
    }
}
