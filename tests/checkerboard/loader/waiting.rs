//! For how long the system keeps threads waiting, which is no fault of the library.

use std::hint::spin_loop;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

/// Measures for how long the present thread could have worked, but others had the processor.
pub struct Waiting {
    #[cfg(target_os = "linux")]
    before: Duration,
    #[cfg(not(target_os = "linux"))]
    before: (Instant, cpu_time::ThreadTime),
}

/// The time that this thread has waited for a processor, as Linux counts it.
#[cfg(target_os = "linux")]
fn waited() -> Duration {
    let counted = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = counted.split_whitespace().nth(1).and_then(|number| number.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}

#[cfg(target_os = "linux")]
impl Waiting {
    /// Begins to measure.
    pub fn begin() -> Self {
        Self { before: waited() }
    }

    /// The time since then.
    pub fn end(self) -> Duration {
        waited().saturating_sub(self.before)
    }
}

#[cfg(not(target_os = "linux"))]
impl Waiting {
    /// Begins to measure.
    pub fn begin() -> Self {
        Self { before: (Instant::now(), cpu_time::ThreadTime::now()) }
    }

    /// The time since then in which this thread has not worked: a search itself never sleeps. Windows counts work in
    /// steps of about 16 ms, Wine in those of 10.
    pub fn end(self) -> Duration {
        let (began, worked) = self.before;
        began.elapsed().saturating_sub(worked.elapsed())
    }
}

/// Sleeps for `time`, or until `ended` tells when there was nothing more to wait for, and returns by how much too late
/// the system has woken this thread.
pub fn oversleep(time: Duration, ended: &Receiver<Instant>) -> Overslept {
    let began = Instant::now();
    let told = ended.recv_timeout(time).ok();
    let at_the_end = told.is_none().then(|| began.elapsed().saturating_sub(time));
    // Another thread waits for this one to notice that the search is over, as the library has to wait for one of its
    // own.
    let told = told.or_else(|| ended.recv().ok());
    Overslept { at_the_end, when_told: told.map_or(Duration::ZERO, |told| told.elapsed()) }
}

/// By how much the system has woken a thread too late.
pub struct Overslept {
    /// When its time was over, if it came to that.
    pub at_the_end: Option<Duration>,
    /// When it was told something.
    pub when_told: Duration,
}

/// Does nothing but look at the clock until `time` has passed, and returns by how much too late it saw that: what a
/// search that is perfect would be late on this machine.
pub fn overrun(time: Duration) -> Duration {
    let began = Instant::now();
    loop {
        if let Some(late) = began.elapsed().checked_sub(time) {
            return late;
        }
        spin_loop();
    }
}
