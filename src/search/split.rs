//! Split points: positions whose moves several threads search together, and where threads that have nothing to do find work, and
//! sleep when there is none.

use super::Score;
use super::node::Node;
use super::ordering::{MovePicker, PickedMove};
use crate::position::{Key, Move, MoveList, Position};
use crate::rules::Word;
use crossbeam_utils::CachePadded;
use std::sync::atomic::{
    AtomicBool, AtomicUsize, Ordering::AcqRel, Ordering::Acquire, Ordering::Relaxed, Ordering::Release,
    Ordering::SeqCst,
};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A position that its owner, the thread that came to it, searches with the help of all that have nothing else to do.
pub(super) struct Split<W: Word> {
    pub(super) position: Position<W>,
    pub(super) node: Node,
    /// The innermost split point on the way from the root to this one.
    outer: Option<Arc<Split<W>>>,
    pub(super) context: Context,
    state: Mutex<State<W>>,
    /// Threads that have joined the owner.
    helpers: AtomicUsize,
    /// The deepest ply that helpers which have left came to.
    selective_depth: AtomicUsize,
    /// True if what is left to do does not matter: a move was found that is too good, or the owner has left.
    is_over: AtomicBool,
    /// True if there are moves that have not been picked.
    has_more: AtomicBool,
}

/// The rest of what the search below a position depends on: the path from the root.
pub(super) struct Context {
    /// Keys of the positions that can occur again, that of the split point last.
    pub(super) keys: Vec<Key>,
    /// The depth of the iteration.
    pub(super) depth: u8,
    /// True if a shallow search of ProbCut is under way.
    pub(super) in_probcut: bool,
}

/// How far the threads have come together.
pub(super) struct State<W: Word> {
    pub(super) picker: MovePicker<W>,
    /// The principal variation from here.
    pub(super) line: Vec<Move<W>>,
}

impl<W: Word> Split<W> {
    /// A split point inside `outer`, at `position`, where there are moves left.
    pub(super) fn new(
        outer: Option<Arc<Split<W>>>,
        (position, node): (Position<W>, Node),
        context: Context,
        state: State<W>,
    ) -> Self {
        Self {
            position,
            node,
            outer,
            context,
            state: Mutex::new(state),
            helpers: AtomicUsize::new(0),
            selective_depth: AtomicUsize::new(0),
            is_over: AtomicBool::new(false),
            has_more: AtomicBool::new(true),
        }
    }

    /// Picks the next move for the calling thread, if another one is left that matters.
    pub(super) fn pick(&self) -> Option<PickedMove<W>> {
        let mut state = lock(&self.state);
        if self.is_over() {
            return None;
        }
        let picked = state.picker.pick();
        self.has_more.store(state.picker.has_more(), Relaxed);
        picked
    }

    /// Takes note of the `score` of a picked move, if that still matters. `line` tells the line that begins with it, if it is
    /// better than those before. Returns whether there are helpers that have to be told of a cut.
    pub(super) fn update(&self, picked: &PickedMove<W>, score: Score, line: impl FnOnce(&mut Vec<Move<W>>)) -> bool {
        let mut state = lock(&self.state);
        if self.is_over() {
            return false;
        }
        if state.picker.update(picked, score) {
            line(&mut state.line);
        }
        let is_cut = score >= self.node.beta;
        if is_cut {
            self.is_over.store(true, Release);
        }
        is_cut && self.has_helpers()
    }

    /// Ends the search of this position: what the threads have found, for the owner. The result of a thread that is still at work is discarded.
    pub(super) fn end(&self) -> State<W> {
        let mut state = lock(&self.state);
        self.is_over.store(true, Release);
        let empty = MovePicker::new(MoveList::default(), Vec::new(), self.node.beta);
        std::mem::replace(&mut *state, State { picker: empty, line: Vec::new() })
    }

    /// Returns whether a thread that has nothing to do can join, and what it does then matters.
    pub(super) fn has_work(&self) -> bool {
        self.has_more.load(Relaxed) && !self.is_useless()
    }

    /// Returns whether what is left to do here does not matter.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Acquire)
    }

    pub(super) fn note_selective_depth(&self, ply: usize) {
        self.selective_depth.fetch_max(ply, Relaxed);
    }

    /// The farthest ply that helpers came to, of those that have left.
    pub(super) fn selective_depth(&self) -> usize {
        self.selective_depth.load(Relaxed)
    }

    pub(super) fn has_helpers(&self) -> bool {
        self.helpers.load(Acquire) > 0
    }

    /// This split point, and those on the way from the root to it.
    fn and_outer(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |split| split.outer.as_deref())
    }

    /// Returns whether nothing matters that is done here, because it is over here or at a split point on the way from the root.
    pub(super) fn is_useless(&self) -> bool {
        self.and_outer().any(Self::is_over)
    }

    /// Returns whether `other` is on the way from the root to here.
    pub(super) fn lies_within(&self, other: &Self) -> bool {
        self.and_outer().skip(1).any(|outer| std::ptr::eq(outer, other))
    }

    /// Joins the owner, until the returned value is dropped; `None` when nothing is left to do.
    pub(super) fn join(&self) -> Option<HelperGuard<'_, W>> {
        // Under the lock no helper can join once the owner has seen that there are no more turns.
        let state = lock(&self.state);
        (state.picker.has_more() && !self.is_over()).then(|| {
            self.helpers.fetch_add(1, AcqRel);
            HelperGuard(self)
        })
    }
}

