//! Search limits, and the signals to a running search: stop and ponderhit.

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
    /// Time left for the game, or until the next time control.
    pub remaining: Duration,
    /// Time added with each move.
    pub increment: Duration,
    /// Moves to the next time control; `None` if the time is for the whole game.
    pub moves_to_go: Option<u32>,
}

/// Search limits; the first one reached ends the search. Without limits it runs until stopped.
/// [`Engine::limits`](crate::Engine::limits) has the limits that an engine's options set (threads, lines, strength,
/// overhead).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum search depth in plies.
    pub depth: Option<u8>,
    /// Search only for a win of the side to move within this many of its own moves, but exhaustively.
    pub win_in: Option<u16>,
    /// Maximum number of nodes.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// Clock of the side to move.
    pub clock: Option<Clock>,
    /// Time reserved for the delay between the answer and the stop of the clock.
    pub overhead: Duration,
    /// Whether the engine also searches in the opponent's time, which allows more clock time for each of its moves.
    pub ponders: bool,
    /// Whether the result waits for a stop, regardless of other limits.
    pub infinite: bool,
    /// Whether this is a ponder search: until a ponderhit, time does not count and no result is returned.
    pub ponder: bool,
    /// Whether the search continues with a certain result, as long as a limit allows.
    pub analysis: bool,
    /// Root moves to search; empty for all.
    pub root_moves: Vec<Move<u128>>,
    /// Strength reduction, if any.
    pub handicap: Option<Handicap>,
    /// Number of search threads.
    pub threads: NonZeroUsize,
    /// Number of best root moves that get exact scores and lines (MultiPV).
    pub lines: NonZeroUsize,
    /// Search parameters, if not the defaults.
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

/// How the search plays below its full strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handicap {
    /// Maximum search depth in plies.
    pub depth: u8,
    /// Loss in cp at which a move is chosen about a third as often as the best move; 0 always plays the best move.
    pub spread: u16,
    /// Random seed for the choice among the best moves.
    pub seed: u64,
}

impl Handicap {
    /// Number of best moves to choose from.
    pub const CANDIDATES: usize = 8;

    pub(super) fn lines(self) -> usize {
        if self.spread == 0 { 1 } else { Self::CANDIDATES }
    }
}

/// Signals to one search. Each search has its own, so that a late stop cannot hit the next search.
#[derive(Debug, Default)]
pub struct Signal {
    stop: Arc<AtomicBool>,
    ponder_hit: OnceLock<Moment>,
    waiting: Mutex<()>,
    changed: Condvar,
    /// Set on platforms without threads: each poll gives a turn to other work.
    turns: Option<Turns>,
}

impl Signal {
    /// Creates signals that follow `stop`. The search must have limits, because `stop` does not wake a search that only
    /// waits.
    pub fn of(stop: &Stop) -> Self {
        Self { stop: Arc::clone(stop.flag()), ..Self::default() }
    }

    /// Creates signals for a search without a thread of its own, which gives a turn to the sender whenever it polls.
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

    /// Reports to a pondering search that the expected move was played at `instant`, from which time counts.
    pub fn ponder_hit(&self, instant: Moment) {
        // Later hits are ignored.
        let _ = self.ponder_hit.set(instant);
        self.wake();
    }

    /// Returns whether a stop was requested.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.turns.iter().for_each(|turns| turns.give(Pause::Look));
        self.stop.load(Ordering::Relaxed)
    }

    /// Returns when the expected move was played, if it was.
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
        // Locked so that a waiter cannot miss the change between its check and its sleep.
        let _guard = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        self.changed.notify_all();
    }
}
