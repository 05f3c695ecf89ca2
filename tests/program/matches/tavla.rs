//! Tests of tavla matches: games with the same dice and swapped sides, points, files, and invalid options.

use super::{SOFFIO, entry, soffio_match};
use crate::common::records::new_file;
use soffio_match::GameLog;
use soffio_tavla::game::{Color, TavlaGame, TavlaState, TavlaStatus};
use soffio_tavla::rules::{Roll, Rules};
use std::fs;
use std::path::Path;

/// Runs a match between two instances of this program. `one` and `two` are their options and limits, and `more` is
/// appended.
fn tavla_match(one: &[&str], two: &[&str], more: &[&str]) -> (String, bool) {
    let command = format!("cmd={SOFFIO} tavla");
    let mut words = vec!["--variant", "tavla", "--engine", &command, "name=a"];
    words.extend(one);
    words.extend(["--engine", &command, "name=b"]);
    words.extend(two);
    words.extend(["--each", "depth=1", "--margin", "60000"]);
    words.extend(more);
    soffio_match(&words)
}

fn logs(path: &Path) -> Vec<GameLog> {
    let text = fs::read_to_string(path).expect("the match has written it");
    text.lines().skip(1).map(|line| serde_json::from_str(line).expect("a line is a game")).collect()
}

/// Returns the points in the `points` line of the table, without the error.
fn points(text: &str) -> f64 {
    entry(text, "points").split(' ').next().and_then(|word| word.parse().ok()).expect("a number")
}

/// Replays the game of `log`, and asserts that the winner and the points are correct. Returns the rolls.
fn replay(log: &GameLog, rules: Rules) -> Vec<Roll> {
    let mut game = TavlaGame::new(rules, TavlaState::start());
    let mut rolls = Vec::new();
    for mv in &log.moves {
        let (roll, play) = mv.text.split_once(':').expect("dice and a play");
        let roll: Roll = roll.parse().expect("dice");
        assert_eq!(mv.side, game.state().side);
        game.set_dice(roll).expect("the game continues");
        assert_eq!(mv.us.is_none(), play == "pass", "a side that must pass gets no request: {}", mv.text);
        game.play(&play.parse().expect("a play")).expect("a legal play");
        rolls.push(roll);
    }
    let TavlaStatus::Won { winner, is_mars, points } = game.status() else { panic!("{log:?} has not ended") };
    assert_eq!((log.winner, log.points), (Some(winner), Some(points)));
    assert_eq!(log.termination, if is_mars { "mars" } else { "all borne off" });
    rolls
}

#[test]
fn both_games_of_a_pair_have_the_same_dice_and_points_are_counted() {
    let json = new_file("tavla.json");
    let json_name = json.display().to_string();
    let (text, is_clean) = tavla_match(
        &[],
        &["option.Player=random"],
        &["--games", "12", "--mars", "--seed", "7", "--json", &json_name, "--concurrency", "2"],
    );
    assert!(is_clean && text.contains("a against b, tavla, same dice in both games of a pair\n"), "{text}");
    assert!(points(&text) > 0.8 && entry(&text, "games").starts_with("12: +"), "{text}");
    assert!(text.contains("\nFinished game 12 (b vs a): "), "{text}");
    let mut logs = logs(&json);
    logs.sort_by_key(|log| log.game);
    assert_eq!(logs.len(), 12);
    let rules = Rules { mars: true, ..Rules::default() };
    let mut sum = 0;
    for pair in logs.chunks(2) {
        assert_eq!((pair[0].white.as_str(), pair[1].white.as_str()), ("a", "b"));
        let [one, two] = [&pair[0], &pair[1]].map(|log| replay(log, rules));
        assert!(one.iter().zip(&two).all(|(one, two)| one == two), "the dice are the same while both games last");
        for log in pair {
            let winner = if log.winner == Some(Color::White) { &log.white } else { &log.black };
            let points = i32::from(log.points.expect("games of tavla count points"));
            sum += if winner == "a" { points } else { -points };
        }
    }
    assert!((points(&text) - f64::from(sum) / 12.0).abs() < 1e-4, "{sum}: {text}");

    // The same seed gives the same match, whether games are played one at a time or concurrently.
    let more = ["--games", "12", "--mars", "--seed", "7", "--concurrency", "1"];
    let again = tavla_match(&[], &["option.Player=random"], &more).0;
    assert_eq!(entry(&again, "points"), entry(&text, "points"));
}

