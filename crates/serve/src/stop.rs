//! Cancellation of requests, and shutdown of a server.

use parking_lot::Mutex;
use std::fmt;
use std::sync::Arc;
use tokio::sync::SetOnce;

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

/// Shuts down a server. All clones share one state.
#[derive(Clone, Debug, Default)]
pub struct Shutdown(Arc<ShutdownStages>);

#[derive(Debug, Default)]
struct ShutdownStages {
    begun: SetOnce<()>,
    hurried: SetOnce<()>,
}

impl Shutdown {
    /// Begins the shutdown. The server stops accepting connections, but still answers the requests that it has
    /// admitted.
    pub fn begin(&self) {
        // Setting the value fails if the shutdown has already begun.
        let _ = self.0.begun.set(());
    }

    pub async fn wait(&self) {
        self.0.begun.wait().await;
    }

    pub(crate) fn has_begun(&self) -> bool {
        self.0.begun.initialized()
    }

    pub(crate) async fn wait_for_forced_shutdown(&self) {
        self.0.hurried.wait().await;
    }

    /// Begins the shutdown or, if it has already begun, closes all connections immediately.
    pub fn advance(&self) {
        if self.0.begun.set(()).is_ok() {
            log::info!("shutting down");
        } else {
            log::info!("shutting down immediately");
            let _ = self.0.hurried.set(());
        }
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
