//! Tests with the example files in `tests/data`.

use super::{resolved, setup};
use soffio::notation::{FenRecord, MoveRecord, captured_mask, full_path, printed_moves, printed_sequence, resolve};
use soffio::position::paths::Sequence;
use soffio::rules::Variant;

/// Returns the lines of `file` without comments, each split into `N` columns.
fn rows<const N: usize>(file: &str) -> Vec<[&str; N]> {
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let columns: Vec<_> = line.split('|').map(str::trim).collect();
            columns.try_into().unwrap_or_else(|_| panic!("columns of {line:?}"))
        })
        .collect()
}

fn variant(name: &str) -> Variant {
    Variant::named(name).unwrap_or_else(|| panic!("variant {name:?}"))
}

/// Compares all rows before failing, so that a single run reports every difference.
fn compare(rows: impl Iterator<Item = (String, String, String)>) {
    let wrong: Vec<_> = rows.filter(|(_, actual, expected)| actual != expected).collect();
    let report: Vec<_> = wrong.iter().map(|(row, actual, expected)| format!("{row}: {actual} != {expected}")).collect();
    assert!(wrong.is_empty(), "\n{}", report.join("\n"));
}

#[test]
fn valid_fens_are_parsed() {
    compare(rows(include_str!("../../data/fen_valid.txt")).into_iter().map(|[name, fen, printed]| {
        let spec = variant(name).spec();
        let actual = setup(variant(name), fen).map(|setup| FenRecord::from_setup(spec, &setup).to_string());
        (fen.into(), actual.unwrap_or_else(|error| error), printed.into())
    }));
}

#[test]
fn invalid_fens_are_rejected_with_the_reason() {
    compare(rows(include_str!("../../data/fen_invalid.txt")).into_iter().map(|[name, fen, error]| {
        let actual = setup(variant(name), fen).err().unwrap_or_default();
        (fen.into(), actual, error.into())
    }));
}

#[test]
fn valid_moves_are_parsed() {
    compare(rows(include_str!("../../data/moves_valid.txt")).into_iter().map(|[name, fen, written, printed]| {
        let setup = setup(variant(name), fen).unwrap();
        let actual = resolved(variant(name), &setup, written).unwrap_or_else(|error| error);
        (format!("{fen} {written}"), actual, printed.into())
    }));
}

#[test]
fn invalid_moves_are_rejected_with_the_reason() {
    compare(rows(include_str!("../../data/moves_invalid.txt")).into_iter().map(|[name, fen, written, error]| {
        let setup = setup(variant(name), fen).unwrap();
        let actual = resolved(variant(name), &setup, written).err().unwrap_or_default();
        (format!("{fen} {written}"), actual, error.into())
    }));
}

#[derive(serde::Deserialize)]
struct Example {
    variant: String,
    fen: String,
    moves: Vec<ExampleMove>,
}

#[derive(serde::Deserialize)]
struct ExampleMove {
    pdn: String,
    long: String,
}

#[test]
fn captures_are_printed_as_in_the_example_collection() {
    let examples: Vec<Example> = serde_json::from_str(include_str!("../../data/captures.json")).unwrap();
    let mut checked = 0;
    for example in examples {
        let variant = variant(&example.variant);
        let setup = setup(variant, &example.fen).unwrap_or_else(|error| panic!("{}: {error}", example.fen));
        let spec = variant.spec();
        let text = |sequence: &Sequence| full_path(spec, sequence);
        let meant = |written: &str| {
            let record: MoveRecord = written.parse().unwrap();
            resolve(spec, &setup, &record)
                .unwrap_or_else(|error| panic!("{variant} {} {written}: {error}", example.fen))
        };
        // If a move has several paths, the collection may print a different path than this library does.
        let printed_path =
            |sequence: &Sequence| printed_sequence(spec, &setup, |other| is_same_move(other, sequence)).unwrap();
        let mut printed: Vec<_> = printed_moves(spec, &setup).iter().map(text).collect();
        let mut expected: Vec<_> = example.moves.iter().map(|mv| text(&printed_path(&meant(&mv.long)))).collect();
        printed.sort();
        expected.sort();
        assert_eq!(printed, expected, "{variant} {}", example.fen);
        for ExampleMove { pdn, long } in &example.moves {
            assert_eq!(text(&meant(long)), *long, "{variant} {}", example.fen);
            assert_eq!(printed_path(&meant(pdn)), printed_path(&meant(long)), "{variant} {}", example.fen);
        }
        checked += 1;
    }
    assert!(checked > 140, "only {checked}");
}

fn is_same_move(a: &Sequence, b: &Sequence) -> bool {
    let identity =
        |sequence: &Sequence| (sequence.from, sequence.to(), captured_mask(sequence), sequence.crowned_in_passing);
    identity(a) == identity(b)
}

#[test]
fn control_characters_are_not_repeated_in_errors() {
    let error = |fen: &str| fen.parse::<FenRecord>().unwrap_err().to_string();
    assert_eq!(error("W:W\u{1b}[2J"), "white pieces: expected a square, found '?[2J' at column 4");
    assert_eq!(error("W:W31:\u{2028}\0"), "next field: expected W, B, H, F, E or +, found '??' at column 7");
}
