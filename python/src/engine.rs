//! Runs searches in the background, and answers other queries while no search is running.

use crate::board::PyBoard;
use crate::book::open_book;
use crate::convert::{
    EngineError, OptionError, WeightsError, at_path, check_file, check_folder, count, scored, text, to_py_err,
};
use crate::moves::{PyMove, line_of, move_of};
use crate::process::ProcessBound;
use crate::wait::receive;
use crossbeam_channel::{Receiver, unbounded};
use parking_lot::Mutex;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use soffio::engine::{
    Bound as ScoreBound, Clock, Event, Kind, MAX_LINES, OptionSpec, Setting, Signal, TableOutcome, Verdict, wdl,
};
use soffio::eval::nnue::read_weights;
use soffio::game::Game;
use soffio::rules::Variant;
use soffio::{Engine, Limits, Report, Value};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The native part of ``soffio.Engine``.
#[pyclass(frozen, module = "soffio")]
pub struct SearchEngine {
    engine: ProcessBound<Mutex<Engine>>,
    is_busy: Arc<AtomicBool>,
}

impl SearchEngine {
    /// Releases the GIL and runs `work` on the engine. Fails during a search, and in a forked child process, in which
    /// the engine has no threads.
    fn with_idle<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut Engine) -> T + Send) -> PyResult<T> {
        let engine = self.engine.get()?;
        let done = py.detach(|| {
            let mut engine = engine.lock();
            (!self.is_busy.load(Ordering::Acquire)).then(|| work(&mut engine))
        });
        done.ok_or_else(|| {
            EngineError::new_err("the engine is searching: stop the search first, or create a second engine")
        })
    }

    fn apply(&self, py: Python<'_>, setting: Setting) -> PyResult<()> {
        let applied = self.with_idle(py, |engine| engine.apply(setting))?;
        applied.map_err(to_py_err::<OptionError>)
    }
}

#[pymethods]
impl SearchEngine {
    #[new]
    fn new() -> Self {
        Self { engine: ProcessBound::new(Mutex::new(Engine::new())), is_busy: Arc::default() }
    }

    fn set_option(&self, py: Python<'_>, name: &Bound<'_, PyAny>, value: Option<&str>) -> PyResult<()> {
        let setting = OptionSpec::read(text("the name of an option", name)?, value);
        let setting = setting.map_err(to_py_err::<OptionError>)?;
        self.apply(py, setting)
    }

    /// Opens the endgame tables in a folder.
    fn set_tables(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        check_folder(&path)?;
        self.apply(py, Setting::TablePath(Some(path)))
    }

    /// Loads evaluation weights, and selects the variant for which they were trained.
    fn set_eval_file(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        check_file(&path)?;
        let identity = read_weights(&path).map_err(to_py_err::<WeightsError>)?.identity;
        let variant = Variant::ALL.iter().copied().find(|variant| variant.name() == identity.variant);
        let unknown = || format!("the weights are for unknown variant {:?}", identity.variant);
        let variant = variant.ok_or_else(unknown).map_err(at_path::<WeightsError, _>(&path))?;
        self.apply(py, Setting::Variant(variant))?;
        self.apply(py, Setting::EvalFile(Some(path.clone())))
            .map_err(|error| WeightsError::new_err(error.value(py).to_string()))
    }

    /// Opens an opening book and selects its variant.
    fn set_book(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let (_, variant) = open_book(&path)?;
        self.apply(py, Setting::Variant(variant))?;
        self.apply(py, Setting::BookFile(Some(path)))
    }

