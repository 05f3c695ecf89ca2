//! A split point: a position whose moves several threads search together.

use super::node::{Node, Progress, Turn};
use crate::position::{Key, Move, MoveList, Position};
use crate::rules::Rules;
use std::sync::atomic::{
    AtomicBool, AtomicUsize, Ordering::AcqRel, Ordering::Acquire, Ordering::Relaxed, Ordering::Release,
};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A position that its owner, the thread that came to it, searches, with the help of all that have nothing else to do.
pub(super) struct Split<R: Rules> {
    pub(super) position: Position<R>,
    pub(super) node: Node<R>,
    /// The innermost split point on the way from the root to this one.
    outer: Option<Arc<Split<R>>>,
    /// Where the owner stands, for those who join it.
    pub(super) standing: Standing,
    state: Mutex<State<R>>,
    /// Threads that have joined the owner.
    helpers: AtomicUsize,
    /// Whether what is left to do does not matter: a move was found that is too good, or the owner has left.
    is_over: AtomicBool,
    /// Whether the first move has been searched, and there are others left.
    is_offered: AtomicBool,
}

/// What the search below a position depends on, beside the position itself.
pub(super) struct Standing {
    /// Keys of the positions that can occur again, that of the split point last.
    pub(super) keys: Vec<Key>,
    /// The depth of the iteration.
    pub(super) depth: u8,
    /// Whether a shallow search of ProbCut is under way.
    pub(super) in_probcut: bool,
}

/// How far the threads have come together.
pub(super) struct State<R: Rules> {
    pub(super) progress: Progress<R>,
    /// The principal variation from here.
    pub(super) line: Vec<Move<R>>,
}

impl<R: Rules> Split<R> {
    /// A split point inside `outer`, at `position`.
    pub(super) fn new(
        outer: Option<Arc<Split<R>>>,
        (position, node): (Position<R>, Node<R>),
        standing: Standing,
        progress: Progress<R>,
    ) -> Self {
        Self {
            position,
            node,
            outer,
            standing,
            state: Mutex::new(State { progress, line: Vec::new() }),
            helpers: AtomicUsize::new(0),
            is_over: AtomicBool::new(false),
            is_offered: AtomicBool::new(false),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next move that the calling thread has to search. None when there is no other one, or none that matters.
    pub(super) fn next_turn(&self) -> Option<Turn<R>> {
        if self.is_over() {
            return None;
        }
        let mut state = self.lock();
        let turn = state.progress.next_turn();
        if !state.progress.has_more() {
            self.is_offered.store(false, Relaxed);
        }
        turn
    }

    /// Ends `turn` with what `finish` makes of it, if it still matters. `finish` tells whether it is a cut.
    /// Returns whether other threads have to be told of it.
    pub(super) fn end_turn(&self, turn: &Turn<R>, finish: impl FnOnce(&mut State<R>) -> bool) -> bool {
        let mut state = self.lock();
        if self.is_over() {
            return false;
        }
        let is_cut = finish(&mut state);
        self.is_over.store(is_cut, Release);
        if turn.index == 0 || is_cut {
            self.is_offered.store(!is_cut && state.progress.has_more(), Relaxed);
        }
        is_cut && self.has_helpers()
    }

    /// Ends the search of this position: what the threads have found, for the owner. Who is still at work works in vain.
    pub(super) fn end(&self) -> State<R> {
        let mut state = self.lock();
        self.is_over.store(true, Release);
        let empty = Progress::new(MoveList::default(), Vec::new(), self.node.beta);
        std::mem::replace(&mut *state, State { progress: empty, line: Vec::new() })
    }

    /// Whether a thread that has nothing to do can join.
    pub(super) fn is_offered(&self) -> bool {
        self.is_offered.load(Relaxed)
    }

    /// Whether what is left to do here does not matter.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Acquire)
    }

    /// Whether there are threads that have joined the owner.
    pub(super) fn has_helpers(&self) -> bool {
        self.helpers.load(Acquire) > 0
    }

    /// This split point, and those on the way from the root to it.
    fn and_outer(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |split| split.outer.as_deref())
    }

    /// Whether nothing matters that is done here, because it is over here or at a split point on the way from the root.
    pub(super) fn is_useless(&self) -> bool {
        self.and_outer().any(Self::is_over)
    }

