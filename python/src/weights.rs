//! Converts network weights between arrays and files.

use crate::convert::{VariantName, WeightsError, check_file, text, to_py_err};
use numpy::{IntoPyArray, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use soffio::eval::nnue::{
    self, FIRST_UNITS, GameKind, Inputs, Nnue, OUTPUT_BUCKETS, OUTPUT_SCALE, OutputBucket, QA, QB, SECOND_SCALE,
    SECOND_UNITS, Weights, WeightsFile,
};
use soffio::rules::Identity;
use std::path::PathBuf;

/// Returns the layer sizes of a variant's network, and the units of its fixed-point weights.
#[pyfunction]
pub fn network_shape<'py>(py: Python<'py>, variant: VariantName) -> PyResult<Bound<'py, PyDict>> {
    let shape = PyDict::new(py);
    shape.set_item("inputs", Inputs::new(variant.spec().shape).count())?;
    shape.set_item("first_units", FIRST_UNITS)?;
    shape.set_item("second_units", SECOND_UNITS)?;
    shape.set_item("output_buckets", OUTPUT_BUCKETS)?;
    shape.set_item("first_scale", QA)?;
    shape.set_item("second_scale", QB)?;
    shape.set_item("second_bias_scale", SECOND_SCALE)?;
    shape.set_item("output_scale", OUTPUT_SCALE)?;
    Ok(shape)
}

fn fill<T: Copy + numpy::Element>(name: &str, target: &mut [T], given: &PyReadonlyArray1<'_, T>) -> PyResult<()> {
    let given = given.as_slice().map_err(|_| WeightsError::new_err(format!("{name} must be a contiguous array")))?;
    if given.len() != target.len() {
        return Err(WeightsError::new_err(format!("{name} has {} weights, expected {}", given.len(), target.len())));
    }
    target.copy_from_slice(given);
    Ok(())
}

fn fill_rows<const N: usize>(name: &str, target: &mut [[i16; N]], given: &PyReadonlyArray2<'_, i16>) -> PyResult<()> {
    let shape = given.as_array().dim();
    if shape != (target.len(), N) {
        return Err(WeightsError::new_err(format!("{name} has shape {shape:?}, expected ({}, {N})", target.len())));
    }
    for (target, given) in target.as_flattened_mut().iter_mut().zip(given.as_array()) {
        *target = *given;
    }
    Ok(())
}

/// Returns the content of a weights file. Weights are integers in the units of ``network_shape``, with the output
/// buckets concatenated.
#[expect(clippy::too_many_arguments)]
#[pyfunction]
pub fn weights_file<'py>(
    py: Python<'py>,
    variant: VariantName,
    first: PyReadonlyArray2<'_, i16>,
    first_bias: PyReadonlyArray1<'_, i16>,
    second: PyReadonlyArray2<'_, i16>,
    second_bias: PyReadonlyArray1<'_, i32>,
    last: PyReadonlyArray1<'_, i32>,
    last_bias: PyReadonlyArray1<'_, i32>,
    note: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let note = text("note", note)?.to_owned();
    let kind = GameKind::for_rules(variant.spec());
    let mut weights = Weights::zero(Inputs::new(kind.shape).count());
    fill_rows("first", &mut weights.first, &first)?;
    fill("first_bias", &mut weights.first_bias, &first_bias)?;
    let mut rows = [[[0; FIRST_UNITS]; SECOND_UNITS]; OUTPUT_BUCKETS];
    let [mut biases, mut values] = [[[0; SECOND_UNITS]; OUTPUT_BUCKETS]; 2];
    let mut last_biases = [0; OUTPUT_BUCKETS];
    fill_rows("second", rows.as_flattened_mut(), &second)?;
    fill("second_bias", biases.as_flattened_mut(), &second_bias)?;
    fill("last", values.as_flattened_mut(), &last)?;
    fill("last_bias", &mut last_biases, &last_bias)?;
    let parts = rows.into_iter().zip(biases).zip(values).zip(last_biases);
    for (bucket, (((second, second_bias), last), last_bias)) in weights.buckets.iter_mut().zip(parts) {
        *bucket = OutputBucket { second, second_bias, last, last_bias };
    }
    Nnue::new(kind, weights.clone()).map_err(to_py_err::<WeightsError>)?;
    let file = WeightsFile { identity: Identity::for_variant(*variant), note, weights };
    Ok(PyBytes::new(py, &file.to_bytes()))
}

/// Reads a weights file.
#[pyfunction]
pub fn read_weights<'py>(py: Python<'py>, path: PathBuf) -> PyResult<Bound<'py, PyDict>> {
    check_file(&path)?;
    let WeightsFile { identity, note, weights } = nnue::read_weights(&path).map_err(to_py_err::<WeightsError>)?;
    let content = PyDict::new(py);
    let inputs = weights.first.len();
    content.set_item("variant", identity.variant)?;
    content.set_item("note", note)?;
    content.set_item("first", weights.first.into_flattened().into_pyarray(py).reshape([inputs, FIRST_UNITS])?)?;
    content.set_item("first_bias", weights.first_bias.to_vec().into_pyarray(py))?;
    let buckets = || weights.buckets.iter();
    let second: Vec<i16> = buckets().flat_map(|bucket| bucket.second.as_flattened()).copied().collect();
    content.set_item("second", second.into_pyarray(py).reshape([OUTPUT_BUCKETS, SECOND_UNITS, FIRST_UNITS])?)?;
    let table = |of: fn(&OutputBucket) -> [i32; SECOND_UNITS]| {
        buckets().flat_map(of).collect::<Vec<i32>>().into_pyarray(py).reshape([OUTPUT_BUCKETS, SECOND_UNITS])
    };
    content.set_item("second_bias", table(|bucket| bucket.second_bias)?)?;
    content.set_item("last", table(|bucket| bucket.last)?)?;
    content.set_item("last_bias", buckets().map(|bucket| bucket.last_bias).collect::<Vec<i32>>().into_pyarray(py))?;
    Ok(content)
}
