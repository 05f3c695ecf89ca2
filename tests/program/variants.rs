//! Tests that the numbers and tables of variants in the documents agree with the registry and with `soffio variants`.

use crate::process::{program, run_to_end};
use soffio::board::Shape;
use soffio::rules::Variant;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

fn document(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)).expect("a document")
}

/// Returns the cells in the rows of each table in a document, without the headings.
fn tables(text: &str) -> Vec<Vec<Vec<String>>> {
    let mut tables = vec![Vec::new()];
    for line in text.lines() {
        match line.strip_prefix("| ").and_then(|line| line.strip_suffix('|')) {
            Some(line) if line.starts_with("---") => tables.last_mut().expect("a table").clear(),
            Some(line) => {
                let cells = line.split('|').map(|cell| cell.trim().to_owned()).collect();
                tables.last_mut().expect("a table").push(cells);
            }
            None => tables.push(Vec::new()),
        }
    }
    tables.retain(|table| !table.is_empty());
    tables
}

/// Returns the words between backticks in `text`.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

fn listed() -> Vec<&'static str> {
    Variant::listed().map(Variant::name).collect()
}

/// Returns the rows of `soffio variants`. Each row is a variant name, and a map from headings to the other columns.
fn variant_rows() -> Vec<(String, BTreeMap<String, String>)> {
    let (text, ..) = run_to_end(program(&["variants"]), "");
    let mut lines = text.lines();
    let heading = lines.next().expect("a heading");
    let names: Vec<&str> = heading.split("  ").map(str::trim).filter(|name| !name.is_empty()).collect();
    let starts: Vec<usize> = names.iter().map(|name| heading.find(name).expect("a column")).collect();
    let ends = starts[1..].iter().copied().chain([usize::MAX]);
    let columns: Vec<_> = names.iter().zip(starts.iter().copied().zip(ends)).collect();
    let row = |line: &str| {
        let cell = |(start, end): (usize, usize)| line[start.min(line.len())..end.min(line.len())].trim().to_owned();
        let cells: BTreeMap<_, _> = columns.iter().map(|&(name, range)| ((*name).to_owned(), cell(range))).collect();
        (cells["variant"].clone(), cells)
    };
    lines.map(row).collect()
}

#[test]
fn documents_state_the_number_of_variants() {
    let count = Variant::listed().count().to_string();
    for name in ["README.md", "python/soffio/__init__.py"] {
        let text = document(name);
        let words: Vec<&str> = text.split_whitespace().collect();
        let stated = words.windows(2).find(|pair| pair[1].starts_with("variants")).map(|pair| pair[0]);
        assert_eq!(stated, Some(count.as_str()), "{name}");
    }
}

#[test]
fn the_table_of_variants_matches_the_program() {
    let (printed, text) = (variant_rows(), document("docs/rules.md"));
    assert_eq!(printed.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), listed());
    let table = &tables(&text)[0];
    assert_eq!(table.iter().map(|row| row[0].trim_matches('`')).collect::<Vec<_>>(), listed());
    for (row, (name, cells)) in table.iter().zip(&printed) {
        let [_, other_names, number, board, starts, squares, capture] = row.as_slice() else {
            panic!("{name}: {row:?}")
        };
        let cell = |column: &str| cells[column].as_str();
        assert_eq!(quoted(other_names).join(", "), cell("other names"), "{name}");
        assert_eq!(number, cell("PDN").trim_matches('-'), "{name}");
        let columns = ["board", "men", "first move", "squares", "capture"];
        if let Some(base) = board.strip_prefix("as ") {
            let (_, of_base) = printed.iter().find(|(known, _)| known.eq_ignore_ascii_case(base)).expect("a variant");
            assert!(columns.iter().all(|column| cells[*column] == of_base[*column]), "{name} differs from {base}");
            continue;
        }
        let is_mirrored = Variant::named(name).is_some_and(|variant| is_mirrored(variant.spec().shape));
        assert_eq!(board.contains(" mirrored"), is_mirrored, "{name}");
        let size = board.split([' ', ',']).next();
        let men = board.rsplit(", ").next();
        assert_eq!((size, men), (Some(cell("board")), Some(cell("men"))), "{name}");
        assert_eq!(starts.to_lowercase(), cell("first move"), "{name}");
        let place = cell("squares").replace(" at the", "").replace("a1 bottom left", "a1");
        assert_eq!((squares, capture.as_str()), (&place, cell("capture")), "{name}");
    }
}

/// Returns whether the dark corner is on the players' right.
fn is_mirrored(shape: Shape) -> bool {
    shape.square_at(shape.height - 1, 0).is_none()
}

#[test]
fn the_rules_of_every_variant_are_in_the_tables() {
    let text = document("docs/rules.md");
    let tables = tables(&text);
    let [variants, captures, draws, ..] = tables.as_slice() else { panic!("docs/rules.md has three tables") };
    let rows = |table: &[Vec<String>]| -> Vec<String> {
        table.iter().flat_map(|row| quoted(&row[0])).map(str::to_owned).collect()
    };
    // A variant that adds only one rule to another variant is explained below the table.
    let derived = |name: &str| ["killer", "losing", "breakthrough"].iter().any(|kind| name.starts_with(kind));
    let mut own: Vec<String> = rows(variants).into_iter().filter(|name| listed().contains(&name.as_str())).collect();
    own.retain(|name| !derived(name));
    for (kind, table) in [("captures", captures), ("draws", draws)] {
        let rows = rows(table);
        for name in &own {
            assert_eq!(rows.iter().filter(|row| *row == name).count(), 1, "{name} in the table of {kind}");
        }
        assert!(rows.iter().all(|row| listed().contains(&row.as_str())), "{kind}: {rows:?}");
    }
}

#[test]
fn the_dxp_variants_are_those_on_its_board() {
    let text = document("docs/dxp.md");
    let sentence = text.split("10x10 board: ").nth(1).and_then(|rest| rest.split_once('.')).expect("a list").0;
    let on_board = |variant: &Variant| variant.spec().shape == Shape::BOARD10;
    assert_eq!(quoted(sentence), Variant::listed().filter(on_board).map(Variant::name).collect::<Vec<_>>());
}
