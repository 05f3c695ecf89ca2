//! The endgame tables used by an engine. They are read from files, or solved in memory when a search can reach the
//! positions that they cover.
//!
//! Searches that are limited by depth or nodes are reproducible, because they wait for the tables that can be solved
//! within their limits. Other searches run alongside a solver thread and use each table once it is solved. When such a
//! search ends, it pauses the solver, so that the solver takes no time from the opponent. On platforms without threads,
//! a search first solves as many tables as its time allows.

use super::background_solver::BackgroundSolver;
use super::solving_time::{expected, is_bounded, max_wait, nodes_within, spare_time};
use crate::clock::Stopwatch;
use crate::game::{Game, Move};
use crate::pool::lower_priority;
use crate::position::{History, Position, with_width};
use crate::rules::{Variant, Word};
use crate::search::{Limits, Signal};
use crate::tables::{
    AnyTables, Material, Prober, RepetitionLimits, Slice, SolveError, Solver, Tables, Verdict, solved,
};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

#[cfg(test)]
mod tests;

/// If the root position has at most this many pieces, the search waits for its table, which yields the best move.
/// Tables with more pieces are not solved in memory.
const MAX_AWAITED: u8 = 4;

/// The endgame table results for a position and its legal moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probed {
    /// Result from the point of view of the side to move.
    pub position: Verdict,
    /// The legal moves, each with the result for the side that plays it. The result is `None` if no table contains the
    /// position after the move.
    pub moves: Vec<(Move, Option<Verdict>)>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Solving {
    pub(super) is_forgetful: bool,
    /// Whether searches that end at the same node in every run ignore the tables that were solved for earlier searches.
    pub(super) ignores_solved: bool,
    pub(super) is_root_first: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EndgameSettings {
    pub(super) folder: Option<PathBuf>,
    pub(super) pieces: u8,
    /// Memory for tables that are solved in memory, in bytes.
    pub(super) memory: u64,
}

#[derive(Debug)]
pub(super) struct Endgames {
    variant: Variant,
    settings: EndgameSettings,
    tables: Arc<AnyTables>,
    in_files: Arc<AnyTables>,
    views: Mutex<Vec<View>>,
    solver: Mutex<Option<BackgroundSolver>>,
}

/// Tables for searches that must ignore earlier searches: a list of solved slices, and the tables of these slices
/// together with all tables from files.
type View = (Vec<Slice>, Arc<AnyTables>);

const MAX_VIEWS: usize = 16;

#[derive(Debug)]
pub(super) struct SearchTables<'a> {
    endgames: &'a Endgames,
    tables: Arc<AnyTables>,
}

impl SearchTables<'_> {
    pub(super) fn downcast_ref<W: Word>(&self) -> Option<&Tables<W>> {
        self.tables.downcast_ref()
    }

    fn probe(&self, game: &Game) -> Option<Probed> {
        fn probe<W: Word>(tables: &AnyTables, game: &History<W>) -> Option<Probed> {
            let mut prober = Prober::new(tables.downcast_ref()?);
            let (position, limits) = (game.position(), RepetitionLimits::for_game(&mut prober, game));
            let value = limits.apply(prober.verdict(position)?, position, 0);
            let mut verdict_of = |mv| {
                let after = position.play(mv);
                Some(limits.apply(prober.verdict(&after)?, &after, 1).before())
            };
            let moves = position.legal_moves().iter().map(|&mv| (mv.widened(), verdict_of(mv))).collect();
            Some(Probed { position: value, moves })
        }
        with_width!(game.history(), history => probe(&self.tables, history))
    }
}

impl Drop for SearchTables<'_> {
    fn drop(&mut self) {
        if let Some(solver) = &*self.endgames.solver() {
            solver.pause();
        }
    }
}

impl Endgames {
    pub(super) fn open(variant: Variant, settings: EndgameSettings) -> Self {
        let mut tables = AnyTables::new(variant);
        if let Some(folder) = &settings.folder {
            with_width!(&mut tables, tables => _ = tables.add_folder(folder, settings.pieces));
        }
        let (in_files, tables) = (Arc::new(tables.clone()), Arc::new(tables));
        Self { variant, settings, tables, in_files, views: Mutex::default(), solver: Mutex::default() }
    }

