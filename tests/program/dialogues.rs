//! Replays the dialogues in `tests/dialogues` against the engine. The dialogues in the `hub` folder use the Hub
//! protocol, and those in the `play` folder are games that are entered line by line.
//!
//! A line that starts with `> ` is sent, with `\t` for a tab and `\r` for a carriage return. `!end` closes the input. A
//! line that starts with `#` is a comment. All other lines are the expected output, in this order and without other
//! lines in between. A `*` stands for any characters, a `#` for a number, a line `...` for any number of lines, and a
//! line `text...` for any number of lines that start with `text`. Reports that are printed only by searches of more
//! than a second are ignored. After the dialogue, the engine must print nothing more, execute `quit`, and exit with
//! status 0.

use crate::process::{Engine, TIMEOUT};
use std::fs;
use std::path::Path;

/// Returns whether `text` matches `pattern`, in which `*` stands for any characters and `#` for a number.
fn matches(pattern: &str, text: &str) -> bool {
    let Some(wildcard) = pattern.find(['*', '#']) else { return pattern == text };
    let Some(text) = text.strip_prefix(&pattern[..wildcard]) else { return false };
    let number = text.find(|c| !is_numeric(c)).unwrap_or(text.len());
    let lengths = if pattern[wildcard..].starts_with('#') { 1..=number } else { 0..=text.len() };
    let mut ends = lengths.filter(|&end| text.is_char_boundary(end));
    ends.any(|end| matches(&pattern[wildcard + 1..], &text[end..]))
}

/// Returns whether `c` occurs in numbers.
pub fn is_numeric(c: char) -> bool {
    "-.0123456789".contains(c)
}

/// Runs the dialogue `text` with a new engine. An error contains the number of the failing line.
fn run_dialogue(text: &str) -> Result<(), String> {
    run_dialogue_with(Engine::start(), text)
}

/// Runs the dialogue `text` with `engine`, which has not received any input.
pub fn run_dialogue_with(mut engine: Engine, text: &str) -> Result<(), String> {
    // The start of the lines that need not match.
    let mut skipped = None;
    let mut is_open = true;
    let mut is_long = false;
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        if line.starts_with('#') {
            continue;
        } else if let Some(start) = line.strip_suffix("...") {
            skipped = Some(start);
        } else if line == "!end" {
            engine.end_input();
            is_open = false;
        } else if let Some(sent) = line.strip_prefix("> ") {
            engine.send(&sent.replace("\\t", "\t").replace("\\r", "\r"));
            // An engine that has exited does not read a second `quit`.
            is_open &= sent != "quit";
        } else {
            loop {
                let Some((_, found)) = engine.line_within(TIMEOUT) else {
                    return Err(format!("line {number}: expected {line:?}, nothing came"));
                };
                // On a busy machine, a search may take more than a second. It then also reports the current move.
                is_long = (is_long || found.contains(" currmove ")) && !found.starts_with("bestmove ");
                if matches(line, &found) {
                    break;
                }
                let is_of_long_search = is_long && found.starts_with("info depth ");
                if !is_of_long_search && !skipped.is_some_and(|start| found.starts_with(start)) {
                    return Err(format!("line {number}: expected {line:?}, found {found:?}"));
                }
            }
            skipped = None;
        }
    }
    if is_open {
        engine.send("quit");
    }
    let rest = engine.rest();
    if !rest.iter().all(|line| skipped.is_some_and(|start| line.starts_with(start))) {
        return Err(format!("at the end: {rest:?}"));
    }
    let status = engine.exit_within(TIMEOUT);
    if status.success() { Ok(()) } else { Err(format!("the engine ended with {status}")) }
}

/// Runs all dialogues in `folder`, each with a new engine that is started with `arguments`. Asserts that there are at
/// least `least` dialogues.
fn run_all(folder: &str, arguments: &[&str], least: usize) {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(folder);
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = paths.filter(|path| path.is_file()).collect();
    paths.sort();
    assert!(paths.len() >= least, "the dialogues are there");
    let failures: Vec<_> = paths
        .iter()
        .filter_map(|path| {
            let text = fs::read_to_string(path).unwrap();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            run_dialogue_with(Engine::started(arguments), &text).err().map(|error| format!("{name}: {error}"))
        })
        .collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
fn every_native_dialogue_matches() {
    run_all("tests/dialogues", &[], 20);
}

#[test]
fn every_hub_dialogue_matches() {
    run_all("tests/dialogues/hub", &["hub"], 10);
}

#[test]
fn every_tavla_dialogue_matches() {
    run_all("tests/dialogues/tavla", &["tavla"], 1);
}

#[test]
fn every_keyboard_dialogue_matches() {
    run_all("tests/dialogues/play", &["play"], 8);
}

#[test]
fn the_first_line_hub_selects_the_hub_protocol() {
    assert_eq!(run_dialogue("> \n> hub\nid name=Soffio *\n...\nwait\n> isready\n> ping\npong"), Ok(()));
    assert_eq!(run_dialogue("> isready\nreadyok\n> hub\nerror unknown command 'hub'*"), Ok(()));
}

#[test]
fn the_name_can_be_set_on_the_command_line() {
    let name = "Soffio weak, 2";
    let hub = format!("> hub\nid name=\"{name}\" version=*\n...\nwait");
    for (arguments, dialogue) in [
        (&["--name", name][..], format!("> uci\nid name {name}\nid author *\n...\nuciok")),
        (&["--name", name], hub.clone()),
        (&["hub", "--name", name], hub.clone()),
        (&["--name", name, "hub"], hub),
        (&["hub", "--name", "Weak"], "> hub\nid name=Weak version=*\n...\nwait".to_owned()),
    ] {
        assert_eq!(run_dialogue_with(Engine::started(arguments), &dialogue), Ok(()), "{arguments:?}");
    }
    for arguments in
        [&["hub", "--name", "a\"b"][..], &["hub", "--name", " "], &["--name", "a\nb"], &["--name", "a", "variants"]]
    {
        let mut engine = Engine::started(arguments);
        assert!(!engine.exit_within(TIMEOUT).success(), "{arguments:?}");
        assert!(engine.rest().is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_different_dialogue_fails() {
    assert_eq!(run_dialogue("> isready\nreadyok"), Ok(()));
    assert!(run_dialogue("> isready\nready").is_err());
    assert!(run_dialogue("> uci\nid...\nuciok").is_err());
    assert!(run_dialogue("> uci\nid name *").is_err_and(|error| error.starts_with("at the end")));
}

#[test]
fn reports_of_a_long_search_may_come_in_between() {
    assert_eq!(
        run_dialogue("> go infinite\n...\ninfo depth * currmove *\n> isready\nreadyok\n> stop\nbestmove *"),
        Ok(())
    );
    assert!(run_dialogue("> go depth 3\nbestmove *").is_err_and(|error| error.contains("found \"info depth 1 ")));
}

#[test]
fn wildcards_stand_for_any_characters_and_for_numbers() {
    assert!(matches("info * score win 2 *", "info depth 3 score win 2 nodes 5"));
    assert!(matches("*", "") && matches("a*", "a") && matches("*b", "ab"));
    assert!(!matches("a*c", "ab") && !matches("a", "ab") && !matches("é*x", "éy"));
    assert!(matches("cp # x", "cp -12 x") && matches("score=#", "score=0.05"));
    assert!(!matches("cp # x", "cp 1 2 x") && !matches("cp #", "cp ") && !matches("a#", "ab"));
}
