//! Cancellation of requests, and shutdown of a server.

use parking_lot::Mutex;
use std::sync::Arc;
use std::{fmt, io};
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
pub struct Shutdown(Arc<Stages>);

#[derive(Debug, Default)]
struct Stages {
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

    pub(crate) async fn wait_for_impatience(&self) {
        self.0.hurried.wait().await;
    }

    /// Begins the shutdown at the first SIGINT or SIGTERM, and ends it immediately at the second.
    pub(crate) fn listen_to_signals(&self) -> io::Result<()> {
        let (mut interrupt, mut terminate) = signals()?;
        let shutdown = self.clone();
        tokio::spawn(async move {
            for (stage, text) in
                [(&shutdown.0.begun, "shutting down"), (&shutdown.0.hurried, "shutting down immediately")]
            {
                tokio::select! {
                    _ = interrupt.recv() => (),
                    _ = terminate.recv() => (),
                }
                log::info!("{text}");
                let _ = stage.set(());
            }
        });
        Ok(())
    }
}

#[cfg(unix)]
fn signals() -> io::Result<(tokio::signal::unix::Signal, tokio::signal::unix::Signal)> {
    use tokio::signal::unix::{SignalKind, signal};
    Ok((signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?))
}

#[cfg(windows)]
fn signals() -> io::Result<(tokio::signal::windows::CtrlC, tokio::signal::windows::CtrlBreak)> {
    use tokio::signal::windows::{ctrl_break, ctrl_c};
    Ok((ctrl_c()?, ctrl_break()?))
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
