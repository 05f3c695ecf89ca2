//! Tests of `soffio match`: its output, its files, and its treatment of engines that misbehave.
#![cfg(unix)]

mod bad_engines;
mod dxp;
mod endurance;
mod engine_words;
mod engines;
mod files;
mod openings;
mod reports;
mod results;
mod schedules;
mod statistics;
mod tavla;
mod whole_matches;

use crate::process::{output, program};
use soffio_match::GameLog;
use std::fs;
use std::path::Path;
use std::process::Output;

/// The program under test, as a command for `cmd=`.
const SOFFIO: &str = env!("CARGO_BIN_EXE_soffio");

/// Returns the arguments for a match between two instances of this program called `a` and `b`, followed by `more`.
fn two_engines<'a>(command: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec!["--engine", command, "name=a", "--engine", command, "name=b"];
    // With endgame tables in memory, two processes would need more time for building tables than for the games.
    arguments.extend(["--each", "option.Hash=1", "option.TableMemory=0"]);
    arguments.extend(more);
    arguments
}

/// Returns the output of `soffio match` with `arguments`, and whether it succeeded. Panics if the match hangs.
#[track_caller]
fn soffio_match(arguments: &[&str]) -> (String, bool) {
    let Output { status, stdout, stderr } = output(program(&[&["match"], arguments].concat()), "");
    let text = String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr);
    (text, status.success())
}

/// Returns the rest of the last line of `text` that starts with `name`.
#[track_caller]
fn entry<'a>(text: &'a str, name: &str) -> &'a str {
    // Searches backwards, because the table at the end follows the output from the start.
    let line = text.lines().rev().find_map(|line| line.trim_start().strip_prefix(name));
    line.unwrap_or_else(|| panic!("no {name} in {text}")).trim()
}

#[track_caller]
fn logs(path: &Path) -> Vec<GameLog> {
    let text = fs::read_to_string(path).expect("the match has written it");
    text.lines().skip(1).map(|line| serde_json::from_str(line).expect("a line is a game")).collect()
}
