//! Cancellation of requests.

use parking_lot::Mutex;
use std::fmt;
use std::sync::Arc;

type Call = Box<dyn FnOnce() + Send>;

/// Cancels the work on a request whose client has disconnected. All clones share one signal.
#[derive(Clone, Default)]
pub struct Cancellation(Arc<Mutex<CancellationState>>);

#[derive(Default)]
struct CancellationState {
    is_stopped: bool,
    call: Option<Call>,
}

impl Cancellation {
    pub fn stop(&self) {
        let call = {
            let mut state = self.0.lock();
            state.is_stopped = true;
            state.call.take()
        };
        if let Some(call) = call {
            call();
        }
    }

    pub fn is_stopped(&self) -> bool {
        self.0.lock().is_stopped
    }

    /// Runs `call` when the request is cancelled, or immediately if it has already been cancelled. `call` replaces the
    /// previous callback.
    pub fn on_stop(&self, call: impl FnOnce() + Send + 'static) {
        let mut state = self.0.lock();
        if state.is_stopped {
            drop(state);
            call();
        } else {
            state.call = Some(Box::new(call));
        }
    }
}

impl fmt::Debug for Cancellation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Cancellation").field(&self.is_stopped()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn only_the_last_callback_runs_and_only_once() {
        let calls = Arc::new(AtomicUsize::new(0));
        let call = |by: usize| {
            let calls = Arc::clone(&calls);
            move || _ = calls.fetch_add(by, Ordering::Relaxed)
        };
        let stop = Cancellation::default();
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
