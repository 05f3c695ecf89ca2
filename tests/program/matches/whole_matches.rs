//! Tests of regular matches: results, files and interruptions.

use super::{SOFFIO, entry, logs, soffio_match, two_engines};
use crate::common::records::{new_file, records, replay};
use crate::process::{TIMEOUT, program, terminate};
use soffio::notation::WrittenGame;
use soffio::rules::{Color, Variant};
use soffio_match::{GameLog, read_openings};
use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::time::{Duration, Instant};

#[test]
fn records_of_a_match_replay_to_the_same_results() {
    let command = format!("cmd={SOFFIO}");
    for (variant, openings) in [(Variant::English, "generate:plies=2"), (Variant::International, "startpos")] {
        let (pdn, json) = (new_file(&format!("{variant}.pdn")), new_file(&format!("{variant}.json")));
        let (pdn_name, json_name) = (pdn.display().to_string(), json.display().to_string());
        let mut words = two_engines(&command, &["nodes=300", "--games", "4", "--openings", openings]);
        words.extend(["--variant", variant.name(), "--pdn", &pdn_name, "--json", &json_name, "--max-moves", "1000"]);
        let (text, is_clean) = soffio_match(&words);
        assert!(is_clean, "{text}");
        assert!(entry(&text, "games").starts_with("4: "), "{text}");

        let records = records(&pdn);
        let logs = logs(&json);
        assert_eq!((records.len(), logs.len()), (4, 4));
        for (record, log) in records.iter().zip(&logs) {
            replay(variant, record);
            assert_eq!(record.tag("Round"), Some(&*log.game.to_string()));
            assert_eq!((record.tag("White"), record.tag("Black")), (Some(&*log.white), Some(&*log.black)));
            assert_eq!(record.moves.len(), log.moves.len());
            let commented = record.moves.iter().filter(|mv| mv.comment.is_some()).count();
            let searched = log.moves.iter().filter(|mv| mv.us.is_some() && mv.nodes.is_some()).count();
            assert_eq!(
                (commented, searched),
                (searched, record.moves.len() - if openings == "startpos" { 0 } else { 2 })
            );
        }
        // Both engines are identical and a node limit is deterministic, so swapping the colours changes nothing.
        assert_eq!(entry(&text, "pairs"), "0 0 2 0 0 (0, 1/2, 1, 1 1/2, 2 points)");
    }
}

#[test]
fn an_interrupt_ends_a_match_and_keeps_its_results() {
    let json = new_file("interrupted.json");
    let command = format!("cmd={SOFFIO}");
    let mut child = program(&["match", "--engine", &command, "name=a", "--engine", &command, "name=b"])
        .args(["--each", "depth=1", "--games", "1000000", "--openings", "startpos", "--concurrency", "1"])
        .args(["--json", &json.display().to_string()])
        .spawn()
        .expect("the program can be started");
    let started = Instant::now();
    while fs::read_to_string(&json).map_or(0, |text| text.lines().count()) < 3 {
        assert!(started.elapsed() < TIMEOUT, "no game ends");
        std::thread::sleep(Duration::from_millis(10));
    }
    terminate(&child);
    let mut text = String::new();
    child.stdout.take().expect("it is a pipe").read_to_string(&mut text).expect("it is text");
    let status = child.wait().expect("it is a child");
    let played = logs(&json).len();
    assert!(played >= 2 && entry(&text, "games").starts_with(&format!("{played}: ")), "{text}");
    let said = format!("{played} of 1000000 games played; use --resume to continue");
    assert_eq!((entry(&text, "interrupted"), status.code()), (said.as_str(), Some(1)));

    let (games, json_name) = ((played + 2).to_string(), json.display().to_string());
    let engines = ["--engine", &command, "name=a", "--engine", &command, "name=b", "--each", "depth=1"];
    let rest = ["--openings", "startpos", "--games", &games, "--json", &json_name, "--resume"];
    let (text, is_clean) = soffio_match(&[&engines[..], &rest[..]].concat());
    assert!(is_clean && entry(&text, "games").starts_with(&format!("{games}: ")), "{text}");
    let numbers: BTreeSet<_> = logs(&json).iter().map(|log| log.game).collect();
    assert!(numbers.into_iter().eq(1..=played + 2), "no game is lost or repeated");
}

