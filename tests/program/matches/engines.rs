//! Tests of the treatment of engines in a match: pondering, new processes, CPU affinity, and unplayable lines.

use super::{SOFFIO, entry, soffio_match, two_engines};
use crate::process::command;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Plays two games between two instances of this program. The first instance is the engine `a`, which also gets the
/// arguments `for_a`. Returns the input of each process of `a`.
#[track_caller]
fn inputs_of(for_a: &[&str], more: &[&str]) -> Vec<Vec<String>> {
    let folder = tempfile::tempdir().expect("a folder");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/program/matches/logged_engine.py");
    let logged = format!("cmd=python3 '{script}' '{}' '{SOFFIO}'", folder.path().display());
    let plain = format!("cmd={SOFFIO}");
    let mut arguments = vec!["--engine", &logged, "name=a"];
    arguments.extend(for_a);
    arguments.extend(["--engine", &plain, "name=b", "--games", "2", "--openings", "startpos", "--concurrency", "1"]);
    arguments.extend(more);
    let (text, is_clean) = soffio_match(&arguments);
    assert!(is_clean, "{text}");
    let files = fs::read_dir(folder.path()).expect("it is there").map(|file| file.expect("a file").path());
    let lines = |path: PathBuf| fs::read_to_string(path).expect("it is text").lines().map(str::to_owned).collect();
    files.map(lines).collect()
}

#[test]
fn an_engine_can_ponder() {
    let limits = ["--each", "nodes=2000", "option.Hash=1", "--variant", "international"];
    let inputs = inputs_of(&["ponder=on"], &limits);
    let lines = &inputs[0];
    assert!(lines.contains(&"setoption name Ponder value true".to_owned()), "{lines:?}");
    let begins = |start: &str| lines.iter().filter(|line| line.starts_with(start)).count();
    // An engine that plays against itself often predicts the move, but not always.
    let (pondered, hits, stops) = (begins("go ponder nodes 2000"), begins("ponderhit"), begins("stop"));
    assert!(pondered > 20 && hits > 5 && stops > 0, "{pondered} {hits} {stops}");
    // The last input may be a `stop` together with `quit`.
    assert!(hits + stops == pondered || hits + stops == pondered + 1, "{pondered} {hits} {stops}");
    // Each move of the engine is the answer to a `go` or to a `ponderhit`.
    let requested = begins("go nodes 2000");
    assert!(requested > 0 && requested + hits > 20, "{requested} {hits}");
    let hub = format!("cmd={SOFFIO} hub");
    let arguments =
        ["--engine", &hub, "proto=hub", "name=a", "ponder=on", "--engine", &hub, "proto=hub", "name=b", "ponder=on"];
    let more = ["--each", "nodes=500", "--variant", "international", "--games", "2", "--concurrency", "1"];
    let (text, is_clean) = soffio_match(&[&arguments[..], &more].concat());
    assert!(is_clean && entry(&text, "games").starts_with("2: "), "{text}");
}

