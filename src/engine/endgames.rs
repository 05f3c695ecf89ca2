//! The endgame tables of an engine: those in the files of a folder, and those that are solved in memory when a search comes
//! near.

use crate::game::{Game, Move, with_history};
use crate::position::Position;
use crate::rules::{Variant, Word};
use crate::search::Limits;
use crate::tables::file::open_all;
use crate::tables::{AnyTables, Prober, Slice, SolveError, Solver, Tables, Verdict, with_tables};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// What endgame tables say of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probed {
    /// Its result.
    pub position: Verdict,
    /// The result after each legal move, for the side that plays it; `None` if no table has the position after it.
    pub moves: Vec<(Move, Option<Verdict>)>,
}

/// Which endgame tables an engine uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EndgameSettings {
    /// Where files are.
    pub(super) folder: Option<PathBuf>,
    /// Most pieces on the board.
    pub(super) pieces: u8,
    /// Most bytes that are solved in memory.
    pub(super) room: u64,
}

/// The endgame tables of one variant, shared by an engine and its searches.
#[derive(Debug)]
pub(super) struct Endgames {
    variant: Variant,
    settings: EndgameSettings,
    /// What there is so far; replaced when a slice has been solved.
    tables: Arc<Mutex<Arc<AnyTables>>>,
    /// The thread that solves slices while a search that has little time goes on.
    helper: Mutex<Option<Helper>>,
}

/// A thread that solves slices.
#[derive(Debug)]
struct Helper {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Helper {
    /// Ends the thread, which takes a few milliseconds.
    fn end(self) {
        self.stop.store(true, Relaxed);
        if self.thread.join().is_err() {
            log::error!("the thread that solves endings ended in a panic");
        }
    }
}

impl Endgames {
    /// The tables of `variant` that are in files.
    pub(super) fn open(variant: Variant, settings: EndgameSettings) -> Self {
        let mut tables = AnyTables::new(variant);
        let files = settings.folder.as_deref().map(|folder| open_all(folder, variant, settings.pieces));
        with_tables!(&mut tables, tables => files.into_iter().flatten().for_each(|file| tables.add_file(file)));
        Self { variant, settings, tables: Arc::new(Mutex::new(Arc::new(tables))), helper: Mutex::new(None) }
    }

    /// Whether these are the tables of `variant` with such settings.
    pub(super) fn are_of(&self, variant: Variant, settings: &EndgameSettings) -> bool {
        self.variant == variant && self.settings == *settings
    }

    /// The tables for a search of the present position of `game` under `limits`.
    ///
    /// What is worth solving for it is solved before, if time does not matter: so the search is the same each time. Otherwise
    /// a thread of its own solves it, for the searches after this one.
    pub(super) fn for_search(&self, game: &Game, limits: &Limits, stop: &AtomicBool) -> Arc<AnyTables> {
        let is_timed = limits.move_time.is_some() || limits.clock.is_some();
        let mut helper = self.helper.lock().unwrap_or_else(PoisonError::into_inner);
        if is_timed && helper.as_ref().is_some_and(|helper| !helper.thread.is_finished()) {
            return self.present();
        }
        if let Some(helper) = helper.take() {
            helper.end();
        }
        let wanted = self.wanted(game);
        if wanted.is_empty() {
            return self.present();
        }
        if is_timed {
            *helper = self.start_helper(wanted);
        } else {
            solve_all(&self.tables, &wanted, &|| stop.load(Relaxed));
        }
        self.present()
    }

    /// What the tables for a search of the present position of `game` say of it, if they have it.
    pub(super) fn probe(&self, game: &Game) -> Option<Probed> {
        fn probe<W: Word>(tables: &AnyTables, position: &Position<W>) -> Option<Probed> {
            let mut prober = Prober::new(tables.of_width()?);
            let value = prober.judge(position)?;
            let mut judge = |mv| Some(prober.judge(&position.play(mv))?.before());
            let moves = position.legal_moves().iter().map(|&mv| (mv.widened(), judge(mv))).collect();
            Some(Probed { position: value, moves })
        }
        let tables = self.for_search(game, &Limits::default(), &AtomicBool::new(false));
        with_history!(game.history(), history => probe(&tables, history.position()))
    }

    /// Ends the thread that solves slices, if there is one. Those that it has solved stay.
    pub(super) fn rest(&self) {
        if let Some(helper) = self.helper.lock().unwrap_or_else(PoisonError::into_inner).take() {
            helper.end();
        }
    }

