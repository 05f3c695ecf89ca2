//! Tests of engines that crash, hang, cheat or print too much. Each game must end at once with the right termination.

use super::{SOFFIO, entry, soffio_match};
use crate::process::TIMEOUT;
use std::fs;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

/// Faults that can be detected only by elapsed time.
const SLOW_FAULTS: [&str; 3] = ["late", "hang", "flood for ever"];

/// Plays one game of Italian draughts with at most `moves` moves per side between the bad engine (White) and this
/// program.
#[track_caller]
fn game_against(fault: &str, moves: &str, more: &[&str]) -> (String, bool) {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/program/matches/bad_engine.py");
    let file = pid_file(fault);
    let bad = format!("cmd=python3 '{script}' '{fault}' '{}'", file.display());
    let good = format!("cmd={SOFFIO}");
    // Even on a busy machine, only an engine that never answers exceeds this time limit.
    let limit = if SLOW_FAULTS.contains(&fault) { "st=0.2" } else { "st=300" };
    let mut arguments = vec!["--engine", &bad, "name=bad", limit, "--engine", &good, "name=good", "depth=1"];
    arguments.extend(["--openings", "startpos", "--margin", "100", "--games", "1", "--max-moves", moves]);
    arguments.extend(more);
    soffio_match(&arguments)
}

/// Returns the file in which a bad engine stores the ID of the process that it leaves behind.
fn pid_file(fault: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{fault}.pid"))
}

/// Asserts that a game against the engine with this `fault` ends with `termination`, and that the engine loses if it is
/// at fault.
#[track_caller]
fn assert_ends(fault: &str, moves: &str, termination: &str) {
    let (text, is_clean) = game_against(fault, moves, &[]);
    assert_eq!(entry(&text, "ended by"), format!("{termination} 1"), "{fault}: {text}");
    assert_eq!(is_clean, termination == "move limit", "{fault}: a fault shows in the exit code");
    if !is_clean {
        assert_eq!(entry(&text, "games"), "1: +0 =0 -1, 0.0 %", "{fault}: the engine at fault has lost");
        assert!(
            entry(&text, "bad   ").ends_with(&format!(", {termination} 1")),
            "{fault}: the fault is counted\n{text}"
        );
    }
}

#[test]
fn an_engine_that_exits_has_crashed() {
    assert_ends("crash", "1", "crash");
    assert_ends("kill", "1", "crash");
}

#[test]
fn after_a_fault_the_match_continues_or_ends_as_configured() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/program/matches");
    // The engine can be found only in its working directory.
    let (folder, good) = (format!("dir={script}"), format!("cmd={SOFFIO}"));
    let mut words = vec!["--engine", "cmd=python3 bad_engine.py crash", "name=bad", &folder, "--engine", &good];
    words.extend(["name=good", "--each", "depth=1", "--openings", "startpos", "--repeat", "1", "--max-moves", "1"]);
    words.extend(["--games", "4", "--concurrency", "1"]);
    let (text, is_clean) = soffio_match(&words);
    assert_eq!((entry(&text, "games"), entry(&text, "ended by"), is_clean), ("4: +0 =0 -4, 0.0 %", "crash 4", false));
    words.extend(["--on-fault", "stop"]);
    let (text, is_clean) = soffio_match(&words);
    assert_eq!((entry(&text, "games"), entry(&text, "ended by"), is_clean), ("1: +0 =0 -1, 0.0 %", "crash 1", false));
}

/// An engine that cannot be started if the file `broken` contains the number of its start.
#[cfg(unix)]
const FLAKY: &str = "echo >> starts; if grep -qx \"$(wc -l < starts | tr -d ' ')\" broken; then echo no licence >&2; exit 5; fi; \
                     exec \"$soffio\"";

#[cfg(unix)]
#[test]
fn an_engine_that_cannot_be_restarted_loses_the_game() {
    let play = |broken: std::ops::RangeInclusive<u32>, games: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        let numbers: String = broken.map(|number| format!("{number}\n")).collect();
        fs::write(folder.path().join("broken"), numbers).expect("it can be written");
        fs::write(folder.path().join("flaky"), FLAKY.replace("$soffio", SOFFIO)).expect("it can be written");
        let (place, good) = (format!("dir={}", folder.path().display()), format!("cmd={SOFFIO}"));
        let mut words = vec!["--engine", "cmd=sh flaky", "name=flaky", "restart=on", &place, "--engine", &good];
        words.extend(["name=good", "--each", "depth=1", "--openings", "startpos", "--repeat", "1", "--max-moves", "1"]);
        words.extend(["--games", games, "--concurrency", "1"]);
        soffio_match(&words)
    };
    let (text, is_clean) = play(2..=3, "4");
    assert_eq!((entry(&text, "ended by"), is_clean), ("crash 2, move limit 2", false), "{text}");
    assert!(text.contains("crash: the process exited (exit status: 5): no licence"), "{text}");
    let (text, is_clean) = play(2..=99, "20");
    assert_eq!((entry(&text, "ended by"), is_clean), ("crash 9, move limit 1", false), "{text}");
    assert!(text.contains("soffio: engine flaky: the process exited (exit status: 5): no licence"), "{text}");
}

