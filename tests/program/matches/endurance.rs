//! Tests that long matches leak no resources, either in the program or in the system.

use super::SOFFIO;
use crate::common::records::new_file;
use crate::process::program;
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

#[derive(Clone, Copy, Debug)]
struct Use {
    resident_kib: usize,
    files: usize,
    threads: usize,
}

impl Use {
    fn measure(process: &Child) -> Self {
        let folder = format!("/proc/{}", process.id());
        let count = |name: &str| fs::read_dir(format!("{folder}/{name}")).expect("the process runs").count();
        let status = fs::read_to_string(format!("{folder}/status")).expect("the process runs");
        let line =
            status.lines().find_map(|line| line.strip_prefix("RssAnon:")).expect("Linux reports the resident memory");
        let resident = line.split_whitespace().next().and_then(|number| number.parse().ok());
        Self { resident_kib: resident.expect("a number"), files: count("fd"), threads: count("task") }
    }
}

/// Returns the children of `process` that have exited but have not been reaped.
fn zombies(process: &Child) -> Vec<String> {
    let own = process.id().to_string();
    let folders = fs::read_dir("/proc").expect("the processes are listed").filter_map(Result::ok);
    let states = folders.filter_map(|folder| fs::read_to_string(folder.path().join("stat")).ok());
    let is_zombie = |state: &String| {
        let mut fields = state.rsplit(") ").next().unwrap_or_default().split(' ');
        (fields.next(), fields.next()) == (Some("Z"), Some(&own))
    };
    states.filter(is_zombie).collect()
}

fn games_in(json: &Path) -> usize {
    fs::read_to_string(json).map_or(0, |text| text.lines().count().saturating_sub(1))
}

/// Plays `games` games. Returns the resources of the match runner after a tenth of the games and before the last games.
fn play(games: usize, words: &[&str]) -> [Use; 2] {
    let json = new_file(&format!("endurance-{games}.json"));
    let mut runner = program(&["match"])
        .args(["--games", &games.to_string(), "--json", &json.display().to_string(), "--concurrency", "2"])
        .args(words)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program can be started");
    let mut used = Vec::new();
    for target in [games / 10, games - games / 50] {
        while games_in(&json) < target {
            assert!(runner.try_wait().expect("it is a child").is_none(), "the match ended after {}", games_in(&json));
            let dead = zombies(&runner);
            thread::sleep(Duration::from_millis(200));
            // A process that has just exited must be reaped soon afterwards.
            let still_dead: Vec<_> = zombies(&runner).into_iter().filter(|state| dead.contains(state)).collect();
            assert!(still_dead.is_empty(), "{still_dead:?}");
        }
        let now = Use::measure(&runner);
        println!("after {} games: {now:?}", games_in(&json));
        used.push(now);
    }
    runner.wait().expect("it is a child");
    assert_eq!(games_in(&json), games);
    [used[0], used[1]]
}

#[test]
#[ignore = "takes minutes: a thousand games"]
fn a_thousand_games_need_no_more_memory_than_a_hundred() {
    let engine = format!("cmd={SOFFIO}");
    let mut words = vec!["--engine", &engine, "name=a", "--engine", &engine, "name=b", "--each", "movetime=10"];
    words.extend(["option.Hash=1", "option.Move Overhead=2", "--margin", "5000", "--openings", "built-in:3-move"]);
    let [early, late] = play(1000, &words);
    assert!(late.resident_kib <= early.resident_kib + 1024, "{early:?} {late:?}");
    assert_eq!((late.files, late.threads), (early.files, early.threads));
}

#[test]
#[ignore = "takes minutes: five hundred engines that crash"]
fn engines_that_crash_leave_nothing_behind() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/program/matches/bad_engine.py");
    let (bad, good) = (format!("cmd=python3 '{script}' crash"), format!("cmd={SOFFIO}"));
    let mut words = vec!["--engine", &bad, "name=bad", "--engine", &good, "name=good", "--each", "depth=1"];
    words.extend(["--openings", "startpos", "--repeat", "1", "--max-moves", "1"]);
    let [early, late] = play(500, &words);
    assert!(late.resident_kib <= early.resident_kib + 1024, "{early:?} {late:?}");
    // An additional engine, with three pipes and three threads, may be running at either time.
    assert!(late.files.abs_diff(early.files) <= 6 && late.threads.abs_diff(early.threads) <= 6, "{early:?} {late:?}");
}
