//! How the threads of a search share its work.
//!
//! A position with enough plies to go becomes a split point when its first move has not cut the others off: while its owner, the
//! thread that came to it, searches them in their order, each thread that has nothing to do can join and take the next one. It
//! joins the split point with the most plies to go, where the work is largest. The owner goes on when all are done; as long as it
//! waits for others, it helps them below. So the tree is nearly that of one thread. What makes it differ: moves that are begun
//! before another one cuts them off or raises alpha, what the table knows earlier or later, and the histories, of which each
//! thread has its own. A split point has a lock of its own, which is taken for each of its moves; searches below its depth, which
//! is nearly all of the time, take none.
//!
//! `docs/search.md` has the measurements, and what was tried and left out.

use super::node::Node;
use super::ordering::MovePicker;
use super::split::{Context, Split, SplitPoints, State};
use super::thread::Search;
use super::{Budget, Limits, Signal, TranspositionTable, budget};
use crate::clock::Stopwatch;
use crate::eval::Evaluation;
use crate::position::Position;
use crate::rules::Word;
use crate::tables::Tables;
use crossbeam_utils::{Backoff, CachePadded};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// The table and the evaluations of a search.
#[derive(Clone, Copy, Debug)]
pub struct Tools<'a, W: Word> {
    /// The transposition table.
    pub table: &'a TranspositionTable,
    /// The evaluation of positions.
    pub evaluation: &'a Evaluation<W>,
    /// The endgame tables, if there are any.
    pub endgames: Option<&'a Tables<W>>,
}

/// The task of a search, and how far its threads have come.
pub(crate) struct Team<'a, W: Word> {
    pub(crate) table: &'a TranspositionTable,
    pub(crate) evaluation: &'a Evaluation<W>,
    pub(crate) endgames: Option<&'a Tables<W>>,
    pub(crate) limits: &'a Limits,
    pub(crate) signal: &'a Signal,
    watch: Stopwatch,
    pub(crate) budget: Option<Budget>,
    /// The work that its threads share.
    pub(super) split_points: SplitPoints<W>,
    /// Positions searched by each thread, as far as it has told.
    nodes: Box<[CachePadded<AtomicU64>]>,
    /// Answers that endgame tables gave to each thread, as far as it has told.
    table_hits: Box<[CachePadded<AtomicU64>]>,
}

impl<'a, W: Word> Team<'a, W> {
    /// A team of as many threads as `limits` ask for, at a root with `choices` moves. Time counts from `started`.
    pub(crate) fn new(
        limits: &'a Limits,
        choices: usize,
        Tools { table, evaluation, endgames }: Tools<'a, W>,
        signal: &'a Signal,
        watch: Stopwatch,
    ) -> Self {
        let counts = || (0..limits.threads.get()).map(|_| CachePadded::default()).collect();
        let budget = budget(limits, choices);
        Self {
            table,
            evaluation,
            endgames,
            limits,
            signal,
            watch,
            budget,
            split_points: SplitPoints::new(limits.threads.get()),
            nodes: counts(),
            table_hits: counts(),
        }
    }

    pub(crate) fn size(&self) -> usize {
        self.nodes.len()
    }

    /// Notes that `thread` has searched so many positions, and got so many answers from endgame tables.
    pub(crate) fn tell_nodes(&self, thread: usize, nodes: u64, table_hits: u64) {
        self.nodes[thread].store(nodes, Relaxed);
        self.table_hits[thread].store(table_hits, Relaxed);
    }

    /// Answers of endgame tables that all threads have told of.
    pub(crate) fn table_hits(&self) -> u64 {
        self.table_hits.iter().map(|hits| hits.load(Relaxed)).sum()
    }

