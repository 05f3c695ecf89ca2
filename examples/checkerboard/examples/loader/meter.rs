//! How long the system has kept this process waiting while others worked: a move that is late for that is not late by itself.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The nap of the thread that measures.
const NAP: Duration = Duration::from_millis(1);

/// A thread that naps and sees how late it wakes up. It runs as long as the process.
pub struct Meter(Arc<AtomicU64>);

impl Meter {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the system has no more threads.
    pub fn start() -> io::Result<Self> {
        let longest = Arc::new(AtomicU64::new(0));
        let seen = Arc::clone(&longest);
        thread::Builder::new().name("meter".to_owned()).spawn(move || {
            loop {
                let before = Instant::now();
                thread::sleep(NAP);
                let late = before.elapsed().saturating_sub(NAP);
                seen.fetch_max(late.as_micros() as u64, Ordering::Relaxed);
            }
        })?;
        Ok(Self(longest))
    }

    /// Begins anew.
    pub fn reset(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// The longest time by which the thread woke up late since then.
    pub fn longest(&self) -> Duration {
        Duration::from_micros(self.0.load(Ordering::Relaxed))
    }
}
