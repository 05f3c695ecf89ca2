use crate::convert::VariantName;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use soffio::board::Number;
use soffio::notation::printable;
use soffio::rules::{RuleSet, Variant};

/// Returns the names of all variants.
#[pyfunction]
pub fn variant_names() -> Vec<&'static str> {
    Variant::ALL.iter().map(|variant| variant.name()).collect()
}

/// Returns the properties of a variant in a dictionary, whose keys are the field names of the Python class ``Variant``.
#[pyfunction]
pub fn describe_variant<'py>(py: Python<'py>, name: VariantName) -> PyResult<Bound<'py, PyDict>> {
    let VariantName(variant) = name;
    let spec = variant.spec();
    let squares = || (1..=spec.shape.squares()).filter_map(Number::new).filter_map(|number| spec.numbered(number));
    let described = PyDict::new(py);
    described.set_item("name", variant.name())?;
    described.set_item("aliases", variant.aliases().to_vec())?;
    described.set_item("game_type", variant.game_type())?;
    described.set_item("width", spec.shape.width)?;
    described.set_item("height", spec.shape.height)?;
    described.set_item("squares", spec.shape.squares())?;
    described.set_item("men", spec.men())?;
    described.set_item("white_starts", spec.starts == soffio::Color::White)?;
    described.set_item("algebraic", spec.notation.algebraic)?;
    let places: Vec<_> = squares().map(|square| (spec.shape.row(square), spec.shape.column(square))).collect();
    described.set_item("places", places)?;
    described.set_item("bits", squares().map(|square| square.index()).collect::<Vec<_>>())?;
    described
        .set_item("square_names", squares().map(|square| spec.square_name(square).to_string()).collect::<Vec<_>>())?;
    Ok(described)
}

pub fn in_notation(variant: Variant, style: Option<&str>) -> PyResult<RuleSet> {
    use soffio::engine::SquareStyle;
    let style = match style {
        None | Some("default") => SquareStyle::OfVariant,
        Some("numeric") => SquareStyle::Numeric,
        Some("algebraic") => SquareStyle::Algebraic,
        Some("hub") => SquareStyle::Hub,
        Some(other) => {
            let text =
                format!("unknown notation '{}'; expected default, numeric, algebraic or hub", printable(other.chars()));
            return Err(pyo3::exceptions::PyValueError::new_err(text));
        }
    };
    Ok(RuleSet { notation: style.of(variant.spec().notation), ..*variant.spec() })
}
