//! Tests of `soffio batch` and `soffio merge`. The records do not depend on how the work is split, interrupted and
//! resumed.

use crate::process::{command, output, program};
use soffio::notation::WrittenGame;
use soffio::rules::Variant;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::thread::sleep;
use std::time::Duration;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("batch-{name}"));
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).expect("the folder can be created");
    folder
}

fn run(arguments: &[&str], input: &str) -> Output {
    output(program(arguments), input)
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("the output is text")
}

fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn sorted(text: &str) -> Vec<String> {
    let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

/// Returns requests for positions from random games and for a game of each variant. All positions have too many pieces
/// for the endgame tables.
fn requests() -> String {
    let mut random = fastrand::Rng::with_seed(7);
    let mut requests = String::new();
    for variant in [Variant::English, Variant::Russian, Variant::International] {
        let mut game = WrittenGame::new(variant);
        let mut moves = Vec::new();
        for ply in 0..12 {
            let fen = game.fen();
            requests += &format!("{{\"id\":\"{variant}-{ply}\",\"variant\":\"{variant}\",\"fen\":\"{fen}\"}}\n");
            let legal = game.legal_moves();
            let Some(text) = random.choice(&legal) else { break };
            moves.push(text.clone());
            game.play(&[text.parse().expect("it is a move")]).expect("it is legal");
        }
        let moves = moves.join(" ");
        requests +=
            &format!("{{\"id\":\"{variant}\",\"variant\":\"{variant}\",\"moves\":\"{moves}\",\"plies\":true}}\n");
    }
    requests + "nonsense\n"
}

#[test]
fn the_records_are_the_same_however_the_work_is_split() {
    let (folder, requests) = (folder("split"), requests());
    let file = folder.join("requests.jsonl");
    fs::write(&file, &requests).expect("it can be written");
    let file = file.to_str().expect("the path is text");
    let batch = |more: &[&str], input: &str| text(&run(&[&["batch", "--nodes", "300"], more].concat(), input));
    let whole = batch(&[], &requests);
    assert_eq!(whole.lines().count(), 3 * (12 + 13) + 1);
    assert_eq!(batch(&["--threads", "3", "--ordered"], &requests), whole);
    assert_eq!(sorted(&batch(&["--threads", "2", file], "")), sorted(&whole));
    let backwards: Vec<_> = requests.lines().rev().filter(|line| *line != "nonsense").collect();
    let good: Vec<_> = sorted(&whole).into_iter().filter(|line| !line.contains("error")).collect();
    assert_eq!(sorted(&batch(&[], &backwards.join("\n"))), good);

    let parts: Vec<_> = (1..=3).map(|part| folder.join(format!("{part}.jsonl"))).collect();
    for (path, part) in parts.iter().zip(1..) {
        fs::write(path, batch(&["--shard", &format!("{part}/3"), file], "")).expect("it can be written");
    }
    let paths: Vec<_> = parts.iter().map(|path| path.to_str().expect("the path is text")).collect();
    let merged = run(&[&["merge", "--requests", file], &paths[..]].concat(), "");
    assert!(merged.status.success() && text(&merged) == whole, "{merged:?}");
    let lacking = run(&["merge", "--requests", file, paths[0], paths[1], paths[1]], "");
    let errors = String::from_utf8_lossy(&lacking.stderr).into_owned();
    assert!(!lacking.status.success());
    assert!(errors.contains("13 requests duplicated: english-1,"), "{errors}");
    assert!(errors.contains("13 requests missing: english-2, english-5,"), "{errors}");
}

#[test]
fn shards_of_annotated_games_and_self_play_are_merged() {
    let folder = folder("parts");
    let path = |name: &str| folder.join(name).to_str().expect("the path is text").to_owned();
    let games: String = (0..7)
        .map(|number| {
            let moves = ["11-15 22-18 2. 15x22", "11-15 22-99", "9-14 22-18 2. 5-9 25-22", "11- {"][number % 4];
            format!("[White \"player {number}\"]\n[GameType \"21\"]\n\n1. {moves} *\n\n")
        })
        .collect();
    let file = path("games.pdn");
    fs::write(&file, games).expect("it can be written");
    let (out, data) = (path("whole"), path("whole-data"));
    let selfplay = |more: &[&str]| {
        run(&[&["selfplay", "--variant", "english", "--games", "9", "--nodes", "20", "--out"], more].concat(), "")
    };
    assert!(selfplay(&[&data]).status.success());
    let annotate = |more: &[&str]| run(&[&["annotate", &file, "--nodes", "200"], more].concat(), "");
    let cases: [(&str, &[&str]); 2] = [("pdn", &[]), ("jsonl", &["--json"])];
    for (kind, form) in cases {
        let whole = text(&annotate(form));
        let parts: Vec<_> = (1..=3).map(|part| path(&format!("{part}.{kind}"))).collect();
        for (name, part) in parts.iter().zip(1..) {
            let done = annotate(&[form, &["--shard", &format!("{part}/3")]].concat());
            fs::write(name, done.stdout).expect("it can be written");
        }
        let merge = |parts: &[&String]| {
            let of = if kind == "pdn" { &[][..] } else { &["--requests", &file] };
            let words: Vec<_> = parts.iter().map(|part| part.as_str()).collect();
            let merged = run(&[&["merge"], of, &words].concat(), "");
            (text(&merged), String::from_utf8_lossy(&merged.stderr).into_owned(), merged.status.success())
        };
        let (merged, errors, is_whole) = merge(&[&parts[2], &parts[0], &parts[1]]);
        assert!(is_whole && merged == whole, "{kind}: {errors}{merged}\n{whole}");
        let (_, errors, is_whole) = merge(&[&parts[0], &parts[0], &parts[2]]);
        assert!(!is_whole && errors.contains("missing: 2, 5\n") && errors.contains("duplicated"), "{errors}");
        let torn = fs::read(&parts[1]).expect("it is there");
        fs::write(&parts[1], &torn[..torn.len() - 9]).expect("it can be written");
        let (_, errors, is_whole) = merge(&[&parts[0], &parts[1], &parts[2]]);
        assert!(!is_whole && errors.contains("missing: 5\n") && errors.contains("skipped"), "{errors}");
    }

    let parts: Vec<_> = (1..=2).map(|part| path(&format!("{part}.data"))).collect();
    for (name, part) in parts.iter().zip(["1/2", "2/2"]) {
        assert!(selfplay(&[name, "--shard", part]).status.success());
    }
    let merged = run(&["merge", "--out", &out, &parts[1], &parts[0]], "");
    assert!(merged.status.success(), "{merged:?}");
    assert_eq!(fs::read(&out).ok(), fs::read(&data).ok());
    let foreign = run(&["merge", "Cargo.toml"], "");
    assert_eq!(
        String::from_utf8_lossy(&foreign.stderr),
        "soffio: Cargo.toml: not a shard: expected records, annotated games, self-play games or a match\n"
    );
    let lacking = run(&["merge", "--out", &path("lacking"), &parts[0]], "");
    assert!(String::from_utf8_lossy(&lacking.stderr).contains("4 games missing: 1, 3, 5, 7\n"), "{lacking:?}");
}

#[test]
fn unreadable_games_and_lines_that_look_like_markers_are_merged() {
    let folder = folder("markers");
    let path = |name: &str| folder.join(name).to_str().expect("the path is text").to_owned();
    let (file, parts) = (path("games.pdn"), [path("1.pdn"), path("2.pdn")]);
    for games in [
        "; game 1\n[White \"a\"]\n1. 9-50 *\n\n[White \"b\"]\n1. 32-28 *\n",
        "; game 1, 14 bytes\n1. 9-50 *\n\n[White \"b\"]\n1. 32-28 *\n",
        "[White \"a\"]\n1. 9-50 *\n\n[White \"b\"]\n1. 9-50 *",
        "1. 9-50 * 1. 9-51 * 1. 32-28 * 1. 33-29 *",
    ] {
        fs::write(&file, games).expect("it can be written");
        let annotate = |more: &[&str]| run(&[&["annotate", &file, "--depth", "1"], more].concat(), "");
        for (part, shard) in parts.iter().zip(["1/2", "2/2"]) {
            annotate(&["--shard", shard, "--out", part, "--overwrite"]);
        }
        let merged = run(&["merge", &parts[0], &parts[1]], "");
        assert!(merged.status.success(), "{merged:?}");
        assert_eq!(text(&merged), text(&annotate(&[])));
    }
    fs::write(&parts[0], "; part 1/2 of the games 1-2\n[White \"a\"]\n1. 9-50 *\n\n; game 1\n").expect("it is written");
    let old = run(&["merge", &parts[0], &parts[1]], "");
    assert!(!old.status.success() && text_of(&old.stderr).contains("an older version wrote it"), "{old:?}");
}

#[test]
fn a_truncated_file_of_games_is_reported() {
    let folder = folder("truncated");
    let path = |name: &str| folder.join(name).to_str().expect("the path is text").to_owned();
    let data = path("games.data");
    let selfplay =
        ["selfplay", "--variant", "english", "--games", "3", "--depth", "1", "--threads", "1", "--out", &data];
    assert!(run(&selfplay, "").status.success());
    let whole = fs::read(&data).expect("it is there");
    fs::write(&data, &whole[..whole.len() - 50]).expect("it can be written");
    let (first, second) = (path("first"), path("second"));
    let commands: [&[&str]; 4] = [
        &["data", &data],
        &["data", "--csv", &data],
        &["data", &data, "--split", "2", "--into", &first, &second],
        &["puzzles", &data],
    ];
    for command in commands {
        let run = run(command, "");
        let errors = text_of(&run.stderr);
        assert_eq!(run.status.code(), Some(1), "{command:?}: {errors}");
        assert!(errors.contains("the end of the file is missing because writing was interrupted\n"), "{errors}");
    }
    assert!(!Path::new(&first).exists() && !Path::new(&second).exists(), "there are no games to split");
}

#[test]
fn a_killed_run_can_be_resumed() {
    let (folder, requests) = (folder("killed"), requests());
    let out = folder.join("records.jsonl");
    let arguments = ["batch", "--nodes", "300", "--ordered", "--resume", out.to_str().expect("the path is text")];
    let whole = text(&run(&arguments[..4], &requests));
    let written = || fs::read_to_string(&out).unwrap_or_default();
    // Kills the process after a short time, and also truncates the file at places where a write can be interrupted.
    let mut child = program(&arguments).spawn().expect("the program can be started");
    child.stdin.take().expect("the input is a pipe").write_all(requests.as_bytes()).expect("it is read");
    sleep(Duration::from_millis(30));
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    for cut in (0..whole.len()).step_by(whole.len() / 7).map(Some).chain([None]) {
        if let Some(cut) = cut {
            fs::write(&out, &whole.as_bytes()[..cut]).expect("it can be written");
        }
        let again = run(&arguments, &requests);
        assert_eq!(written(), whole, "cut at {cut:?}");
        assert!(!again.status.success() && again.stdout.is_empty(), "one request is nonsense: {again:?}");
    }
    let errors = String::from_utf8_lossy(&run(&arguments, &requests).stderr).into_owned();
    assert!(errors.contains("done: 0 requests (40 more from an earlier run)"), "{errors}");
    fs::write(&out, "nonsense\n").expect("it can be written");
    let refused = run(&arguments, &requests);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("line 1 is not a record"), "{refused:?}");
}

