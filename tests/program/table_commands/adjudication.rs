//! Tests of games that are adjudicated with endgame tables.

use super::{folder, good};
use crate::process::{program, run_to_end};
use tempfile::TempDir;

/// Runs `soffio` with these words and with the tables in the folder `place`. Returns its output, including errors, and
/// whether it succeeded.
fn with_tables(words: &[&str], place: &TempDir) -> (String, bool) {
    let mut command = program(words);
    command.arg("--tables").arg(place.path());
    let (output, errors, is_success) = run_to_end(command, "");
    (output + &errors, is_success)
}

/// Like the tests in `matches`, this test runs only on Unix.
#[cfg(unix)]
#[test]
fn a_match_is_adjudicated_by_tables() {
    use std::fs;

    let place = folder();
    good("build --variant english --pieces 3", &place);
    let [openings, json] = ["openings.txt", "games.json"].map(|name| place.path().join(name));
    // The positions are a win with two kings, and a draw with a king against a king. Without tables, the games would
    // take a long time.
    fs::write(&openings, "W:WK1,K2:BK32\nW:WK1:BK32\n").expect("it can be written");
    let engine = format!("cmd={}", env!("CARGO_BIN_EXE_soffio"));
    let [openings, json] = [openings, json].map(|path| path.display().to_string());
    let engines = ["--engine", &engine, "name=a", "--engine", &engine, "name=b", "--each", "depth=1"];
    let words = ["--variant", "english", "--rounds", "2", "--openings", &openings, "--json", &json];
    let (text, is_clean) = with_tables(&[&["match"], &engines[..], &words[..]].concat(), &place);
    assert!(is_clean, "{text}");
    let games = fs::read_to_string(&json).expect("it is written");
    let ends = |part: &str| games.lines().skip(1).filter(|game| game.contains(part)).count();
    let found = ["\"winner\":\"white\"", "\"winner\":null", "\"termination\":\"endgame tables\""].map(ends);
    assert_eq!(found, [2, 2, 4], "{games}");
    let missing = folder();
    let (text, is_clean) = with_tables(&[&["match"], &engines[..], &["--variant", "pool"]].concat(), &missing);
    assert!(!is_clean && text.contains("no usable endgame tables for pool"), "{text}");
}

#[test]
fn training_games_are_adjudicated_by_tables() {
    let place = folder();
    good("build --variant english --pieces 3", &place);
    let fewest_pieces = |name: &str, tables: bool| {
        let games = place.path().join(name).display().to_string();
        let words = ["selfplay", "--variant", "english", "--games", "60", "--nodes", "20", "--out", &games];
        if tables {
            let (text, is_good) = with_tables(&words, &place);
            assert!(is_good, "{text}");
        } else {
            assert!(run_to_end(program(&words), "").2);
        }
        let (text, ..) = run_to_end(program(&["data", "--text", &games]), "");
        let pieces = |line: &str| {
            let fen = line.split(';').next().unwrap_or_default();
            fen.split([':', ',']).filter(|word| word.contains(|c: char| c.is_ascii_digit())).count()
        };
        text.lines().map(pieces).min().expect("there are positions")
    };
    let (with, without) = (fewest_pieces("with", true), fewest_pieces("without", false));
    assert!(with > 3 && without <= 3, "{with} {without}");
}
