//! A thread that solves endgame tables while the engine searches. It can be paused between searches.

use crate::tables::Slice;
use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

#[derive(Debug)]
pub(super) struct BackgroundSolver {
    /// The last slice that the thread solves.
    pub(super) last: Option<Slice>,
    control: Arc<SolverControl>,
    thread: JoinHandle<()>,
}

#[derive(Debug)]
struct SolverControl {
    state: Mutex<SolverState>,
    changed: Condvar,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SolverState {
    Working,
    Paused,
    Ended,
}

impl SolverControl {
    fn set(&self, state: SolverState) {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = state;
        self.changed.notify_all();
    }

    /// Blocks while the solver is paused. Then returns whether it must end.
    fn wait_if_paused(&self) -> bool {
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
        let control = Arc::new(SolverControl { state: Mutex::new(SolverState::Working), changed: Condvar::new() });
        let own = Arc::clone(&control);
        let thread = Builder::new().name("endings".to_owned()).spawn(move || solve(&|| own.wait_if_paused()))?;
        Ok(Self { last, control, thread })
    }

    pub(super) fn is_finished(&self) -> bool {
        self.thread.is_finished()
    }

    pub(super) fn resume(&self) {
        self.control.set(SolverState::Working);
    }

    pub(super) fn pause(&self) {
        self.control.set(SolverState::Paused);
    }

    #[cfg(test)]
    pub(super) fn is_paused(&self) -> bool {
        *self.control.state.lock().unwrap_or_else(PoisonError::into_inner) == SolverState::Paused
    }

    /// Ends the thread and waits for it.
    pub(super) fn end(self) {
        self.control.set(SolverState::Ended);
        if self.thread.join().is_err() {
            log::error!("the endgame solver thread panicked");
        }
    }
}
