//! A signal for ending long jobs early.

use crossbeam_channel::{Receiver, Sender, TryRecvError, bounded};
use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A stop signal that threads can poll or wait for together with other channels. Clones share the signal.
#[derive(Clone, Debug)]
pub struct Stop {
    /// Nothing is ever sent: dropping the sender is the signal.
    sender: Arc<Mutex<Option<Sender<Infallible>>>>,
    receiver: Receiver<Infallible>,
    /// Flag for code that only polls.
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
        self.receiver.try_recv() == Err(TryRecvError::Disconnected)
    }

    /// Returns the flag that is true once the signal is set.
    pub fn flag(&self) -> &Arc<AtomicBool> {
        &self.flag
    }

    /// Returns the channel that disconnects once the signal is set.
    pub fn receiver(&self) -> &Receiver<Infallible> {
        &self.receiver
    }
}

impl Default for Stop {
    fn default() -> Self {
        Self::new()
    }
}