/// Commands that resume a file must not change it while another process writes to it, and must not create other files.
#[test]
#[cfg(unix)]
fn a_file_locked_by_another_process_is_not_changed() {
    let folder = folder("locked");
    let path = |name: &str| folder.join(name).display().to_string();
    let (held, games) = (path("held"), path("games.pdn"));
    fs::write(&games, "1. 11-15 23-19 8-11 *\n").expect("it can be written");
    fs::write(&held, "").expect("it can be written");
    let file = fs::File::open(&held).expect("it is there");
    file.try_lock().expect("no one else holds it");
    let engine = format!("cmd={}", env!("CARGO_BIN_EXE_soffio"));
    let (new, other) = (path("new"), path("other"));
    let of_match =
        ["match", "--engine", &engine, "name=a", "--engine", &engine, "name=b", "--each", "depth=1", "--resume"];
    let draughts = [&of_match[..], &["--openings", "startpos"]].concat();
    let commands: [&[&str]; 10] = [
        &["batch", "--resume", &held],
        &["puzzles", &games, "--variant", "english", "--resume", &held],
        &[
            "book", "grow", "--variant", "english", "--positions", "9", "--nodes", "9", "--out", &new, "--journal",
            &held,
        ],
        &["selfplay", "--variant", "english", "--games", "1", "--out", &held],
        &["tune", "--iterations", "1", "--out", &held],
        &[&draughts[..], &["--json", &held]].concat(),
        &[&draughts[..], &["--json", &held, "--pdn", &new, "--epd", &other]].concat(),
        &[&draughts[..], &["--json", &new, "--pdn", &held]].concat(),
        &[&draughts[..], &["--json", &new, "--pdn", &other, "--epd", &held]].concat(),
        &[&of_match[..], &["--variant", "tavla", "--json", &held]].concat(),
    ];
    for command in commands {
        let output = run(command, "");
        let errors = String::from_utf8_lossy(&output.stderr);
        let expected = format!("soffio: {held}: another process is writing to this file\n");
        assert!(!output.status.success() && errors.ends_with(&expected), "{command:?}: {errors}");
        assert_eq!(fs::read(&held).expect("it is there"), b"", "{command:?}");
        assert_eq!(fs::read_dir(&folder).expect("it is there").count(), 2, "{command:?} leaves a file behind");
    }
    drop(file);
    assert!(run(commands[5], "").status.success(), "the file is unlocked again");
}

