//! Waits without holding the GIL, and handles signals such as Ctrl-C in the meantime.

use crate::convert::EngineError;
use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use pyo3::prelude::*;
use soffio::stop::Stop;
use std::time::Duration;

/// Polling interval for signals.
const SIGNAL_POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Returns the next value from `channel`, or `None` if the channel is closed. Fails if a signal handler raises an
/// exception, such as `KeyboardInterrupt`.
pub fn receive<T: Send>(py: Python<'_>, channel: &Receiver<T>) -> PyResult<Option<T>> {
    loop {
        match py.detach(|| channel.recv_timeout(SIGNAL_POLL_INTERVAL)) {
            Ok(value) => return Ok(Some(value)),
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
        }
    }
}

/// Runs `work` in a new thread, and stops it if a signal handler raises an exception.
pub fn interruptible<T: Send + 'static>(py: Python<'_>, work: impl FnOnce(&Stop) -> T + Send + 'static) -> PyResult<T> {
    let (sender, receiver) = bounded(1);
    let stop = Stop::new();
    let heard = stop.clone();
    let thread = std::thread::Builder::new().spawn(move || drop(sender.send(work(&heard))));
    let thread = thread.map_err(|error| EngineError::new_err(format!("cannot start a thread: {error}")))?;
    let received = receive(py, &receiver);
    if received.is_err() {
        stop.stop();
    }
    drop(py.detach(|| thread.join()));
    received?.ok_or_else(|| EngineError::new_err("the request was aborted by an internal error"))
}
