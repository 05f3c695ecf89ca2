//! The limits of a search, and the signals to a running one: stop, and that the opponent has played the expected move.

use super::{Handicap, Parameters};
use crate::clock::Moment;
use crate::position::Move;
use crate::stop::Stop;
use crate::turns::{Pause, Turns};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
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

/// The limits of a search; the first one that is reached counts. Without any it goes on until it is stopped. An engine's options
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
    /// True if the opponent's time is used too: then more of the clock can be spent on each own move.
    pub ponders: bool,
    /// True if the answer waits for a stop, whatever the other limits say.
    pub infinite: bool,
    /// True if the opponent is to move on the real board: until then time does not count and no answer is given.
    pub ponder: bool,
    /// True if the search goes on although its result is certain, as long as a limit allows.
    pub analysis: bool,
    /// The root moves to look at; empty for all.
    pub root_moves: Vec<Move<u128>>,
    /// How to play weaker than possible, if that is wanted.
    pub handicap: Option<Handicap>,
    /// Threads that search.
    pub threads: NonZeroUsize,
    /// How many of the best root moves are to have exact scores and lines.
    pub lines: NonZeroUsize,
    /// The parameters of the search, if not the defaults.
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

/// The signals of one search. Each search has its own, so that a late stop cannot hit the next one.
#[derive(Debug, Default)]
pub struct Signal {
    stop: Arc<AtomicBool>,
    ponder_hit: OnceLock<Moment>,
    waiting: Mutex<()>,
    changed: Condvar,
    /// How it is heard of where there are no threads.
    turns: Option<Turns>,
}

impl Signal {
    /// The signals of a search that ends with the job that `stop` ends. It must have limits: a search that only waits is not woken.
    pub fn of(stop: &Stop) -> Self {
        Self { stop: Arc::clone(stop.flag()), ..Self::default() }
    }

    /// The signals of a search that has no thread of its own: whenever it looks at them it gives a turn to who may give them.
    pub fn in_turns(turns: Turns) -> Self {
        Self { turns: Some(turns), ..Self::default() }
    }

    /// Returns whether there are no other threads.
    pub fn is_alone(&self) -> bool {
        self.turns.is_some()
    }

    /// Asks the search to end at once.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.wake();
    }

    /// Tells a pondering search that the expected move was played at `instant`: time counts from then.
    pub fn ponder_hit(&self, instant: Moment) {
        // A second one changes nothing.
        let _ = self.ponder_hit.set(instant);
        self.wake();
    }

    /// Returns whether the search was asked to end.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.turns.iter().for_each(|turns| turns.give(Pause::Look));
        self.stop.load(Ordering::Relaxed)
    }

    /// When the expected move was played, if it was.
    pub fn ponder_hit_at(&self) -> Option<Moment> {
        self.ponder_hit.get().copied()
    }

    /// Sleeps until the search was stopped, or, if `or_ponder_hit`, until the expected move was played.
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
        // Taken so that a waiter cannot miss the change between its look and its sleep.
        let _guard = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        self.changed.notify_all();
    }
}
