//! Work without threads, as in a browser: it is done in the one thread that there is, and gives a turn from time to time to what
//! else that thread has to do, so that it hears when it is to end.

use std::fmt;
use std::sync::Arc;

/// A piece of work, to be done once.
pub type Work = Box<dyn FnOnce() + Send>;

/// The reason for which work gives a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pause {
    /// It looks whether it is to end, and goes on at once if not.
    Look,
    /// It has nothing to do before something comes.
    Wait,
}

/// Lends an engine the one thread that there is.
#[derive(Clone)]
pub struct Turns {
    begin: Arc<dyn Fn(Work) + Send + Sync>,
    give: Arc<dyn Fn(Pause) + Send + Sync>,
}

impl Turns {
    /// A thread that is lent by two functions. `begin` takes work that is to be done as soon as the call in which it was begun has
    /// returned. `give` is called by that work, every millisecond or sooner: it hands on what has come since its last call, above
    /// all orders to end, and may return at once if that call was not long ago.
    pub fn new(begin: impl Fn(Work) + Send + Sync + 'static, give: impl Fn(Pause) + Send + Sync + 'static) -> Self {
        Self { begin: Arc::new(begin), give: Arc::new(give) }
    }

    /// Has `work` done later.
    pub(crate) fn begin(&self, work: Work) {
        (self.begin)(work);
    }

    /// Gives a turn. It is a function of its own in the module for browsers, whose build names it: what leads to it can pause.
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
