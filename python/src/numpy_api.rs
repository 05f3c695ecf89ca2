//! The parts of numpy that arrays are made by.

use crate::wait::interruptible;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;

/// Loads what the extension needs of numpy, which must have been imported. The crate `numpy` does so when it is first used, but panics if an
/// exception comes between, such as that of Ctrl-C. Python raises that one in its main thread alone, so it is done in another one.
#[pyfunction]
pub fn load_numpy(py: Python<'_>) -> PyResult<()> {
    interruptible(py, |_| Python::attach(|py| drop(PyArray1::<u8>::zeros(py, 1, false).readonly())))
}
