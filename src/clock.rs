//! Clocks for measuring time. Some targets, such as WebAssembly in a browser, have no clock of their own, so the caller
//! can supply one.

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

    /// Returns the time that has passed since `moment`, or zero if `moment` lies in the future. `moment` must come from
    /// this clock.
    pub fn since(&self, moment: Moment) -> Duration {
        self.now().0.saturating_sub(moment.0)
    }
}

static BEGINNING: LazyLock<Instant> = LazyLock::new(Instant::now);

impl Default for TimeSource {
    /// Returns the monotonic system clock. All instances of it have the same origin.
    fn default() -> Self {
        Self::new(|| BEGINNING.elapsed())
    }
}

impl From<Instant> for Moment {
    /// Converts an instant to a moment on the system clock. An instant before the clock's origin is converted to the
    /// origin.
    fn from(instant: Instant) -> Self {
        Self(instant.saturating_duration_since(*BEGINNING))
    }
}

impl fmt::Debug for TimeSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TimeSource").field(&self.now()).finish()
    }
}

/// A stopwatch, which measures the time that has passed since a moment.
#[derive(Clone, Debug)]
pub struct Stopwatch {
    source: TimeSource,
    started: Moment,
}

impl Stopwatch {
    /// Creates a stopwatch that started at `started`, a moment on the clock `source`.
    pub fn new(source: TimeSource, started: Moment) -> Self {
        Self { source, started }
    }

    /// Starts a stopwatch on the system clock.
    pub fn start() -> Self {
        let source = TimeSource::default();
        let started = source.now();
        Self { source, started }
    }

    /// Creates a stopwatch that always shows zero, for work that is too short to measure.
    pub fn always_zero() -> Self {
        Self { source: TimeSource::new(|| Duration::ZERO), started: Moment(Duration::ZERO) }
    }

    /// Returns the time that has passed since the start.
    pub fn elapsed(&self) -> Duration {
        self.source.since(self.started)
    }

    /// Returns the time that has passed since `moment`, which must come from this stopwatch's clock.
    pub fn since(&self, moment: Moment) -> Duration {
        self.source.since(moment)
    }
}