#[test]
fn a_test_stops_the_match_when_an_engine_is_clearly_weaker() {
    let plot = new_file("test.svg");
    let (plot_name, json) = (plot.display().to_string(), new_file("test.json").display().to_string());
    let command = format!("cmd={SOFFIO}");
    let mut words = vec!["--engine", &command, "name=deep", "depth=4", "--engine", &command, "name=shallow", "depth=1"];
    words.extend([
        "--sprt", "elo0=0,elo1=200", "--games", "200", "--openings", "generate:plies=2,depth=4", "--win",
        "count=2,score=300", "--plot", &plot_name, "--json", &json, "--each", "option.Hash=1",
    ]);
    let (text, is_clean) = soffio_match(&words);
    assert!(is_clean && entry(&text, "SPRT").ends_with("H1 accepted"), "{text}");
    let games: u64 = entry(&text, "games").split(':').next().and_then(|games| games.parse().ok()).expect("a number");
    assert!((4..200).contains(&games), "{text}");
    let (again, is_clean) = soffio_match(&[&words[..], &["--resume", "--overwrite"]].concat());
    assert!(is_clean && again.contains(&format!(", {games} already played\n")), "{again}");
    assert_eq!(entry(&again, "games"), entry(&text, "games"), "a decided test is not continued");
    let picture = fs::read_to_string(plot).expect("it is drawn");
    for part in ["<svg", "games", "Elo", "LLR, elo0 0 elo1 200", "<polygon", "<polyline"] {
        assert!(picture.contains(part), "{part}");
    }
}

#[test]
fn several_engines_play_round_robins_and_gauntlets() {
    let command = format!("cmd={SOFFIO}");
    let mut words =
        two_engines(&command, &["depth=1", "option.TableMemory=0", "--engine", &command, "name=c", "--games", "2"]);
    let (text, is_clean) = soffio_match(&words);
    assert!(is_clean, "{text}");
    for pair in ["a - b: ", "a - c: ", "b - c: "] {
        assert!(text.contains(pair), "{pair}{text}");
    }
    words.extend(["--format", "gauntlet", "--repeat", "1"]);
    let (text, _) = soffio_match(&words);
    assert!(text.contains("a - c: ") && !text.contains("b - c: "), "{text}");
}

#[test]
fn every_round_has_one_opening_for_all_pairings() {
    let command = format!("cmd={SOFFIO}");
    let play = |more: &[&str]| {
        let json = new_file("rounds.json");
        let json_name = json.display().to_string();
        let mut words = two_engines(&command, &["depth=1", "--engine", &command, "name=c", "--json", &json_name]);
        words.extend(["--openings", "generate:plies=2,depth=1", "--max-moves", "3", "--concurrency", "1"]);
        words.extend(more);
        let (text, is_clean) = soffio_match(&words);
        assert!(is_clean, "{text}");
        let opening = |log: &GameLog| [&log.moves[0].text, &log.moves[1].text].map(String::clone);
        let games = logs(&json).into_iter().map(|log| (opening(&log), format!("{}{}", log.white, log.black)));
        games.unzip::<_, _, Vec<_>, Vec<_>>()
    };
    let (openings, players) = play(&["--rounds", "2"]);
    assert_eq!(players, ["ab", "ba", "ac", "ca", "bc", "cb", "ab", "ba", "ac", "ca", "bc", "cb"]);
    assert!(openings[..6].iter().all(|opening| *opening == openings[0]), "{openings:?}");
    assert!(openings[6..].iter().all(|opening| *opening == openings[6] && *opening != openings[0]), "{openings:?}");
    let (openings, players) = play(&["--rounds", "2", "--games", "1", "--repeat", "1"]);
    assert_eq!(players, ["ab", "ac", "bc", "ba", "ca", "cb"]);
    assert!(openings[0] == openings[2] && openings[2] != openings[3], "{openings:?}");
    let (openings, players) = play(&["--games", "4", "--format", "gauntlet"]);
    assert_eq!(players, ["ab", "ba", "ab", "ba", "ac", "ca", "ac", "ca"]);
    assert!(openings[1] != openings[2] && openings[..4] == openings[4..], "{openings:?}");
}

