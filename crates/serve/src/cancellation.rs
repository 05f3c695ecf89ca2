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
    is_cancelled: bool,
    call: Option<Call>,
}

impl Cancellation {
    pub fn cancel(&self) {
        let call = {
            let mut state = self.0.lock();
            state.is_cancelled = true;
            state.call.take()
        };
        if let Some(call) = call {
            call();
        }
    }

    pub fn is_cancelled(&self) -> bool {
        self.0.lock().is_cancelled
    }

    /// Runs `call` when the request is cancelled, or immediately if it has already been cancelled. `call` replaces the
    /// previous callback.
    pub fn on_cancel(&self, call: impl FnOnce() + Send + 'static) {
        let mut state = self.0.lock();
        if state.is_cancelled {
            drop(state);
            call();
        } else {
            state.call = Some(Box::new(call));
        }
    }
}

impl fmt::Debug for Cancellation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Cancellation").field(&self.is_cancelled()).finish()
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
        let cancellation = Cancellation::default();
        cancellation.on_cancel(call(1));
        cancellation.on_cancel(call(10));
        assert!(!cancellation.is_cancelled());
        cancellation.clone().cancel();
        cancellation.cancel();
        assert!(cancellation.is_cancelled());
        assert_eq!(calls.load(Ordering::Relaxed), 10);
        cancellation.on_cancel(call(100));
        assert_eq!(calls.load(Ordering::Relaxed), 110);
    }
}