#[test]
fn an_engine_that_never_answers_stalls() {
    assert_ends("hang", "1", "stall");
    assert_ends("flood for ever", "1", "stall");
}

#[test]
fn a_late_answer_loses_on_time() {
    // On a busy machine, an answer can be so late that it counts as missing, but this does not happen in ten games in a
    // row.
    let ends = |_| entry(&game_against("late", "1", &[]).0, "ended by").to_owned();
    assert!((0..10).map(ends).any(|end| end == "time 1"), "a late answer is distinguished from a hang");
}

#[test]
fn illegal_moves_lose() {
    for fault in ["illegal", "no move", "nonsense"] {
        assert_ends(fault, "1", "illegal move");
    }
}

#[test]
fn a_second_answer_is_detected() {
    assert_ends("twice", "2", "extra answer");
}

#[test]
fn a_closed_output_is_a_disconnect() {
    assert_ends("close", "1", "disconnect");
}

#[test]
fn an_engine_that_rejects_a_position_has_its_own_termination() {
    assert_ends("refuse", "1", "rejected");
}

#[test]
fn excessive_or_strange_output_does_no_harm() {
    for fault in ["flood", "one long line", "garbage", "chatter"] {
        assert_ends(fault, "1", "move limit");
    }
}

#[test]
fn an_engine_that_does_not_quit_is_killed_after_a_second() {
    let started = Instant::now();
    assert_ends("ignore quit", "1", "move limit");
    let time = started.elapsed();
    assert!(time >= Duration::from_secs(1), "the engine had its time: {time:?}");
}

/// Returns whether the process `pid` is running. A zombie that init has not reaped yet does not count as running.
fn is_alive(pid: &str) -> bool {
    let state = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    state.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with('Z'))
}

#[test]
fn child_processes_of_an_engine_end_with_it() {
    for fault in ["fork", "orphan"] {
        assert_ends(fault, "1", "move limit");
        let file = pid_file(fault);
        let pid = fs::read_to_string(&file).expect("the script writes the file");
        let started = Instant::now();
        while is_alive(&pid) {
            assert!(started.elapsed() < TIMEOUT, "{fault}: {pid} lives on");
            thread::sleep(Duration::from_millis(10));
        }
    }
}

#[test]
fn an_engine_that_cannot_be_started_ends_the_match() {
    let (text, is_clean) = game_against("no start", "1", &[]);
    assert!(!is_clean && text.contains("soffio: engine bad: the process exited (exit status: 5)"), "{text}");
    let (text, is_clean) = game_against("deaf", "1", &["--stall", "1"]);
    assert!(!is_clean && text.contains("soffio: engine bad: no answer to 'isready'\n"), "{text}");
    let hub = format!("cmd={SOFFIO} hub");
    let words = ["--engine", &hub, "name=a", "--engine", &hub, "name=b", "--each", "depth=1", "--stall", "1"];
    let (text, is_clean) = soffio_match(&[&words[..], &["--openings", "startpos", "--concurrency", "1"]].concat());
    let error = "soffio: engine a: no answer to 'uci'; if it uses another protocol, set proto=\n";
    assert!(!is_clean && text.contains(error), "{text}");
    let missing = ["--engine", "cmd=./no-such-engine", "--engine", "cmd=./no-such-engine", "--each", "depth=1"];
    // With several concurrent games, either engine could be started first.
    let (text, is_clean) = soffio_match(&[&missing[..], &["--concurrency", "1"]].concat());
    assert!(
        !is_clean && text.contains("soffio: engine no-such-engine: cannot start ./no-such-engine: No such file"),
        "{text}"
    );
    // The last of three engines is started once before the first two play.
    let good = format!("cmd={SOFFIO}");
    let words =
        [&["--engine", &good, "name=a", "--engine", &good, "name=b"][..], &missing[2..], &["--openings", "startpos"]];
    let (text, is_clean) = soffio_match(&words.concat());
    assert!(!is_clean && text.contains("cannot start ./no-such-engine") && !text.contains("game 1"), "{text}");
}
