//! Tests of engines that use DXP: matches against engines with other protocols, and engines that misbehave.

use super::{SOFFIO, entry, logs, soffio_match};
use crate::common::records::{new_file, records, replay};
use crate::process::{Engine, TIMEOUT};
use soffio::rules::Variant;
use std::collections::BTreeMap;
use std::time::Instant;

/// A time limit so long that only an engine that never answers exceeds it, even on a busy machine.
const AMPLE: &str = "st=300";

/// Faults that can be detected only by elapsed time.
const SLOW_FAULTS: [&str; 4] = ["late", "silence", "half a message", "deaf"];

/// Returns the `--engine` argument that runs this program as a DXP engine. It plays `variant` with `seconds` per move.
fn dxp_engine(variant: &str, seconds: &str) -> String {
    let arguments = format!("--once --hash 8 --variant {variant} --move-time {seconds}s");
    format!("cmd={SOFFIO} dxp --listen 127.0.0.1:{{port}} {arguments}")
}

/// Returns the arguments for two engines: `native` uses the native protocol, and `peer` uses DXP. The caller must add
/// the limits.
fn native_and_dxp<'a>(native: &'a str, peer: &'a str) -> Vec<&'a str> {
    let mut arguments = vec!["--engine", native, "name=native", "nodes=100", "option.TableMemory=0"];
    arguments.extend(["--engine", peer, "name=dxp", "proto=dxp"]);
    arguments
}

#[test]
fn native_hub_and_dxp_play_in_one_match() {
    let (native, hub, dxp) =
        (format!("cmd={SOFFIO}"), format!("cmd={SOFFIO} hub"), dxp_engine("international", "0.01"));
    let (pdn, json) = (new_file("protocols.pdn"), new_file("protocols.json"));
    let (pdn_name, json_name) = (pdn.display().to_string(), json.display().to_string());
    let mut arguments =
        vec!["--engine", &native, "name=native", "nodes=300", "--engine", &hub, "name=hub", "proto=hub"];
    arguments.extend(["nodes=300", "--engine", &dxp, "name=dxp", "proto=dxp", "tc=60+1", "--each", "option.Hash=1"]);
    arguments.extend(["--variant", "international", "--openings", "generate:plies=3,depth=1", "--games", "2"]);
    arguments.extend(["--margin", "1m", "--max-moves", "1000", "--pdn", &pdn_name, "--json", &json_name]);
    let (text, is_clean) = soffio_match(&arguments);
    assert!(is_clean, "{text}");
    for pair in ["native - hub: ", "native - dxp: ", "hub - dxp: "] {
        assert!(text.contains(pair), "{pair}{text}");
    }
    let figures = text.lines().find(|line| line.starts_with("  dxp ") && line.ends_with("ms per move"));
    assert!(figures.is_some_and(|line| !line.contains("nodes")), "{text}");
    let records = records(&pdn);
    assert_eq!(records.len(), 6);
    records.iter().for_each(|record| replay(Variant::International, record));
    for log in logs(&json) {
        for mv in log.moves.iter().filter(|mv| mv.us.is_some()) {
            let player = if mv.side == soffio::rules::Color::White { &log.white } else { &log.black };
            assert_eq!(mv.score.is_some() && mv.depth.is_some() && mv.nodes.is_some(), player != "dxp", "{mv:?}");
        }
    }
}

#[test]
fn every_dxp_variant_is_played() {
    let native = format!("cmd={SOFFIO}");
    for variant in ["frisian", "frysk", "killer", "breakthrough", "losing"] {
        let dxp = dxp_engine(variant, "0.005");
        let mut arguments = native_and_dxp(&native, &dxp);
        arguments.extend([AMPLE, "--variant", variant, "--games", "2", "--openings", "generate:plies=2,depth=1"]);
        let (text, is_clean) = soffio_match(&arguments);
        assert!(is_clean && entry(&text, "games").starts_with("2: "), "{variant}: {text}");
    }
}

#[test]
fn a_listening_engine_plays_one_game_at_a_time() {
    let mut engine = Engine::started(&["dxp", "--listen", "127.0.0.1:0", "--move-time", "5ms", "--hash", "8"]);
    let line = engine.line_within(TIMEOUT).expect("the engine listens").1;
    let address = format!("addr={}", line.trim_start_matches("listening on "));
    let native = format!("cmd={SOFFIO}");
    let mut arguments = native_and_dxp(&native, &address);
    arguments.extend([AMPLE, "--variant", "international", "--games", "2", "--openings", "startpos"]);
    let (text, is_clean) = soffio_match(&arguments);
    assert!(is_clean && entry(&text, "games").starts_with("2: "), "{text}");
    let games: Vec<_> = engine.until("connection closed").1;
    let games = games.iter().filter(|line| line.starts_with("game "));
    assert!(games.clone().all(|line| !line.contains("unfinished") && !line.contains('*')), "{games:?}");
    assert_eq!(games.count(), 2, "the engine saw the same games, and their results");

    arguments.extend(["--concurrency", "2"]);
    let (text, is_clean) = soffio_match(&arguments);
    let error = "soffio: engine dxp is already running and plays one game at a time: use --concurrency 1";
    assert!(!is_clean && text.contains(error), "{text}");
}

