//! Tests with the command lines in `tests/data`.

use crate::common::driver::Driver;
use soffio::rules::Variant;
use soffio::session::Native;
use soffio::wire::native::NativeCommand;

/// Starts a session in the middle of a game in which a move can be redone.
fn driver() -> Driver<Native> {
    let mut driver = Driver::<Native>::new();
    assert!(driver.send("position startpos moves 22-18 11-15").is_empty());
    assert!(driver.send("undo").is_empty());
    driver
}

/// Returns the output of the commands that show the session's state.
fn state(driver: &mut Driver<Native>) -> Vec<String> {
    ["d", "legal"].into_iter().flat_map(|line| driver.send(line)).collect()
}

#[test]
fn invalid_lines_get_one_error_and_change_nothing() {
    let mut wrong = Vec::new();
    let rows = include_str!("../../data/commands_invalid.txt").lines().filter(|line| !line.starts_with('#'));
    assert!(rows.clone().count() >= 60, "the lines are there");
    let variants = Variant::listed().map(Variant::name).collect::<Vec<_>>().join(", ");
    let mut driver = driver();
    let before = state(&mut driver);
    for row in rows {
        let (line, expected) = row.split_once(" | ").unwrap_or_else(|| panic!("columns of {row:?}"));
        let expected = expected.replace("VARIANTS", &variants);
        let replies = driver.send(line);
        if replies != [format!("error {expected}")] {
            wrong.push(format!("{line} | {}", replies.join("\\n")));
        }
        if let Err(error) = NativeCommand::read(line) {
            assert_eq!(replies, [format!("error {error}")], "the session reports the parser's error for {line:?}");
        }
        assert_eq!(state(&mut driver), before, "{line:?} changed something");
        assert_eq!(driver.send("isready"), ["readyok"], "after {line:?}");
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(driver.send("redo").is_empty(), "the undone move can still be redone");
}

#[test]
fn valid_lines_are_commands() {
    for line in include_str!("../../data/commands_valid.txt").lines().filter(|line| !line.starts_with('#')) {
        assert!(matches!(NativeCommand::read(line), Ok(Some(_))), "{line:?}: {:?}", NativeCommand::read(line));
    }
    for line in ["", " ", "\t", "\r", " \t \r"] {
        assert_eq!(NativeCommand::read(line), Ok(None), "{line:?}");
    }
}

#[test]
fn an_invalid_option_leaves_the_variant() {
    let mut driver = Driver::<Native>::new();
    driver.send("setoption name UCI_Variant value english");
    let before = state(&mut driver);
    for line in
        ["setoption name UCI_Variant value", "setoption name UCI_Variant value go", "setoption name Hash value 0"]
    {
        assert_eq!(driver.send(line).len(), 1, "{line}");
        assert_eq!(state(&mut driver), before, "{line}");
    }
}
