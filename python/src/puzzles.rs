//! Puzzle mining and problem checking, as in the commands `puzzles` and `solve`.

use crate::board::PyBoard;
use crate::convert::{count, whole};
use crate::engine::check_tables;
use crate::error::{EngineError, OptionError, PdnError, raised};
use crate::wait::interruptible;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use soffio::WrittenGame;
use soffio::notation::pdn::PdnReader;
use soffio_analysis::annotate::AnnotateError;
use soffio_analysis::puzzle::Prover;
use soffio_batch::batch::{BatchEngine, BatchEngineSettings};
use soffio_batch::puzzles::{DraughtsProblem, GameSource, MinedGame, Miner, ProblemReport, SourcePosition};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Finds puzzles in games.
#[pyclass(frozen, module = "soffio")]
pub struct PuzzleMiner(Arc<Mutex<Miner>>);

/// Checks problems.
#[pyclass(frozen, module = "soffio")]
pub struct ProblemJudge {
    judge: Arc<Mutex<BatchEngine>>,
    nodes: u64,
}

fn judge(hash: &Bound<'_, PyAny>, tables: Option<PathBuf>) -> PyResult<BatchEngine> {
    tables.as_deref().map_or(Ok(()), check_tables)?;
    let settings = JudgeSettings { hash: count("hash", hash, 1 << 25)?.get(), tables, ..JudgeSettings::default() };
    Judge::new(settings).map_err(raised::<OptionError>)
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
        Ok(Self(Arc::new(Mutex::new(Miner::new(judge(hash, tables)?, nodes)))))
    }

    /// Returns the puzzles in the game on a board, each as JSON.
    fn mine(&self, py: Python<'_>, board: &PyBoard, id: String) -> PyResult<Vec<String>> {
        let mut source = Source { id, ..Source::default() };
        let mut game = WrittenGame::clone(&board.played());
        for ply in (0..=game.game().undoable()).rev() {
            source.steps.push(SourcePosition {
                game: game.clone(),
                value: None,
                quiet_value: None,
                follows: ply > 0,
                ply,
            });
            if ply > 0 {
                game.undo(1).map_err(raised::<EngineError>)?;
            }
        }
        source.steps.reverse();
        let miner = Arc::clone(&self.0);
        let mined =
            interruptible(py, move |stop| miner.lock().unwrap_or_else(PoisonError::into_inner).mine(source, stop))?;
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
impl ProblemJudge {
    #[new]
    #[pyo3(signature = (*, nodes, hash, tables))]
    fn new(nodes: &Bound<'_, PyAny>, hash: &Bound<'_, PyAny>, tables: Option<PathBuf>) -> PyResult<Self> {
        let nodes = whole("nodes", nodes, 1..=u64::MAX)?;
        Ok(Self { judge: Arc::new(Mutex::new(judge(hash, tables)?)), nodes })
    }

    /// Checks the problem in a game record and returns the verdict as JSON.
    fn judge(&self, py: Python<'_>, record: &str, id: String, is_composition: bool) -> PyResult<String> {
        let read = PdnReader::new(record).next().ok_or_else(|| PdnError::new_err("no game"))?;
        let read = read.map_err(raised::<PdnError>)?;
        let problem = Problem::of_record(id, read.record, None).map_err(PdnError::new_err)?;
        let (judge, nodes) = (Arc::clone(&self.judge), self.nodes);
        let judged = interruptible(py, move |stop| -> Result<ProblemReport, AnnotateError> {
            let mut judge = judge.lock().unwrap_or_else(PoisonError::into_inner);
            problem.evaluate(&mut Prover::new(&mut judge.analyst, stop), nodes, is_composition)
        })?;
        let judged = judged.map_err(raised::<EngineError>)?;
        serde_json::to_string(&judged).map_err(unwritable)
    }
}
