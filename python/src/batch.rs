//! Analysis records as printed by the command `batch`.

use crate::convert::{VariantName, count, shown, time, whole};
use crate::engine::check_tables;
use crate::error::{OptionError, raised};
use crate::wait::interruptible;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use soffio_batch::batch::{BatchEngine, BatchEngineSettings, RequestLimits};
use std::num::{NonZeroU8, NonZeroU64};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Milliseconds per position if there is no other limit, as in the command.
const MOVE_TIME: u64 = 500;

/// Answers analysis requests.
#[pyclass(frozen, module = "soffio")]
pub struct BatchJudge(Arc<Mutex<BatchEngine>>);

const LONGEST_TIME: Duration = Duration::from_hours(24);

fn milliseconds(given: &Bound<'_, PyAny>) -> PyResult<NonZeroU64> {
    let time = time("time", given)?;
    if time > LONGEST_TIME {
        let most = LONGEST_TIME.as_secs();
        return Err(PyValueError::new_err(format!("time must be at most {most} seconds, not {}", shown(given))));
    }
    Ok(NonZeroU64::new(time.as_millis() as u64).unwrap_or(NonZeroU64::MIN))
}

#[pymethods]
impl BatchJudge {
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
        tables.as_deref().map_or(Ok(()), check_tables)?;
        let depth = depth.map(|depth| whole("depth", depth, 1..=u8::MAX)).transpose()?;
        let nodes = nodes.map(|nodes| whole("nodes", nodes, 1..=u64::MAX)).transpose()?;
        let movetime = time.map(milliseconds).transpose()?;
        let mut limits =
            RequestLimits { depth: depth.and_then(NonZeroU8::new), nodes: nodes.and_then(NonZeroU64::new), movetime };
        if limits.is_empty() {
            limits.movetime = NonZeroU64::new(MOVE_TIME);
        }
        let settings = JudgeSettings {
            variant: variant.map(|VariantName(variant)| variant),
            limits,
            lines: count("multipv", multipv, 256)?,
            threads: count("threads", threads, 256)?,
            hash: count("hash", hash, 1 << 25)?.get(),
            tables,
            ..BatchEngineSettings::default()
        };
        let judge = Judge::new(settings).map_err(raised::<OptionError>)?;
        Ok(Self(Arc::new(Mutex::new(judge))))
    }

    /// Returns the records of a request, both as JSON.
    fn answer(&self, py: Python<'_>, request: String, number: u64) -> PyResult<Vec<String>> {
        let judge = Arc::clone(&self.0);
        interruptible(py, move |stop| {
            let mut judge = judge.lock().unwrap_or_else(PoisonError::into_inner);
            let answer = judge.answer(&request, number, stop).unwrap_or_default();
            answer.lines().collect()
        })
    }
}