#[test]
fn a_game_without_moves_gets_one_record() {
    let folder = folder("no-moves");
    let path = |name: &str| folder.join(name).to_str().expect("the path is text").to_owned();
    let request = "{\"variant\":\"english\",\"moves\":[],\"plies\":true}\n";
    let game = "[White \"bye\"]\n[GameType \"21\"]\n\n*\n\n";
    for (name, content) in [("requests.jsonl", request.repeat(2)), ("games.pdn", game.repeat(2))] {
        let (input, out) = (path(name), path(&format!("{name}.records")));
        fs::write(&input, content).expect("it can be written");
        let resumed = || {
            let output = run(&["batch", "--nodes", "20", "--resume", &out, &input], "");
            assert!(output.status.success(), "{output:?}");
            String::from_utf8_lossy(&output.stderr).into_owned()
        };
        assert!(resumed().contains("done: 2 requests, 2 records, 0 errors"), "{name}");
        let records = fs::read_to_string(&out).expect("it is there");
        assert!(records.contains("\"id\":\"1/0\"") && records.contains("\"id\":\"2/0\""), "{records}");
        assert!(resumed().contains("done: 0 requests (2 more from an earlier run), 0 records"), "{name}");
        let merged = run(&["merge", "--requests", &input, &out], "");
        assert!(merged.status.success() && text_of(&merged.stderr) == "2 requests in 1 shard\n", "{merged:?}");
        assert_eq!(text(&merged), records);
    }
    let annotated = run(&["annotate", "--json", "--nodes", "20", &path("games.pdn")], "");
    assert!(text(&annotated).starts_with("{\"id\":\"1/0\"") && text(&annotated).lines().count() == 2, "{annotated:?}");
}

