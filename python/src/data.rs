//! Self-play training files as arrays of positions.

use crate::error::{DataError, at_path};
use crate::positions::{Row, WORDS, row};
use numpy::{IntoPyArray, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use soffio_training::data::{DataFile, GameOutcome, TrainingGame};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Reads the positions of a training file in blocks.
#[pyclass(frozen, module = "soffio", name = "DataReader")]
pub struct PyDataReader {
    path: PathBuf,
    file: Mutex<DataFile>,
    #[pyo3(get)]
    variant: String,
    #[pyo3(get)]
    plan: String,
}

#[pymethods]
impl PyDataReader {
    #[new]
    fn new(path: PathBuf) -> PyResult<Self> {
        let file = DataFile::open(&path).map_err(at_path::<DataError, _>(&path))?;
        let header = file.header();
        let (variant, plan) = (header.identity.variant.clone(), header.plan.clone());
        Ok(Self { path, file: Mutex::new(file), variant, plan })
    }

    /// Returns the positions of the next games, at least ``least`` of them unless the file ends; ``None`` at the end.
    fn read<'py>(&self, py: Python<'py>, least: usize) -> PyResult<Option<Bound<'py, PyArray2<u64>>>> {
        let rows = py.detach(|| {
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            let mut rows: Vec<Row> = Vec::new();
            while rows.len() < least.max(1)
                && let Some(game) = file.next()
            {
                append(&mut rows, &game?);
            }
            Ok(rows)
        });
        let rows = rows.map_err(at_path::<DataError, soffio_training::data::DataError>(&self.path))?;
        if rows.is_empty() {
            return Ok(None);
        }
        let count = rows.len();
        rows.into_flattened().into_pyarray(py).reshape([count, WORDS]).map(Some)
    }
}

fn append(rows: &mut Vec<Row>, game: &TrainingGame) {
    let result = match game.outcome {
        GameOutcome::WhiteLost => -1,
        GameOutcome::Draw => 0,
        GameOutcome::WhiteWon => 1,
    };
    rows.extend(game.positions.iter().map(|position| row(position, result, game.number)));
}
