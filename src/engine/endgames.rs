//! The endgame tables used by an engine. They are read from files, or solved in memory when a search can reach the
//! positions that they cover.
//!
//! Searches that are limited by depth or nodes are reproducible, because they wait for the tables that can be solved
//! within their limits. Other searches run alongside a solver thread and use each table once it is solved. When such a
//! search ends, it pauses the solver, so that the solver takes no time from the opponent. On platforms without threads,
//! a search first solves as many tables as its time allows.

use crate::clock::Stopwatch;
use crate::game::{Game, Move};
use crate::pool::lower_priority;
use crate::position::{Position, with_width};
use crate::rules::{Variant, Word};
use crate::search::{Limits, Signal, budget};
use crate::tables::{AnyTables, Material, Prober, Slice, SolveError, Solver, Tables, Verdict, solved};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Approximate number of nodes in a depth-0 search with few pieces on the board. Each additional ply doubles this
/// number.
const NODES_OF_LEAF: u64 = 16;

/// Estimated time for solving one position. It includes a margin over the time measured on an idle machine.
const TIME_PER_POSITION: Duration = Duration::from_micros(1);

/// Maximum time for which an open-ended search waits for tables.
const MAX_WAIT: Duration = Duration::from_secs(1);

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
    pub(super) is_root_first: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EndgameSettings {
    pub(super) folder: Option<PathBuf>,
    pub(super) pieces: u8,
    pub(super) room: u64,
}

#[derive(Debug)]
pub(super) struct Endgames {
    variant: Variant,
    settings: EndgameSettings,
    tables: Arc<AnyTables>,
    in_files: Arc<AnyTables>,
    views: Mutex<Vec<View>>,
    helper: Mutex<Option<Helper>>,
}

/// Tables for searches that must ignore earlier searches: a list of solved slices, and the tables of these slices
/// together with all tables from files.
type View = (Vec<Slice>, Arc<AnyTables>);

const MAX_VIEWS: usize = 16;

#[derive(Debug)]
struct Helper {
    last: Option<Slice>,
    orders: Arc<Orders>,
    thread: JoinHandle<()>,
}

#[derive(Debug)]
struct Orders {
    order: Mutex<HelperOrder>,
    changed: Condvar,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HelperOrder {
    Work,
    Rest,
    End,
}

impl Orders {
    fn set(&self, order: HelperOrder) {
        *self.order.lock().unwrap_or_else(PoisonError::into_inner) = order;
        self.changed.notify_all();
    }

    /// Blocks while the order is [`HelperOrder::Rest`]. Then returns whether the order is [`HelperOrder::End`].
    fn is_ended(&self) -> bool {
        let order = self.order.lock().unwrap_or_else(PoisonError::into_inner);
        let rests = |order: &mut HelperOrder| *order == HelperOrder::Rest;
        *self.changed.wait_while(order, rests).unwrap_or_else(PoisonError::into_inner) == HelperOrder::End
    }
}

impl Helper {
    fn end(self) {
        self.orders.set(HelperOrder::End);
        if self.thread.join().is_err() {
            log::error!("the endgame solver thread panicked");
        }
    }
}

#[derive(Debug)]
pub(super) struct TablesOfSearch<'a> {
    endgames: &'a Endgames,
    tables: Arc<AnyTables>,
}

impl TablesOfSearch<'_> {
    pub(super) fn of_width<W: Word>(&self) -> Option<&Tables<W>> {
        self.tables.of_width()
    }

    fn probe(&self, game: &Game) -> Option<Probed> {
        fn probe<W: Word>(tables: &AnyTables, position: &Position<W>) -> Option<Probed> {
            let mut prober = Prober::new(tables.of_width()?);
            let value = prober.verdict(position)?;
            let mut verdict_of = |mv| Some(prober.verdict(&position.play(mv))?.before());
            let moves = position.legal_moves().iter().map(|&mv| (mv.widened(), verdict_of(mv))).collect();
            Some(Probed { position: value, moves })
        }
        with_width!(game.history(), history => probe(&self.tables, history.position()))
    }
}

