//! Tests of the reports during a match.

use super::{SOFFIO, logs, soffio_match, two_engines};
use crate::common::records::new_file;
use soffio_match::GameLog;

fn game_lines(text: &str) -> Vec<&str> {
    text.lines().filter(|line| line.starts_with("game ") && line.contains(" of ")).collect()
}

#[test]
fn a_match_starts_with_its_limits_and_reports_how_each_game_ended() {
    let command = format!("cmd={SOFFIO}");
    let json = new_file("lines.json");
    let name = json.display().to_string();
    let more =
        ["tc=40/5+0.1", "--max-moves", "5", "--games", "2", "--concurrency", "1", "--margin", "10s", "--json", &name];
    let (text, is_clean) = soffio_match(&two_engines(&command, &more));
    assert!(is_clean && !text.contains('\u{1b}'), "{text}");
    let lines: Vec<_> = text.lines().collect();
    assert!(lines[0].starts_with("2 games, italian, concurrency 1, seed "), "{text}");
    assert_eq!(lines[1], "  a              5 s per 40 moves plus 100 ms per move, time margin 10 s");
    assert!(lines[2].starts_with("  b  ") && lines[2].contains(", time margin "), "{text}");
    let plies: Vec<_> = logs(&json).iter().map(|log| log.moves.len()).collect();
    let line = |number: usize, players: &str| {
        let plies = plies[number - 1];
        format!("game {number} of 2: {players}: draw, move limit, {plies} plies")
    };
    assert_eq!(game_lines(&text), [line(1, "a - b"), line(2, "b - a")]);
    assert!(lines.iter().any(|line| line.starts_with("played 1/2  +0 =1 -0")), "{text}");
    for line in ["Finished game 1 (a vs b): 1/2-1/2 {move limit}", "Finished game 2 (b vs a): 1/2-1/2 {move limit}"] {
        assert!(lines.contains(&line), "{line}: {text}");
    }
    let quiet = ["depth=1", "--max-moves", "5", "--games", "2", "--openings", "startpos", "--quiet"];
    let (text, is_clean) = soffio_match(&two_engines(&command, &quiet));
    assert!(is_clean && game_lines(&text).is_empty() && text.contains("ended by"), "{text}");
    assert!(!text.contains("Finished"), "{text}");
}

#[test]
fn a_fault_is_reported_at_once_with_its_cause() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/program/matches/bad_engine.py");
    // The answer must not control the user's terminal.
    for (fault, answer) in [("illegal", "23-14: "), ("nonsense", "??[2J999")] {
        let (bad, good) = (format!("cmd=python3 '{script}' {fault}"), format!("cmd={SOFFIO}"));
        let mut words = vec!["--engine", &bad, "name=bad", "--engine", &good, "name=good", "--openings", "startpos"];
        words.extend(["--games", "1", "--each", "depth=1", "--quiet"]);
        let (text, is_clean) = soffio_match(&words);
        let line = format!("game 1 of 1: bad - good: Black won, illegal move: {answer}");
        assert!(!is_clean && game_lines(&text).len() == 1 && game_lines(&text)[0].starts_with(&line), "{text}");
        assert!(text.contains(&format!("\nFinished game 1 (bad vs good): 0-1 {{illegal move: {answer}")), "{text}");
    }
}

#[test]
fn an_illegal_opening_is_reported_with_its_line_before_the_match() {
    let (command, file) = (format!("cmd={SOFFIO}"), new_file("openings.epd"));
    let name = file.display().to_string();
    let words = two_engines(&command, &["depth=1", "--max-moves", "1", "--rounds", "2", "--openings", &name]);
    std::fs::write(&file, "W:W21,25:B1,5; id \"start\";\nW:W21,25:B1,6 id \"other\";\n").expect("it can be written");
    let (text, is_clean) = soffio_match(&words);
    assert!(is_clean && text.contains("Finished game 4 "), "{text}");
    for (bad, error) in [("W:W21,25:B1,99; id \"end\";", "fen "), ("23-19 12-17", "move 12-17: ")] {
        std::fs::write(&file, format!("# one\nW:W21,25:B1,5;\n{bad}\n")).expect("it can be written");
        let (text, is_clean) = soffio_match(&words);
        let lines: Vec<_> = text.lines().collect();
        assert!(!is_clean && lines.len() == 1, "nothing is printed before it: {text}");
        assert!(
            lines[0].starts_with("soffio: ") && lines[0].contains(&format!("openings.epd: line 3: {error}")),
            "{text}"
        );
    }
}

