//! A thread that solves endgame tables while the engine searches. It can be paused between searches.

use crate::tables::Slice;
use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

#[derive(Debug)]
pub(super) struct BackgroundSolver {
    /// The last slice that the thread solves.
    pub(super) last: Option<Slice>,
    order: Arc<Order>,
    thread: JoinHandle<()>,
}

#[derive(Debug)]
struct Order {
    state: Mutex<SolverState>,
    changed: Condvar,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SolverState {
    Working,
    Paused,
    Ended,
}

impl Order {
    fn set(&self, state: SolverState) {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = state;
        self.changed.notify_all();
    }

    /// Blocks while the solver is paused. Then returns whether it must end.
    fn is_ended(&self) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_paused = |state: &mut SolverState| *state == SolverState::Paused;
        *self.changed.wait_while(state, is_paused).unwrap_or_else(PoisonError::into_inner) == SolverState::Ended
    }
}

impl BackgroundSolver {
    /// Starts a thread that runs `solve`, which solves tables up to the slice `last`. The argument of `solve` is a
    /// function that it must call often. This function blocks while the solver is paused, and returns whether the
    /// solver must end.
    pub(super) fn start(
        last: Option<Slice>,
        solve: impl FnOnce(&(dyn Fn() -> bool + Sync)) + Send + 'static,
    ) -> io::Result<Self> {
        let order = Arc::new(Order { state: Mutex::new(SolverState::Working), changed: Condvar::new() });
        let own = Arc::clone(&order);
        let thread = Builder::new().name("endings".to_owned()).spawn(move || solve(&|| own.is_ended()))?;
        Ok(Self { last, order, thread })
    }

    pub(super) fn is_finished(&self) -> bool {
        self.thread.is_finished()
    }

    pub(super) fn resume(&self) {
        self.order.set(SolverState::Working);
    }

    pub(super) fn pause(&self) {
        self.order.set(SolverState::Paused);
    }

    #[cfg(test)]
    pub(super) fn is_paused(&self) -> bool {
        *self.order.state.lock().unwrap_or_else(PoisonError::into_inner) == SolverState::Paused
    }

    /// Ends the thread and waits for it.
    pub(super) fn end(self) {
        self.order.set(SolverState::Ended);
        if self.thread.join().is_err() {
            log::error!("the endgame solver thread panicked");
        }
    }
}
