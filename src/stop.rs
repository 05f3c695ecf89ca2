//! The signal that ends a long job early.

use crossbeam_channel::{Receiver, Sender, TryRecvError, bounded};
use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A signal that many threads can wait for, together with other channels. Clones share the signal.
#[derive(Clone, Debug)]
pub struct Stop {
    /// Nothing is ever sent: dropping the sender is the signal.
    sender: Arc<Mutex<Option<Sender<Infallible>>>>,
    receiver: Receiver<Infallible>,
    /// The same for work that waits for nothing.
    flag: Arc<AtomicBool>,
}

impl Stop {
    /// A signal that has not been given.
    pub fn new() -> Self {
        let (sender, receiver) = bounded(0);
        Self { sender: Arc::new(Mutex::new(Some(sender))), receiver, flag: Arc::default() }
    }

    /// Gives the signal.
    pub fn stop(&self) {
        self.flag.store(true, Ordering::Relaxed);
        self.sender.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Returns whether the signal was given.
    pub fn is_stopped(&self) -> bool {
        self.receiver.try_recv() == Err(TryRecvError::Disconnected)
    }

    /// The flag that is set when the signal is given.
    pub fn flag(&self) -> &Arc<AtomicBool> {
        &self.flag
    }

    /// The channel that disconnects when the signal is given.
    pub fn receiver(&self) -> &Receiver<Infallible> {
        &self.receiver
    }
}

impl Default for Stop {
    fn default() -> Self {
        Self::new()
    }
}