    /// Returns the options with their types, defaults and bounds.
    #[staticmethod]
    fn option_table<'py>(py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let described = |option: OptionSpec| {
            let table = PyDict::new(py);
            table.set_item("name", option.name)?;
            match option.kind {
                Kind::Check { default, .. } => {
                    table.set_item("type", "check")?;
                    table.set_item("default", default)?;
                }
                Kind::Combo { default, choices, .. } => {
                    table.set_item("type", "combo")?;
                    table.set_item("default", default)?;
                    table.set_item("choices", choices())?;
                }
                Kind::Spin { default, bounds: (least, most), .. } => {
                    table.set_item("type", "spin")?;
                    table.set_item("default", default)?;
                    table.set_item("min", least)?;
                    table.set_item("max", most)?;
                }
                Kind::Path { .. } => table.set_item("type", "path")?,
                Kind::Button(_) => table.set_item("type", "button")?,
            }
            Ok(table)
        };
        OptionSpec::ALL.into_iter().map(described).collect()
    }

    #[expect(clippy::too_many_arguments)]
    #[pyo3(signature = (board, *, depth, nodes, time, clock, win_in, analysis, multipv, root_moves))]
    fn start(
        &self,
        py: Python<'_>,
        board: &PyBoard,
        depth: Option<u8>,
        nodes: Option<u64>,
        time: Option<f64>,
        clock: Option<(f64, f64, Option<u32>)>,
        win_in: Option<u16>,
        analysis: bool,
        multipv: Option<&Bound<'_, PyAny>>,
        root_moves: Option<Vec<Bound<'_, PyMove>>>,
    ) -> PyResult<PySearch> {
        let board = board.played();
        let game = board.game().clone();
        let mut limits = Limits { depth, nodes, win_in, ..self.with_idle(py, |engine| engine.limits())? };
        limits.analysis |= analysis;
        limits.move_time = time.map(|time| seconds("time", time)).transpose()?;
        if let Some((remaining, increment, moves_to_go)) = clock {
            let (remaining, increment) = (seconds("clock", remaining)?, seconds("increment", increment)?);
            limits.clock = Some(Clock { remaining, increment, moves_to_go });
        }
        if let Some(lines) = multipv {
            limits.lines = count("multipv", lines, MAX_LINES as usize)?;
        }
        for mv in root_moves.unwrap_or_default() {
            let mv = mv.get();
            if mv.variant != game.variant() || !game.legal_moves().contains(&mv.inner()) {
                let text = format!("root move {}: not legal in this position", mv.written(mv.variant.spec()));
                return Err(crate::convert::IllegalMoveError::new_err(text));
            }
            limits.root_moves.push(mv.inner());
        }
        let (sender, events) = unbounded();
        let started = self.with_idle(py, |engine| {
            engine.start(&game, limits, Instant::now(), &sender)?;
            self.is_busy.store(true, Ordering::Release);
            Ok::<_, soffio::EngineError>((engine.signal(), engine.chances(&game, Value::Cp(0)).is_some()))
        })?;
        let (signal, has_chances) = started.map_err(to_py_err::<EngineError>)?;
        Ok(PySearch {
            channel: ProcessBound::new(SearchChannel { events, signal }),
            game,
            has_chances,
            is_busy: Arc::clone(&self.is_busy),
            is_over: AtomicBool::new(false),
        })
    }

    /// Returns the static evaluation for the side to move, and its terms.
    fn evaluation<'py>(&self, py: Python<'py>, board: &PyBoard) -> PyResult<((&'static str, i32), Bound<'py, PyDict>)> {
        let board = board.played();
        let (terms, value) = self.with_idle(py, |engine| engine.evaluation(board.game()))?;
        let table = PyDict::new(py);
        for (name, value) in terms {
            table.set_item(name, value)?;
        }
        Ok((scored(value), table))
    }

    /// Probes the endgame tables. Returns the verdict for the position and for each move, or ``None`` if no table
    /// contains the position. The verdict for a move is ``None`` if no table contains the position after the move.
    fn probe_tables(&self, py: Python<'_>, board: &PyBoard) -> PyResult<Option<ProbedTables>> {
        let board = board.played();
        let probed = self.with_idle(py, |engine| engine.probe(board.game()))?;
        Ok(probed.map(|probed| {
            let moves = probed.moves.into_iter();
            (
                table_verdict(probed.position),
                moves.map(|(mv, verdict)| (move_of(board.game(), mv), verdict.map(table_verdict))).collect(),
            )
        }))
    }
}