#[test]
fn a_finished_run_is_not_repeated_or_mixed_with_other_limits() {
    let folder = folder("finished");
    let path = |name: &str| folder.join(name).to_str().expect("the path is text").to_owned();
    let (input, out) = (path("requests.jsonl"), path("records.jsonl"));
    let requests = "{\"id\":\"a\",\"variant\":\"english\",\"fen\":\"startpos\",\"limits\":{\"nodes\":9}}\n\
        {\"id\":\"b\",\"variant\":\"english\",\"moves\":\"11-15 23-19\",\"plies\":true}\n";
    fs::write(&input, requests).expect("it can be written");
    let resume = |depth| run(&["batch", "--depth", depth, "--resume", &out, &input], "");
    assert!(text_of(&resume("2").stderr).contains("done: 2 requests, 4 records"));
    let records = fs::read_to_string(&out).expect("it is there");
    assert!(text_of(&resume("2").stderr).contains("done: 0 requests (2 more from an earlier run), 0 records"));
    let other = resume("3");
    let error = "soffio: --resume: the records of request b have the limits {\"depth\":2}, not {\"depth\":3}; \
        use the same limits, or another file\n";
    assert!(!other.status.success() && text_of(&other.stderr).ends_with(error), "{other:?}");
    assert_eq!(fs::read_to_string(&out).expect("it is there"), records);
    // An incomplete game is analysed again.
    let lines: Vec<_> = records.split_inclusive('\n').collect();
    for end in [lines[..2].concat(), lines[..3].concat(), lines[..3].concat() + "{\"id\":\"b/2\""] {
        fs::write(&out, end).expect("it can be written");
        assert!(text_of(&resume("2").stderr).contains("done: 1 request (1 more from an earlier run), 3 records"));
        assert_eq!(fs::read_to_string(&out).expect("it is there"), records);
    }
}

#[test]
fn a_resumed_run_rejects_answers_to_other_requests() {
    let folder = folder("settings");
    let path = |name: &str| folder.join(name).to_str().expect("the path is text").to_owned();
    let (input, out) = (path("requests.jsonl"), path("records.jsonl"));
    let request = |more: &str| format!("{{\"id\":\"a\",\"fen\":\"startpos\"{more}}}\n");
    let resume = |more: &str, options: &[&str]| {
        fs::write(&input, request(more)).expect("it can be written");
        run(&[&["batch", "--nodes", "100", "--resume", &out], options, &[&input]].concat(), "")
    };
    assert!(resume("", &["--variant", "english"]).status.success());
    let records = fs::read_to_string(&out).expect("it is there");
    for (more, options, error) in [
        ("", &["--variant", "russian"][..], "have the variant english, not russian; use the same variant, or another"),
        (
            "",
            &["--variant", "english", "--multipv", "3"],
            "have the multipv 1, not 3; use the same multipv, or another",
        ),
        (
            ",\"variant\":\"english\",\"searchmoves\":[\"9-13\"]",
            &[],
            "have the searchmoves none, not 9-13; use the same",
        ),
        (
            "",
            &[],
            "--resume: the file has records of request a, which now fails: no variant given: add the field variant",
        ),
    ] {
        let refused = resume(more, options);
        assert!(!refused.status.success() && text_of(&refused.stderr).contains(error), "{refused:?}");
        assert_eq!(fs::read_to_string(&out).expect("it is there"), records);
    }
    fs::remove_file(&out).expect("it is there");
    let restricted = ",\"searchmoves\":\"9-13 10-15\",\"multipv\":2";
    assert!(resume(restricted, &["--variant", "english"]).status.success());
    assert!(text_of(&resume(restricted, &["--variant", "english"]).stderr).contains("0 requests (1 more from"));
    let refused = resume("", &["--variant", "english", "--multipv", "2"]);
    assert!(text_of(&refused.stderr).contains("have the searchmoves 9-13 10-15, not none;"), "{refused:?}");
}