#[test]
fn a_match_can_be_played_without_forced_captures() {
    let command = format!("cmd={SOFFIO}");
    let (pdn, json) = (new_file("optional.pdn"), new_file("optional.json"));
    let (pdn_name, json_name) = (pdn.display().to_string(), json.display().to_string());
    let mut words = two_engines(&command, &["nodes=200", "--variant", "english", "--optional-capture", "--games", "4"]);
    words.extend(["--openings", "generate:plies=3,depth=2", "--pdn", &pdn_name, "--json", &json_name]);
    let (text, is_clean) = soffio_match(&words);
    assert!(is_clean && entry(&text, "games").starts_with("4: "), "{text}");
    let records = records(&pdn);
    assert!(records.iter().all(|record| record.tag("Variant") == Some("english-optional")), "{records:?}");
    let mut left_captures = 0;
    for record in &records {
        replay(Variant::EnglishOptional, record);
        let mut game = WrittenGame::new(Variant::EnglishOptional);
        for mv in &record.moves {
            let can_capture = game.legal_moves().iter().any(|text| text.contains('x'));
            left_captures += usize::from(can_capture && !mv.text.contains('x'));
            game.play(&[mv.text.parse().expect("a move")]).expect("it is legal");
        }
    }
    assert!(left_captures > 0, "forced captures change these games");

    let (text, is_clean) = soffio_match(&two_engines(&command, &["nodes=9", "--optional-capture"]));
    let error = "soffio: --optional-capture: captures are always forced in italian";
    assert!(!is_clean && text.contains(error), "{text}");
    let hub = format!("cmd={SOFFIO} hub");
    let words = ["--engine", &command, "--engine", &hub, "name=hub", "proto=hub", "--each", "nodes=9", "--concurrency"];
    let more = ["1", "--variant", "english", "--optional-capture"];
    let (text, is_clean) = soffio_match(&[&words[..], &more[..]].concat());
    assert!(!is_clean && text.contains("engine hub: english-optional is not supported"), "{text}");
}

#[test]
fn engines_of_different_protocols_play_each_other() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/program/matches/hub_engine.py");
    let (native, hub) = (format!("cmd={SOFFIO}"), format!("cmd=python3 '{script}' '{SOFFIO}'"));
    let json = new_file("hub.json");
    let json_name = json.display().to_string();
    let play = |variant: &str, more: &[&str]| {
        let mut words = vec!["--engine", &native, "name=native", "--engine", &hub, "name=hub", "proto=hub"];
        words.extend(["--each", "nodes=200", "--variant", variant, "--games", "2"]);
        words.extend(more);
        soffio_match(&words)
    };
    let (text, is_clean) = play("international", &["--json", &json_name]);
    assert!(is_clean, "{text}");
    // The same engine plays both sides, so the games with swapped colours are the same.
    assert_eq!(entry(&text, "pairs"), "0 0 1 0 0 (0, 1/2, 1, 1 1/2, 2 points)");
    let scored = |log: &GameLog| log.moves.iter().filter(|mv| mv.score.is_some() && mv.side == Color::White).count();
    assert!(logs(&json).iter().all(|log| scored(log) > 10), "both report their scores");
    let (text, is_clean) = play("italian", &["--openings", "startpos"]);
    assert!(!is_clean && text.contains("engine hub: italian is not supported"), "{text}");
}

#[test]
fn check_engine_goes_through_the_protocol() {
    // The limits are so long that the test does not fail on a busy machine.
    let patient = |words: &[&str]| soffio_match(&[&["--margin", "1m", "--stall", "20m"], words].concat());
    let command = format!("cmd={SOFFIO}");
    let (text, is_clean) = patient(&["--check", &command, "--variant", "english"]);
    assert!(is_clean && text.contains("36 steps, 0 failed"), "{text}");
    assert!(!text.contains("FAIL"), "{text}");
    let command = format!("cmd={SOFFIO} hub");
    let (text, is_clean) = patient(&["--check", &command, "proto=hub", "--variant", "international"]);
    assert!(is_clean && text.contains("35 steps, 0 failed"), "{text}");
}

#[test]
fn check_engine_reports_what_to_fix() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/program/matches/bad_engine.py");
    let command = format!("cmd=python3 '{script}' illegal");
    let (text, is_clean) = soffio_match(&["--check", &command]);
    assert!(!is_clean, "{text}");
    for line in [
        "ok    isready: readyok",
        "FAIL  uci: has an author: no line begins with 'id author'",
        "      print 'id author <author>'",
        "FAIL  go depth at the start position: '23-14' is not legal in W:W21",
    ] {
        assert!(text.lines().any(|found| found.starts_with(line)), "{line}\n{text}");
    }
}