#[test]
fn an_engine_against_itself_scores_even_and_a_match_can_be_resumed() {
    let json = new_file("tavla-resumed.json");
    let json_name = json.display().to_string();
    let plain: &[&str] = &["option.Player=expectiminimax"];
    let play = |more: &[&str]| {
        let mut words = vec!["--json", &json_name, "--no-hit-and-run"];
        words.extend(more);
        tavla_match(plain, plain, &words)
    };
    let (text, is_clean) = play(&["--games", "4"]);
    assert!(is_clean && entry(&text, "points").starts_with("+0.0000 +/- 0.6189 points per game"), "{text}");
    let rules = Rules { hit_and_run: false, ..Rules::default() };
    assert!(logs(&json).iter().all(|log| replay(log, rules).len() > 20));
    let lines = fs::read_to_string(&json).expect("it is written");
    fs::write(&json, &lines[..lines.len() - 20]).expect("it can be written");
    let (text, is_clean) = play(&["--games", "6", "--resume"]);
    assert!(is_clean && entry(&text, "games").starts_with("6: "), "{text}");
    let mut numbers: Vec<_> = logs(&json).iter().map(|log| log.game).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6]);
    let (text, is_clean) = play(&["--games", "6", "--resume", "--mars"]);
    assert!(!is_clean && text.contains("the journal belongs to a different match"), "{text}");
}

#[test]
fn options_for_draughts_are_rejected_with_the_reason() {
    for (words, reason) in [
        (&["--sprt", "elo0=0,elo1=5"][..], "--sprt: tavla is scored in points per game"),
        (&["--plot", "x.svg"], "--plot: tavla is scored in points per game"),
        (&["--openings", "startpos"], "--openings: tavla games begin at the start position"),
        (&["--plies", "4"], "--plies: tavla games begin"),
        (&["--pdn", "x.pdn"], "--pdn: tavla games cannot be written as PDN"),
        (&["--draw", "move=40,count=8,score=10"], "--draw: tavla games are always played to the end"),
        (&["--win", "count=8,score=400"], "--win: tavla games are always played to the end"),
        (&["--tables", "x"], "--tables: tavla games are always played to the end"),
        (&["--repeat", "4"], "--repeat: both games of a pair use the same dice"),
        (&["--games", "3"], "--games: must be even in tavla"),
        (&["--optional-capture"], "--optional-capture: tavla has no captures"),
        (&["--each", "option.mars=true"], "option.mars: set the rules with --mars and --no-hit-and-run"),
        (&["--engine", "cmd=c"], "a tavla match needs exactly two engines"),
    ] {
        let (text, is_clean) = tavla_match(&[], &[], words);
        assert!(!is_clean && text.contains(reason), "{words:?}: {text}");
    }
    let (text, is_clean) = soffio_match(&["--variant", "tavla", "--check", "cmd=x"]);
    assert!(!is_clean && text.contains("--check: only draughts engines"), "{text}");
    let (text, is_clean) = tavla_match(&["proto=hub"], &[], &["--games", "2"]);
    assert!(!is_clean && text.contains("engine a: tavla requires the native protocol"), "{text}");
    for (words, reason) in [
        ("--mars", "--mars: only available with --variant tavla"),
        ("--no-hit-and-run", "--no-hit-and-run: only available with --variant tavla"),
    ] {
        let (text, is_clean) = soffio_match(&["--engine", "cmd=a", "--engine", "cmd=b", "--each", "depth=1", words]);
        assert!(!is_clean && text.contains(reason), "{text}");
    }
}

#[test]
fn engines_that_cannot_play_tavla_lose_and_the_match_continues() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/program/matches/bad_engine.py");
    let good = format!("cmd={SOFFIO} tavla");
    for (fault, termination) in [("none", "illegal move"), ("crash", "crash"), ("refuse", "rejected")] {
        let bad = format!("cmd=python3 '{script}' '{fault}'");
        let mut words = vec!["--variant", "tavla", "--engine", &bad, "name=bad", "--engine", &good, "name=good"];
        words.extend(["--each", "depth=1", "--margin", "60000", "--games", "2", "--concurrency", "1"]);
        let (text, is_clean) = soffio_match(&words);
        assert!(!is_clean && entry(&text, "games").starts_with("2: +0 =0 -2"), "{fault}: {text}");
        assert_eq!(entry(&text, "ended by"), format!("{termination} 2"), "{text}");
        assert!(entry(&text, "points").starts_with("-1.0000 +/- 0.8552"), "{text}");
        assert!(entry(&text, "bad   ").ends_with(&format!(", {termination} 2")), "{text}");
    }
    let (text, is_clean) = tavla_match(&["option.Player=random"], &[], &["--games", "2", "--max-moves", "3"]);
    assert!(is_clean && entry(&text, "ended by") == "move limit 2", "{text}");
    assert!(entry(&text, "points").starts_with("+0.0000"), "{text}");
}
