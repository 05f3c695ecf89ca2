//! The signal that nobody waits for an answer any more.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

type Call = Box<dyn FnOnce() + Send>;

/// A signal to the work on one request that its client has gone. Clones share it.
#[derive(Clone, Default)]
pub struct Stop(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    is_stopped: bool,
    call: Option<Call>,
}

impl Stop {
    /// Gives the signal.
    pub fn stop(&self) {
        let call = {
            let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            state.is_stopped = true;
            state.call.take()
        };
        if let Some(call) = call {
            call();
        }
    }

    /// Returns whether the signal was given.
    pub fn is_stopped(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_stopped
    }

    /// Has `call` run when the signal is given, at once if it was; for work that listens to a signal of another kind. It takes
    /// the place of the call before.
    pub fn on_stop(&self, call: impl FnOnce() + Send + 'static) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.is_stopped {
            drop(state);
            call();
        } else {
            state.call = Some(Box::new(call));
        }
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Stop").field(&self.is_stopped()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn the_last_call_runs_once_whenever_it_comes() {
        let calls = Arc::new(AtomicUsize::new(0));
        let call = |by: usize| {
            let calls = Arc::clone(&calls);
            move || _ = calls.fetch_add(by, Ordering::Relaxed)
        };
        let stop = Stop::default();
        stop.on_stop(call(1));
        stop.on_stop(call(10));
        assert!(!stop.is_stopped());
        stop.clone().stop();
        stop.stop();
        assert!(stop.is_stopped());
        assert_eq!(calls.load(Ordering::Relaxed), 10);
        stop.on_stop(call(100));
        assert_eq!(calls.load(Ordering::Relaxed), 110);
    }
}