    pub(super) fn matches(&self, variant: Variant, settings: &EndgameSettings) -> bool {
        self.variant == variant && self.settings == *settings
    }

    pub(super) fn for_search(
        &self,
        game: &Game,
        limits: &Limits,
        solving: Solving,
        signal: &Signal,
        watch: &Stopwatch,
    ) -> SearchTables<'_> {
        if solving.ignores_solved && is_bounded(limits) {
            return self.for_search_alone(game, limits, solving, signal);
        }
        if solving.is_root_first {
            self.solve_root(game, &|| signal.is_stopped());
        }
        let slices = if limits.handicap.is_some() {
            Vec::new()
        } else {
            self.slices_to_solve(&self.tables, game, nodes_within(limits))
        };
        if slices.is_empty() {
            return self.seen(&self.tables);
        }
        if is_bounded(limits) {
            self.stop_table_solver();
            solve_all(&self.tables, &slices, &|| signal.is_stopped());
            return self.seen(&self.tables);
        }
        let awaited = slices.last().copied().filter(|&last| root_slice(game) == Some(last));
        let size = |&slice: &Slice| with_width!(&*self.tables, tables => tables.size(slice));
        let is_solved = |slice: &&Slice| solved::has_file(self.variant, **slice);
        let work: u64 = slices.iter().filter(|slice| !is_solved(slice)).map(size).sum();
        if signal.shares_thread() {
            let time = if awaited.is_some() { max_wait(game, limits, work) } else { spare_time(game, limits) };
            let mut left = time;
            let is_within = |slice: &&Slice| {
                let rest = left.checked_sub(expected(size(slice)));
                left = rest.unwrap_or_default();
                rest.is_some()
            };
            let slices: Vec<_> = slices.iter().take_while(is_within).copied().collect();
            solve_all(&self.tables, &slices, &|| signal.is_stopped() || watch.elapsed() >= time);
            return self.seen(&self.tables);
        }
        if awaited.is_some() && self.solver().as_ref().is_some_and(|solver| solver.last != awaited) {
            self.stop_table_solver();
        }
        self.solve_in_background(slices, awaited.is_some());
        let is_over = || signal.is_stopped() || watch.elapsed() >= max_wait(game, limits, work);
        while awaited.is_some() && self.is_working() && !is_over() {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.seen(&self.tables)
    }