    fn present(&self) -> Arc<AnyTables> {
        Arc::clone(&self.tables.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The slices that are worth solving for the present position of `game`.
    fn wanted(&self, game: &Game) -> Vec<Slice> {
        fn wanted<W: Word>(tables: &AnyTables, position: &Position<W>, room: u64) -> Vec<Slice> {
            tables.of_width().map_or_else(Vec::new, |tables: &Tables<W>| tables.worth_solving(position, room))
        }
        let tables = self.present();
        let slices = with_history!(game.history(), history => wanted(&tables, history.position(), self.settings.room));
        slices.into_iter().filter(|slice| slice.material().pieces() <= self.settings.pieces).collect()
    }

    fn start_helper(&self, wanted: Vec<Slice>) -> Option<Helper> {
        let stop = Arc::new(AtomicBool::new(false));
        let (tables, is_stopped) = (Arc::clone(&self.tables), Arc::clone(&stop));
        let work = move || solve_all(&tables, &wanted, &|| is_stopped.load(Relaxed));
        match std::thread::Builder::new().name("endings".to_owned()).spawn(work) {
            Ok(thread) => Some(Helper { stop, thread }),
            Err(error) => {
                log::warn!("no endings are solved, the system has no more threads: {error}");
                None
            }
        }
    }
}

impl Drop for Endgames {
    fn drop(&mut self) {
        self.rest();
    }
}

/// Solves `slices` one after another, and adds each to `shared`, until `is_stopped`.
fn solve_all(shared: &Mutex<Arc<AnyTables>>, slices: &[Slice], is_stopped: &(dyn Fn() -> bool + Sync)) {
    let mut tables = AnyTables::clone(&shared.lock().unwrap_or_else(PoisonError::into_inner));
    for &slice in slices {
        match with_tables!(&mut tables, tables => solve(tables, slice, is_stopped)) {
            Ok(()) => *shared.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(tables.clone()),
            Err(SolveError::Stopped) => return,
            Err(error) => log::error!("{error}"),
        }
    }
}

fn solve<W: Word>(
    tables: &mut Tables<W>,
    slice: Slice,
    is_stopped: &(dyn Fn() -> bool + Sync),
) -> Result<(), SolveError> {
    let solver = Solver { tables, threads: NonZeroUsize::MIN, is_stopped, done: &AtomicU64::new(0) };
    let solved = solver.solve(slice)?;
    tables.add(solved);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Engine, Setting};
    use crate::notation::FenRecord;
    use crate::search::Value;
    use std::time::Duration;

    /// Petrov's triangle: three kings catch one that is not on the main road.
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

    #[test]
    fn three_kings_catch_one_at_once() {
        let game = game(Variant::Russian, TRIANGLE);
        let limits = Limits { depth: Some(1), ..Limits::default() };
        let found = engine(8).go(&game, limits.clone()).unwrap();
        let Value::Win(moves) = found.value else { panic!("{found:?}") };
        assert_eq!(found.line.len(), 2 * usize::from(moves) - 1, "the line goes to the end");
        assert!(moves > 2 && found.nodes < 100, "{found:?}");
        let without = engine(3).go(&game, limits).unwrap();
        assert!(matches!(without.value, Value::Centimen(_)), "{without:?}");
    }

    #[test]
    fn a_search_that_has_little_time_does_not_wait_for_tables() {
        let game = game(Variant::Russian, TRIANGLE);
        let mut engine = engine(8);
        let limits = Limits { move_time: Some(Duration::from_millis(1)), ..Limits::default() };
        // Each search has the tables that are solved by then.
        let finds_win = |_| matches!(engine.go(&game, limits.clone()).unwrap().value, Value::Win(_));
        assert!((0..100_000).any(finds_win));
    }

    #[test]
    fn no_thread_is_left_of_an_engine_that_rests() {
        let game = game(Variant::Russian, TRIANGLE);
        let limits = Limits { move_time: Some(Duration::from_millis(1)), ..Limits::default() };
        let tables = |engine: &mut Engine| {
            engine.go(&game, limits.clone()).unwrap();
            engine.endgames(Variant::Russian)
        };
        let helps = |endgames: &Endgames| endgames.helper.lock().unwrap().is_some();
        let mut engine = engine(8);
        assert!(helps(&tables(&mut engine)), "something is left to solve after a millisecond");
        engine.rest();
        assert!(!helps(&engine.endgames(Variant::Russian)));
        // Solved slices stay, so all of them are solved in the end although the thread is stopped each time.
        let finds_win = |_| {
            let answer = engine.go(&game, limits.clone()).unwrap();
            std::thread::sleep(Duration::from_millis(20));
            engine.rest();
            matches!(answer.value, Value::Win(_))
        };
        assert!((0..10_000).any(finds_win));
    }
}
