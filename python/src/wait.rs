//! Waiting without the interpreter's lock, in a way that Ctrl-C ends.

use crate::error::EngineError;
use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use pyo3::prelude::*;
use soffio::stop::Stop;
use std::time::Duration;

/// How long signals of the system wait to be heard.
const LOOK: Duration = Duration::from_millis(10);

/// The next value of the channel, `None` when it is closed. Other threads of Python run meanwhile.
///
/// # Errors
/// The exception of a signal handler, as `KeyboardInterrupt`.
pub fn receive<T: Send>(py: Python<'_>, channel: &Receiver<T>) -> PyResult<Option<T>> {
    loop {
        match py.detach(|| channel.recv_timeout(LOOK)) {
            Ok(value) => return Ok(Some(value)),
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
        }
    }
}

/// Does `work` in a thread of its own, which its argument tells to stop when a signal handler raises an exception.
///
/// # Errors
/// That exception, or EngineError when there are no more threads.
pub fn interruptible<T: Send + 'static>(py: Python<'_>, work: impl FnOnce(&Stop) -> T + Send + 'static) -> PyResult<T> {
    let (sender, receiver) = bounded(1);
    let stop = Stop::new();
    let heard = stop.clone();
    let thread = std::thread::Builder::new().spawn(move || drop(sender.send(work(&heard))));
    let thread = thread.map_err(|error| EngineError::new_err(format!("no thread can be started: {error}")))?;
    let received = receive(py, &receiver);
    if received.is_err() {
        stop.stop();
    }
    drop(py.detach(|| thread.join()));
    received?.ok_or_else(|| EngineError::new_err("broken off by a fault"))
}