#[test]
fn every_kind_of_limit_is_kept() {
    let command = format!("cmd={SOFFIO}");
    for limit in ["tc=1+0.01", "tc=10/1", "tc=3/1+0.1:2/1:1+0.01", "st=0.02", "movetime=20", "nodes=50", "depth=1"] {
        // Even on a busy machine, only a search that does not end on its own takes this long.
        let words = two_engines(&command, &[limit, "--games", "1", "--max-moves", "25", "--margin", "1m"]);
        let (text, is_clean) = soffio_match(&words);
        assert!(is_clean, "{limit}: {text}");
    }
}

#[test]
fn games_end_by_agreement_of_both() {
    let command = format!("cmd={SOFFIO}");
    let draw = ["depth=1", "--games", "1", "--draw", "move=3,count=2,score=30000"];
    let (text, _) = soffio_match(&two_engines(&command, &draw));
    assert_eq!((entry(&text, "ended by"), entry(&text, "games")), ("adjudication 1", "1: +0 =1 -0, 50.0 %"), "{text}");
}

#[test]
fn unplayable_matches_are_rejected_in_one_line() {
    let command = format!("cmd={SOFFIO}");
    let (lost, missing) = (new_file("lost.fen"), new_file("missing.fen"));
    fs::write(&lost, "W:W21:B1,5\nW:W:B5\n").expect("it can be written");
    let (lost, missing) = (lost.display().to_string(), missing.display().to_string());
    for (more, error) in [
        (vec![], "engine 1: no move limit given: set tc, st, movetime, nodes or depth"),
        (vec!["depth=1", "--openings", &missing], "missing.fen: No such file"),
        (vec!["depth=1", "--openings", &lost], "lost.fen: line 2: the game ends during the opening"),
        (vec!["depth=1", "--openings", "generate:plies=9,margin=1"], "lines; use fewer plies"),
        (
            // With several concurrent games, either engine could be the first to refuse the option.
            vec!["depth=1", "option.Hash=0", "--openings", "startpos", "--concurrency", "1"],
            "engine a: error option Hash must be a number from 1",
        ),
        (vec!["depth=1", "hash=1"], "engine 1: unknown key 'hash'; expected cmd"),
    ] {
        let (text, is_clean) = soffio_match(&two_engines(&command, &more));
        assert!(!is_clean && text.contains(error), "{more:?}: {text}");
        assert!(text.lines().any(|line| line.starts_with("soffio: ") && line.contains(error)), "{text}");
    }
}

#[test]
fn positions_in_files_are_openings() {
    let openings = read_openings("W:W21,25:B1,5\n23-19 10-14\n", None, Variant::Italian).expect("they can be read");
    assert_eq!(openings.len(), 2);
    let path = new_file("openings.txt");
    fs::write(&path, "W:W21,25:B1,5\n23-19 10-14\n").expect("it can be written");
    let json = new_file("openings.json");
    let (name, json_name, command) = (path.display().to_string(), json.display().to_string(), format!("cmd={SOFFIO}"));
    let more = ["depth=1", "--openings", &name, "--games", "4", "--json", &json_name, "--concurrency", "1"];
    let (text, is_clean) = soffio_match(&two_engines(&command, &more));
    assert!(is_clean, "{text}");
    let logs = logs(&json);
    assert_eq!(logs[0].fen.as_deref(), Some("W:W21,25:B1,5"));
    assert_eq!(logs[1].fen, logs[0].fen);
    assert_eq!((logs[2].fen.as_deref(), logs[2].moves[1].text.as_str()), (None, "10-14"));
    assert_eq!((logs[2].moves[0].side, logs[2].white.as_str()), (Color::White, "a"));
}

#[test]
fn opening_files_are_read_in_every_encoding() {
    let path = new_file("latin.pdn");
    let (name, command) = (path.display().to_string(), format!("cmd={SOFFIO}"));
    let game = "[Event \"Citt\u{e0} di Castello\"]\n1. 23-19 10-14 *\n";
    let latin: Vec<u8> = game.chars().map(|c| c as u8).collect();
    let marked = format!("\u{feff}{game}").into_bytes();
    let wide: Vec<u8> = format!("\u{feff}{game}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    for bytes in [latin, marked, wide, b"# citt\xe0\r23-19 10-14\r".to_vec()] {
        fs::write(&path, bytes).expect("it can be written");
        let more = ["depth=1", "--openings", &name, "--games", "2", "--max-moves", "2"];
        let (text, is_clean) = soffio_match(&two_engines(&command, &more));
        assert!(is_clean && entry(&text, "games").starts_with("2: "), "{text}");
    }
}
