use super::endgames::{EndgameSettings, Endgames, Probed, Solving};
use super::job::{Executor, SearchJob, Task, evaluation};
use super::solving_time::{is_timed, nodes_within};
use super::style::EvalFile;
use super::{EvalFileError, EvaluationKind, Event, Options, PerftRequest, Setting};
use crate::book::{Book, Candidate};
use crate::clock::{Moment, Stopwatch, TimeSource};
use crate::eval::Chances;
use crate::eval::nnue::read_eval_file;
use crate::files::shown_path;
use crate::game::{Game, Move};
use crate::pool::guarded;
use crate::rules::Variant;
use crate::search::{AllocationError, Bound, Limits, Observer, Report, Score, Signal, TranspositionTable, Value, Wdl};
use crate::tables::{FolderError, check_folder};
use crate::turns::Turns;
use crossbeam_channel::Sender;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Returns the win, draw and loss probabilities for a `value` of the trained evaluation, from the point of view of the
/// side to move in `game`.
pub fn wdl(game: &Game, value: Value) -> Wdl {
    value.wdl(chances_in(game))
}

/// Converts a value of the trained evaluation to the scale that all variants share. `evaluation` is given in the
/// network's units and from the point of view of the side to move in `game`.
pub fn value_of_evaluation(game: &Game, evaluation: i16) -> Value {
    Score::evaluation(evaluation.into()).value(Some(chances_in(game)))
}

fn chances_in(game: &Game) -> Chances {
    Chances::for_pieces(game.variant(), game.setup().pieces.len())
}

/// An error that prevents the engine from searching.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// There is too little memory for the transposition table.
    #[error(transparent)]
    Memory(#[from] AllocationError),
    /// A thread could not be started. The string is the reason given by the operating system.
    #[error("cannot start a thread: {0}")]
    Thread(String),
    /// The search panicked with this message because of a bug.
    #[error("search aborted by an internal error: {0}")]
    Fault(String),
}

