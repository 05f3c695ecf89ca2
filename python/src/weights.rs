//! Weights of the learned evaluation, from arrays into files and back.

use crate::error::WeightsError;
use crate::rules::variant;
use numpy::{IntoPyArray, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use soffio::eval::learned::{
    FIRST_UNITS, GameKind, Inputs, Learned, OUTPUT_SCALE, QA, QB, SECOND_SCALE, SECOND_UNITS, Weights, WeightsFile,
};
use soffio::rules::Identity;
use std::fmt::Display;
use std::path::PathBuf;

/// The sizes and units of the network of a variant.
#[pyfunction]
pub fn network_shape<'py>(py: Python<'py>, variant: &str) -> PyResult<Bound<'py, PyDict>> {
    let variant = self::variant(variant)?;
    let shape = PyDict::new(py);
    shape.set_item("inputs", Inputs::new(variant.spec().shape).count())?;
    shape.set_item("first_units", FIRST_UNITS)?;
    shape.set_item("second_units", SECOND_UNITS)?;
    shape.set_item("first_one", QA)?;
    shape.set_item("second_one", QB)?;
    shape.set_item("second_bias_one", SECOND_SCALE)?;
    shape.set_item("output_one", OUTPUT_SCALE)?;
    Ok(shape)
}

fn refused(path: &std::path::Path, error: &dyn Display) -> PyErr {
    WeightsError::new_err(format!("{}: {error}", path.display()))
}

/// Takes as many values as there is room for.
fn fill<T: Copy + numpy::Element>(name: &str, room: &mut [T], given: &PyReadonlyArray1<'_, T>) -> PyResult<()> {
    let given =
        given.as_slice().map_err(|_| WeightsError::new_err(format!("{name} must lie in memory without gaps")))?;
    if given.len() != room.len() {
        return Err(WeightsError::new_err(format!("{name} has {} weights, not {}", given.len(), room.len())));
    }
    room.copy_from_slice(given);
    Ok(())
}

/// The same for a table of weights.
fn fill_rows<const N: usize>(name: &str, room: &mut [[i16; N]], given: &PyReadonlyArray2<'_, i16>) -> PyResult<()> {
    let shape = given.as_array().dim();
    if shape != (room.len(), N) {
        return Err(WeightsError::new_err(format!("{name} has the shape {shape:?}, not ({}, {N})", room.len())));
    }
    for (room, given) in room.as_flattened_mut().iter_mut().zip(given.as_array()) {
        *room = *given;
    }
    Ok(())
}

/// Writes a file of weights, which are whole numbers in the units of `network_shape`.
#[expect(clippy::too_many_arguments)]
#[pyfunction]
pub fn write_weights(
    path: PathBuf,
    variant: &str,
    first: PyReadonlyArray2<'_, i16>,
    first_bias: PyReadonlyArray1<'_, i16>,
    second: PyReadonlyArray2<'_, i16>,
    second_bias: PyReadonlyArray1<'_, i32>,
    last: PyReadonlyArray1<'_, i32>,
    last_bias: i32,
    note: String,
) -> PyResult<()> {
    let variant = self::variant(variant)?;
    let kind = GameKind::of(variant.spec());
    let mut weights = Weights::zero(Inputs::new(kind.shape).count());
    fill_rows("first", &mut weights.first, &first)?;
    fill("first_bias", &mut weights.first_bias, &first_bias)?;
    fill_rows("second", &mut weights.second, &second)?;
    fill("second_bias", &mut weights.second_bias, &second_bias)?;
    fill("last", &mut weights.last, &last)?;
    weights.last_bias = last_bias;
    Learned::new(kind, weights.clone()).map_err(|error| refused(&path, &error))?;
    let file = WeightsFile { identity: Identity::of(variant), note, weights };
    std::fs::write(&path, file.to_bytes()).map_err(|error| refused(&path, &error))
}

/// The content of a file of weights.
#[pyfunction]
pub fn read_weights<'py>(py: Python<'py>, path: PathBuf) -> PyResult<Bound<'py, PyDict>> {
    let bytes = std::fs::read(&path).map_err(|error| refused(&path, &error))?;
    let WeightsFile { identity, note, weights } = WeightsFile::parse(&bytes).map_err(|error| refused(&path, &error))?;
    let content = PyDict::new(py);
    let inputs = weights.first.len();
    content.set_item("variant", identity.variant)?;
    content.set_item("note", note)?;
    content.set_item("first", weights.first.into_flattened().into_pyarray(py).reshape([inputs, FIRST_UNITS])?)?;
    content.set_item("first_bias", weights.first_bias.to_vec().into_pyarray(py))?;
    let second = weights.second.as_flattened().to_vec();
    content.set_item("second", second.into_pyarray(py).reshape([SECOND_UNITS, FIRST_UNITS])?)?;
    content.set_item("second_bias", weights.second_bias.to_vec().into_pyarray(py))?;
    content.set_item("last", weights.last.to_vec().into_pyarray(py))?;
    content.set_item("last_bias", weights.last_bias)?;
    Ok(content)
}