impl Drop for TablesOfSearch<'_> {
    fn drop(&mut self) {
        if let Some(helper) = &*self.endgames.helper() {
            helper.orders.set(HelperOrder::Rest);
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
        Self { variant, settings, tables, in_files, views: Mutex::default(), helper: Mutex::default() }
    }

    pub(super) fn are_of(&self, variant: Variant, settings: &EndgameSettings) -> bool {
        self.variant == variant && self.settings == *settings
    }

    pub(super) fn for_search(
        &self,
        game: &Game,
        limits: &Limits,
        solving: Solving,
        signal: &Signal,
        watch: &Stopwatch,
    ) -> TablesOfSearch<'_> {
        if solving.is_forgetful && is_bounded(limits) {
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
            self.rest();
            solve_all(&self.tables, &slices, &|| signal.is_stopped());
            return self.seen(&self.tables);
        }
        let awaited = slices.last().copied().filter(|&last| root_slice(game) == Some(last));
        let size = |&slice: &Slice| with_width!(&*self.tables, tables => tables.size(slice));
        let is_solved = |slice: &&Slice| solved::has(self.variant, **slice);
        let work: u64 = slices.iter().filter(|slice| !is_solved(slice)).map(size).sum();
        if signal.is_alone() {
            let time = if awaited.is_some() { patience(game, limits, work) } else { spare_time(game, limits) };
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
        if awaited.is_some() && self.helper().as_ref().is_some_and(|helper| helper.last != awaited) {
            self.rest();
        }
        self.solve_beside(slices, awaited.is_some());
        let is_over = || signal.is_stopped() || watch.elapsed() >= patience(game, limits, work);
        while awaited.is_some() && self.is_working() && !is_over() {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.seen(&self.tables)
    }

    /// Returns the tables from files and the tables that the search would solve itself. Tables that were solved for
    /// earlier searches are not included.
    fn for_search_alone(&self, game: &Game, limits: &Limits, solving: Solving, signal: &Signal) -> TablesOfSearch<'_> {
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
        self.rest();
        let missing: Vec<_> = with_width!(&*self.tables, tables => {
            slices.iter().copied().filter(|&slice| !tables.has(slice)).collect()
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

    fn seen(&self, tables: &Arc<AnyTables>) -> TablesOfSearch<'_> {
        TablesOfSearch { endgames: self, tables: Arc::clone(tables) }
    }

    pub(super) fn bytes_in_memory(&self) -> u64 {
        with_width!(&*self.tables, tables => tables.bytes_in_memory())
    }

    fn solve_root(&self, game: &Game, is_stopped: &(dyn Fn() -> bool + Sync)) {
        let slices = root_slice(game).map(|_| self.slices_to_solve(&self.tables, game, u64::MAX)).unwrap_or_default();
        if !slices.is_empty() {
            self.rest();
            solve_all(&self.tables, &slices, is_stopped);
        }
    }

    pub(super) fn probe(&self, game: &Game) -> Option<Probed> {
        self.solve_root(game, &|| false);
        self.seen(&self.tables).probe(game)
    }

    pub(super) fn known(&self, game: &Game, limits: &Limits, solving: Solving) -> Option<Probed> {
        if solving.is_forgetful && is_bounded(limits) {
            self.for_search_alone(game, limits, solving, &Signal::default()).probe(game)
        } else if solving.is_root_first {
            self.probe(game)
        } else {
            self.seen(&self.tables).probe(game)
        }
    }

    pub(super) fn rest(&self) {
        let helper = self.helper().take();
        if let Some(helper) = helper {
            helper.end();
        }
    }

    fn helper(&self) -> MutexGuard<'_, Option<Helper>> {
        self.helper.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_working(&self) -> bool {
        self.helper().as_ref().is_some_and(|helper| !helper.thread.is_finished())
    }

    fn slices_to_solve(&self, tables: &AnyTables, game: &Game, positions: u64) -> Vec<Slice> {
        fn worth_solving<W: Word>(tables: &AnyTables, position: &Position<W>, (room, most): (u64, u64)) -> Vec<Slice> {
            tables.of_width().map_or_else(Vec::new, |tables: &Tables<W>| tables.worth_solving(position, room, most))
        }
        let most = (self.settings.room, positions);
        let slices = with_width!(game.history(), history => worth_solving(tables, history.position(), most));
        slices.into_iter().filter(|slice| slice.material().pieces() <= self.settings.pieces).collect()
    }

    /// Starts or resumes the solver thread. The thread runs at low priority unless a search is waiting for it.
    fn solve_beside(&self, slices: Vec<Slice>, are_awaited: bool) {
        let mut helper = self.helper();
        if let Some(helper) = helper.as_ref().filter(|helper| !helper.thread.is_finished()) {
            helper.orders.set(HelperOrder::Work);
            return;
        }
        let orders = Arc::new(Orders { order: Mutex::new(HelperOrder::Work), changed: Condvar::new() });
        let (tables, solver_orders, last) = (Arc::clone(&self.tables), Arc::clone(&orders), slices.last().copied());
        let work = move || {
            if !are_awaited {
                lower_priority();
            }
            solve_all(&tables, &slices, &|| solver_orders.is_ended());
        };
        match std::thread::Builder::new().name("endings".to_owned()).spawn(work) {
            Ok(thread) => *helper = Some(Helper { last, orders, thread }),
            Err(error) => log::warn!("endgame tables are not solved: cannot start a thread: {error}"),
        }
    }
}

impl Drop for Endgames {
    fn drop(&mut self) {
        self.rest();
    }
}

/// Returns approximately how many nodes the limits allow. This is also the maximum number of positions that the search
/// solves for endgame tables. Solving a position takes about half as long as searching a node.
pub(super) fn nodes_within(limits: &Limits) -> u64 {
    let leaves = |depth: u8| 1_u64.checked_shl(depth.into()).unwrap_or(u64::MAX);
    let by_depth = limits.depth.map(|depth| leaves(depth).saturating_mul(NODES_OF_LEAF));
    by_depth.into_iter().chain(limits.nodes).min().unwrap_or(u64::MAX)
}

pub(super) fn is_timed(limits: &Limits) -> bool {
    limits.move_time.is_some() || limits.clock.is_some()
}

/// Returns whether the search ends on its own and always at the same node.
fn is_bounded(limits: &Limits) -> bool {
    !is_timed(limits) && (limits.depth.is_some() || limits.nodes.is_some() || limits.win_in.is_some())
}

fn patience(game: &Game, limits: &Limits, work: u64) -> Duration {
    match planned_time(game, limits) {
        Some(time) if expected(work) > time / 2 => Duration::ZERO,
        Some(time) => time * 3 / 4,
        None => MAX_WAIT,
    }
}

/// Returns the part of the search time that may be used to solve tables for positions in the search tree.
fn spare_time(game: &Game, limits: &Limits) -> Duration {
    planned_time(game, limits).unwrap_or(MAX_WAIT) / 8
}

fn planned_time(game: &Game, limits: &Limits) -> Option<Duration> {
    let counts = !limits.infinite && !limits.ponder;
    budget(limits, game.legal_moves().len()).filter(|_| counts).map(|budget| budget.soft)
}

fn expected(work: u64) -> Duration {
    TIME_PER_POSITION.saturating_mul(u32::try_from(work).unwrap_or(u32::MAX))
}

fn root_slice(game: &Game) -> Option<Slice> {
    let material = with_width!(game.history(), history => Material::of(history.position().pieces()));
    (material.pieces() <= MAX_AWAITED).then(|| Slice::of(material))
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
            solved::keep(tables.rules().variant(), &table);
            table
        }
    };
    tables.add_beside(table);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Answer, Engine, Setting};
    use crate::eval::Evaluation;
    use crate::game::AnyHistory;
    use crate::notation::FenRecord;
    use crate::position::GameRules;
    use crate::search::{Bound, Clock, Handicap, Observer, Report, Signal, Tools, TranspositionTable, Value, search};
    use crate::tables::SliceTable;

    /// Petrov's triangle, in which three kings catch a king that is not on the main road.
    const TRIANGLE: &str = "W:WKc3,Kd4,Kf4:BKb8";

    fn game(variant: Variant, fen: &str) -> Game {
        let setup = fen.parse::<FenRecord>().unwrap().to_setup(variant.spec()).unwrap();
        Game::from_setup(variant, &setup).unwrap()
    }

    fn engine(pieces: u8) -> Engine {
        let mut engine = Engine::new();
        engine.apply(Setting::Variant(Variant::Russian)).unwrap();
        engine.apply(Setting::TablePieces(pieces)).unwrap();
        engine
    }

    /// Petrov's triangle with an additional man. No search waits for a table with five pieces.
    const FIVE_PIECES: &str = "W:WKc3,Kd4,Kf4,a3:BKb8";

    fn solved(engine: &mut Engine) -> u64 {
        with_width!(&*engine.endgames(Variant::Russian).tables, tables => tables.bytes_in_memory())
    }

    fn order(engine: &mut Engine) -> Option<HelperOrder> {
        engine.endgames(Variant::Russian).helper().as_ref().map(|helper| *helper.orders.order.lock().unwrap())
    }

    fn to_nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    fn timed(millis: u64) -> Limits {
        Limits { move_time: Some(Duration::from_millis(millis)), ..Limits::default() }
    }

    #[test]
    fn short_searches_and_weakened_players_build_no_tables() {
        let to_depth = |depth| Limits { depth: Some(depth), ..Limits::default() };
        let handicap = Some(Handicap { depth: 2, spread: 0, seed: 1 });
        let cases = [
            to_depth(1),
            to_depth(5),
            to_nodes(100),
            Limits { depth: Some(60), ..to_nodes(100) },
            Limits { nodes: Some(100), ..timed(60_000) },
            Limits {
                depth: Some(1),
                clock: Some(Clock { remaining: Duration::from_secs(60), increment: Duration::ZERO, moves_to_go: None }),
                ..Limits::default()
            },
            Limits { handicap, ..Limits::default() },
            Limits { handicap, ..timed(60_000) },
            Limits { handicap, ..to_nodes(1 << 30) },
        ];
        for fen in [TRIANGLE, FIVE_PIECES] {
            let game = game(Variant::Russian, fen);
            for limits in &cases {
                let mut engine = engine(8);
                engine.go(&game, limits.clone()).unwrap();
                assert_eq!((solved(&mut engine), order(&mut engine)), (0, None), "{limits:?}");
            }
            let mut without = engine(0);
            without.go(&game, Limits { depth: Some(4), ..timed(60_000) }).unwrap();
            without.go(&game, to_nodes(20_000)).unwrap();
            assert_eq!((solved(&mut without), order(&mut without)), (0, None));
        }
    }

    #[test]
    fn a_search_of_many_nodes_waits_and_is_reproducible() {
        let game = game(Variant::Russian, TRIANGLE);
        let mut found = [(); 2].map(|()| {
            let mut engine = engine(8);
            let found = engine.go(&game, to_nodes(4 << 20)).unwrap();
            assert_eq!(order(&mut engine), None, "no table is built in the background");
            Answer { time: Duration::ZERO, ..found }
        });
        let [one, other] = &mut found;
        assert_eq!(one, other);
        let Value::Win(moves) = one.value else { panic!("{one:?}") };
        assert_eq!(one.line.len(), 2 * usize::from(moves) - 1, "the line reaches the end of the game");
        assert!(moves > 2 && one.nodes < 100, "{one:?}");
    }

    #[test]
    fn a_search_waits_for_the_table_of_its_root_if_there_is_time() {
        let game = game(Variant::Russian, TRIANGLE);
        for limits in [timed(600_000), Limits { analysis: true, ..to_nodes(1 << 40) }] {
            let signal = Signal::default();
            let mut reports = Vec::new();
            let mut watch = |report: &Report| {
                reports.push((report.depth, report.bound, report.value));
                signal.stop();
            };
            engine(8).watch(&game, limits.clone(), &signal, &mut watch).unwrap();
            let is_win = |report: &_| matches!(report, &(1, Bound::Exact, Value::Win(_)));
            assert!(reports.iter().any(is_win), "{limits:?} {reports:?}");
        }
    }

    #[test]
    fn background_building_pauses_after_a_search() {
        let game = game(Variant::Russian, FIVE_PIECES);
        let mut engine = engine(8);
        engine.go(&game, timed(1)).unwrap();
        assert_eq!(order(&mut engine), Some(HelperOrder::Rest));
        // Each search uses the tables that have been solved so far.
        let mut solves_more = || {
            // A search that remembers how it won ends at once, before the helper thread can run.
            engine.forget();
            engine.go(&game, timed(20)).unwrap();
            solved(&mut engine) > 0
        };
        assert!((0..10_000).any(|_| solves_more()));
    }

    /// An observer that adds tables while a search is running.
    struct Late<'a> {
        tables: &'a Tables<u64>,
        solved: Vec<SliceTable<u64>>,
        depths: Vec<u8>,
    }

    impl Observer for Late<'_> {
        fn report(&mut self, report: Report) {
            self.depths.push(report.depth);
            if report.depth == 4 {
                self.solved.drain(..).for_each(|table| self.tables.add_beside(table));
            }
        }
    }

    #[test]
    fn a_search_uses_tables_that_become_ready_meanwhile() {
        let game = game(Variant::Russian, "W:WKh8,Ka7,Kc5:BKc7");
        let rules = GameRules::<u64>::of(Variant::Russian).unwrap();
        let (mut all, tables) = (Tables::new(rules), Tables::new(rules));
        let mut solved = Vec::new();
        for name in ["0m1k-0m1k", "0m2k-0m1k", "0m3k-0m1k"] {
            let slice = Slice::of(name.parse().unwrap());
            let solver =
                Solver { tables: &all, threads: NonZeroUsize::MIN, is_stopped: &|| false, done: &AtomicU64::new(0) };
            let table = solver.solve(slice).unwrap();
            solved.push(table.clone());
            all.add(table);
        }
        let mut observer = Late { tables: &tables, solved, depths: Vec::new() };
        let (table, evaluation) = (TranspositionTable::new(1).unwrap(), Evaluation::best(rules));
        let tools = Tools { table: &table, evaluation: &evaluation, endgames: Some(&tables) };
        let AnyHistory::Narrow(history) = game.history() else { panic!("a board of 8x8") };
        let found = search(history, &to_nodes(1 << 22), tools, &Signal::default(), Stopwatch::start(), &mut observer);
        assert_eq!(found.value, Value::Win(8));
        let depths = observer.depths;
        assert!(depths.is_sorted() && depths.last().is_some_and(|&depth| depth < 10), "{depths:?}");
    }

    #[test]
    fn an_idle_engine_has_no_threads_left() {
        let game = game(Variant::Russian, FIVE_PIECES);
        let mut engine = engine(8);
        engine.go(&game, timed(1)).unwrap();
        assert!(order(&mut engine).is_some(), "tables remain to be built after a millisecond");
        engine.rest();
        assert_eq!(order(&mut engine), None);
        while solved(&mut engine) == 0 {
            engine.forget();
            engine.go(&game, timed(20)).unwrap();
        }
        engine.rest();
        assert!(solved(&mut engine) > 0 && order(&mut engine).is_none());
    }
}