    /// Positions that all threads have told of.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Relaxed)).sum()
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.watch.elapsed()
    }

    /// Time that counts against the budget; `None` while the opponent is thinking.
    pub(crate) fn counted_time(&self) -> Option<Duration> {
        if self.limits.ponder {
            self.signal.ponder_hit_at().map(|hit| self.watch.since(hit))
        } else {
            Some(self.elapsed())
        }
    }

    /// Waits with an answer that may not be given yet: for the stop of an infinite search, for the opponent's move of one
    /// that ponders.
    pub(crate) fn wait_for_signal(&self) {
        if self.limits.infinite {
            self.signal.wait(false);
        } else if self.limits.ponder {
            self.signal.wait(true);
        }
    }

    /// Returns whether a limit of time or nodes has been reached, or the search was asked to end.
    pub(crate) fn is_over(&self) -> bool {
        let is_late = match (self.budget, self.counted_time()) {
            (Some(budget), Some(elapsed)) => elapsed >= budget.hard && !self.limits.infinite,
            _ => false,
        };
        let is_spent = is_late || self.limits.nodes.is_some_and(|most| self.nodes() >= most);
        // Work that is closed before the search has ended: a thread has panicked.
        is_spent || self.signal.is_stopped() || self.split_points.is_closed()
    }
}

/// Ends the threads of a team when it goes out of scope.
pub(super) struct CloseOnDrop<'a, W: Word>(pub(super) &'a Team<'a, W>);

impl<W: Word> Drop for CloseOnDrop<'_, W> {
    fn drop(&mut self) {
        self.0.split_points.close();
    }
}

/// From this depth on the moves of a position can be shared: below it there is too little work in the tree of a move.
const SHARED_DEPTH: i32 = 5;

/// How often a helper looks for work before it falls asleep: about a millisecond.
const LOOKS: u32 = 2000;

impl<W: Word> Search<'_, W> {
    /// Returns whether the moves of a position with `depth` plies to go are shared with other threads. Those of a win search are not: the helpers
    /// search selectively.
    #[inline]
    pub(super) fn is_shared(&self, depth: i32) -> bool {
        depth >= SHARED_DEPTH && self.team.size() > 1 && self.exhaustive == self.team.limits.win_in.is_some()
    }

    /// Searches the moves of `position` that are left in `picker`, with all threads that have nothing else to do. The line
    /// of the best move is that of the ply then.
    pub(super) fn search_together(
        &mut self,
        position: &Position<W>,
        node: Node,
        picker: MovePicker<W>,
    ) -> MovePicker<W> {
        let entry = &mut self.stack[node.ply];
        let context = Context { keys: self.keys.clone(), depth: self.depth, in_probcut: entry.in_probcut };
        let state = State { picker, line: std::mem::take(&mut entry.line) };
        let outer = self.split.take();
        let split = Arc::new(Split::new(outer.clone(), (*position, node), context, state));
        self.team.split_points.push(self.number, Arc::clone(&split));
        self.split = Some(Arc::clone(&split));
        self.search_split(&split);
        self.team.split_points.pop(self.number);
        self.wait_for_helpers(&split);
        self.selective_depth = self.selective_depth.max(split.selective_depth());
        let State { picker, line } = split.end();
        self.stack[node.ply].line = line;
        self.leave_for(outer);
        picker
    }

    /// Searches moves at `split`, one after the other, until no more are left for this thread.
    fn search_split(&mut self, split: &Split<W>) {
        let (position, node) = (&split.position, &split.node);
        while let Some(picked) = split.pick() {
            if split.has_work() {
                self.team.split_points.wake_one();
            }
            let score = self.search_move(position, node, &picked);
            if self.stopped {
                return;
            }
            let are_others_to_know = split.update(&picked, score, |line| {
                self.extend_line(picked.mv, node.ply);
                line.clone_from(&self.stack[node.ply].line);
            });
            if are_others_to_know {
                self.team.split_points.call_others(self.number);
            }
        }
    }

    /// Waits at `split`, whose moves have all had their turn, until the helpers are done. Helps them meanwhile.
    fn wait_for_helpers(&mut self, split: &Split<W>) {
        let backoff = Backoff::new();
        while split.has_helpers() && !split.is_over() && !self.stopped {
            if let Some(inner) = self.team.split_points.find(self.number, Some(split)) {
                self.join(&inner);
                backoff.reset();
            } else {
                backoff.snooze();
            }
            self.check_limits();
        }
    }

    /// Takes turns at a split point that another thread owns.
    fn join(&mut self, split: &Arc<Split<W>>) {
        let Some(_guard) = split.join() else { return };
        let context = &split.context;
        let keys = std::mem::replace(&mut self.keys, context.keys.clone());
        let depth = std::mem::replace(&mut self.depth, context.depth);
        let selective_depth = std::mem::take(&mut self.selective_depth);
        let outer = self.split.replace(Arc::clone(split));
        self.stack[split.node.ply + 1].in_probcut = context.in_probcut;
        // The thread is not notified of a cutoff that happened before it joined.
        self.update_stopped();
        if !self.stopped {
            self.search_split(split);
        }
        split.note_selective_depth(self.selective_depth);
        (self.keys, self.depth, self.selective_depth) = (keys, depth, selective_depth);
        self.leave_for(outer);
        self.tell_nodes();
    }

    /// Goes back from a split point to `outer`, the next one on the way to the root, and goes on there if that still matters.
    fn leave_for(&mut self, outer: Option<Arc<Split<W>>>) {
        self.split = outer;
        self.update_stopped();
    }

    /// Stops the search as far out as other threads have made it useless.
    #[inline]
    pub(super) fn answer_call(&mut self) {
        if self.team.split_points.is_called(self.number) {
            self.team.split_points.answer_call(self.number);
            self.update_stopped();
        }
    }

    /// Finds out whether the search goes on at the innermost split point.
    pub(super) fn update_stopped(&mut self) {
        self.stopped = self.ended || self.split.as_ref().is_some_and(|split| split.is_useless());
    }

    /// Helps the other threads until there is no more work.
    pub(super) fn help(&mut self) {
        let mut looks = 0;
        let backoff = Backoff::new();
        while !self.team.split_points.is_closed() {
            if let Some(split) = self.team.split_points.find(self.number, None) {
                self.join(&split);
                looks = 0;
                backoff.reset();
            } else if looks < LOOKS {
                looks += 1;
                backoff.snooze();
            } else {
                self.team.split_points.sleep();
                looks = 0;
                backoff.reset();
            }
        }
    }
}

