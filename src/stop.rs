//! A signal that ends long-running work early. A search has its own [`Signal`](crate::search::Signal).

use crossbeam_channel::{Receiver, Sender, bounded};
use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A stop signal. A thread can poll it, or wait for it and for other channels at the same time. Clones share the
/// signal.
#[derive(Clone, Debug)]
pub struct Stop {
    /// Nothing is ever sent on this channel. The signal is set by dropping the sender.
    sender: Arc<Mutex<Option<Sender<Infallible>>>>,
    receiver: Receiver<Infallible>,
    flag: Arc<AtomicBool>,
}

impl Stop {
    /// Creates a signal that is not set.
    pub fn new() -> Self {
        let (sender, receiver) = bounded(0);
        Self { sender: Arc::new(Mutex::new(Some(sender))), receiver, flag: Arc::default() }
    }

    /// Sets the signal.
    pub fn stop(&self) {
        self.flag.store(true, Ordering::Relaxed);
        self.sender.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Returns whether the signal is set.
    pub fn is_stopped(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }

    /// Returns a flag that becomes true when the signal is set.
    pub fn flag(&self) -> &Arc<AtomicBool> {
        &self.flag
    }

    /// Returns a channel that is disconnected when the signal is set.
    pub fn receiver(&self) -> &Receiver<Infallible> {
        &self.receiver
    }
}

impl Default for Stop {
    fn default() -> Self {
        Self::new()
    }
}