#[test]
fn a_failed_request_is_processed_again() {
    let folder = folder("failed");
    let path = |name: &str| folder.join(name).to_str().expect("the path is text").to_owned();
    let (input, out) = (path("requests.jsonl"), path("records.jsonl"));
    let requests = "{\"id\":\"a\",\"fen\":\"W:W22:B18\"}\n\
        {\"id\":\"b\",\"variant\":\"english\",\"moves\":\"11-15 1-2\",\"plies\":true}\n";
    fs::write(&input, requests).expect("it can be written");
    let resume = |options: &[&str]| {
        let resumed = run(&[&["batch", "--nodes", "100", "--resume", &out], options, &[&input]].concat(), "");
        (text_of(&resumed.stderr), resumed.status.success(), fs::read_to_string(&out).expect("it is there"))
    };
    let (printed, _, failed) = resume(&[]);
    assert!(printed.contains("done: 2 requests, 2 records, 2 errors"), "{printed}");
    let (printed, is_whole, again) = resume(&[]);
    assert!(printed.contains("done: 0 requests (2 more from an earlier run), 0 records, 2 errors"), "{printed}");
    assert!(!is_whole && again == failed, "the same errors are not written again");
    let (printed, is_whole, retried) = resume(&["--variant", "english"]);
    assert!(printed.contains("done: 1 request (1 more from an earlier run), 1 record, 1 error"), "{printed}");
    assert!(!is_whole && retried.starts_with(&failed) && retried.lines().count() == 5, "{retried}");
    let (printed, _, whole) = resume(&["--variant", "english"]);
    assert!(printed.contains("done: 0 requests (2 more") && whole == retried, "{printed}");
    // The new answer replaces the error.
    let merged = run(&["merge", "--requests", &input, &out], "");
    assert!(merged.status.success() && text(&merged).lines().count() == 4, "{merged:?}");
    assert!(!text(&merged).contains("no variant"), "{merged:?}");
}

#[test]
fn a_position_set_up_in_a_game_begins_a_new_part() {
    let path = folder("positions").join("games.pdn");
    fs::write(&path, "[GameType \"21\"]\n\n1. 11-15 23-18 /FEN \"B:W32:B1\"/ 1. 1-5 32-28 2-1\n")
        .expect("it can be written");
    let path = path.to_str().expect("the path is text");
    let records = text(&run(&["batch", "--nodes", "200", "--hash", "1", path], ""));
    let field = |name: &str| {
        let value = |line: &str| serde_json::from_str::<serde_json::Value>(line).expect("it is JSON")[name].to_string();
        records.lines().map(value).collect::<Vec<_>>()
    };
    assert_eq!(field("ply"), ["0", "1", "2", "3", "4", "5"]);
    assert_eq!(field("fen")[3], "\"B:W32:B1\"");
    let games = text(&run(&["batch", "--nodes", "200", "--hash", "1", "--pdn", path], ""));
    assert!(games.contains("/FEN \"B:W32:B1\"/") && games.matches("[%eval").count() >= 4, "{games}");
    let annotated = text(&run(&["annotate", "--json", "--nodes", "200", "--hash", "1", path], ""));
    assert!(annotated.contains("\"id\":\"1/3\"") && annotated.matches("\"id\":\"1/0\"").count() == 1, "{annotated}");
}

#[test]
fn a_game_of_another_variant_than_the_request_is_rejected() {
    let request = r#"{"variant":"english","pdn":"[GameType \"20\"]\n1. 32-28 *"}"#;
    let refused = run(&["batch", "--nodes", "20"], request);
    assert!(!refused.status.success(), "{refused:?}");
    assert!(
        text(&refused).contains("\"error\":\"the variant of the game is international, not english\""),
        "{refused:?}"
    );
    // An alias names the same variant, and --variant is only a default.
    let same = r#"{"variant":"shashki","pdn":"[GameType \"25\"]\n1. c3-d4 *"}"#;
    assert!(run(&["batch", "--nodes", "20", "--variant", "english"], same).status.success());
    let untold = r#"{"pdn":"[GameType \"20\"]\n1. 32-28 *"}"#;
    assert!(run(&["batch", "--nodes", "20", "--variant", "english"], untold).status.success());
}

