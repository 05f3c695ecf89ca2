//! Cooperative multitasking for targets with a single thread, such as browsers. Running work yields regularly, so that
//! a stop command can reach it.

use crate::rules::Variant;
use std::fmt;
use std::sync::Arc;

/// A unit of work.
pub type Work = Box<dyn FnOnce() + Send>;

type Begin = dyn Fn(&[Variant], Work) + Send + Sync;

/// Why a unit of work yields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pause {
    /// The work only checks whether it must stop, and can continue immediately.
    Poll,
    /// The work waits for input.
    Wait,
}

/// A scheduler that lets an engine share the only thread with its caller.
#[derive(Clone)]
pub struct Turns {
    begin: Arc<Begin>,
    yield_now: Arc<dyn Fn(Pause) + Send + Sync>,
}

impl Turns {
    /// Creates a scheduler. `begin` receives a unit of work and must run it soon after the current call has returned.
    /// It also receives the variants whose weights the work uses. Without the weights of a variant (see
    /// [`install`](crate::eval::nnue::install)), its positions are evaluated by their material alone.
    ///
    /// The work calls `yield_now` at least once per millisecond. `yield_now` delivers pending input, in particular
    /// commands to stop. It may return immediately if it has been called recently.
    pub fn new(
        begin: impl Fn(&[Variant], Work) + Send + Sync + 'static,
        yield_now: impl Fn(Pause) + Send + Sync + 'static,
    ) -> Self {
        Self { begin: Arc::new(begin), yield_now: Arc::new(yield_now) }
    }

    pub(crate) fn begin(&self, variants: &[Variant], work: Work) {
        (self.begin)(variants, work);
    }

    /// Yields to the caller. This function is not inlined, because the browser build refers to it by name in order to
    /// suspend its callers.
    #[inline(never)]
    pub(crate) fn yield_now(&self, pause: Pause) {
        (self.yield_now)(pause);
    }
}

impl fmt::Debug for Turns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Turns")
    }
}
