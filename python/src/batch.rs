//! Records of positions and games, as the command `batch` prints them.

use crate::error::OptionError;
use crate::rules::variant;
use crate::wait::interruptible;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use soffio_cli::batch::{Judge, JudgeSettings, RequestLimits};
use std::num::{NonZeroU8, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Answers requests.
#[pyclass(frozen, module = "soffio")]
pub struct BatchJudge(Arc<Mutex<Judge>>);

/// A number of something that there must be.
pub fn count(name: &str, value: usize, most: usize) -> PyResult<NonZeroUsize> {
    let within = NonZeroUsize::new(value).filter(|value| value.get() <= most);
    within.ok_or_else(|| PyValueError::new_err(format!("{name} must be from 1 to {most}, not {value}")))
}

#[pymethods]
impl BatchJudge {
    #[expect(clippy::too_many_arguments)]
    #[new]
    #[pyo3(signature = (*, variant, depth, nodes, time, multipv, threads, hash, tables))]
    fn new(
        variant: Option<&str>,
        depth: Option<NonZeroU8>,
        nodes: Option<NonZeroU64>,
        time: Option<NonZeroU64>,
        multipv: usize,
        threads: usize,
        hash: usize,
        tables: Option<PathBuf>,
    ) -> PyResult<Self> {
        let settings = JudgeSettings {
            variant: variant.map(self::variant).transpose()?,
            limits: RequestLimits { depth, nodes, movetime: time },
            lines: count("multipv", multipv, 256)?,
            threads: count("threads", threads, 256)?,
            hash: count("hash", hash, 1 << 25)?.get(),
            tables,
            ..JudgeSettings::default()
        };
        let judge = Judge::new(settings).map_err(|error| OptionError::new_err(error.to_string()))?;
        Ok(Self(Arc::new(Mutex::new(judge))))
    }

    /// The records of a request, both as JSON.
    fn answer(&self, py: Python<'_>, request: String, number: u64) -> PyResult<Vec<String>> {
        let judge = Arc::clone(&self.0);
        interruptible(py, move |stop| {
            let mut judge = judge.lock().unwrap_or_else(PoisonError::into_inner);
            let answer = judge.answer(&request, number, stop).unwrap_or_default();
            answer.lines().collect()
        })
    }
}
