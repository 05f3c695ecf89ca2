//! The time as the engine sees it: a [`TimeSource`] that is handed in, since some targets, as WebAssembly in a browser, have no
//! clock of their own.

use std::fmt;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

/// A moment, by its distance from the beginning of its [`TimeSource`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(Duration);

/// A clock that never goes back.
#[derive(Clone)]
pub struct TimeSource(Arc<dyn Fn() -> Duration + Send + Sync>);

impl TimeSource {
    /// The clock that `elapsed` reads: the time since some fixed moment, as `performance.now()` tells it in a browser.
    pub fn new(elapsed: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Self(Arc::new(elapsed))
    }

    /// Returns the moment that it shows.
    pub fn now(&self) -> Moment {
        Moment((self.0)())
    }

    /// Returns the time since `moment` of the same clock; nothing if it has not come yet.
    pub fn since(&self, moment: Moment) -> Duration {
        self.now().0.saturating_sub(moment.0)
    }
}

/// The beginning of the clock of the system.
static BEGINNING: LazyLock<Instant> = LazyLock::new(Instant::now);

impl Default for TimeSource {
    /// The monotonic clock of the system. All of these show the same time.
    fn default() -> Self {
        Self::new(|| BEGINNING.elapsed())
    }
}

impl From<Instant> for Moment {
    /// The moment by the clock of the system; its beginning for an instant before that.
    fn from(instant: Instant) -> Self {
        Self(instant.saturating_duration_since(*BEGINNING))
    }
}

impl fmt::Debug for TimeSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TimeSource").field(&self.now()).finish()
    }
}

/// A watch that was started at a moment.
#[derive(Clone, Debug)]
pub struct Stopwatch {
    source: TimeSource,
    started: Moment,
}

impl Stopwatch {
    /// A watch by the clock `source` that was started at `started`, a moment of that clock.
    pub fn new(source: TimeSource, started: Moment) -> Self {
        Self { source, started }
    }

    /// Starts a watch by the clock of the system.
    pub fn start() -> Self {
        let source = TimeSource::default();
        let started = source.now();
        Self { source, started }
    }

    /// A watch that shows nothing, for work that takes no time worth measuring.
    pub fn standing() -> Self {
        Self { source: TimeSource::new(|| Duration::ZERO), started: Moment(Duration::ZERO) }
    }

    /// Returns the time since it was started.
    pub fn elapsed(&self) -> Duration {
        self.source.since(self.started)
    }

    /// Returns the time since another moment of its clock.
    pub fn since(&self, moment: Moment) -> Duration {
        self.source.since(moment)
    }
}