    /// Whether `other` is on the way from the root to here.
    pub(super) fn lies_within(&self, other: &Self) -> bool {
        self.and_outer().skip(1).any(|outer| std::ptr::eq(outer, other))
    }

    /// Joins the owner, until the returned value is dropped. None when there is nothing left to do.
    pub(super) fn join(&self) -> Option<Presence<'_, R>> {
        // The lock lets nobody in once the owner has seen that there are no more turns.
        let state = self.lock();
        (state.progress.has_more() && !self.is_over()).then(|| {
            self.helpers.fetch_add(1, AcqRel);
            Presence(self)
        })
    }
}

/// A thread that has joined the owner of a split point.
pub(super) struct Presence<'a, R: Rules>(&'a Split<R>);

impl<R: Rules> Drop for Presence<'_, R> {
    fn drop(&mut self) {
        self.0.helpers.fetch_sub(1, AcqRel);
    }
}

#[cfg(test)]
pub(super) mod testing {
    use super::*;
    use crate::rules::English;
    use crate::search::Score;

    /// A split point inside `outer` at the start position of English draughts, with `depth` plies to go, before all of its
    /// seven moves.
    pub(in crate::search) fn split(outer: Option<&Arc<Split<English>>>, depth: i32) -> Arc<Split<English>> {
        let position = Position::start();
        let (alpha, beta) = (Score::DRAW, Score::DRAW + 1);
        let node = Node { depth, child_depth: depth - 1, beta, ply: 1, hash_code: 0, extension: 0, previous: None };
        let standing = Standing { keys: vec![position.key()], depth: 12, in_probcut: false };
        let progress = Progress::new(position.legal_moves(), vec![0; 7], alpha);
        Arc::new(Split::new(outer.cloned(), (position, node), standing, progress))
    }

    /// Does what the owner does with the first move, if it is no cut.
    pub(in crate::search) fn search_first_move(split: &Split<English>) {
        let turn = split.next_turn().unwrap();
        split.end_turn(&turn, |_| false);
    }
}

#[cfg(test)]
mod tests {
    use super::testing::{search_first_move, split};

    #[test]
    fn the_moves_behind_the_first_one_are_offered_until_the_last_has_its_turn() {
        let split = split(None, 9);
        let first = split.next_turn().unwrap();
        assert!(!split.is_offered());
        split.end_turn(&first, |_| false);
        assert!(split.is_offered());
        let places: Vec<usize> = (0..5).map(|_| split.next_turn().unwrap().index).collect();
        assert_eq!(places, [1, 2, 3, 4, 5]);
        assert!(split.is_offered());
        let last = split.next_turn().unwrap();
        assert!(!split.is_offered());
        assert!(split.next_turn().is_none() && split.join().is_none());
        split.end_turn(&last, |_| false);
        assert!(!split.is_offered() && !split.is_over());
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
    fn after_a_cut_nothing_else_counts() {
        let split = split(None, 9);
        search_first_move(&split);
        let (cutting, late) = (split.next_turn().unwrap(), split.next_turn().unwrap());
        let _helper = split.join();
        assert!(split.end_turn(&cutting, |_| true), "the helper is to be told");
        assert!(split.is_over() && !split.is_offered());
        assert!(split.next_turn().is_none() && split.join().is_none());
        assert!(!split.end_turn(&late, |_| unreachable!("it came too late")));
    }

    #[test]
    fn a_cut_without_helpers_is_told_to_nobody() {
        let split = split(None, 9);
        let first = split.next_turn().unwrap();
        assert!(!split.end_turn(&first, |_| true));
        assert!(split.is_over());
    }

    #[test]
    fn what_lies_within_a_split_point_that_is_over_is_useless() {
        let outermost = split(None, 9);
        let outer = split(Some(&outermost), 8);
        let inner = split(Some(&outer), 7);
        assert!(inner.lies_within(&outermost) && inner.lies_within(&outer));
        assert!(!outer.lies_within(&inner) && !outer.lies_within(&outer));
        assert!(!inner.is_useless());
        assert_eq!(outer.end().progress.moves.len(), 7);
        assert!(inner.is_useless() && outer.is_useless() && !outermost.is_useless());
    }
}
