//! The lines of `tests/data`.

use super::desk::Desk;
use soffio::protocol::parse;

/// A session in the middle of a game, with a move that can be played again.
fn desk() -> Desk {
    let mut desk = Desk::new();
    assert!(desk.tell("position startpos moves 22-18 11-15").is_empty());
    assert!(desk.tell("undo").is_empty());
    desk
}

#[test]
fn invalid_lines_get_one_error_and_change_nothing() {
    let mut wrong = Vec::new();
    let rows = include_str!("../data/commands_invalid.txt").lines().filter(|line| !line.starts_with('#'));
    assert!(rows.clone().count() >= 60, "the lines are there");
    let mut desk = desk();
    let before = desk.state();
    for row in rows {
        let (line, expected) = row.split_once(" | ").unwrap_or_else(|| panic!("columns of {row:?}"));
        let replies = desk.texts(line);
        if replies != [format!("error {expected}")] {
            wrong.push(format!("{line} | {}", replies.join("\\n")));
        }
        if let Err(error) = parse(line) {
            assert_eq!(replies, [format!("error {error}")], "the session repeats what the parser says to {line:?}");
        }
        assert_eq!(desk.state(), before, "{line:?} changed something");
        assert_eq!(desk.texts("isready"), ["readyok"], "after {line:?}");
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(desk.tell("redo").is_empty(), "the move that was taken back is still there");
}

#[test]
fn valid_lines_are_commands() {
    for line in include_str!("../data/commands_valid.txt").lines().filter(|line| !line.starts_with('#')) {
        assert!(matches!(parse(line), Ok(Some(_))), "{line:?}: {:?}", parse(line));
    }
    for line in ["", " ", "\t", "\r", " \t \r"] {
        assert_eq!(parse(line), Ok(None), "{line:?}");
    }
}

#[test]
fn an_invalid_option_leaves_the_variant() {
    let mut desk = Desk::new();
    desk.tell("setoption name UCI_Variant value english");
    let before = desk.state();
    for line in
        ["setoption name UCI_Variant value", "setoption name UCI_Variant value go", "setoption name Hash value 0"]
    {
        assert_eq!(desk.texts(line).len(), 1, "{line}");
        assert_eq!(desk.state(), before, "{line}");
    }
}
