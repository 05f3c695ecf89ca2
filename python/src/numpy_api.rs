use crate::wait::interruptible;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;

/// Loads numpy's C API; numpy must have been imported.
///
/// The crate `numpy` loads it on first use but panics if an exception such as that of Ctrl-C intervenes. Python raises
/// that exception only in the main thread, so another thread loads it.
#[pyfunction]
pub fn load_numpy(py: Python<'_>) -> PyResult<()> {
    interruptible(py, |_| Python::attach(|py| drop(PyArray1::<u8>::zeros(py, 1, false).readonly())))
}