/// Plays `games` games with `moves` moves per side between this program and the engine with this `fault`. The engine
/// with the fault moves first if `begins` is true.
#[track_caller]
fn games_against(fault: &str, begins: bool, [games, moves]: [&str; 2], more: &[&str]) -> (String, bool) {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/program/matches/bad_dxp_engine.py");
    let (bad, good) = (format!("cmd=python3 '{script}' '{fault}' {{port}}"), format!("cmd={SOFFIO}"));
    let limit = if SLOW_FAULTS.contains(&fault) { "st=0.2" } else { AMPLE };
    let bad = ["--engine", &bad, "name=bad", "proto=dxp", limit];
    let good = ["--engine", &good, "name=good", "depth=1"];
    let engines = if begins { [&bad[..], &good[..]] } else { [&good[..], &bad[..]] }.concat();
    let rest = ["--variant", "international", "--openings", "startpos", "--margin", "100"];
    soffio_match(&[&engines[..], &rest[..], &["--games", games, "--max-moves", moves][..], more].concat())
}

#[track_caller]
fn game_against(fault: &str, begins: bool, more: &[&str]) -> (String, bool) {
    games_against(fault, begins, ["1", "1"], more)
}

#[test]
fn every_fault_has_its_termination() {
    let expected = BTreeMap::from([
        ("vanish", "disconnect"),
        ("crash", "crash"),
        ("silence", "stall"),
        ("half a message", "stall"),
        ("half a message and gone", "disconnect"),
        ("a megabyte", "disconnect"),
        ("illegal", "illegal move"),
        ("not a move", "illegal move"),
        ("false win", "false game end"),
        ("false draw", "false game end"),
        ("breaks off", "false game end"),
        ("refuses", "rejected"),
    ]);
    for (fault, termination) in expected {
        let (text, is_clean) = game_against(fault, true, &[]);
        assert_eq!(entry(&text, "ended by"), format!("{termination} 1"), "{fault}: {text}");
        assert!(!is_clean, "{fault}: a fault shows in the exit code");
        assert_eq!(entry(&text, "games"), "1: +0 =0 -1, 0.0 %", "{fault}: the engine at fault has lost");
        assert!(
            entry(&text, "bad   ").ends_with(&format!(", {termination} 1")),
            "{fault}: the fault is counted\n{text}"
        );
    }
    // On a busy machine, an answer can be so late that it counts as missing.
    let mut ends = (0..10).map(|_| entry(&game_against("late", true, &[]).0, "ended by").to_owned());
    assert!(ends.any(|end| end == "time 1"), "a late answer is distinguished from a missing one");
    // The following faults occur in the middle of a game.
    for (fault, termination) in [("vanish", "disconnect"), ("illegal", "illegal move"), ("silence", "stall")] {
        let (text, _) = game_against(fault, false, &[]);
        assert_eq!(entry(&text, "ended by"), format!("{termination} 1"), "{fault}: {text}");
    }
}

#[test]
fn a_second_move_is_detected_at_the_next_request() {
    let (text, is_clean) = games_against("twice", true, ["1", "2"], &[]);
    assert!(!is_clean && entry(&text, "ended by") == "extra answer 1", "{text}");
}

#[test]
fn harmless_messages_are_not_faults() {
    for fault in ["garbage", "asks for more", "no goodbye"] {
        let (text, is_clean) = game_against(fault, true, &[]);
        assert!(is_clean && entry(&text, "ended by") == "move limit 1", "{fault}: {text}");
    }
    let (text, is_clean) = game_against("resigns", true, &[]);
    assert!(is_clean && entry(&text, "ended by") == "resignation 1", "{text}");
    assert_eq!(entry(&text, "games"), "1: +0 =0 -1, 0.0 %", "{text}");
}

#[test]
fn an_unreachable_dxp_engine_ends_the_match() {
    let (text, is_clean) = game_against("no start", true, &[]);
    assert!(!is_clean && text.contains("soffio: engine bad: the process exited (exit status: 5)"), "{text}");
    let (text, is_clean) = game_against("never listens", true, &["--stall", "1"]);
    assert!(!is_clean && text.contains("soffio: engine bad: no connection to 127.0.0.1:"), "{text}");
    let started = Instant::now();
    let (text, _) = game_against("deaf", true, &["--stall", "20"]);
    assert_eq!(entry(&text, "ended by"), "stall 1", "{text}");
    assert!(started.elapsed() < TIMEOUT, "{:?}", started.elapsed());
}

#[test]
fn a_failed_engine_is_reconnected_for_the_next_game() {
    for fault in ["vanish", "crash", "illegal", "no goodbye"] {
        let (text, _) = games_against(fault, true, ["2", "1"], &[]);
        assert!(entry(&text, "games").starts_with("2: "), "{fault}: {text}");
    }
}

#[test]
fn the_clock_is_announced_in_whole_minutes() {
    // The scripted engine compares the request with `MINUTES`.
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/program/matches/bad_dxp_engine.py");
    let good = format!("cmd={SOFFIO}");
    for (limit, minutes) in [("tc=179+2", "002"), ("tc=10", "001"), ("tc=40/60", "000"), ("st=60", "000")] {
        let engine = format!("cmd=env MINUTES={minutes} python3 '{script}' none {{port}}");
        let mut arguments =
            vec!["--engine", &engine, "name=a", "proto=dxp", limit, "--engine", &good, "name=b", "depth=1"];
        arguments.extend(["--variant", "international", "--openings", "startpos", "--games", "1", "--max-moves", "1"]);
        let (text, is_clean) = soffio_match(&arguments);
        assert!(is_clean && entry(&text, "ended by") == "move limit 1", "{limit}: {text}");
    }
}
