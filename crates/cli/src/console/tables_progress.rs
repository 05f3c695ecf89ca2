//! Progress messages on standard error while tables are built or checked.

use super::progress::{REPORT, bar};
use super::tables_command::say;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget};
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The time between two drawings of a bar.
const DRAW: Duration = Duration::from_millis(200);

/// How far a job is.
pub(super) struct TablesProgress {
    bar: Option<ProgressBar>,
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
        let bar = io::stderr().is_terminal().then(|| bar(total, ProgressDrawTarget::stderr()));
        Self { bar, total, done: AtomicU64::new(0), part: Mutex::new(String::new()), started: Instant::now() }
    }

    /// Does `work`, and reports meanwhile.
    pub(super) fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        let (working, is_over) = channel::<()>();
        let every = if self.bar.is_some() { DRAW } else { REPORT };
        let report = move || {
            while is_over.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
                self.show();
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

    /// So many steps need not be done.
    pub(super) fn skip(&self, steps: u64) {
        self.done.fetch_add(steps, Relaxed);
    }

    fn show(&self) {
        match &self.bar {
            Some(bar) => {
                bar.set_position(self.done.load(Relaxed));
                bar.set_message(self.text());
            }
            None => say(&self.text()),
        }
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

    /// Does `print`, which writes lines that stay.
    pub(super) fn with_lines<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}

impl Drop for TablesProgress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
