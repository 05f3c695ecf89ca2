//! The signals that a running search can receive: stop and ponderhit.

use crate::clock::Moment;
use crate::stop::Stop;
use crate::turns::{Pause, Turns};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};

/// Signals to a single search. Each search has its own signals, so that a late stop cannot end the next search.
#[derive(Debug, Default)]
pub struct Signal {
    stop: Arc<AtomicBool>,
    ponder_hit: OnceLock<Moment>,
    waiting: Mutex<()>,
    changed: Condvar,
    /// Set on platforms without threads, where polling the signals lets other work run.
    turns: Option<Turns>,
}

impl Signal {
    /// Creates signals that stop the search when `stop` is set. The search must not be infinite or pondering, because
    /// `stop` does not wake a search that is only waiting for a signal.
    pub fn from_stop(stop: &Stop) -> Self {
        Self { stop: Arc::clone(stop.flag()), ..Self::default() }
    }

    /// Creates signals for a search that has no thread of its own. The search yields to the sender of the signals
    /// whenever it polls them.
    pub fn in_turns(turns: Turns) -> Self {
        Self { turns: Some(turns), ..Self::default() }
    }

    /// Returns whether the search shares a single thread with its caller.
    pub fn shares_thread(&self) -> bool {
        self.turns.is_some()
    }

    /// Requests that the search stop immediately.
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
        self.turns.iter().for_each(|turns| turns.yield_now(Pause::Poll));
        self.stop.load(Ordering::Relaxed)
    }

    /// Returns the moment when the expected move was played, or `None` if it has not been played.
    pub fn ponder_hit_at(&self) -> Option<Moment> {
        self.ponder_hit.get().copied()
    }

    pub(super) fn wait(&self, or_ponder_hit: bool) {
        if let Some(turns) = &self.turns {
            while !self.is_over(or_ponder_hit) {
                turns.yield_now(Pause::Wait);
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