/// A helper at a split point, which leaves it when this is dropped.
pub(super) struct HelperGuard<'a, W: Word>(&'a Split<W>);

impl<W: Word> Drop for HelperGuard<'_, W> {
    fn drop(&mut self) {
        // The work of a thread that panics is never finished: the owner then waits for the end of the search.
        if !std::thread::panicking() {
            self.0.helpers.fetch_sub(1, AcqRel);
        }
    }
}

/// Shared by the other threads with one thread.
struct OfThread<W: Word> {
    /// Those that the thread owns, each one inside those before it.
    owned: CachePadded<Mutex<Vec<Arc<Split<W>>>>>,
    /// True if the thread may be at work that has become useless. It looks at every position.
    is_called: CachePadded<AtomicBool>,
}

/// The split points at which the threads of a team work.
pub(super) struct SplitPoints<W: Word> {
    /// By the number of the thread.
    threads: Box<[OfThread<W>]>,
    /// Threads that sleep because they found nothing to do.
    sleepers: AtomicUsize,
    is_closed: AtomicBool,
    /// Held while a thread falls asleep or wakes others.
    sleep: Mutex<()>,
    woken: Condvar,
}

impl<W: Word> SplitPoints<W> {
    /// For a team of so many `threads`.
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

    /// Returns whether `thread` was called since it last [answered](SplitPoints::answer_call).
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

    pub(super) fn is_closed(&self) -> bool {
        self.is_closed.load(Acquire)
    }
}

#[cfg(test)]
pub(super) mod testing {
    use super::*;
    use crate::search::parallel::testing::english_start;

    /// A split point inside `outer` at the start position of English draughts, one ply from the root and with `depth` plies to
    /// go, before all of its seven moves.
    pub(in crate::search) fn split(outer: Option<&Arc<Split<u64>>>, depth: i32) -> Arc<Split<u64>> {
        let position = english_start();
        let (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
        let node = Node { depth, child_depth: depth - 1, beta, ply: 1, table_code: 0, extension: 0 };
        let context = Context { keys: vec![position.key()], depth: 12, in_probcut: true };
        let picker = MovePicker::new(position.legal_moves(), vec![0; 7], alpha);
        Arc::new(Split::new(outer.cloned(), (position, node), context, State { picker, line: Vec::new() }))
    }
}

#[cfg(test)]
mod tests {
    use super::testing::split;
    use super::*;
    use std::time::Duration;

    fn pick(split: &Split<u64>) -> PickedMove<u64> {
        split.pick().unwrap()
    }

    #[test]
    fn there_is_work_until_the_last_has_its_turn() {
        let split = split(None, 9);
        for index in 0..7 {
            assert!(split.has_work() && split.join().is_some());
            assert_eq!(pick(&split).index, index);
        }
        assert!(!split.has_work() && split.join().is_none() && split.pick().is_none());
        assert!(!split.is_over());
    }

    #[test]
    fn helpers_are_there_until_they_leave() {
        let split = split(None, 9);
        let helpers = [split.join(), split.join()];
        assert!(helpers.iter().all(Option::is_some) && split.has_helpers());
        drop(helpers);
        assert!(!split.has_helpers());
    }

    #[test]
    fn what_a_thread_had_to_do_that_panics_is_never_done() {
        let split = split(None, 9);
        let panicked = std::thread::scope(|scope| {
            let helper = scope.spawn(|| {
                let _guard = split.join();
                std::panic::resume_unwind(Box::new("no message"));
            });
            helper.join().is_err()
        });
        assert!(panicked && split.has_helpers());
    }

    #[test]
    fn the_line_is_that_of_the_best_move() {
        let split = split(None, 9);
        let turns: Vec<_> = (0..3).map(|_| pick(&split)).collect();
        for (turn, score) in [(1, 8), (0, 5), (2, 9)] {
            split.update(&turns[turn], Score::DRAW + score, |line| *line = vec![turns[turn].mv; score as usize]);
        }
        let State { picker, line } = split.end();
        assert_eq!((picker.best, line), (Score::DRAW + 9, vec![turns[2].mv; 9]));
    }

    #[test]
    fn after_a_cut_nothing_else_counts() {
        let split = split(None, 9);
        let (cutting, late) = (pick(&split), pick(&split));
        let _helper = split.join();
        assert!(split.update(&cutting, split.node.beta, |_| {}), "the helper is to be told");
        assert!(split.is_over() && !split.has_work());
        assert!(split.pick().is_none() && split.join().is_none());
        assert!(!split.update(&late, split.node.beta, |_| unreachable!("it came too late")));
    }

    #[test]
    fn a_cut_without_helpers_is_told_to_nobody() {
        let split = split(None, 9);
        let first = pick(&split);
        assert!(!split.update(&first, split.node.beta, |_| {}));
        assert!(split.is_over());
    }

    #[test]
    fn what_lies_within_a_split_point_that_is_over_is_useless() {
        let outermost = split(None, 9);
        let outer = split(Some(&outermost), 8);
        let inner = split(Some(&outer), 7);
        assert!(inner.lies_within(&outermost) && inner.lies_within(&outer));
        assert!(!outer.lies_within(&inner) && !outer.lies_within(&outer));
        assert!(inner.has_work() && !inner.is_useless());
        assert_eq!(outer.end().picker.moves.len(), 7);
        assert!(inner.is_useless() && outer.is_useless() && !outermost.is_useless());
        assert!(!inner.has_work() && outermost.has_work());
    }

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