#[test]
fn damaged_lines_cost_one_error_each() {
    let mut random = fastrand::Rng::with_seed(3);
    let good = requests();
    let lines: Vec<_> = good.lines().map(str::as_bytes).collect();
    let mut input = Vec::new();
    for _ in 0..2000 {
        let mut line = random.choice(&lines).expect("there are some").to_vec();
        // The second half of the line is removed and one byte of the rest is replaced, so that no request remains
        // valid.
        line.truncate(random.usize(1..line.len() / 2));
        let place = random.usize(0..line.len());
        line[place] = random.u8(14..=255);
        input.extend(line);
        input.push(b'\n');
    }
    let mut child = program(&["batch", "--nodes", "1"]).spawn().expect("the program can be started");
    let mut stdin = child.stdin.take().expect("the input is a pipe");
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("no panic").expect("it is read");
    assert_eq!(output.status.code(), Some(1));
    let answers = text(&output);
    let mut numbers = 0;
    for (answer, line) in answers.lines().zip(1..) {
        numbers += 1;
        assert!(answer.contains("\"error\":") && answer.contains(&format!("\"line\":{line},")), "{answer}");
    }
    assert!(numbers > 1900, "a blank line gets no record: {numbers}");
}

#[test]
fn tables_and_games_are_written_too() {
    let folder = folder("forms");
    let games = folder.join("games.pdn");
    fs::write(&games, "[Event \"a\"]\n[GameType \"21\"]\n\n1. 11-15 22-18 2. 15x22 *\n\n[Event \"b\"]\n[GameType \"21\"]\n\n1. 11-99 *\n")
        .expect("it can be written");
    let batch =
        |form: &str| text(&run(&["batch", "--nodes", "200", form, games.to_str().expect("the path is text")], ""));
    let table = batch("--tsv");
    let rows: Vec<Vec<_>> = table.lines().map(|line| line.split('\t').collect()).collect();
    assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{table}");
    let column = |name: &str| rows[0].iter().position(|heading| *heading == name).expect("the column exists");
    let values = |name: &str| rows[1..].iter().map(|row| row[column(name)]).collect::<Vec<_>>();
    assert_eq!(values("id"), ["1/0", "1/1", "1/2", "1/3", "2"]);
    assert_eq!(values("played"), ["11-15", "22-18", "15x22", "", ""]);
    assert!(values("error")[4].contains("99"), "{table}");
    let written = batch("--pdn");
    let read = soffio::notation::pdn::read_games(&written);
    assert!(read.len() == 2 && written.contains("[%eval "), "{written}");
    assert!(written.contains("; 2: move 11-99: ") && written.ends_with("\n1. 11-99 *\n"), "{written}");
    // A copied game without a result is kept apart from the next game.
    let requests = "{\"pdn\":\"[GameType \\\"21\\\"]\\n1. 11-99 22-18\"}\n{\"pdn\":\"1. 11-15 22-18 *\"}\n";
    let written = text(&run(&["batch", "--nodes", "200", "--ordered", "--pdn"], requests));
    let moves: Vec<_> = soffio::notation::pdn::read_games(&written).iter().map(|game| game.moves.len()).collect();
    assert_eq!(moves, [2, 2], "{written}");
    // A result with a colon does not end a game without moves if anything but a tag follows.
    let text_of_games = "[FEN \"bad\"]\n\n2:0\n\n[FEN \"bad\"]\n\n1:1\n";
    fs::write(&games, text_of_games).expect("it can be written");
    let written = batch("--pdn");
    let read = soffio::notation::pdn::read_games(&written);
    assert_eq!(read.iter().map(|game| game.result_text()).collect::<Vec<_>>(), ["2:0", "1:1"], "{written}");
}