/// An error that prevents an option from being changed. Messages start with the name of the option.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// There is too little memory for a transposition table of this size.
    #[error("option Hash: {0}")]
    Memory(#[from] AllocationError),
    /// The weights file cannot be used.
    #[error("option EvalFile {0}")]
    EvalFile(#[from] EvalFileError),
    /// The opening book at this path cannot be used. The string is the reason.
    #[error("option BookFile {}: {}", shown_path(.0), .1)]
    Book(PathBuf, String),
    /// More than one thread was requested on a platform without threads.
    #[error("option Threads must be 1 on this platform, not {0}")]
    Threads(NonZeroUsize),
    /// The folder at this path has no usable endgame tables. The string is the reason.
    #[error("option TablePath {}: {}", shown_path(.0), .1)]
    TablePath(PathBuf, String),
}

/// A transposition table with at most this many bytes in use is cleared. A table with more bytes in use is replaced,
/// because the system clears new memory faster.
const MAX_CLEARED: usize = 4 << 20;

/// Like [`MAX_CLEARED`], but between two games. If a table is replaced, the first search of the new game has to
/// allocate it, which can take 0.1 s on a busy machine.
const MAX_CLEARED_BETWEEN_GAMES: usize = 256 << 20;

/// Maximum size in bytes of the solved endgame tables that are kept for other variants.
const MAX_SOLVED: u64 = 64 << 20;

/// An engine that searches game positions. It runs one job at a time, so start a job only after the previous job has
/// sent its last event. To end the running job, call [`Engine::stop`] or drop the engine.
#[derive(Debug, Default)]
pub struct Engine {
    options: Options,
    table: Option<Arc<TranspositionTable>>,
    eval_file: Option<EvalFile>,
    book: Option<(Variant, Arc<Book>)>,
    table_path: Option<PathBuf>,
    /// Endgame tables of the variants that were searched recently, with the most recent variant last.
    endgames: Vec<Arc<Endgames>>,
    solving: Solving,
    executor: Executor,
    signal: Arc<Signal>,
    time: TimeSource,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The move to play, or `None` if there is no legal move. [`WrittenGame::text`](crate::WrittenGame::text) converts
    /// it to text.
    pub best: Option<Move>,
    /// The expected reply, or `None` if there is none.
    pub reply: Option<Move>,
    /// Value from the point of view of the side to move. It comes from the last iteration, which may be incomplete.
    pub value: Value,
    /// The principal variation. [`WrittenGame::line_text`](crate::WrittenGame::line_text) converts it to text.
    pub line: Vec<Move>,
    /// Depth of the last completed iteration in plies.
    pub depth: u8,
    /// Number of nodes searched by all threads.
    pub nodes: u64,
    /// Time since the search was requested.
    pub time: Duration,
    /// Whether the search has proved that there is no win within the requested number of moves.
    pub has_no_win: bool,
}

impl Engine {
    /// Creates an engine with default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an engine with default options that reads the time from `time`.
    pub fn with_clock(time: TimeSource) -> Self {
        let mut engine = Self::default();
        engine.time = time;
        engine
    }

    /// Creates an engine with default options for a platform without threads. It reads the time from `time` and runs
    /// its jobs in `turns`.
    pub fn in_turns(time: TimeSource, turns: Turns) -> Self {
        let mut engine = Self::with_clock(time);
        engine.executor = Executor::Turns(turns);
        engine
    }

    /// Returns the current time on the engine's clock.
    pub fn now(&self) -> Moment {
        self.time.now()
    }

    /// Returns the options in use.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Sets an option. If an error is returned, no option has changed. No job may be running.
    ///
    /// A weights file or opening book is used only for the variant that is set when the file is loaded.
    pub fn apply(&mut self, setting: Setting) -> Result<(), SettingError> {
        match setting {
            Setting::Hash(mib) => self.resize(mib)?,
            Setting::ClearHash => self.clear_hash(),
            Setting::EvalFile(path) => {
                let variant = self.options.rules();
                let read = |path: PathBuf| Ok::<_, EvalFileError>((variant, read_eval_file(&path, variant)?));
                self.eval_file = path.map(read).transpose()?;
            }
            Setting::BookFile(path) => {
                let variant = self.options.rules();
                let open = |path: PathBuf| {
                    let book = Book::open(&path).and_then(|book| book.header().check_variant(variant).map(|()| book));
                    let book = book.map_err(|error| SettingError::Book(path, error.to_string()))?;
                    Ok::<_, SettingError>((variant, Arc::new(book)))
                };
                self.book = path.map(open).transpose()?;
            }
            Setting::TablePath(folder) => {
                if let Some(folder) = &folder {
                    let unusable = |error: FolderError| SettingError::TablePath(folder.clone(), error.to_string());
                    check_folder(folder, None).map_err(unusable)?;
                }
                self.table_path = folder;
            }
            Setting::Threads(threads) if threads.get() > 1 && matches!(self.executor, Executor::Turns(_)) => {
                return Err(SettingError::Threads(threads));
            }
            other => self.options.set(other),
        }
        Ok(())
    }

    /// Allocates the new table immediately, so that a lack of memory is reported here. The old table is freed first, so
    /// that the two tables are never in memory at the same time.
    fn resize(&mut self, mib: usize) -> Result<(), AllocationError> {
        if self.table.is_some() && mib == self.options.hash {
            return Ok(());
        }
        let freed = self.table.as_deref().map_or(0, TranspositionTable::bytes);
        TranspositionTable::check_available_memory(mib, freed)?;
        self.table = None;
        self.table = Some(Arc::new(TranspositionTable::new(mib)?));
        self.options.hash = mib;
        Ok(())
    }

    /// Allocates the transposition table and loads the weights and the endgame tables, so that the first search does
    /// not have to. No job may be running.
    pub fn prepare(&mut self) -> Result<(), AllocationError> {
        let game = Game::new(self.options.rules());
        self.endgames(game.variant());
        self.evaluation(&game);
        self.table()?.touch();
        Ok(())
    }

    /// Ends the background thread that solves endgame tables. This takes a few milliseconds. Solved tables are kept. No
    /// job may be running.
    pub fn stop_table_solver(&self) {
        self.endgames.iter().for_each(|endgames| endgames.stop_table_solver());
    }

    /// Clears the transposition table. No job may be running.
    pub fn clear_hash(&mut self) {
        if self.solving.is_forgetful {
            return;
        }
        self.table.take_if(|table| table.is_used() && table.bytes_in_use() > MAX_CLEARED_BETWEEN_GAMES);
        if let Some(table) = &self.table {
            table.clear();
        }
    }

    /// Sets whether each search ignores the results of earlier searches.
    ///
    /// A search is then reproducible if it has one thread, a depth or node limit, and no time limit. It uses only the
    /// part of the transposition table that it can fill. Apart from endgame tables in files, it uses only tables that
    /// it would have solved itself.
    pub fn set_forgetful(&mut self, is_forgetful: bool) {
        self.solving.is_forgetful = is_forgetful;
        self.solving.ignores_solved = is_forgetful;
    }

    /// Sets whether a search with a depth or node limit and without a time limit ignores the endgame tables that were
    /// solved for earlier searches, as in [`Engine::set_forgetful`]. The transposition table is kept.
    pub fn set_ignores_solved_tables(&mut self, ignores_solved: bool) {
        self.solving.ignores_solved = ignores_solved;
    }

    /// Sets whether a search of a position with at most four pieces first solves the endgame tables of this position.
    /// It then solves them regardless of the limits, so that scores are exact. By default, a search solves only the
    /// tables for which its limits leave time.
    pub fn set_root_first(&mut self, is_root_first: bool) {
        self.solving.is_root_first = is_root_first;
    }

    fn restart(&mut self, limits: &Limits) -> Result<(), AllocationError> {
        let nodes = if is_timed(limits) { u64::MAX } else { nodes_within(limits) };
        self.table.take_if(|table| table.is_used() && table.bytes_in_use() > MAX_CLEARED);
        self.table()?;
        if let Some(table) = self.table.as_mut().and_then(Arc::get_mut) {
            table.restart(nodes);
        }
        Ok(())
    }

    fn table(&mut self) -> Result<Arc<TranspositionTable>, AllocationError> {
        if let Some(table) = &self.table {
            return Ok(Arc::clone(table));
        }
        let smaller = |error: AllocationError| {
            log::warn!("{error}; using 1 MiB instead");
            TranspositionTable::new(1)
        };
        let table = Arc::new(TranspositionTable::new(self.options.hash).or_else(smaller)?);
        Ok(Arc::clone(self.table.insert(table)))
    }

    /// Returns the limits that the options specify for every search.
    pub fn limits(&self) -> Limits {
        Limits {
            overhead: self.options.overhead,
            ponders: self.options.ponder,
            analysis: self.options.analysis,
            threads: self.options.threads,
            lines: self.options.lines,
            ..Limits::default()
        }
    }

    fn job(&mut self, game: &Game, mut limits: Limits, requested_at: Moment) -> Result<SearchJob, AllocationError> {
        // If the request time were in the future, the time until then would not count against the limit.
        let requested_at = requested_at.min(self.now());
        let Options { style, strength, .. } = self.options;
        // The strength is limited only in games, not in an analysis or a search for a win.
        let is_game = !limits.analysis && limits.win_in.is_none();
        let usual = || strength.handicap(game.ply() as u64);
        limits.handicap = if is_game { limits.handicap.or_else(usual) } else { None };
        let (game, eval_file) = (game.clone(), self.eval_file.clone());
        let endgames = self.endgames(game.variant());
        let watch = Stopwatch::new(self.time.clone(), requested_at);
        let book = self.book_for(&game, &limits);
        if self.solving.is_forgetful {
            self.restart(&limits)?;
        }
        let solving = self.solving;
        Ok(SearchJob { game, limits, table: self.table()?, style, strength, eval_file, endgames, book, solving, watch })
    }

    /// Returns the opening book and the maximum loss in cp of a book move, or `None` if the book may not answer in
    /// place of the search. The book may answer only in games at full strength, and only if the root moves are not
    /// restricted.
    fn book_for(&self, game: &Game, limits: &Limits) -> Option<(Arc<Book>, u32)> {
        let Options { own_book, book_depth, book_variety, style, .. } = self.options;
        let is_weak = limits.handicap.is_some() || style.player.is_some();
        let is_analysis = limits.analysis || limits.infinite || limits.ponder || limits.win_in.is_some();
        let is_probed = own_book && game.ply() < usize::from(book_depth);
        let (variant, book) = self.book.as_ref().filter(|_| is_probed && !is_weak && !is_analysis)?;
        let is_for_it = *variant == game.variant() && limits.root_moves.is_empty();
        is_for_it.then(|| (Arc::clone(book), book_variety.into()))
    }

    pub(super) fn endgames(&mut self, variant: Variant) -> Arc<Endgames> {
        let Options { table_pieces: pieces, table_memory, .. } = self.options;
        let settings = EndgameSettings { folder: self.table_path.clone(), pieces, memory: (table_memory as u64) << 20 };
        let place = self.endgames.iter().position(|endgames| endgames.matches(variant, &settings));
        let endgames = match place {
            Some(place) => self.endgames.remove(place),
            None => {
                // Only a caller that alternates between variants needs the tables of more than one variant.
                let most = if self.solving.is_forgetful { MAX_SOLVED } else { 0 };
                let mut solved: u64 = self.endgames.iter().map(|endgames| endgames.bytes_in_memory()).sum();
                self.endgames.retain(|endgames| {
                    let is_kept = solved <= most && most > 0;
                    solved -= endgames.bytes_in_memory();
                    is_kept
                });
                Arc::new(Endgames::open(variant, settings))
            }
        };
        self.endgames.push(Arc::clone(&endgames));
        endgames
    }

    /// Searches the current position of `game` in the calling thread until a limit is reached.
    pub fn go(&mut self, game: &Game, limits: Limits) -> Result<Answer, EngineError> {
        self.go_with_reports(game, limits, &Signal::default(), &mut |_| {})
    }

    /// Like [`Engine::go`], but passes every report to `on_report` and ends early if `signal` stops the search.
    pub fn go_with_reports(
        &mut self,
        game: &Game,
        limits: Limits,
        signal: &Signal,
        on_report: &mut dyn FnMut(&Report),
    ) -> Result<Answer, EngineError> {
        let job = self.job(game, limits, self.now())?;
        if let Some((_, Candidate { mv, record })) = job.book_move() {
            let value = record.score.value().unwrap_or(Value::Cp(0));
            let (best, line, time) = (Some(mv), vec![mv], job.watch.elapsed());
            return Ok(Answer { best, reply: None, value, line, depth: 0, nodes: 0, time, has_no_win: false });
        }
        let mut last = Last { depth: 0, best: None, on_report };
        let outcome = guarded(|| job.run(signal, &mut last)).map_err(EngineError::Fault)?;
        let found = last.best.filter(|report| report.line.first() == outcome.best.as_ref());
        let (value, line) = match found {
            Some(report) => (report.value, report.line),
            None => (outcome.value, outcome.best.into_iter().chain(outcome.reply).collect()),
        };
        let (best, reply, nodes, has_no_win) = (outcome.best, outcome.reply, outcome.nodes, outcome.has_no_win);
        Ok(Answer { best, reply, value, line, depth: last.depth, nodes, time: job.watch.elapsed(), has_no_win })
    }

    /// Starts a search of the current position of `game` in a separate thread, which sends its results to `events`. The
    /// time of the search counts from `requested_at`.
    pub fn start(
        &mut self,
        game: &Game,
        limits: Limits,
        requested_at: impl Into<Moment>,
        events: &Sender<Event>,
    ) -> Result<(), EngineError> {
        let job = self.job(game, limits, requested_at.into())?;
        self.send(Task::Search(Box::new(job)), events)
    }

    /// Starts a perft of the current position of `game`.
    pub fn start_perft(
        &mut self,
        game: &Game,
        request: PerftRequest,
        events: &Sender<Event>,
    ) -> Result<(), EngineError> {
        let watch = Stopwatch::new(self.time.clone(), self.now());
        self.send(Task::Perft(game.clone(), request, watch), events)
    }

    /// Starts a bench of all listed variants.
    pub fn start_bench(&mut self, events: &Sender<Event>) -> Result<(), EngineError> {
        self.send(Task::Bench(self.time.clone()), events)
    }

    fn send(&mut self, task: Task, events: &Sender<Event>) -> Result<(), EngineError> {
        let begun = self.executor.begin(task, events);
        self.signal = begun.map_err(|error| EngineError::Thread(error.to_string()))?;
        Ok(())
    }

    /// Returns the signal of the last job that was started. The caller can keep the signal, because it never stops any
    /// other job.
    pub fn signal(&self) -> Arc<Signal> {
        Arc::clone(&self.signal)
    }

    /// Stops the last job that was started, if it is still running.
    pub fn stop(&self) {
        self.signal.stop();
    }

    /// Informs a pondering search that the expected move was played at `instant`.
    pub fn ponder_hit(&self, instant: impl Into<Moment>) {
        self.signal.ponder_hit(instant.into());
    }

    /// Returns the win, draw and loss probabilities of `value` for the side to move. Returns `None` if the engine does
    /// not use the trained evaluation, because the probabilities are calibrated for its scores.
    pub fn chances(&self, game: &Game, value: Value) -> Option<Wdl> {
        let uses_nnue = self.options.style.evaluation == EvaluationKind::Nnue;
        uses_nnue.then(|| wdl(game, value))
    }

    /// Returns the evaluation terms in cp and the evaluation itself, from the point of view of the side to move. If the
    /// side to move can capture, there are no terms, and the value is the result of a quiescence search.
    pub fn evaluation(&self, game: &Game) -> (Vec<(&'static str, i32)>, Value) {
        evaluation(game, self.options.style, self.options.strength, self.eval_file.as_ref())
    }

    /// Probes the endgame tables for the current position of `game` and for its legal moves. Small tables are solved if
    /// needed. Returns `None` if no table contains the position. No job may be running.
    pub fn probe(&mut self, game: &Game) -> Option<Probed> {
        self.endgames(game.variant()).probe(game)
    }

    /// Like [`Engine::probe`], but only uses the tables that a search of `game` with these `limits` would use. No job
    /// may be running.
    pub fn probe_within_limits(&mut self, game: &Game, limits: &Limits) -> Option<Probed> {
        let solving = self.solving;
        self.endgames(game.variant()).probe_within_limits(game, limits, solving)
    }

    #[cfg(test)]
    pub(super) fn users_of_table(&self) -> usize {
        self.table.as_ref().map_or(0, Arc::strong_count)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.signal.stop();
    }
}

struct Last<'a> {
    depth: u8,
    /// The last report of the best line, ignoring fail-lows.
    best: Option<Report>,
    on_report: &'a mut dyn FnMut(&Report),
}

impl Observer for Last<'_> {
    fn report(&mut self, report: Report) {
        (self.on_report)(&report);
        if report.rank != 0 {
            return;
        }
        if report.bound == Bound::Exact {
            self.depth = report.depth;
        }
        if report.bound != Bound::Upper {
            self.best = Some(report);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;
    use crossbeam_channel::unbounded;

    fn to_depth(depth: u8) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    #[test]
    fn the_first_search_that_needs_them_creates_table_and_thread() {
        let (events, found) = unbounded();
        let mut engine = Engine::new();
        let game = Game::new(Variant::English);
        assert!(engine.table.is_none() && matches!(engine.executor, Executor::Thread(None)));
        engine.evaluation(&game);
        assert!(engine.table.is_none() && matches!(engine.executor, Executor::Thread(None)));
        engine.go(&game, to_depth(1)).unwrap();
        assert!(engine.table.is_some() && matches!(engine.executor, Executor::Thread(None)));
        engine.start(&game, to_depth(1), std::time::Instant::now(), &events).unwrap();
        assert!(matches!(engine.executor, Executor::Thread(Some(_))) && found.iter().any(|event| event.is_last()));
    }

    #[test]
    fn an_answer_within_an_iteration_has_the_previous_depth() {
        let legal = Game::new(Variant::English).legal_moves();
        let mut on_report = |_: &Report| {};
        let mut last = Last { depth: 0, best: None, on_report: &mut on_report };
        let reports =
            [(0, 4, 10, Bound::Exact), (1, 3, 5, Bound::Exact), (0, 4, -20, Bound::Upper), (0, 3, 15, Bound::Lower)];
        let found = reports.map(|(rank, number, score, bound)| {
            let depth = if bound == Bound::Exact { 6 } else { 7 };
            let (value, line) = (Value::Cp(score), vec![legal[number]]);
            last.report(Report { depth, rank, value, bound, line, ..Report::default() });
            last.best.as_ref().map(|best| (last.depth, best.line[0], best.value))
        });
        let [first, second] = [Some((6, legal[4], Value::Cp(10))), Some((6, legal[3], Value::Cp(15)))];
        assert_eq!(found, [first, first, first, second]);
    }

    #[test]
    fn the_first_search_of_a_new_game_does_not_allocate_a_small_table() {
        let mut engine = Engine::new();
        engine.apply(Setting::Hash(1)).unwrap();
        engine.go(&Game::new(Variant::English), to_depth(4)).unwrap();
        let before = Arc::as_ptr(&engine.table().unwrap());
        engine.clear_hash();
        let table = engine.table().unwrap();
        assert!(Arc::as_ptr(&table) == before && !table.is_used());
    }

    #[test]
    fn a_table_of_a_different_size_replaces_the_old_one() {
        let mut engine = Engine::new();
        for mib in [1, 3, 2] {
            engine.apply(Setting::Hash(mib)).unwrap();
            assert_eq!(engine.table.as_ref().map(|table| table.bytes()), Some(mib << 20));
        }
        let failed = engine.apply(Setting::Hash(1 << 40));
        assert_eq!(failed, Err(SettingError::Memory(AllocationError { mib: 1 << 40 })));
        assert_eq!(engine.table().map(|table| table.bytes()), Ok(2 << 20), "the old size is kept");
    }
}
