//! What the runner of matches costs for each move.

use crate::common;

use common::engine::slowness;
use soffio::arena::GameLog;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Games of searches of one node, in which hardly any time belongs to the engines.
const GAMES: &str = "40";

#[test]
fn a_move_costs_little_besides_its_search() {
    let _alone = crate::races::alone();
    let engine = format!("cmd={}", env!("CARGO_BIN_EXE_soffio"));
    let json = Path::new(env!("CARGO_TARGET_TMPDIR")).join("overhead.json");
    let _ = fs::remove_file(&json);
    let started = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_soffio"))
        .args(["match", "--engine", &engine, "name=a", "--engine", &engine, "name=b", "--concurrency", "1"])
        .args(["--each", "nodes=1", "option.Hash=1", "--games", GAMES, "--openings", "generate:plies=2,depth=1"])
        .args(["--json", &json.display().to_string()])
        .output()
        .expect("the program can be started");
    let time = started.elapsed();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let text = fs::read_to_string(json).expect("the match has written it");
    let logs = text.lines().skip(1).map(|line| serde_json::from_str::<GameLog>(line).expect("a line is a game"));
    let moves: Vec<_> = logs.flat_map(|log| log.moves.into_iter().filter_map(|mv| mv.us)).collect();
    let searched = Duration::from_micros(moves.iter().sum());
    let count = u32::try_from(moves.len()).expect("a match of few moves");
    let overhead = time.saturating_sub(searched) / count;
    let speed = f64::from(count) / time.as_secs_f64();
    println!("{count} moves in {time:?}, {speed:.0} moves/s, {overhead:?} of each outside the search");
    assert!(overhead < Duration::from_micros(1500) * slowness(), "{overhead:?}");
    assert!(speed > 500.0 / f64::from(slowness()), "{speed}");
}
