//! What the threads of a search do together.
//!
//! The helpers search the root as the first thread does, iteration by iteration and window by window. What one of them finds
//! out is then a bound that the others can use; a helper with a window of its own would mostly find others.

use super::root_move::RootMove;
use super::score::Score;
use crate::rules::Rules;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The number of no task: there will be no more.
const CLOSED: u64 = u64::MAX;

/// One search of the root.
#[derive(Clone, Debug)]
pub(super) struct Task<R: Rules> {
    /// Counted from 1.
    pub(super) number: u64,
    /// The depth of the iteration.
    pub(super) depth: u8,
    /// The moves of the root in the order of the first thread.
    pub(super) moves: Vec<RootMove<R>>,
    /// The place from which on they are searched.
    pub(super) rank: usize,
    /// Alpha and beta.
    pub(super) window: (Score, Score),
}

/// Where the first thread tells the helpers what it searches.
pub(super) struct Tasks<R: Rules> {
    /// The number of the present task; it is read often, without the lock.
    number: AtomicU64,
    present: Mutex<Option<Task<R>>>,
    changed: Condvar,
}

impl<R: Rules> Tasks<R> {
    /// No task yet.
    pub(super) fn new() -> Self {
        Self { number: AtomicU64::new(0), present: Mutex::new(None), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Task<R>>> {
        self.present.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes this the present task: the helpers leave the one before it.
    pub(super) fn post(&self, depth: u8, moves: &[RootMove<R>], rank: usize, window: (Score, Score)) {
        let mut present = self.lock();
        let number = self.number.load(Relaxed) + 1;
        *present = Some(Task { number, depth, moves: moves.to_vec(), rank, window });
        self.number.store(number, Relaxed);
        self.changed.notify_all();
    }

    /// Ends all work.
    pub(super) fn close(&self) {
        let mut present = self.lock();
        *present = None;
        self.number.store(CLOSED, Relaxed);
        self.changed.notify_all();
    }

    /// Whether the task `number` is still the present one.
    pub(super) fn is_present(&self, number: u64) -> bool {
        self.number.load(Relaxed) == number
    }

    /// The task behind the task `done`, 0 for none: waits until there is one, and returns `None` when there will be no more.
    pub(super) fn next(&self, done: u64) -> Option<Task<R>> {
        let is_old = |_: &mut Option<Task<R>>| self.is_present(done);
        self.changed.wait_while(self.lock(), is_old).unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::rules::English;
    use crate::search::Limits;
    use std::time::Duration;

    #[test]
    fn a_helper_gets_the_newest_task_and_the_end() {
        let tasks = Tasks::<English>::new();
        let moves = RootMove::allowed(&Position::start(), &Limits::default());
        let window = (Score::DRAW - 20, Score::DRAW + 20);
        std::thread::scope(|scope| {
            let helper = scope.spawn(|| {
                let mut done = Vec::new();
                while let Some(task) = tasks.next(done.last().map_or(0, |&(number, _)| number)) {
                    assert_eq!((task.moves.len(), task.window), (7, window));
                    done.push((task.number, task.depth));
                    while tasks.is_present(task.number) {
                        std::thread::yield_now();
                    }
                }
                done
            });
            for depth in [3, 4] {
                std::thread::sleep(Duration::from_millis(20));
                tasks.post(depth, &moves, 0, window);
            }
            std::thread::sleep(Duration::from_millis(20));
            tasks.close();
            assert_eq!(helper.join().unwrap(), [(1, 3), (2, 4)]);
        });
        assert!(tasks.next(2).is_none());
    }
}
