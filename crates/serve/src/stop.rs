//! The signal that nobody waits for an answer any more, and the end of a server, which begins with a signal to the process.

use std::sync::{Arc, Mutex, PoisonError};
use std::{fmt, io};
use tokio::sync::SetOnce;

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

/// Says when a server ends. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Ending(Arc<Stages>);

#[derive(Debug, Default)]
struct Stages {
    begun: SetOnce<()>,
    /// Set when the process was asked a second time to end.
    hurried: SetOnce<()>,
}

impl Ending {
    /// Begins the end: nobody is let in any more, and who is inside is answered.
    pub fn begin(&self) {
        // It may have begun already.
        let _ = self.0.begun.set(());
    }

    /// Waits until the end begins.
    pub async fn wait(&self) {
        self.0.begun.wait().await;
    }

    /// Returns whether the end has begun.
    pub(crate) fn has_begun(&self) -> bool {
        self.0.begun.initialized()
    }

    /// Waits until the process was asked a second time to end.
    pub(crate) async fn wait_for_impatience(&self) {
        self.0.hurried.wait().await;
    }

    /// Begins the end when the process gets SIGINT or SIGTERM, and hurries it with the second one.
    ///
    /// # Errors
    /// When the system refuses to tell of signals.
    pub(crate) fn listen_to_signals(&self) -> io::Result<()> {
        let (mut interrupt, mut terminate) = signals()?;
        let ending = self.clone();
        tokio::spawn(async move {
            for (stage, text) in [(&ending.0.begun, "the server ends"), (&ending.0.hurried, "the server ends at once")]
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