/// The outcome, the number of plies to the end of the game if the tables contain it, and whether the outcome is certain
/// under the draw rules.
type TableVerdict = (&'static str, Option<u8>, bool);

type ProbedTables = (TableVerdict, Vec<(PyMove, Option<TableVerdict>)>);

fn table_verdict(verdict: Verdict) -> TableVerdict {
    let (outcome, is_sure) = match verdict {
        Verdict::Sure(outcome) => (outcome, true),
        Verdict::Cursed(outcome) => (outcome, false),
    };
    match outcome {
        TableOutcome::Win(plies) => ("win", plies, is_sure),
        TableOutcome::Draw => ("draw", Some(0), is_sure),
        TableOutcome::Loss(plies) => ("loss", plies, is_sure),
    }
}

fn seconds(name: &str, value: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(value)
        .map_err(|_| PyValueError::new_err(format!("{name} must be a number of seconds, 0 or more, not {value}")))
}

/// A running search.
#[pyclass(frozen, module = "soffio", name = "Search")]
pub struct PySearch {
    channel: ProcessBound<SearchChannel>,
    game: Game,
    has_chances: bool,
    is_busy: Arc<AtomicBool>,
    is_over: AtomicBool,
}

/// The connection to the threads of a search.
struct SearchChannel {
    events: Receiver<Event>,
    signal: Arc<Signal>,
}

#[pymethods]
impl PySearch {
    /// Returns the next report as a dictionary. After the last report, returns the answer once, as a pair of the best
    /// move and the expected reply (each may be ``None``). After that, returns ``None``.
    fn next(&self, py: Python<'_>) -> PyResult<Option<SearchMessage>> {
        let channel = self.channel.get()?;
        loop {
            if self.is_over.load(Ordering::Acquire) {
                return Ok(None);
            }
            let event = match receive(py, &channel.events) {
                Ok(event) => event,
                Err(interrupted) => {
                    py.detach(|| self.end(channel));
                    return Err(interrupted);
                }
            };
            let Some(event) = event else {
                self.note_end();
                return Ok(None);
            };
            if event.is_last() {
                self.note_end();
            }
            match event {
                Event::Report(report) => return Ok(Some(SearchMessage::Report(self.report(py, &report)?))),
                Event::BestMove { best, reply } => {
                    let line: Vec<_> = best.into_iter().chain(best.and(reply)).collect();
                    let mut line = line_of(&self.game, &line).into_iter();
                    return Ok(Some(SearchMessage::Best((line.next(), line.next()))));
                }
                Event::Failed { message, .. } => {
                    return Err(EngineError::new_err(format!("search aborted by an internal error: {message}")));
                }
                _ => {}
            }
        }
    }

    /// Stops the search as soon as possible. ``next`` still returns its answer.
    fn stop(&self) -> PyResult<()> {
        self.channel.get()?.signal.stop();
        Ok(())
    }

    /// Stops the search and waits until it has ended.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let channel = self.channel.get()?;
        py.detach(|| self.end(channel));
        Ok(())
    }
}

#[derive(IntoPyObject)]
enum SearchMessage {
    Report(Py<PyDict>),
    Best((Option<PyMove>, Option<PyMove>)),
}

impl PySearch {
    fn note_end(&self) {
        self.is_over.store(true, Ordering::Release);
        self.is_busy.store(false, Ordering::Release);
    }

    fn end(&self, channel: &SearchChannel) {
        channel.signal.stop();
        while !self.is_over.load(Ordering::Acquire) {
            match channel.events.recv_timeout(Duration::from_millis(10)) {
                Ok(event) if !event.is_last() => {}
                // Another thread may have received the last event.
                Err(error) if error.is_timeout() => {}
                _ => self.note_end(),
            }
        }
    }

    fn report(&self, py: Python<'_>, report: &Report) -> PyResult<Py<PyDict>> {
        let table = PyDict::new(py);
        table.set_item("depth", report.depth)?;
        table.set_item("seldepth", report.selective_depth)?;
        table.set_item("multipv", report.rank + 1)?;
        table.set_item("score", scored(report.value))?;
        let chances = self.has_chances.then(|| wdl(&self.game, report.value));
        table.set_item("wdl", chances.map(|chances| (chances.win, chances.draw, chances.loss)))?;
        let bound = match report.bound {
            ScoreBound::Exact => "exact",
            ScoreBound::Lower => "lower",
            ScoreBound::Upper => "upper",
        };
        table.set_item("bound", bound)?;
        table.set_item("nodes", report.nodes)?;
        table.set_item("tbhits", report.table_hits)?;
        table.set_item("hashfull", report.hashfull)?;
        table.set_item("time", report.time.as_secs_f64())?;
        table.set_item("pv", line_of(&self.game, &report.line))?;
        Ok(table.unbind())
    }
}

impl Drop for PySearch {
    fn drop(&mut self) {
        if let Some(channel) = self.channel.own() {
            self.end(channel);
        }
    }
}
