//! The split points of all threads, where those that have nothing to do find work, and sleep when there is none.

use super::split::Split;
use crate::rules::Word;
use crossbeam_utils::CachePadded;
use std::sync::atomic::{
    AtomicBool, AtomicUsize, Ordering::AcqRel, Ordering::Acquire, Ordering::Relaxed, Ordering::SeqCst,
};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// What the other threads share with one thread.
struct OfThread<W: Word> {
    /// Those that the thread owns, each one inside those before it.
    owned: CachePadded<Mutex<Vec<Arc<Split<W>>>>>,
    /// Whether the thread may be at work that has become useless. It looks at every position.
    is_called: CachePadded<AtomicBool>,
}

/// The split points at which the threads of a team work.
pub(super) struct SplitPoints<W: Word> {
    /// By the number of the thread.
    threads: Box<[OfThread<W>]>,
    /// Threads that sleep because they found nothing to do.
    sleepers: AtomicUsize,
    /// Whether there will be no more work.
    is_closed: AtomicBool,
    /// Held while a thread falls asleep or wakes others.
    sleep: Mutex<()>,
    woken: Condvar,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<W: Word> SplitPoints<W> {
    /// None yet, in a team of so many `threads`.
    pub(super) fn new(threads: usize) -> Self {
        let of_thread = || OfThread { owned: CachePadded::default(), is_called: CachePadded::default() };
        Self {
            threads: (0..threads).map(|_| of_thread()).collect(),
            sleepers: AtomicUsize::new(0),
            is_closed: AtomicBool::new(false),
            sleep: Mutex::new(()),
            woken: Condvar::new(),
        }
    }

    /// Adds a split point that `thread` owns, inside those that it owns already. [`SplitPoints::pop`] comes after it.
    pub(super) fn push(&self, thread: usize, split: Arc<Split<W>>) {
        lock(&self.threads[thread].owned).push(split);
    }

    /// Takes the split point away that `thread` has added last.
    pub(super) fn pop(&self, thread: usize) {
        lock(&self.threads[thread].owned).pop();
    }

    /// The split point of another thread at which `thread` can work: the one with the most plies to go. A thread that waits for
    /// helpers at a split point of its own takes only work `within` it. So threads never wait for each other in a circle, and
    /// the data of the plies above, which belong to the searches that wait, are not touched.
    pub(super) fn find(&self, thread: usize, within: Option<&Split<W>>) -> Option<Arc<Split<W>>> {
        let mut found: Option<Arc<Split<W>>> = None;
        for (owner, other) in self.threads.iter().enumerate() {
            if owner == thread {
                continue;
            }
            let is_work =
                |split: &&Arc<Split<W>>| split.has_work() && within.is_none_or(|within| split.lies_within(within));
            // Those further out have at least as many plies to go: the first one is the best of this thread.
            if let Some(split) = lock(&other.owned).iter().find(is_work)
                && found.as_ref().is_none_or(|found| split.node.depth > found.node.depth)
            {
                found = Some(Arc::clone(split));
            }
        }
        found
    }

    /// Tells all threads but this one that the work they do may have become useless.
    pub(super) fn call_others(&self, thread: usize) {
        let others = self.threads.iter().enumerate().filter(|&(number, _)| number != thread);
        // Not a store: a swap also passes on what the threads that called before have written.
        others.for_each(|(_, other)| {
            other.is_called.swap(true, AcqRel);
        });
    }

    /// Whether `thread` was called since it last [answered](SplitPoints::answer_call).
    #[inline]
    pub(super) fn is_called(&self, thread: usize) -> bool {
        self.threads[thread].is_called.load(Relaxed)
    }

    /// Takes the call to `thread` back, which then looks at what has become useless.
    pub(super) fn answer_call(&self, thread: usize) {
        self.threads[thread].is_called.swap(false, AcqRel);
    }

    /// Wakes a thread that sleeps, if there is one: there is work.
    pub(super) fn wake_one(&self) {
        if self.sleepers.load(Relaxed) > 0 {
            let _guard = lock(&self.sleep);
            self.woken.notify_one();
        }
    }

    /// Sleeps until there may be work. A thread that falls asleep while work is being offered is woken by the next offer.
    pub(super) fn sleep(&self) {
        let guard = lock(&self.sleep);
        if !self.is_closed() {
            self.sleepers.fetch_add(1, SeqCst);
            drop(self.woken.wait(guard));
            self.sleepers.fetch_sub(1, SeqCst);
        }
    }

    /// Ends all work, after the first thread has ended its own.
    pub(super) fn close(&self) {
        let _guard = lock(&self.sleep);
        self.is_closed.store(true, SeqCst);
        self.woken.notify_all();
    }

    /// Whether there will be no more work.
    pub(super) fn is_closed(&self) -> bool {
        self.is_closed.load(Acquire)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::split::testing::split;
    use std::time::Duration;

    #[test]
    fn the_work_with_the_most_plies_to_go_is_found() {
        let split_points = SplitPoints::<u64>::new(3);
        let (outer, other) = (split(None, 9), split(None, 8));
        let inner = split(Some(&outer), 7);
        for (thread, split) in [(0, &outer), (0, &inner), (1, &other)] {
            split_points.push(thread, Arc::clone(split));
        }
        let found = |thread, within: Option<&Arc<Split<u64>>>| {
            split_points.find(thread, within.map(|within| &**within)).map(|split| split.node.depth)
        };
        assert_eq!(found(2, None), Some(9));
        assert_eq!((found(0, None), found(1, None)), (Some(8), Some(9)), "a thread does not help itself");
        assert_eq!((found(2, Some(&outer)), found(2, Some(&other))), (Some(7), None));
        split_points.pop(0);
        assert_eq!(found(2, Some(&outer)), None);
        split_points.push(0, Arc::clone(&inner));
        outer.end();
        assert_eq!((found(2, None), found(2, Some(&outer))), (Some(8), None), "what lies within is useless too");
    }

    #[test]
    fn all_others_are_called() {
        let split_points = SplitPoints::<u64>::new(3);
        split_points.call_others(1);
        assert_eq!([0, 1, 2].map(|thread| split_points.is_called(thread)), [true, false, true]);
        split_points.answer_call(2);
        assert_eq!([0, 1, 2].map(|thread| split_points.is_called(thread)), [true, false, false]);
    }

    #[test]
    fn sleepers_are_woken_by_work_and_by_the_end() {
        let split_points = SplitPoints::<u64>::new(2);
        let wait_for_sleepers = |number| {
            while split_points.sleepers.load(SeqCst) != number {
                std::thread::sleep(Duration::from_millis(1));
            }
        };
        std::thread::scope(|scope| {
            for wake in [SplitPoints::wake_one, SplitPoints::close] {
                let sleeper = scope.spawn(|| split_points.sleep());
                wait_for_sleepers(1);
                // It has the lock until it sleeps.
                wake(&split_points);
                sleeper.join().unwrap();
            }
        });
        assert!(split_points.is_closed());
        split_points.sleep();
    }
}