/// A search for the tests of its parts.
#[cfg(test)]
pub(crate) mod testing {
    use super::*;
    use crate::position::{GameRules, History, Position};
    use crate::rules::Variant;
    use crate::search::thread::Search;

    /// The rules of English draughts.
    pub(in crate::search) fn english() -> &'static GameRules<u64> {
        GameRules::of(Variant::English).unwrap()
    }

    /// The start position of English draughts.
    pub(in crate::search) fn english_start() -> Position<u64> {
        Position::start(english())
    }

    /// Runs `test` with a search of the start position of English draughts under `limits`.
    pub(in crate::search) fn with_search<T>(
        limits: &Limits,
        test: impl FnOnce(&mut Search<'_, u64>, &Position<u64>) -> T,
    ) -> T {
        with_team(limits, |team, game| test(&mut Search::new(team, 0, game), game.position()))
    }

    /// Runs `test` with a team that searches the start position of English draughts under `limits`.
    pub(in crate::search) fn with_team<T>(limits: &Limits, test: impl FnOnce(&Team<'_, u64>, &History<u64>) -> T) -> T {
        let (table, evaluation) = (TranspositionTable::new(1).unwrap(), Evaluation::best(english()));
        let signal = Signal::default();
        let tools = Tools { table: &table, evaluation: &evaluation, endgames: None };
        test(&Team::new(limits, 7, tools, &signal, Stopwatch::start()), &History::new(english()))
    }
}

#[cfg(test)]
mod tests {
    use super::testing::with_team;
    use super::*;
    use crate::position::{History, Move};
    use crate::search::split::testing::split;
    use crate::search::{Limits, Score};
    use std::num::NonZeroUsize;

    type TestTeam<'a> = Team<'a, u64>;

    fn in_a_team_of<T>(threads: usize, test: impl FnOnce(&TestTeam<'_>, &History<u64>) -> T) -> T {
        with_team(&Limits { threads: NonZeroUsize::new(threads).unwrap(), ..Limits::default() }, test)
    }

    /// The score, positions searched and line of `search` to `depth`, from the current position of `game`.
    fn result(search: &mut Search<'_, u64>, game: &History<u64>, depth: u8) -> (Score, u64, Vec<Move<u64>>) {
        search.depth = depth;
        let score = search.alpha_beta(game.position(), depth.into(), -Score::INFINITE, Score::INFINITE, 0);
        (score, search.nodes, search.stack[0].line.clone())
    }

    #[test]
    fn without_helpers_split_points_change_nothing() {
        let alone = in_a_team_of(1, |team, game| result(&mut Search::new(team, 0, game), game, 10));
        let together = in_a_team_of(2, |team, game| result(&mut Search::new(team, 0, game), game, 10));
        assert_eq!(alone, together);
    }

    #[test]
    fn who_joins_a_split_point_searches_what_is_left_and_goes_back_to_its_own_work() {
        in_a_team_of(2, |team, game| {
            let mut helper = Search::new(team, 1, game);
            let (own, other) = (split(None, 8), split(None, 7));
            (helper.split, helper.keys) = (Some(Arc::clone(&own)), vec![1, 2, 3]);
            (helper.depth, helper.selective_depth) = (9, 99);
            helper.join(&other);
            assert!(helper.stack[2].in_probcut && helper.nodes > 7);
            assert_eq!((&helper.keys, helper.stopped), (&vec![1, 2, 3], false));
            assert_eq!((helper.depth, helper.selective_depth), (9, 99));
            assert!((7..99).contains(&other.selective_depth()), "{}", other.selective_depth());
            assert!(helper.split.is_some_and(|split| Arc::ptr_eq(&split, &own)));
            assert!(!other.has_helpers() && !other.is_over() && !other.has_work());
            let State { picker, line } = other.end();
            let mut game = game.clone();
            for mv in &line {
                assert!(game.position().legal_moves().contains(mv));
                game.play(*mv);
            }
            assert_eq!(picker.best_move.map(|(mv, _)| mv), line.first().copied());
            assert!(picker.best > Score::DRAW - 50 && line.len() > 5, "{:?} {line:?}", picker.best);
        });
    }

    #[test]
    fn who_joins_what_is_useless_does_nothing() {
        in_a_team_of(2, |team, game| {
            let mut helper = Search::new(team, 1, game);
            let outer = split(None, 9);
            let inner = split(Some(&outer), 8);
            outer.end();
            helper.join(&inner);
            assert_eq!((helper.nodes, helper.stopped, inner.has_helpers()), (0, false, false));
        });
    }

    #[test]
    fn helpers_leave_nothing_behind() {
        in_a_team_of(3, |team, game| {
            let mut first = Search::new(team, 0, game);
            std::thread::scope(|scope| {
                let _close = CloseOnDrop(team);
                for number in [1, 2] {
                    scope.spawn(move || Search::new(team, number, game).help());
                }
                result(&mut first, game, 13);
            });
            assert!(first.split.is_none() && !first.stopped);
            assert!((0..4).all(|thread| team.split_points.find(thread, None).is_none()));
        });
    }

    #[test]
    fn what_is_over_is_left_and_the_search_goes_on_outside() {
        in_a_team_of(2, |team, game| {
            let mut search = Search::new(team, 1, game);
            let outermost = split(None, 9);
            let outer = split(Some(&outermost), 8);
            search.split = Some(split(Some(&outer), 7));
            outer.end();
            assert!(!search.must_stop(), "it was not called");
            team.split_points.call_others(0);
            assert!(search.must_stop());
            search.leave_for(Some(outer));
            assert!(search.must_stop());
            search.leave_for(Some(outermost));
            assert!(!search.must_stop());
        });
    }

    #[test]
    fn a_search_that_has_ended_goes_on_nowhere() {
        in_a_team_of(2, |team, game| {
            let mut helper = Search::new(team, 1, game);
            helper.split = Some(split(None, 9));
            team.split_points.close();
            helper.check_limits();
            helper.leave_for(None);
            assert!(helper.must_stop());
        });
    }

    #[test]
    fn who_waits_for_helpers_ends_with_the_search() {
        in_a_team_of(2, |team, game| {
            let mut owner = Search::new(team, 0, game);
            let split = split(None, 9);
            let _helper = split.join();
            team.signal.stop();
            owner.wait_for_helpers(&split);
            assert!(owner.stopped);
        });
    }
}
