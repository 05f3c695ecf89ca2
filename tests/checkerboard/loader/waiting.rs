//! Measures delays for which the system is responsible, so that they are not attributed to the library.

use std::hint::spin_loop;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

/// Measures how long the current thread was ready to run but had no processor.
pub struct Waiting {
    #[cfg(target_os = "linux")]
    before: Duration,
    #[cfg(not(target_os = "linux"))]
    before: (Instant, cpu_time::ThreadTime),
}

/// Returns the total time that this thread has waited for a processor, as reported by Linux.
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

    pub fn end(self) -> Duration {
        waited().saturating_sub(self.before)
    }
}

#[cfg(not(target_os = "linux"))]
impl Waiting {
    pub fn begin() -> Self {
        Self { before: (Instant::now(), cpu_time::ThreadTime::now()) }
    }

    /// Returns the time since [`Self::begin`] in which this thread did not run. This is waiting time, because a search
    /// never sleeps. Windows measures CPU time in steps of about 16 ms, and Wine in steps of 10 ms.
    pub fn end(self) -> Duration {
        let (began, worked) = self.before;
        began.elapsed().saturating_sub(worked.elapsed())
    }
}

/// Sleeps for `time`, or until `ended` receives the time at which the search ended. Returns how late the system woke
/// this thread.
pub fn oversleep(time: Duration, ended: &Receiver<Instant>) -> Overslept {
    let began = Instant::now();
    let message = ended.recv_timeout(time).ok();
    let at_the_end = message.is_none().then(|| began.elapsed().saturating_sub(time));
    // Another thread waits until this thread notices that the search has ended, just as the library waits for one of
    // its own threads.
    let message = message.or_else(|| ended.recv().ok());
    Overslept { at_the_end, after_message: message.map_or(Duration::ZERO, |message| message.elapsed()) }
}

/// How late the system woke a thread.
pub struct Overslept {
    /// Delay after the requested time, or `None` if the search ended earlier.
    pub at_the_end: Option<Duration>,
    /// Delay after the message that the search had ended.
    pub after_message: Duration,
}

/// Polls the clock until `time` has passed, and returns how much more time passed before the loop noticed. A perfect
/// search would have the same delay on this machine.
pub fn overrun(time: Duration) -> Duration {
    let began = Instant::now();
    loop {
        if let Some(late) = began.elapsed().checked_sub(time) {
            return late;
        }
        spin_loop();
    }
}
