//! Analyses requests, finds puzzles and checks problems, as the `batch`, `puzzles` and `solve` commands do.

use crate::board::PyBoard;
use crate::convert::{
    EngineError, OptionError, PdnError, VariantName, check_folder, count, shown, time, to_py_err, whole,
};
use crate::process::ProcessBound;
use crate::wait::interruptible;
use parking_lot::Mutex;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use soffio::WrittenGame;
use soffio::engine::{MAX_DEPTH, MAX_HASH, MAX_LINES, MAX_THREADS};
use soffio::notation::pdn::PdnReader;
use soffio_analysis::annotate::AnnotateError;
use soffio_analysis::puzzle::Prover;
use soffio_batch::batch::{BatchEngine, BatchEngineSettings, RequestLimits};
use soffio_batch::puzzles::{DraughtsProblem, GameSource, MinedGame, Miner, ProblemReport, SourcePosition};
use std::num::{NonZeroU8, NonZeroU64};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Time per position in milliseconds if no limit is given, as in the `batch` command.
const MOVE_TIME: u64 = 500;

/// Answers analysis requests.
#[pyclass(frozen, module = "soffio")]
pub struct BatchAnalyser(ProcessBound<Mutex<BatchEngine>>);

const MAX_TIME: Duration = Duration::from_hours(24);

fn milliseconds(given: &Bound<'_, PyAny>) -> PyResult<NonZeroU64> {
    let time = time("time", given)?;
    if time > MAX_TIME {
        let most = MAX_TIME.as_secs();
        return Err(PyValueError::new_err(format!("time must be at most {most} seconds, not {}", shown(given))));
    }
    Ok(NonZeroU64::new(time.as_millis() as u64).unwrap_or(NonZeroU64::MIN))
}

#[pymethods]
impl BatchAnalyser {
    #[expect(clippy::too_many_arguments)]
    #[new]
    #[pyo3(signature = (*, variant, depth, nodes, time, multipv, threads, hash, tables))]
    fn new(
        variant: Option<VariantName>,
        depth: Option<&Bound<'_, PyAny>>,
        nodes: Option<&Bound<'_, PyAny>>,
        time: Option<&Bound<'_, PyAny>>,
        multipv: &Bound<'_, PyAny>,
        threads: &Bound<'_, PyAny>,
        hash: &Bound<'_, PyAny>,
        tables: Option<PathBuf>,
    ) -> PyResult<Self> {
        tables.as_deref().map_or(Ok(()), check_folder)?;
        let depth = depth.map(|depth| whole("depth", depth, 1..=MAX_DEPTH)).transpose()?;
        let nodes = nodes.map(|nodes| whole("nodes", nodes, 1..=u64::MAX)).transpose()?;
        let movetime = time.map(milliseconds).transpose()?;
        let mut limits =
            RequestLimits { depth: depth.and_then(NonZeroU8::new), nodes: nodes.and_then(NonZeroU64::new), movetime };
        if limits.is_empty() {
            limits.movetime = NonZeroU64::new(MOVE_TIME);
        }
        let settings = BatchEngineSettings {
            variant: variant.map(|VariantName(variant)| variant),
            limits,
            lines: count("multipv", multipv, MAX_LINES as usize)?,
            threads: count("threads", threads, MAX_THREADS as usize)?,
            hash: count("hash", hash, MAX_HASH as usize)?.get(),
            tables,
            ..BatchEngineSettings::default()
        };
        let engine = BatchEngine::new(settings).map_err(to_py_err::<OptionError>)?;
        Ok(Self(ProcessBound::new(Mutex::new(engine))))
    }

    /// Answers a request and returns its records. The request and each record are JSON.
    fn answer(&self, py: Python<'_>, request: String, number: u64) -> PyResult<Vec<String>> {
        let engine = Arc::clone(self.0.get()?);
        interruptible(py, move |stop| {
            let mut engine = engine.lock();
            let answer = engine.answer(&request, number, stop).unwrap_or_default();
            answer.lines().collect()
        })
    }
}