#[test]
fn arguments_can_come_from_a_file_and_cutechess_options_are_recognised() {
    let file = new_file("match.txt");
    let text =
        format!("\u{feff}# two engines\n--engine 'cmd={SOFFIO}' name=a --engine 'cmd={SOFFIO}' name=b\n--games 4\n");
    std::fs::write(&file, text + "--each depth=1 option.Hash=1\n  --openings startpos --max-moves 1\n")
        .expect("written");
    let name = file.display().to_string();
    let (text, is_clean) = soffio_match(&["--config", &name, "--games", "2"]);
    assert!(is_clean && text.starts_with("2 games, italian"), "the command line takes precedence: {text}");
    assert!(text.contains("Finished game 2 (b vs a)"), "{text}");
    let (text, is_clean) = soffio_match(&[&format!("--config={name}"), "--each", "depth=2"]);
    assert!(is_clean && text.contains("  a              depth 2\n"), "{text}");
    let unclosed = format!("{name}.unclosed");
    std::fs::write(&unclosed, "# comment\n--games 2\n--engine 'cmd=a\n").expect("it can be written");
    for (words, error) in [
        (&["-engine", "cmd=a"][..], "unknown option '-engine': use --engine"),
        (&["--engine", "cmd=a", "-pgnout", "a.pgn"], "'-pgnout' is not supported: use --pdn FILE"),
        (&["--config", "/does/not/exist"], "--config: /does/not/exist: No such file or directory"),
        (&["--config"], "--config: file name missing"),
        (&["--config", &unclosed], &format!("--config: {unclosed}: line 3 has an unclosed quotation mark")),
    ] {
        let (text, is_clean) = soffio_match(words);
        assert!(!is_clean && text.starts_with(&format!("error: {error}")), "{text}");
    }
    std::fs::write(&file, format!("--config {name}\n--engine cmd=a --engine cmd=b")).expect("it can be written");
    let (text, is_clean) = soffio_match(&["--config", &name]);
    assert!(!is_clean && text.contains("soffio: --config: not allowed inside a configuration file"), "{text}");
}

#[test]
fn a_match_that_cannot_start_prints_no_table() {
    let missing = ["--engine", "cmd=./no-such-engine", "--engine", "cmd=./no-such-engine", "--each", "depth=1"];
    let (text, is_clean) = soffio_match(&[&missing[..], &["--openings", "startpos"]].concat());
    assert!(!is_clean && text.contains("cannot start ") && !text.contains("ended by"), "{text}");
    assert!(!text.contains("Elo") && !text.contains("games          "), "{text}");
}

#[test]
fn counts_have_the_right_plural() {
    let command = format!("cmd={SOFFIO}");
    let file = new_file("single.txt");
    std::fs::write(&file, "23-19 10-14\n").expect("it can be written");
    let name = file.display().to_string();
    let more = ["depth=1", "--openings", &name, "--games", "1", "--max-moves", "1", "--concurrency", "1"];
    let (text, is_clean) = soffio_match(&two_engines(&command, &more));
    assert!(is_clean && text.starts_with("1 game, italian, concurrency 1\n"), "{text}");
    let (text, _) = soffio_match(&two_engines(&command, &[&more[..], &["--rounds", "2"]].concat()));
    assert!(text.starts_with("1 opening available, 2 needed: openings are repeated\n2 games, "), "{text}");
    let (text, is_clean) = soffio_match(&two_engines(&command, &[&more[..], &["--start", "2"]].concat()));
    assert!(!is_clean && text.ends_with("--start 2: only 1 opening available\n"), "{text}");
    std::fs::write(&file, "23-19 10-14\n23-19 10-14\n").expect("it can be written");
    let (text, _) = soffio_match(&two_engines(&command, &[&more[..], &["--rounds", "2"]].concat()));
    assert!(text.starts_with("1 of 2 openings repeated: deterministic engines play the same games again\n"), "{text}");
}

/// Returns the seed that a match prints in its first line.
fn seed(text: &str) -> &str {
    let line = text.lines().next().unwrap_or_default();
    line.split_once(", seed ")
        .map_or_else(|| panic!("no seed: {text}"), |(_, seed)| seed.split(',').next().unwrap_or(seed))
}

