//! Measures how long the system keeps threads waiting, which is not the library's fault.

use std::hint::spin_loop;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

/// Measures how long the current thread was ready to run but did not have a processor.
pub struct Waiting {
    #[cfg(target_os = "linux")]
    before: Duration,
    #[cfg(not(target_os = "linux"))]
    before: (Instant, cpu_time::ThreadTime),
}

/// Returns the time that this thread has waited for a processor, according to Linux.
#[cfg(target_os = "linux")]
fn waited() -> Duration {
    let counted = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = counted.split_whitespace().nth(1).and_then(|number| number.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}

#[cfg(target_os = "linux")]
impl Waiting {
    pub fn begin() -> Self {
        Self { before: waited() }
    }

    /// Returns the waiting time since [`Self::begin`].
    pub fn end(self) -> Duration {
        waited().saturating_sub(self.before)
    }
}

#[cfg(not(target_os = "linux"))]
impl Waiting {
    pub fn begin() -> Self {
        Self { before: (Instant::now(), cpu_time::ThreadTime::now()) }
    }

    /// Returns the time since [`Self::begin`] in which this thread has not run: a search never sleeps. Windows counts
    /// CPU time in steps of about 16 ms, Wine in steps of 10 ms.
    pub fn end(self) -> Duration {
        let (began, worked) = self.before;
        began.elapsed().saturating_sub(worked.elapsed())
    }
}

/// Sleeps for `time`, or until `ended` receives the moment when the search ended. Returns how late the system woke this
/// thread.
pub fn oversleep(time: Duration, ended: &Receiver<Instant>) -> Overslept {
    let began = Instant::now();
    let message = ended.recv_timeout(time).ok();
    let at_the_end = message.is_none().then(|| began.elapsed().saturating_sub(time));
    // A different thread waits for this one to notice that the search has ended, as the library waits for a thread of
    // its own.
    let message = message.or_else(|| ended.recv().ok());
    Overslept { at_the_end, after_message: message.map_or(Duration::ZERO, |message| message.elapsed()) }
}

/// How late the system woke a thread.
pub struct Overslept {
    /// Delay after its time had passed, if it slept that long.
    pub at_the_end: Option<Duration>,
    /// Delay after the message that the search had ended.
    pub after_message: Duration,
}

/// Polls the clock until `time` has passed, and returns how late it noticed: the delay that a perfect search would have
/// on this machine.
pub fn overrun(time: Duration) -> Duration {
    let began = Instant::now();
    loop {
        if let Some(late) = began.elapsed().checked_sub(time) {
            return late;
        }
        spin_loop();
    }
}