/// Finds puzzles in games.
#[pyclass(frozen, module = "soffio")]
pub struct PuzzleMiner(ProcessBound<Mutex<Miner>>);

/// Checks problems.
#[pyclass(frozen, module = "soffio")]
pub struct ProblemVerifier {
    engine: ProcessBound<Mutex<BatchEngine>>,
    nodes: u64,
}

fn batch_engine(hash: &Bound<'_, PyAny>, tables: Option<PathBuf>) -> PyResult<BatchEngine> {
    tables.as_deref().map_or(Ok(()), check_folder)?;
    let settings = BatchEngineSettings {
        hash: count("hash", hash, MAX_HASH as usize)?.get(),
        tables,
        ..BatchEngineSettings::default()
    };
    BatchEngine::new(settings).map_err(to_py_err::<OptionError>)
}

fn unwritable(error: serde_json::Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}

#[pymethods]
impl PuzzleMiner {
    #[new]
    #[pyo3(signature = (*, nodes, hash, tables))]
    fn new(nodes: &Bound<'_, PyAny>, hash: &Bound<'_, PyAny>, tables: Option<PathBuf>) -> PyResult<Self> {
        let nodes = whole("nodes", nodes, 1..=u64::MAX)?;
        Ok(Self(ProcessBound::new(Mutex::new(Miner::new(batch_engine(hash, tables)?, nodes)))))
    }

    /// Returns the puzzles in the game that was played on a board, each as JSON.
    fn mine(&self, py: Python<'_>, board: &PyBoard, id: String) -> PyResult<Vec<String>> {
        let mut source = GameSource { id, ..GameSource::default() };
        let mut game = WrittenGame::clone(&board.played());
        for ply in (0..=game.game().ply()).rev() {
            source.steps.push(SourcePosition {
                game: game.clone(),
                value: None,
                quiet_value: None,
                follows: ply > 0,
                ply,
            });
            if ply > 0 {
                game.undo(1).map_err(to_py_err::<EngineError>)?;
            }
        }
        source.steps.reverse();
        let miner = Arc::clone(self.0.get()?);
        let mined = interruptible(py, move |stop| miner.lock().mine(source, stop))?;
        match mined {
            Some(MinedGame { error: Some(error), .. }) => Err(EngineError::new_err(error)),
            Some(MinedGame { puzzles, .. }) => {
                puzzles.iter().map(|puzzle| serde_json::to_string(puzzle).map_err(unwritable)).collect()
            }
            None => Ok(Vec::new()),
        }
    }
}

#[pymethods]
impl ProblemVerifier {
    #[new]
    #[pyo3(signature = (*, nodes, hash, tables))]
    fn new(nodes: &Bound<'_, PyAny>, hash: &Bound<'_, PyAny>, tables: Option<PathBuf>) -> PyResult<Self> {
        let nodes = whole("nodes", nodes, 1..=u64::MAX)?;
        Ok(Self { engine: ProcessBound::new(Mutex::new(batch_engine(hash, tables)?)), nodes })
    }

    /// Checks the problem in a game record and returns the report as JSON.
    fn verify(&self, py: Python<'_>, record: &str, id: String, is_composition: bool) -> PyResult<String> {
        let read = PdnReader::new(record).next().ok_or_else(|| PdnError::new_err("no game"))?;
        let problem = DraughtsProblem::from_record(id, read.record, None).map_err(PdnError::new_err)?;
        let (engine, nodes) = (Arc::clone(self.engine.get()?), self.nodes);
        let report = interruptible(py, move |stop| -> Result<ProblemReport, AnnotateError> {
            let mut engine = engine.lock();
            problem.evaluate(&mut Prover::new(&mut engine.analyst, stop), nodes, is_composition)
        })?;
        let report = report.map_err(to_py_err::<EngineError>)?;
        serde_json::to_string(&report).map_err(unwritable)
    }
}
