//! The signals to a running search: stop, and that the opponent has played the expected move.

use crate::clock::Moment;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, OnceLock, PoisonError};

/// The signals of one search. Each search has its own, so that a late stop cannot hit the next one.
#[derive(Debug, Default)]
pub struct Signal {
    stop: AtomicBool,
    ponder_hit: OnceLock<Moment>,
    waiting: Mutex<()>,
    changed: Condvar,
}

impl Signal {
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

    /// Whether the search was asked to end.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The stop flag itself, for work that looks at nothing else.
    pub fn stop_flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// When the expected move was played, if it was.
    pub fn ponder_hit_at(&self) -> Option<Moment> {
        self.ponder_hit.get().copied()
    }

    /// Sleeps until the search was stopped, or, if `or_ponder_hit`, until the expected move was played.
    pub(super) fn wait(&self, or_ponder_hit: bool) {
        let guard = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let is_over = || self.is_stopped() || (or_ponder_hit && self.ponder_hit_at().is_some());
        drop(self.changed.wait_while(guard, |()| !is_over()));
    }

    fn wake(&self) {
        // Taken so that a waiter cannot miss the change between its look and its sleep.
        let _guard = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        self.changed.notify_all();
    }
}
