//! Waiting without the interpreter's lock, in a way that Ctrl-C ends.

use crate::error::EngineError;
use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long signals of the system wait to be heard.
const LOOK: Duration = Duration::from_millis(10);

/// The next value of the channel: `None` when it is closed, or `timeout` has passed. Other threads of Python run meanwhile.
///
/// # Errors
/// The exception of a signal handler, as `KeyboardInterrupt`.
pub fn receive<T: Send>(py: Python<'_>, channel: &Receiver<T>, timeout: Option<Duration>) -> PyResult<Option<T>> {
    let end = timeout.map(|timeout| Instant::now() + timeout);
    loop {
        let left = end.map_or(LOOK, |end| end.saturating_duration_since(Instant::now()).min(LOOK));
        match py.detach(|| channel.recv_timeout(left)) {
            Ok(value) => return Ok(Some(value)),
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
        }
        if end.is_some_and(|end| end <= Instant::now()) {
            return Ok(None);
        }
    }
}

/// Does `work` in a thread of its own, which the flag tells to stop when a signal handler raises an exception.
///
/// # Errors
/// That exception, or EngineError when there are no more threads.
pub fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
) -> PyResult<T> {
    let stop = Arc::new(AtomicBool::new(false));
    let (sender, receiver) = bounded(1);
    let flag = Arc::clone(&stop);
    let thread = std::thread::Builder::new().spawn(move || drop(sender.send(work(&flag))));
    let thread = thread.map_err(|error| EngineError::new_err(format!("no thread can be started: {error}")))?;
    let received = receive(py, &receiver, None);
    if received.is_err() {
        stop.store(true, Ordering::Relaxed);
    }
    let ended = py.detach(|| thread.join());
    match (received?, ended) {
        (Some(value), _) => Ok(value),
        (None, _) => Err(EngineError::new_err("broken off by a fault")),
    }
}