#[test]
fn every_command_splits_a_file_into_the_same_games() {
    let folder = folder("splitting");
    let file = folder.join("games.pdn");
    let path = file.to_str().expect("the path is text");
    let wide =
        |text: &str| -> Vec<u8> { format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect() };
    let tags = "[White \"a\"]\n[GameType \"20\"]\n";
    let ids = |numbers: &[u32]| -> Vec<String> {
        numbers.iter().flat_map(|number| (0..2).map(move |ply| format!("{number}/{ply}"))).collect()
    };
    let game = format!("{tags}\n1. 32-28 *\n\n");
    let records_of = |words: &[&str]| {
        let output = run(words, "");
        assert!(output.status.success(), "{output:?}");
        text(&output)
    };
    let cases: [(Vec<u8>, Vec<String>); 10] = [
        (b"1. 32-28 *\n\n1. 33-29 *\n".to_vec(), ids(&[1, 2])),
        (format!("%% made by X\n{game}{game}").into_bytes(), ids(&[1, 2])),
        (format!("{{Exported}}\n{game}{game}").into_bytes(), ids(&[1, 2])),
        (format!("{tags}\n{tags}\n").into_bytes(), vec!["1/0".to_owned(), "2/0".to_owned()]),
        (format!("{game}{game}").replace('\n', "\r").into_bytes(), ids(&[1, 2])),
        (wide(&format!("{game}{game}")), ids(&[1, 2])),
        (wide("1. 32-28 *\n"), ids(&[1])),
        (format!("{tags}\n1. 32-28 {{see\n[a \"quoted\" remark]\n}} *\n\n{game}").into_bytes(), ids(&[1, 2])),
        (format!("{game}{game}{game}").into_bytes(), ids(&[1, 2, 3])),
        // An unknown move is not a mistake.
        (format!("{tags}\n1. 32-28 -- 2. 37-32 *\n\n{game}").into_bytes(), ids(&[1, 2])),
    ];
    for (bytes, expected) in cases {
        fs::write(&file, &bytes).expect("it can be written");
        let context = String::from_utf8_lossy(&bytes);
        let hashes = |records: &str| -> Vec<(String, String)> {
            let records =
                records.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("it is JSON"));
            records.map(|record| (record["id"].to_string(), record["input_hash"].to_string())).collect()
        };
        let records = records_of(&["batch", path, "--depth", "1"]);
        let found: Vec<_> = hashes(&records).into_iter().map(|(id, _)| id.replace('"', "")).collect();
        assert_eq!(found, expected, "{context}");
        let annotated = records_of(&["annotate", path, "--depth", "1", "--json"]);
        assert_eq!(hashes(&annotated), hashes(&records), "{context}");
        let part = folder.join("part.jsonl");
        fs::write(&part, &annotated).expect("it can be written");
        let merged = run(&["merge", "--requests", path, part.to_str().expect("the path is text")], "");
        assert!(merged.status.success() && text(&merged) == annotated, "{context}: {merged:?}");
        let puzzles = run(&["puzzles", path, "--nodes", "1000", "--resume", &format!("{path}.{}", found.len())], "");
        assert!(puzzles.status.success(), "{context}: {puzzles:?}");
        drop(fs::remove_file(format!("{path}.{}", found.len())));
        assert!(!text_of(&puzzles.stderr).contains("games/"), "{context}: {puzzles:?}");
    }
    for (command, content) in
        ["batch", "annotate", "puzzles"].into_iter().flat_map(|name| [(name, "no game\n"), (name, "")])
    {
        fs::write(&file, content).expect("it can be written");
        let refused = run(&[command, path], "");
        assert!(
            !refused.status.success() && text_of(&refused.stderr).contains("games.pdn: no games found"),
            "{refused:?}"
        );
    }
}

