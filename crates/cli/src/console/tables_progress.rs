//! Progress messages on standard error while tables are built or checked.

use super::progress::{DRAW, Progress};
use indicatif::HumanDuration;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How far a job is.
pub(super) struct TablesProgress {
    pub(super) progress: Progress,
    /// Steps of the whole job.
    total: u64,
    /// Steps that are done.
    pub(super) done: AtomicU64,
    /// The work under way.
    part: Mutex<String>,
    started: Instant,
}

impl TablesProgress {
    /// A job of `total` steps begins.
    pub(super) fn new(total: u64) -> Self {
        let (done, part, started) = (AtomicU64::new(0), Mutex::default(), Instant::now());
        Self { progress: Progress::new(), total, done, part, started }
    }

    /// Does `work`, and reports meanwhile.
    pub(super) fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        let (working, is_over) = channel::<()>();
        let report = move || {
            while is_over.recv_timeout(DRAW) == Err(RecvTimeoutError::Timeout) {
                self.progress.show((self.done.load(Relaxed), self.total), || self.text());
            }
        };
        thread::scope(|scope| {
            // Without a thread for it nothing is reported.
            drop(thread::Builder::new().name("progress".to_owned()).spawn_scoped(scope, report));
            let result = work();
            drop(working);
            result
        })
    }

    /// Another part of the job begins.
    pub(super) fn part(&self, name: String) {
        *self.part.lock().unwrap_or_else(PoisonError::into_inner) = name;
    }

    fn text(&self) -> String {
        let (done, total) = (self.done.load(Relaxed) as f64, self.total.max(1) as f64);
        let left = self.started.elapsed().as_secs_f64() * (total - done) / done;
        // Nothing is known of the time left before something is done.
        let left = Duration::try_from_secs_f64(left).map(|left| HumanDuration(left).to_string());
        let part = self.part.lock().unwrap_or_else(PoisonError::into_inner);
        let left = left.unwrap_or_else(|_| "unknown".to_owned());
        format!("{part}: {:.1} % of all, {left} left", 100.0 * done / total)
    }
}