#[test]
fn every_match_can_be_repeated_from_its_seed() {
    let command = format!("cmd={SOFFIO}");
    let play = |json: &str, more: &[&str]| {
        let words = ["depth=1", "--max-moves", "3", "--openings", "built-in", "--concurrency", "1", "--json", json];
        let (text, is_clean) = soffio_match(&two_engines(&command, &[&words[..], more].concat()));
        assert!(is_clean, "{text}");
        let opening = |log: GameLog| log.moves.iter().take(3).map(|mv| mv.text.clone()).collect::<Vec<_>>().join(" ");
        (seed(&text).to_owned(), logs(std::path::Path::new(json)).into_iter().map(opening).collect::<Vec<_>>())
    };
    let new = |name: &str| new_file(name).display().to_string();
    let (first, second, third) = (new("seed-1.json"), new("seed-2.json"), new("seed-3.json"));
    let (own, openings) = play(&first, &["--rounds", "3"]);
    let (other, _) = play(&second, &["--rounds", "3"]);
    assert_ne!(own, other, "a different match has different openings");
    assert_eq!(play(&third, &["--rounds", "3", "--seed", &own]), (own.clone(), openings.clone()));
    // A resumed match continues with the same openings.
    let (again, all) = play(&first, &["--rounds", "5", "--resume"]);
    assert_eq!((&again, &all[..6]), (&own, &openings[..]));
    assert_eq!(play(&third, &["--rounds", "5", "--resume", "--seed", &own]).1, all);
    // All shards of a match need the same seed.
    let parts = [new("seed-4.json"), new("seed-5.json")];
    let seeds =
        [("1/2", &parts[0]), ("2/2", &parts[1])].map(|(part, json)| play(json, &["--rounds", "2", "--shard", part]).0);
    assert_eq!(seeds, ["1", "1"]);
    // If nothing in a match is random, no seed is printed.
    let (text, _) = soffio_match(&two_engines(
        &command,
        &["depth=1", "--games", "2", "--openings", "startpos", "--max-moves", "1"],
    ));
    assert!(text.starts_with("2 games, italian, ") && !text.contains("seed"), "{text}");
    let tavla = format!("cmd={SOFFIO} tavla");
    let words = [
        "--variant", "tavla", "--engine", &tavla, "name=a", "--engine", &tavla, "name=b", "--each", "depth=1",
        "--games", "2",
    ];
    let [one, two] = [(), ()].map(|()| soffio_match(&words).0);
    assert_ne!(seed(&one), seed(&two), "{one}");
    let dice = soffio_match(&[&words[..], &["--seed", "7"]].concat()).0;
    assert_eq!(seed(&dice), "7");
}

#[test]
fn openings_are_played_in_the_requested_order() {
    let command = format!("cmd={SOFFIO}");
    let file = new_file("ordered.txt");
    std::fs::write(&file, "23-19 10-14\n23-20 10-14\n21-17 10-14\n22-18 10-14\n").expect("it can be written");
    let file = file.display().to_string();
    let play = |more: &[&str]| {
        let json = new_file("ordered.json");
        let name = json.display().to_string();
        let mut words = two_engines(&command, &["depth=1", "--max-moves", "2", "--rounds", "3", "--concurrency", "1"]);
        words.extend(["--openings", &file, "--json", &name]);
        words.extend(more);
        let (text, is_clean) = soffio_match(&words);
        assert!(is_clean, "{text}");
        logs(&json).into_iter().map(|log| (log.moves[0].text.clone(), log.white)).collect::<Vec<_>>()
    };
    let openings = |games: &[(String, String)]| games.iter().step_by(2).map(|game| game.0.clone()).collect::<Vec<_>>();
    assert_eq!(openings(&play(&[])), ["23-19", "23-20", "21-17"]);
    assert_eq!(openings(&play(&["--start", "4"])), ["22-18", "23-19", "23-20"]);
    let random = play(&["--order", "random", "--seed", "3"]);
    assert_eq!(random, play(&["--seed", "3"]), "a seed selects a random order");
    assert_ne!(openings(&random), openings(&play(&["--order", "sequential", "--seed", "3"])));
    let whites: Vec<_> = play(&["--no-swap"]).into_iter().map(|(_, white)| white).collect();
    assert_eq!(whites, ["a"; 6]);
    let words = two_engines(&command, &["depth=1", "--openings", &file, "--start", "5"]);
    let (text, is_clean) = soffio_match(&words);
    assert!(!is_clean && text.contains("soffio: --start 5: only 4 openings available\n"), "{text}");
}