    /// Returns the tables from files and the tables that the search would solve itself. Tables that were solved for
    /// earlier searches are not included.
    fn for_search_alone(&self, game: &Game, limits: &Limits, solving: Solving, signal: &Signal) -> SearchTables<'_> {
        let is_root_first = solving.is_root_first && root_slice(game).is_some();
        let positions = if is_root_first { u64::MAX } else { nodes_within(limits) };
        let slices = self.slices_to_solve(&self.in_files, game, positions);
        if slices.is_empty() || limits.handicap.is_some() {
            return self.seen(&self.in_files);
        }
        let mut views = self.views.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, view)) = views.iter().find(|(known, _)| *known == slices) {
            return self.seen(view);
        }
        self.stop_table_solver();
        let missing: Vec<_> = with_width!(&*self.tables, tables => {
            slices.iter().copied().filter(|&slice| !tables.contains(slice)).collect()
        });
        solve_all(&self.tables, &missing, &|| signal.is_stopped());
        let mut view = AnyTables::clone(&self.in_files);
        view.add_from(&self.tables, &slices);
        let view = Arc::new(view);
        // If the search was stopped, some slices may not have been solved.
        if !signal.is_stopped() {
            views.truncate(MAX_VIEWS - 1);
            views.insert(0, (slices, Arc::clone(&view)));
        }
        self.seen(&view)
    }

    fn seen(&self, tables: &Arc<AnyTables>) -> SearchTables<'_> {
        SearchTables { endgames: self, tables: Arc::clone(tables) }
    }

    pub(super) fn bytes_in_memory(&self) -> u64 {
        with_width!(&*self.tables, tables => tables.bytes_in_memory())
    }

    fn solve_root(&self, game: &Game, is_stopped: &(dyn Fn() -> bool + Sync)) {
        let slices = root_slice(game).map(|_| self.slices_to_solve(&self.tables, game, u64::MAX)).unwrap_or_default();
        if !slices.is_empty() {
            self.stop_table_solver();
            solve_all(&self.tables, &slices, is_stopped);
        }
    }

    pub(super) fn probe(&self, game: &Game) -> Option<Probed> {
        self.solve_root(game, &|| false);
        self.seen(&self.tables).probe(game)
    }

    pub(super) fn probe_within_limits(&self, game: &Game, limits: &Limits, solving: Solving) -> Option<Probed> {
        if solving.ignores_solved && is_bounded(limits) {
            self.for_search_alone(game, limits, solving, &Signal::default()).probe(game)
        } else if solving.is_root_first {
            self.probe(game)
        } else {
            self.seen(&self.tables).probe(game)
        }
    }

    pub(super) fn stop_table_solver(&self) {
        let solver = self.solver().take();
        if let Some(solver) = solver {
            solver.end();
        }
    }

    fn solver(&self) -> MutexGuard<'_, Option<BackgroundSolver>> {
        self.solver.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_working(&self) -> bool {
        self.solver().as_ref().is_some_and(|solver| !solver.is_finished())
    }

    fn slices_to_solve(&self, tables: &AnyTables, game: &Game, max_positions: u64) -> Vec<Slice> {
        fn unsolved<W: Word>(
            tables: &AnyTables,
            position: &Position<W>,
            memory: u64,
            max_positions: u64,
        ) -> Vec<Slice> {
            let tables = tables.downcast_ref();
            tables.map_or_else(Vec::new, |tables: &Tables<W>| tables.slices_to_solve(position, memory, max_positions))
        }
        let memory = self.settings.memory;
        let slices =
            with_width!(game.history(), history => unsolved(tables, history.position(), memory, max_positions));
        slices.into_iter().filter(|slice| slice.material().pieces() <= self.settings.pieces).collect()
    }

    /// Starts or resumes the solver thread. The thread runs at low priority unless a search is waiting for it.
    fn solve_in_background(&self, slices: Vec<Slice>, are_awaited: bool) {
        let mut solver = self.solver();
        if let Some(solver) = solver.as_ref().filter(|solver| !solver.is_finished()) {
            solver.resume();
            return;
        }
        let (tables, last) = (Arc::clone(&self.tables), slices.last().copied());
        let started = BackgroundSolver::start(last, move |is_ended| {
            if !are_awaited {
                lower_priority();
            }
            solve_all(&tables, &slices, is_ended);
        });
        match started {
            Ok(started) => *solver = Some(started),
            Err(error) => log::warn!("endgame tables are not solved: cannot start a thread: {error}"),
        }
    }
}

impl Drop for Endgames {
    fn drop(&mut self) {
        self.stop_table_solver();
    }
}

fn root_slice(game: &Game) -> Option<Slice> {
    let material = with_width!(game.history(), history => Material::from_pieces(history.position().pieces()));
    (material.pieces() <= MAX_AWAITED).then(|| Slice::containing(material))
}

fn solve_all(tables: &AnyTables, slices: &[Slice], is_stopped: &(dyn Fn() -> bool + Sync)) {
    for &slice in slices {
        match with_width!(tables, tables => solve(tables, slice, is_stopped)) {
            Ok(()) => {}
            Err(SolveError::Stopped) => return,
            Err(error) => log::error!("{error}"),
        }
    }
}

fn solve<W: Word>(tables: &Tables<W>, slice: Slice, is_stopped: &(dyn Fn() -> bool + Sync)) -> Result<(), SolveError> {
    let table = match solved::read(tables, slice) {
        Some(table) => table,
        None => {
            let solver = Solver { tables, threads: NonZeroUsize::MIN, is_stopped, done: &AtomicU64::new(0) };
            let table = solver.solve(slice)?;
            solved::write_in_background(tables.rules().variant(), &table);
            table
        }
    };
    tables.add_concurrently(table);
    Ok(())
}
