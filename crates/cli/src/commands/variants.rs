//! `soffio variants`: lists the variants.

use soffio::notation::game_type;
use soffio::rules::{FirstSquare, Letters, Variant};
use std::io::{self, Write};

pub fn variants(as_json: bool) -> io::Result<()> {
    if as_json {
        return Variant::listed().try_for_each(|variant| writeln!(io::stdout(), "{}", object(variant)));
    }
    let rows: Vec<_> = std::iter::once(HEADINGS.map(str::to_owned)).chain(Variant::listed().map(row)).collect();
    let length = |row: &[String; HEADINGS.len()], column: usize| row.get(column).map_or(0, |cell| cell.chars().count());
    let width = |column: usize| rows.iter().map(|row| length(row, column)).max().unwrap_or_default();
    let widths: Vec<_> = (0..HEADINGS.len()).map(width).collect();
    let mut output = io::stdout().lock();
    for row in &rows {
        let cells: Vec<_> = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}")).collect();
        writeln!(output, "{}", cells.join("  ").trim_end())?;
    }
    Ok(())
}

const HEADINGS: [&str; 9] =
    ["variant", "PDN", "GameType", "board", "men", "first move", "squares", "capture", "other names"];

fn first_square(variant: Variant) -> &'static str {
    let notation = variant.spec().notation;
    match (notation.algebraic, notation.letters, notation.first) {
        (true, Letters::Upright, _) => "a1 at the bottom left",
        (true, Letters::Turned, _) => "a1 at the top left",
        (false, _, FirstSquare::TopLeft) => "1 at the top left",
        (false, _, FirstSquare::BottomRight) => "1 at the bottom right",
    }
}

fn object(variant: Variant) -> serde_json::Value {
    let spec = variant.spec();
    serde_json::json!({
        "variant": variant.name(),
        "aliases": variant.aliases(),
        "pdn": variant.game_type(),
        "game_type": game_type(variant),
        "columns": spec.shape.width,
        "rows": spec.shape.height,
        "men": spec.men(),
        "first_move": spec.starts.to_string(),
        "algebraic": spec.notation.algebraic,
        "squares": first_square(variant),
        "capture": spec.notation.capture.to_string(),
    })
}

fn row(variant: Variant) -> [String; HEADINGS.len()] {
    let spec = variant.spec();
    let (shape, notation) = (spec.shape, spec.notation);
    let missing = || "-".to_owned();
    [
        variant.name().to_owned(),
        variant.game_type().map_or_else(missing, |number| number.to_string()),
        game_type(variant).unwrap_or_else(missing),
        format!("{}x{}", shape.width, shape.height),
        spec.men().to_string(),
        spec.starts.to_string(),
        first_square(variant).to_owned(),
        notation.capture.to_string(),
        variant.aliases().join(", "),
    ]
}