#[test]
fn files_may_name_variants_that_commands_select_with_an_option() {
    let data = folder("optional").join("games.data");
    let data = data.to_str().expect("the path is text");
    let selfplay = ["selfplay", "--variant", "english-optional", "--games", "2", "--nodes", "20", "--out", data];
    assert!(run(&selfplay, "").status.success());
    let positions = text(&run(&["data", "--csv", data], ""));
    assert!(positions.lines().count() > 20, "{positions}");
    let game = "[Variant \"english-optional\"]\n\n1. 11-15 23-19 2. 15-18 *\n";
    let records = text(&run(&["annotate", "-", "--json", "--nodes", "20"], game));
    let request = r#"{"id":"start","variant":"english-optional","fen":"startpos"}"#;
    let answer = text(&run(&["batch", "--nodes", "20"], request));
    for found in [&records, &answer] {
        assert!(found.contains(r#""variant":"english-optional""#), "{found}");
    }
    for (file, input) in [(data, ""), ("-", &records)] {
        let puzzles = run(&["puzzles", "--nodes", "1000", file], input);
        assert!(puzzles.status.success() && !text_of(&puzzles.stderr).contains("unknown"), "{puzzles:?}");
    }
}

/// Runs the program in a shell, in which `$soffio` is the program, in the folder `folder`.
#[cfg(unix)]
fn shell(folder: &Path, script: &str) -> Output {
    let mut command = command("sh");
    command.env("soffio", env!("CARGO_BIN_EXE_soffio")).args(["-c", script]).current_dir(folder);
    output(command, "")
}

#[cfg(unix)]
#[test]
fn a_command_never_appends_to_its_own_input() {
    let folder = folder("own-input");
    let requests = "{\"id\":\"a\",\"variant\":\"english\",\"fen\":\"W:W30:B1\"}\n";
    fs::write(folder.join("q.jsonl"), requests).expect("it can be written");
    std::os::unix::fs::symlink("q.jsonl", folder.join("link.jsonl")).expect("it can be linked");
    let game = "[GameType \"21\"]\n\n1. 11-15 22-18 *\n";
    fs::write(folder.join("game.pdn"), game).expect("it can be written");
    for script in [
        "$soffio batch --nodes 10 --resume q.jsonl q.jsonl",
        "$soffio batch --nodes 10 --resume link.jsonl q.jsonl",
        "$soffio batch --nodes 10 --resume q.jsonl link.jsonl",
        "$soffio batch --nodes 10 --resume q.jsonl < q.jsonl",
        "$soffio batch --nodes 10 q.jsonl >> q.jsonl",
        "$soffio batch --nodes 10 link.jsonl >> q.jsonl",
        "$soffio batch --nodes 10 < q.jsonl >> link.jsonl",
        "$soffio puzzles --nodes 1000 --resume game.pdn game.pdn",
        "$soffio puzzles --nodes 1000 game.pdn >> game.pdn",
        "$soffio annotate --nodes 10 game.pdn >> game.pdn",
        "$soffio pdn convert game.pdn >> game.pdn",
        "$soffio merge q.jsonl >> q.jsonl",
    ] {
        // The limit ends a run that reads back what it writes.
        let refused = shell(&folder, &format!("ulimit -f 64; {script}"));
        let errors = text_of(&refused.stderr);
        assert!(refused.status.code() == Some(1) && errors.contains("is also the output"), "{script}: {errors}");
        assert_eq!(fs::read_to_string(folder.join("q.jsonl")).expect("it can be read"), requests, "{script}");
        assert_eq!(fs::read_to_string(folder.join("game.pdn")).expect("it can be read"), game, "{script}");
    }
    let fine = shell(&folder, "$soffio batch --nodes 10 q.jsonl >> records.jsonl");
    assert!(fine.status.success(), "{fine:?}");
}

#[cfg(unix)]
#[test]
fn a_batch_whose_output_is_closed_has_failed() {
    let folder = folder("closed");
    fs::write(folder.join("q.jsonl"), requests().repeat(40)).expect("it can be written");
    let cut = shell(&folder, "{ $soffio batch --nodes 50 q.jsonl; echo $? > status; } | head -1");
    assert_eq!(fs::read_to_string(folder.join("status")).expect("it can be read"), "1\n", "{cut:?}");
    assert!(text_of(&cut.stderr).contains("interrupted, because standard output was closed: "), "{cut:?}");
}

#[cfg(unix)]
#[test]
fn ignored_signals_do_not_interrupt() {
    let folder = folder("ignored");
    let command = "selfplay --variant english --games 100000 --nodes 2000 --threads 1 --out games";
    let script = format!(
        "trap '' HUP INT; $soffio {command} & sleep 1; kill -HUP $!; kill -INT $!; sleep 1; kill -0 $! && echo runs; \
         kill -TERM $!; wait $!; echo status $?"
    );
    let run = shell(&folder, &script);
    assert!(text(&run).contains("runs\n") && text(&run).ends_with("status 1\n"), "{run:?}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_command_leaves_no_output_file() {
    let folder = folder("interrupted-output");
    fs::write(folder.join("games.pdn"), "[GameType \"21\"]\n\n1. 11-15 22-18 1-0\n\n".repeat(50))
        .expect("it can be written");
    for command in [
        "pdn convert games.pdn pipe.pdn --out c.pdn",
        "pdn convert games.pdn pipe.pdn --split 9 --out c.pdn",
        "book import pipe.pdn --variant english --out c.book",
        "merge --requests pipe.pdn --out c.jsonl records.jsonl",
    ] {
        let records = "$soffio annotate games.pdn --json --nodes 10 > records.jsonl";
        // The input ends after the signal.
        let script = format!(
            "{records}; mkfifo pipe.pdn; {{ cat games.pdn; sleep 2; }} > pipe.pdn & $soffio {command} & sleep 1; \
             kill -TERM $!; wait $!; echo status $?; rm pipe.pdn; ls"
        );
        let run = shell(&folder, &script);
        assert_eq!(text(&run), "status 1\ngames.pdn\nrecords.jsonl\n", "{command}: {run:?}");
        assert!(text_of(&run.stderr).contains("interrupted: nothing was written\n"), "{command}: {run:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_has_failed() {
    let folder = folder("interrupted");
    for command in [
        "selfplay --variant english --games 100000 --nodes 2000 --threads 1 --out games",
        "tune --variants english --nodes 2000 --threads 1 --out journal",
    ] {
        // A background process of a shell without job control ignores SIGINT, but not SIGTERM.
        let script = format!("$soffio {command} & sleep 1; kill -TERM $!; wait $!; echo status $?");
        let run = shell(&folder, &script);
        assert!(text(&run).contains("interrupted") && text(&run).ends_with("status 1\n"), "{run:?}");
    }
}
