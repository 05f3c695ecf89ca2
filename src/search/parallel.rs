//! Lazy SMP. The threads of a search exchange results only through the transposition table.
//!
//! The first thread watches the limits and returns the result. The other threads help it: they run iterative deepening
//! from the same root until the first thread has ended. `docs/search.md` compares this method with split points.

use super::{Budget, Limits, Signal, TranspositionTable, budget};
use crate::clock::Stopwatch;
use crate::eval::Evaluation;
use crate::rules::Word;
use crate::tables::Tables;
use crossbeam_utils::CachePadded;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// The resources that all threads of a search share.
#[derive(Clone, Copy, Debug)]
pub struct Tools<'a, W: Word> {
    /// The transposition table.
    pub table: &'a TranspositionTable,
    /// The static evaluation.
    pub evaluation: &'a Evaluation<W>,
    /// The endgame tables, if any.
    pub endgames: Option<&'a Tables<W>>,
}

pub(crate) struct Team<'a, W: Word> {
    pub(crate) tools: Tools<'a, W>,
    pub(crate) limits: &'a Limits,
    pub(crate) signal: &'a Signal,
    watch: Stopwatch,
    pub(crate) budget: Option<Budget>,
    /// Whether the first thread has finished, in which case the helper threads must stop.
    is_finished: AtomicBool,
    nodes: Box<[CachePadded<AtomicU64>]>,
    table_hits: Box<[CachePadded<AtomicU64>]>,
}

impl<'a, W: Word> Team<'a, W> {
    pub(crate) fn new(
        limits: &'a Limits,
        choices: usize,
        tools: Tools<'a, W>,
        signal: &'a Signal,
        watch: Stopwatch,
    ) -> Self {
        let counts = || (0..limits.threads.get()).map(|_| CachePadded::default()).collect();
        let (budget, is_finished) = (budget(limits, choices), AtomicBool::new(false));
        Self { tools, limits, signal, watch, budget, is_finished, nodes: counts(), table_hits: counts() }
    }

    pub(crate) fn size(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn publish_counts(&self, thread: usize, nodes: u64, table_hits: u64) {
        self.nodes[thread].store(nodes, Relaxed);
        self.table_hits[thread].store(table_hits, Relaxed);
    }

    pub(crate) fn table_hits(&self) -> u64 {
        self.table_hits.iter().map(|hits| hits.load(Relaxed)).sum()
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Relaxed)).sum()
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.watch.elapsed()
    }

    /// Returns the time that counts against the budget, or `None` while the search is pondering.
    pub(crate) fn counted_time(&self) -> Option<Duration> {
        if self.limits.ponder {
            self.signal.ponder_hit_at().map(|hit| self.watch.since(hit))
        } else {
            Some(self.elapsed())
        }
    }

    /// Waits until the result of an infinite or pondering search may be returned.
    pub(crate) fn wait_for_signal(&self) {
        if self.limits.infinite {
            self.signal.wait(false);
        } else if self.limits.ponder {
            self.signal.wait(true);
        }
    }

    pub(crate) fn must_stop(&self) -> bool {
        let is_late = match (self.budget, self.counted_time()) {
            (Some(budget), Some(elapsed)) => elapsed >= budget.hard && !self.limits.infinite,
            _ => false,
        };
        let is_spent = is_late || self.limits.nodes.is_some_and(|most| self.nodes() >= most);
        is_spent || self.signal.is_stopped()
    }

    pub(super) fn is_finished(&self) -> bool {
        self.is_finished.load(Relaxed)
    }
}

pub(super) struct FinishOnDrop<'a, W: Word>(pub(super) &'a Team<'a, W>);

impl<W: Word> Drop for FinishOnDrop<'_, W> {
    fn drop(&mut self) {
        self.0.is_finished.store(true, Relaxed);
    }
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;
    use crate::position::{GameRules, History, Position};
    use crate::rules::Variant;
    use crate::search::thread::Search;

    pub(in crate::search) fn english() -> &'static GameRules<u64> {
        GameRules::for_variant(Variant::English).unwrap()
    }

    pub(in crate::search) fn english_start() -> Position<u64> {
        Position::start(english())
    }

    pub(in crate::search) fn with_search<T>(
        limits: &Limits,
        test: impl FnOnce(&mut Search<'_, u64>, &Position<u64>) -> T,
    ) -> T {
        with_team(limits, |team, game| test(&mut Search::new(team, 0, game), game.position()))
    }

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
    use crate::search::root::RootMove;
    use crate::search::thread::Search;
    use std::num::NonZeroUsize;

    #[test]
    fn a_helper_fills_the_table_until_the_search_has_ended() {
        let limits = Limits { threads: NonZeroUsize::new(2).unwrap(), depth: Some(3), ..Limits::default() };
        with_team(&limits, |team, game| {
            let position = game.position();
            let help = || {
                let mut helper = Search::new(team, 1, game);
                helper.help(position, &mut RootMove::allowed(position, &limits), 1);
                helper
            };
            std::thread::scope(|scope| {
                let finish = FinishOnDrop(team);
                let helper = scope.spawn(|| help().nodes);
                while team.nodes() < 50_000 {
                    std::thread::yield_now();
                }
                drop(finish);
                assert_eq!(helper.join().unwrap(), team.nodes());
            });
            let late = help();
            // The helper stops at a random point, so some entries may come from a later search to a smaller depth.
            let moves = position.legal_moves();
            let entries = moves.iter().filter_map(|&mv| team.tools.table.probe(late.table_key(&position.play(mv))));
            let deepest = entries.map(|entry| entry.depth).max();
            assert!(deepest >= Some(6), "the helper searches beyond the depth of the search: {deepest:?}");
            assert!(late.stopped && late.nodes < 100 && !team.must_stop());
        });
    }
}
