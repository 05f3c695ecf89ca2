//! Tests of when tables are solved and used.

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

/// Returns whether the solver is paused, or `None` if there is no solver.
fn is_paused(engine: &mut Engine) -> Option<bool> {
    engine.endgames(Variant::Russian).solver().as_ref().map(BackgroundSolver::is_paused)
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
            assert_eq!((solved(&mut engine), is_paused(&mut engine)), (0, None), "{limits:?}");
        }
        let mut without = engine(0);
        without.go(&game, Limits { depth: Some(4), ..timed(60_000) }).unwrap();
        without.go(&game, to_nodes(20_000)).unwrap();
        assert_eq!((solved(&mut without), is_paused(&mut without)), (0, None));
    }
}

#[test]
fn a_search_of_many_nodes_waits_and_is_reproducible() {
    let game = game(Variant::Russian, TRIANGLE);
    let mut found = [(); 2].map(|()| {
        let mut engine = engine(8);
        let found = engine.go(&game, to_nodes(4 << 20)).unwrap();
        assert_eq!(is_paused(&mut engine), None, "no table is built in the background");
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
        let mut on_report = |report: &Report| {
            reports.push((report.depth, report.bound, report.value));
            signal.stop();
        };
        engine(8).go_with_reports(&game, limits.clone(), &signal, &mut on_report).unwrap();
        let is_win = |report: &_| matches!(report, &(1, Bound::Exact, Value::Win(_)));
        assert!(reports.iter().any(is_win), "{limits:?} {reports:?}");
    }
}

#[test]
fn background_building_pauses_after_a_search() {
    let game = game(Variant::Russian, FIVE_PIECES);
    let mut engine = engine(8);
    engine.go(&game, timed(1)).unwrap();
    assert_eq!(is_paused(&mut engine), Some(true));
    // Each search uses the tables that have been solved so far.
    let mut solves_more = || {
        // A search that remembers how it won ends at once, before the solver thread can run.
        engine.clear_hash();
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
            self.solved.drain(..).for_each(|table| self.tables.add_concurrently(table));
        }
    }
}

#[test]
fn a_search_uses_tables_that_become_ready_meanwhile() {
    let game = game(Variant::Russian, "W:WKh8,Ka7,Kc5:BKc7");
    let rules = GameRules::<u64>::for_variant(Variant::Russian).unwrap();
    let (mut all, tables) = (Tables::new(rules), Tables::new(rules));
    let mut solved = Vec::new();
    for name in ["0m1k-0m1k", "0m2k-0m1k", "0m3k-0m1k"] {
        let slice = Slice::containing(name.parse().unwrap());
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
    assert!(is_paused(&mut engine).is_some(), "tables remain to be built after a millisecond");
    engine.stop_table_solver();
    assert_eq!(is_paused(&mut engine), None);
    while solved(&mut engine) == 0 {
        engine.clear_hash();
        engine.go(&game, timed(20)).unwrap();
    }
    engine.stop_table_solver();
    assert!(solved(&mut engine) > 0 && is_paused(&mut engine).is_none());
}