#[test]
fn every_game_can_have_a_new_process() {
    let limits = ["--each", "depth=1", "--max-moves", "5"];
    assert_eq!(inputs_of(&[], &limits).len(), 1);
    let inputs = inputs_of(&["restart=on"], &limits);
    assert_eq!(inputs.len(), 2);
    for lines in inputs {
        assert_eq!(lines.iter().filter(|line| *line == "ucinewgame").count(), 1, "{lines:?}");
        assert_eq!(lines.last().map(String::as_str), Some("quit"), "the engine is not killed: {lines:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn engines_keep_to_the_cores_of_their_game() {
    let limits = ["--each", "depth=1", "--max-moves", "5"];
    let cores = |lines: &[String]| lines[0].split(' ').skip(1).count();
    let all = cores(&inputs_of(&[], &limits)[0]);
    let bound = cores(&inputs_of(&[], &[&limits[..], &["--affinity"]].concat())[0]);
    assert!(bound == 1 && all >= 1, "{bound} {all}");
    let command = format!("cmd={SOFFIO}");
    let arguments = two_engines(&command, &["depth=1", "option.Threads=9", "--affinity", "--concurrency", "1000"]);
    let (text, is_clean) = soffio_match(&arguments);
    assert!(!is_clean && text.contains("soffio: --affinity: 9000 cores needed, "), "{text}");
}

/// A process that is killed when this value is dropped.
#[cfg(target_os = "linux")]
struct Busy(std::process::Child);

#[cfg(target_os = "linux")]
impl Drop for Busy {
    fn drop(&mut self) {
        self.0.kill().and_then(|()| self.0.wait()).expect("it runs until it is killed");
    }
}

/// The engines share one core with busy programs, and therefore exceed their time while they wait for the core.
#[test]
#[cfg(target_os = "linux")]
fn a_loss_on_time_reports_that_the_machine_was_busy() {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    let mut one = CpuSet::new();
    let all = sched_getaffinity(None).expect("the cores are known");
    one.set((0..CpuSet::MAX_CPU).find(|&core| all.is_set(core)).expect("there is a core"));
    // Child processes inherit the affinity of this thread.
    sched_setaffinity(None, &one).expect("the core belongs to the process");
    let busy = || command("sh").args(["-c", "while :; do :; done"]).spawn().expect("a shell exists");
    let _others: Vec<_> = (0..6).map(|_| Busy(busy())).collect();
    let command = format!("cmd={SOFFIO}");
    let more = [
        "st=0.002", "--margin", "0", "--games", "4", "--openings", "startpos", "--max-moves", "30", "--concurrency",
        "1",
    ];
    let arguments = two_engines(&command, &more);
    let is_named = |text: &str| {
        let lost = text.lines().any(|line| line.contains("time: exceeded by ") && line.contains(" ms, after waiting "));
        lost && text.contains("\n  machine        overloaded: ")
            && entry(text, "machine").contains(" lost on time while waiting for a CPU (")
    };
    let mut texts: Vec<String> = Vec::new();
    while !texts.iter().any(|text| is_named(text)) {
        assert!(texts.len() < 5, "{texts:?}");
        texts.push(soffio_match(&arguments).0);
    }
}

#[test]
fn unplayable_lines_are_reported() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/program/matches/bad_engine.py");
    let (bad, good) = (format!("cmd=python3 '{script}' 'bad line'"), format!("cmd={SOFFIO}"));
    let mut arguments = vec!["--engine", &bad, "name=bad", "--engine", &good, "name=good", "--openings", "startpos"];
    arguments.extend(["--each", "depth=4", "--games", "1", "--max-moves", "1"]);
    let (text, is_clean) = soffio_match(&arguments);
    assert!(is_clean && !text.contains("illegal line"), "{text}");
    arguments.push("--check-lines");
    let (text, is_clean) = soffio_match(&arguments);
    assert!(is_clean, "such a line does not lose the game: {text}");
    let line = "game 1, ply 1: bad reports an illegal line: 23-19 10-14 23-19: 23-19: ";
    assert!(text.lines().any(|found| found.starts_with(line)), "{text}");
    assert!(entry(&text, "bad   ").ends_with(", illegal lines 1"), "{text}");
    let command = format!("cmd={SOFFIO}");
    for (variant, protocol) in
        [("frisian", "native"), ("italian", "native"), ("international", "hub"), ("turkish", "native")]
    {
        let command = if protocol == "hub" { format!("{command} hub") } else { command.clone() };
        let protocol = format!("proto={protocol}");
        let more = ["nodes=3000", &protocol, "--variant", variant, "--games", "2", "--check-lines"];
        let (text, is_clean) = soffio_match(&two_engines(&command, &more));
        assert!(is_clean && !text.contains("illegal line"), "{variant}: {text}");
        assert!(entry(&text, "a   ").contains(" ms per move, mean latency "), "{text}");
    }
}

#[test]
fn a_pause_between_games_can_be_set() {
    let command = format!("cmd={SOFFIO}");
    let more = ["depth=1", "--max-moves", "1", "--games", "3", "--openings", "startpos", "--concurrency", "1"];
    let begun = Instant::now();
    let (text, is_clean) = soffio_match(&two_engines(&command, &[&more[..], &["--wait", "300ms"]].concat()));
    assert!(is_clean && begun.elapsed() >= Duration::from_millis(600), "{text}");
}
