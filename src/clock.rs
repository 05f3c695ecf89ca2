//! Time sources: targets such as WebAssembly in a browser have no clock of their own, so the caller can supply one.

use std::fmt;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

/// A point in time, relative to the origin of its [`TimeSource`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(Duration);

/// A monotonic clock.
#[derive(Clone)]
pub struct TimeSource(Arc<dyn Fn() -> Duration + Send + Sync>);

impl TimeSource {
    /// Creates a clock from a function that returns the time since a fixed origin, such as `performance.now()` in a
    /// browser.
    pub fn new(elapsed: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Self(Arc::new(elapsed))
    }

    /// Returns the current time.
    pub fn now(&self) -> Moment {
        Moment((self.0)())
    }

    /// Returns the time since `moment` of the same clock, or zero if it is in the future.
    pub fn since(&self, moment: Moment) -> Duration {
        self.now().0.saturating_sub(moment.0)
    }
}

static BEGINNING: LazyLock<Instant> = LazyLock::new(Instant::now);

impl Default for TimeSource {
    /// Returns the monotonic system clock. All instances share their origin.
    fn default() -> Self {
        Self::new(|| BEGINNING.elapsed())
    }
}

impl From<Instant> for Moment {
    /// Converts to the system clock, saturating at its origin.
    fn from(instant: Instant) -> Self {
        Self(instant.saturating_duration_since(*BEGINNING))
    }
}

impl fmt::Debug for TimeSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TimeSource").field(&self.now()).finish()
    }
}

/// Measures the time since a moment.
#[derive(Clone, Debug)]
pub struct Stopwatch {
    source: TimeSource,
    started: Moment,
}

impl Stopwatch {
    /// Creates a stopwatch that was started at `started`, a moment of the clock `source`.
    pub fn new(source: TimeSource, started: Moment) -> Self {
        Self { source, started }
    }

    /// Starts a stopwatch on the system clock.
    pub fn start() -> Self {
        let source = TimeSource::default();
        let started = source.now();
        Self { source, started }
    }

    /// Creates a stopwatch that always shows zero, for work too short to measure.
    pub fn standing() -> Self {
        Self { source: TimeSource::new(|| Duration::ZERO), started: Moment(Duration::ZERO) }
    }

    /// Returns the time since the start.
    pub fn elapsed(&self) -> Duration {
        self.source.since(self.started)
    }

    /// Returns the time since a different moment of the same clock.
    pub fn since(&self, moment: Moment) -> Duration {
        self.source.since(moment)
    }
}
