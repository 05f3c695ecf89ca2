//! Cooperative multitasking for single-threaded targets such as browsers: work yields regularly, so that it receives
//! commands to stop.

use std::fmt;
use std::sync::Arc;

/// A unit of work.
pub type Work = Box<dyn FnOnce() + Send>;

/// Why work yields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pause {
    /// Checks for a stop and continues at once.
    Look,
    /// Waits for input.
    Wait,
}

/// Lends the single thread to an engine.
#[derive(Clone)]
pub struct Turns {
    begin: Arc<dyn Fn(Work) + Send + Sync>,
    give: Arc<dyn Fn(Pause) + Send + Sync>,
}

impl Turns {
    /// Creates a scheduler. `begin` must run the given work soon after the current call has returned.
    ///
    /// The work calls `give` every millisecond or sooner. `give` delivers pending input, in particular commands to
    /// stop, and may return at once if its last call was recent.
    pub fn new(begin: impl Fn(Work) + Send + Sync + 'static, give: impl Fn(Pause) + Send + Sync + 'static) -> Self {
        Self { begin: Arc::new(begin), give: Arc::new(give) }
    }

    pub(crate) fn begin(&self, work: Work) {
        (self.begin)(work);
    }

    /// Yields. Not inlined: the browser build names this function, so that its callers can be suspended.
    #[inline(never)]
    pub(crate) fn give(&self, pause: Pause) {
        (self.give)(pause);
    }
}

impl fmt::Debug for Turns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Turns")
    }
}
