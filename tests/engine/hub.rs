//! Tests of the Hub protocol without a process.

use crate::common;

use common::driver::Driver;
use soffio::session::Hub;
use std::collections::BTreeSet;

const START: &str = "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww";

/// Starts a search with `go think`, stops it, and returns all output.
fn search(driver: &mut Driver<Hub>) -> Vec<String> {
    let mut answers = driver.send("level depth=1");
    answers.extend(driver.send("go think"));
    answers.extend(driver.stop());
    answers
}

#[test]
fn malformed_lines_get_the_documented_answers() {
    let rows = include_str!("../data/hub_malformed.txt").lines().filter(|line| !line.starts_with('#'));
    assert!(rows.clone().count() >= 24, "the lines are there");
    let mut wrong = Vec::new();
    for row in rows {
        let (line, expected) = row.split_once(" | ").unwrap_or_else(|| panic!("columns of {row:?}"));
        let mut driver = Driver::<Hub>::new();
        driver.send(&format!("pos pos={START}"));
        let output = match driver.send(&line.replace("START", START)) {
            output if output.is_empty() => "nothing".to_owned(),
            output => output.join("\\n"),
        };
        if output != expected {
            wrong.push(format!("{line} | {output}"));
        }
        assert_eq!(driver.send("ping"), ["pong"], "after {line:?}");
        let answers = search(&mut driver);
        assert_eq!(answers.iter().filter(|answer| answer.starts_with("done")).count(), 1, "{line:?}: {answers:?}");
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_variant_is_set_and_searched() {
    let mut driver = Driver::<Hub>::new();
    let lines = driver.send("hub");
    let declared = lines.iter().find_map(|line| line.strip_prefix("param name=variant ")).unwrap();
    let names = declared.split_once("values=\"").unwrap().1.trim_end_matches('"');
    for name in names.split(' ') {
        assert_eq!(driver.send(&format!("set-param name=variant value={name}")), [""; 0], "{name}");
        let answers = search(&mut driver);
        assert!(answers.last().is_some_and(|done| done.starts_with("done move=")), "{name}: {answers:?}");
    }
}

/// Returns the first move of the last principal variation in `answers`, and the best move.
fn last_line_and_answer(answers: &[String]) -> (Option<&str>, Option<&str>) {
    let after = |line: &'static str, name: &str| -> Option<&str> {
        let last = answers.iter().rev().find(|answer| answer.starts_with(line))?;
        last.split_once(name)?.1.trim_start_matches('"').split([' ', '"']).next()
    };
    (after("info ", " pv="), after("done", " move="))
}

#[test]
fn the_answer_is_the_first_move_of_the_last_reported_line() {
    let mut driver = Driver::<Hub>::new();
    driver.send("set-param name=tt-size value=16");
    // The best move changes often in this position. Some of these limits therefore fall between a change and the end of
    // the iteration.
    for nodes in (500..9000).step_by(211) {
        driver.send("new-game");
        driver.send(&format!("pos pos={START} moves=\"31-26 17-22\""));
        driver.send(&format!("level nodes={nodes}"));
        let mut answers = driver.send("go analyze");
        answers.extend(driver.finish());
        let (line, answer) = last_line_and_answer(&answers);
        assert!(answer.is_some() && line == answer, "{nodes} nodes: {answers:#?}");
    }
}

#[test]
fn a_handicap_varies_the_moves() {
    let mut driver = Driver::<Hub>::new();
    driver.send("set-param name=tt-size value=16");
    for (variant, levels, is_weak) in [
        ("normal", ["level handicap=3", "level nodes=50"], true),
        ("normal", ["level handicap=2", "level nodes=120"], true),
        ("losing", ["level ply=4", "level depth=3"], true),
        ("normal", ["level handicap=0", "level nodes=120"], false),
        ("losing", ["level ply=18", "level depth=3"], false),
    ] {
        driver.send(&format!("set-param name=variant value={variant}"));
        driver.send(&format!("pos pos={START}"));
        let mut played = BTreeSet::new();
        for _ in 0..40 {
            driver.send("new-game");
            levels.iter().for_each(|level| assert_eq!(driver.send(level), [""; 0]));
            let mut answers = driver.send("go think");
            answers.extend(driver.finish());
            let (line, answer) = last_line_and_answer(&answers);
            assert!(answer.is_some() && line == answer, "{answers:#?}");
            played.extend(answer.map(str::to_owned));
        }
        assert_eq!(played.len() > 2, is_weak, "{levels:?}: {played:?}");
        assert!(is_weak || played.len() == 1, "{levels:?}: {played:?}");
    }
    // An analysis ignores the handicap.
    driver.send("set-param name=variant value=normal");
    driver.send(&format!("pos pos={START}"));
    let mut analyses = BTreeSet::new();
    for _ in 0..20 {
        driver.send("new-game");
        driver.send("level depth=3 handicap=3");
        driver.send("go analyze");
        analyses.extend(driver.finish().pop());
    }
    assert_eq!(analyses.len(), 1, "{analyses:?}");
}
