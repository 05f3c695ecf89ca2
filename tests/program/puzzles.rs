//! Tests of `soffio puzzles` and `soffio solve`.

use crate::process::{program, run_to_end};
use serde_json::Value;
use soffio::notation::{FenRecord, WrittenGame};
use soffio::rules::Variant;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A game in which Black overlooks a shot, an unreadable game, and a game with an illegal move.
const GAMES: &str = r#"[GameType "20"]
[FEN "B:W24,29,31,32,33,36,37,39:B8,9,13,14,16,18,22,26"]

1... 14-19 2. 39-34 19x28 3. 32x14 *

[GameType "20"]

1. 32-28 19-23 2. 28x19 14x23 3. 99-98 *

[GameType "77"]

1. 32-28 *
"#;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("puzzles-{name}"));
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).expect("the folder can be created");
    folder
}

/// Runs the program. Returns its standard output, its standard error, and whether it succeeded.
fn run(arguments: &[&str]) -> (String, String, bool) {
    run_to_end(program(arguments), "")
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

fn game_at(variant: Variant, fen: &str) -> WrittenGame {
    let fen: FenRecord = fen.parse().expect("the position is a FEN");
    WrittenGame::from_start(variant, Some(&fen)).expect("the position is possible")
}

/// Runs the program like [`run`], with `input` on its standard input.
fn run_with(arguments: &[&str], input: &str) -> (String, String, bool) {
    run_to_end(program(arguments), input)
}

/// Arguments for a run that is small enough for a test.
const MINE: [&str; 5] = ["puzzles", "--nodes", "8000", "--hash", "1"];

fn mine(more: &[&str]) -> (String, String, bool) {
    run(&[&MINE[..], more].concat())
}

/// Mines puzzles from [`GAMES`]. Returns the path of the puzzle file and its puzzles.
fn mined(folder: &Path) -> (PathBuf, Vec<Value>) {
    let games = folder.join("games.pdn");
    fs::write(&games, GAMES).expect("the games are written");
    let (json, printed, is_whole) = mine(&[games.to_str().unwrap()]);
    let faults = printed.lines().filter(|line| line.starts_with("games/")).collect::<Vec<_>>();
    let [first, second] = faults[..] else { panic!("{printed}") };
    assert!(!is_whole && first.starts_with("games/2: move 99-98: ") && second.starts_with("games/3: "), "{printed}");
    let path = folder.join("puzzles.jsonl");
    fs::write(&path, &json).expect("the puzzles are written");
    (path, lines(&json))
}

#[test]
fn a_missed_shot_becomes_a_puzzle_in_every_format() {
    let folder = folder("forms");
    let (path, puzzles) = mined(&folder);
    let path = path.to_str().unwrap();
    let shot = puzzles.iter().find(|puzzle| puzzle["id"] == "games/1/1").expect("the shot was found");
    assert_eq!(shot["solution"], serde_json::json!(["39-34", "19x30x39x28", "32x23x12x3x14"]));
    assert_eq!((&shot["goal"], &shot["proof"]), (&"gain".into(), &"material".into()));
    assert_eq!(shot["themes"], serde_json::json!(["shot-4", "sacrifice"]));
    assert_eq!(shot["before"]["move"], "14-19");
    // A position with the colours swapped is the same puzzle.
    let turned = r#"{"id":"x","variant":"international","fen":"B:B27,22,20,19,18,15,14,12:W43,42,38,35,33,32,29,25","goal":"gain","proof":"material","solution":[],"themes":[],"difficulty":1,"nodes":1}"#;
    let both = folder.join("both.jsonl");
    fs::write(&both, format!("{shot}\n{turned}\nnonsense\n")).unwrap();
    let (json, printed, is_whole) = run(&["puzzles", both.to_str().unwrap()]);
    assert_eq!(lines(&json), std::slice::from_ref(shot), "{printed}");
    assert!(!is_whole, "a line could not be read");
    assert!(
        printed.contains("line 3: expected a record from `soffio puzzles`")
            && printed.contains("1 puzzle, 1 duplicate skipped"),
        "{printed}"
    );

    let (pdn, _, _) = run(&["puzzles", "--pdn", path]);
    for game in soffio::notation::pdn::PdnReader::new(&pdn) {
        let record = game.record;
        let game = soffio_analysis::annotate::PlayableGame::new(&record, None).expect("it can be played");
        assert!(game.fault().is_none() && !record.moves.is_empty() && record.tag("Goal").is_some(), "{pdn}");
    }
    let (import, _, _) = run(&["puzzles", "--lidraughts", path]);
    assert!(import.lines().count() > 0);
    import.lines().for_each(|line| check_import(line, Variant::International));
    let (page, _, _) = run(&["puzzles", "--html", path]);
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("32x23x12x3x14"));
}

/// Checks a line according to the rules of lidraughts' importer. The line must have five fields, a position that
/// lidraughts can parse, a last move that leads to the puzzle, and variations. The moves in the variations must be
/// legal and written as pairs of squares.
fn check_import(line: &str, variant: Variant) {
    let import: Value = serde_json::from_str(line).expect("the line is JSON");
    let object = import.as_object().expect("it is an object");
    let mut fields: Vec<_> = object.keys().map(String::as_str).collect();
    fields.sort_unstable();
    assert_eq!(fields, ["category", "game_id", "last_move", "last_pos", "move_list"], "{line}");
    let text = |name: &str| import[name].as_str().expect("it is a string").to_owned();
    assert!(["Mate", "Material"].contains(&text("category").as_str()) && text("game_id") == "custom", "{line}");
    let mut game = game_at(variant, &text("last_pos"));
    let spec = variant.spec();
    let number = |square: &soffio::board::Square| spec.number(*square).get();
    let steps = |list: &Value| -> Vec<(u8, u8)> {
        let step = |text: &Value| {
            let text = text.as_str().expect("a move is a string");
            assert!(text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit()), "{line}");
            (text[..2].parse().unwrap(), text[2..].parse().unwrap())
        };
        list.as_array().expect("a variation is a list").iter().map(step).collect()
    };
    let mut play = |all: &[(u8, u8)]| {
        let mut rest = all;
        while !rest.is_empty() {
            let sequence = game.sequences().into_iter().find(|sequence| {
                let squares: Vec<_> = std::iter::once(&sequence.from).chain(&sequence.landings).map(number).collect();
                let jumps: Vec<_> = squares.windows(2).map(|pair| (pair[0], pair[1])).collect();
                rest.starts_with(&jumps)
            });
            let sequence = sequence.unwrap_or_else(|| panic!("{rest:?} is not legal: {line}"));
            rest = &rest[sequence.landings.len()..];
            assert!(game.play_found(soffio::notation::bitboard_move(&sequence)));
        }
    };
    let last = steps(&serde_json::json!([text("last_move")]));
    play(&last);
    let variations = import["move_list"].as_array().expect("variations are a list");
    assert_eq!(variations.len(), 1, "{line}");
    let moves = steps(&variations[0]);
    assert!(moves.len() > 1, "{line}");
    play(&moves);
}

#[test]
fn the_first_line_distinguishes_puzzles_from_games() {
    let folder = folder("first-line");
    let path = folder.join("puzzles.jsonl");
    let puzzle = r#"{"id":"x","variant":"international","fen":"B:B27,22,20,19,18,15,14,12:W43,42,38,35,33,32,29,25","goal":"gain","proof":"material","solution" :[],"themes":[],"difficulty":1,"nodes":1}"#;
    for text in [format!("{puzzle}\n"), format!("\n \n{puzzle}\n"), format!("\u{feff}{puzzle}")] {
        fs::write(&path, &text).unwrap();
        let (json, printed, is_whole) = run(&["puzzles", path.to_str().unwrap()]);
        assert!(is_whole && lines(&json).len() == 1 && printed.ends_with("1 puzzle\n"), "{text}{printed}");
    }
    let mut child = program(&["puzzles", "-"]).spawn().expect("the program starts");
    let mut pipe = child.stdin.take().expect("the input is a pipe");
    let (start, end) = puzzle.split_at(30);
    pipe.write_all(start.as_bytes()).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(300));
    pipe.write_all(end.as_bytes()).unwrap();
    drop(pipe);
    let output = child.wait_with_output().expect("the program ends");
    assert!(output.status.success() && String::from_utf8_lossy(&output.stdout).contains("\"x\""), "{output:?}");
    let game = format!("{{a comment}}\n{GAMES}");
    let (_, expected, _) = run_with(&[&MINE[..], &["-"]].concat(), GAMES);
    assert!(expected.contains("stdin/2: "), "{expected}");
    let (_, printed, _) = run_with(&[&MINE[..], &["-"]].concat(), &game);
    assert_eq!(printed, expected);
}

#[test]
fn shards_are_merged_and_a_run_is_resumed() {
    let folder = folder("parts");
    let (_, whole) = mined(&folder);
    let games = folder.join("games.pdn");
    let (games, all) = (games.to_str().unwrap(), folder.join("all.jsonl"));
    let parts = ["1", "2"].map(|part| {
        let path = folder.join(format!("{part}.jsonl"));
        let path = path.to_str().unwrap().to_owned();
        mine(&["--shard", &format!("{part}/2"), "--resume", &path, games]);
        path
    });
    let (_, printed, _) = run(&["merge", "--out", all.to_str().unwrap(), &parts[0], &parts[1]]);
    assert!(printed.contains("3 requests in 2 shards"), "{printed}");
    let sorted = |mut puzzles: Vec<Value>| {
        puzzles.sort_by_key(|puzzle| puzzle["id"].to_string());
        puzzles
    };
    let (json, _, _) = run(&["puzzles", all.to_str().unwrap()]);
    assert_eq!(sorted(lines(&json)), sorted(whole.clone()));
    // Finished games are skipped, even if the last line was truncated.
    let text = fs::read_to_string(&parts[0]).unwrap();
    fs::write(&parts[0], &text[..text.len() - 9]).unwrap();
    mine(&["--shard", "1/2", "--resume", &parts[0], games]);
    assert_eq!(fs::read_to_string(&parts[0]).unwrap(), text);
    let (_, errors, _) = run(&["puzzles", "--shard", "1/2", "--resume", &parts[0], "--nodes", "1234", games]);
    assert!(errors.contains(" that an earlier run found with a different --nodes limit\n"), "{errors}");
}

#[test]
fn a_damaged_record_is_named_by_its_line() {
    let position = "{\"id\":\"g\",\"input_hash\":\"0\"";
    let (_, errors, is_good) =
        run_with(&["puzzles", "--nodes", "1000", "-"], &format!("{position}}}\n\n{position},\n"));
    assert!(!is_good && errors.contains("/line 3: not a record: "), "{errors}");
}

#[test]
fn a_run_is_not_resumed_with_puzzles_of_another_variant() {
    let folder = folder("resumed-variant");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (games, out) = (path("games.pdn"), path("puzzles.jsonl"));
    let shot = GAMES.split("[GameType").nth(1).unwrap().split_once('\n').unwrap().1;
    fs::write(&games, format!("{shot}[GameType \"77\"]\n\n1. 32-28 *\n")).unwrap();
    let resume = |variant: &str| mine(&["--variant", variant, "--resume", &out, &games]);
    let (first, printed, is_whole) = resume("international");
    assert!(!is_whole && printed.contains("games/2: "), "{printed}");
    let written = fs::read_to_string(&out).unwrap();
    // The error is reported again, but not written again.
    let (again, printed, is_whole) = resume("international");
    assert!(!is_whole && printed.contains("games/2: ") && again == first, "{printed}");
    let (_, printed, is_whole) = resume("killer");
    let error = "--resume: the records of request games/1 have the variant international, not killer; use the same \
        variant, or another file\n";
    assert!(!is_whole && printed.ends_with(error), "{printed}");
    assert_eq!(fs::read_to_string(&out).unwrap(), written);
}

#[test]
fn problems_are_solved() {
    let folder = folder("solve");
    let path = folder.join("problems.pdn");
    let problem = |name: &str, kind: u8, result: &str, fen: &str, moves: &str| {
        format!(
            "[Event \"{name}\"]\n[GameType \"{kind}\"]\n[Result \"{result}\"]\n[FEN \"{fen}\"]\n\n{moves} {result}\n\n"
        )
    };
    let text = [
        problem("shot", 20, "1-0", "W:W6,11,18,22,28:B17,32,36,37,43", "1. 6-1 32x12"),
        problem("claim", 21, "1/2-1/2", "W:WK32,K31:BK5", "1. 31-27"),
        problem("wrong", 21, "1/2-1/2", "W:W30,20,18:BK32,K31,10,K4,2", ""),
        problem("many", 20, "1-0", "W:WK1,K2,K3,K4:BK50", "1. 1-7"),
        problem("impossible", 20, "1-0", "W:W1:B50", ""),
        problem("over", 20, "1-0", "W:W31:BK26,21,12", "1. 31x22"),
    ];
    fs::write(&path, text.concat()).unwrap();
    let (json, printed, is_whole) =
        run(&["solve", "--json", "--nodes", "50000", "--hash", "4", path.to_str().unwrap()]);
    let solved = lines(&json);
    let verdicts: Vec<_> = solved.iter().map(|problem| problem["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["sole", "unsolvable", "open", "cooked", "unsolvable"]);
    assert!(!is_whole && printed.contains("game 5: fen "), "{printed}");
    assert_eq!((&solved[0]["win_in"], &solved[0]["shortest"]), (&3.into(), &3.into()));
    let list = folder.join("list.txt");
    fs::write(&list, "# positions\nW:W6,11,18,22,28:B17,32,36,37,43\nW:W99:B1\n").unwrap();
    let arguments =
        ["solve", "--variant", "international", "--composition", "--nodes", "20000", list.to_str().unwrap()];
    let (text, printed, is_whole) = run(&arguments);
    assert!(
        !is_whole && printed.contains("line 3: fen ") && text.starts_with("2: sole, W:W6,11,18,22,28"),
        "{text}{printed}"
    );
}

/// Solves the problems in `text` as English draughts. Returns the records, the standard error, and whether all problems
/// could be read.
fn solve(name: &str, text: &str) -> (Vec<Value>, String, bool) {
    let path = folder(name).join("problems.txt");
    fs::write(&path, text).expect("the problems are written");
    let path = path.to_str().expect("the path is text");
    let (json, printed, is_whole) =
        run(&["solve", "--json", "--variant", "english", "--nodes", "20000", "--hash", "4", path]);
    (lines(&json), printed, is_whole)
}

#[test]
fn invalid_problems_are_rejected() {
    for (text, error) in [
        ("garbage\n", "line 1: fen "),
        ("WK1:BK32\n", "line 1: fen "),
        ("hello world\n", "line 1: fen "),
        ("1. 11-15 23-19 *\n", "line 1: fen "),
        ("W:W30:B29,K1,hello\n", "line 1: fen "),
        ("W:WK1:BK32 hello\n", "line 1: fen "),
        ("W:WK1:BK32 draw\n", "line 1: not a valid stipulation: draw; expected `win in N` with N from 1 to "),
        ("W:WK1:BK32 Win in 0\n", "line 1: not a valid stipulation: Win in 0; expected "),
        ("W:WK1:BK32 win in\n", "line 1: not a valid stipulation: win in; expected "),
        ("B:W18:B\n", "line 1: not a valid problem: the game has already ended in this position"),
        ("[Event \"a game\"]\n\n1. 11-15 23-19 *\n", "game 1: not a valid problem: FEN tag missing"),
        ("[FEN \"garbage\"]\n\n*\n", "game 1: fen "),
        ("\n# nothing\n", "no problems found"),
    ] {
        let (solved, printed, is_whole) = solve("refused", text);
        assert!(solved.is_empty() && !is_whole && printed.contains(error), "{text}{printed}{solved:?}");
        assert!(!printed.contains("problems: "), "{printed}");
    }
}

#[test]
fn the_result_of_a_refuted_solution_is_reported() {
    let problem = |moves: &str| format!("[GameType \"21\"]\n[FEN \"B:WK17:BK23\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n");
    let (solved, _, _) = solve("refuted", &problem("1... 23-26"));
    assert_eq!(solved[0]["misses"], serde_json::json!(["23-26 draws"]), "{solved:?}");
}

#[test]
fn a_gain_of_material_does_not_decide_a_claimed_result() {
    // According to the endgame tables, this position is drawn.
    let problem = |result: &str| format!("[FEN \"W:W31,32:B6,24,K28\"]\n[Result \"{result}\"]\n\n{result}\n\n");
    let (solved, _, is_whole) = solve("gain", &["0-1", "1-0", "1/2-1/2", "*"].map(problem).concat());
    let verdicts: Vec<_> = solved.iter().map(|problem| [&problem["result"], &problem["verdict"]]).collect();
    assert!(is_whole);
    assert_eq!(verdicts, [["gain", "open"], ["gain", "open"], ["gain", "open"], ["gain", "sound"]]);
    for (problem, claim) in solved.iter().zip(["win", "loss", "draw"]) {
        let miss = format!("a gain of material neither proves nor refutes the claimed {claim}");
        assert_eq!((&problem["claim"], &problem["misses"]), (&claim.into(), &serde_json::json!([miss])));
    }
    assert_eq!(solved[3]["misses"], serde_json::json!([]));
}

#[test]
fn a_win_is_compared_with_wins_of_similar_length() {
    let game = |tags: &str, moves: &str| format!("{tags}[Result \"0-1\"]\n[FEN \"W:WK9,K14:BK26\"]\n\n{moves} 0-1\n\n");
    // 14-18 wins in 3 moves, and each of the other five moves wins in 14.
    let positions =
        ["W:WK9,K14:BK26", "W:WK9,K14:BK26 Win in 3.", "W:WK9,K14:BK26 wins in 14", "W:WK9,K14:BK26 win in 2"];
    let (of_lines, _, is_whole) = solve("lines", &positions.join("\n"));
    let games = [
        game("", "1. 14-18"),
        game("", "1. 9-5"),
        game("[Event \"White to play and win in 3 moves\"]\n", "1. 14-18"),
        game("[Goal \"win in 2\"]\n", "1. 14-18"),
        game("", "{Win in 3} 1. 9-5"),
        game("[Goal \"win in 3\"]\n", "1. 14-18 26-31 2. 18-22"),
    ];
    let (of_games, _, _) = solve("games", &games.concat());
    let verdicts = |solved: &[Value]| solved.iter().map(|problem| problem["verdict"].clone()).collect::<Vec<_>>();
    assert!(is_whole);
    assert_eq!(verdicts(&of_lines), ["sound", "sound", "cooked", "unsolvable"]);
    assert_eq!(verdicts(&of_games), ["sound", "cooked", "sound", "unsolvable", "sound", "sound"]);
    let claim = |problem: &Value| (problem["claimed_win_in"].as_u64(), problem["max_moves"].as_u64());
    assert_eq!([0, 1, 2].map(|at| claim(&of_lines[at])), [(None, Some(8)), (Some(3), Some(3)), (Some(14), Some(14))]);
    assert_eq!(of_lines[2]["cooks"].as_array().map(Vec::len), Some(5));
    assert_eq!(of_games[4]["misses"], serde_json::json!(["9-5 wins only in 14"]));
    assert_eq!(of_games[5]["misses"], serde_json::json!(["18-22 after 14-18 26-31 does not reach the goal"]));
}

/// Checks the exports of whole collections. It is run by hand with `SOFFIO_IMPORT="VARIANT FILE ..."`.
#[test]
#[ignore = "needs files"]
fn every_export_can_be_imported() {
    let words = std::env::var("SOFFIO_IMPORT").expect("SOFFIO_IMPORT names files");
    let words: Vec<_> = words.split_whitespace().collect();
    for pair in words.chunks(2) {
        let variant = Variant::named(pair[0]).expect("the variant exists");
        let text = fs::read_to_string(pair[1]).expect("the file can be read");
        text.lines().for_each(|line| check_import(line, variant));
        println!("{}: {} puzzles", pair[1], text.lines().count());
    }
}

/// Three puzzles: the shot from [`GAMES`], the same position with the colours swapped, and a shot by a king.
const PUZZLES: &str = r#"{"id":"shot","variant":"international","fen":"W:W27,28,33,37,38,39,40,41,42,45,47,48:B1,2,3,4,8,9,11,16,17,18,19,20","goal":"gain","proof":"material","solution":["28-22","17x28","33x22x13x24x15"],"themes":["shot-4"],"difficulty":7,"nodes":5000}
{"id":"turned","variant":"international","fen":"B:B23,24,18,14,13,12,11,10,9,6,4,3:W50,49,48,47,43,42,40,35,34,33,32,31","goal":"gain","proof":"material","solution":[],"themes":[],"difficulty":1,"nodes":1}
{"id":"king","variant":"english","fen":"W:WK14:B3,13","goal":"win","proof":"search","solution":["14-10","3-8","10-6"],"themes":[],"difficulty":3,"nodes":5000}
not a puzzle
"#;

#[test]
fn puzzles_are_solved_move_by_move_and_the_score_is_kept() {
    let folder = folder("trainer");
    let path = folder.join("puzzles.jsonl");
    let score = folder.join("puzzles.jsonl.score");
    fs::write(&path, PUZZLES).unwrap();
    let play = ["play", "--puzzles", path.to_str().unwrap()];
    let input = "99-98\n\nhint\n38-32\n28-22\n33x15\nhelp\nscore\nskip\nboard\nquit\n";
    let (printed, faults, is_whole) = run_with(&play, input);
    assert!(is_whole && faults.contains("line 4: expected a record from `soffio puzzles`"), "{faults}");
    let mut rest = printed.as_str();
    for part in [
        "White to play and gain material, difficulty 7\n",
        "error 99-98: ",
        "move the piece on 28\n",
        "38-32 is not the solution\n",
        "correct; the reply is 17x28\n",
        "solved\n0 of 1 solved on the first attempt, 2 puzzles\n",
        "White to play and win, difficulty 3\n",
        "a move, hint",
        "0 of 1 solved on the first attempt, 2 puzzles\n",
    ] {
        let Some((_, after)) = rest.split_once(part) else { panic!("no {part:?} in {printed}") };
        rest = after;
    }
    assert_eq!(fs::read_to_string(&score).unwrap(), "{\"id\":\"shot\",\"solved\":false}\n");
    // The next run resumes at this puzzle. A solution that is shown does not count as solved.
    fs::write(&score, fs::read_to_string(&score).unwrap() + "{\"id\":").unwrap();
    let (printed, _, is_whole) = run_with(&play, "14-10\n10-6\n");
    assert!(is_whole && !printed.contains("difficulty 7"), "{printed}");
    assert!(
        printed.ends_with(
            "solved\n1 of 2 solved on the first attempt, 2 puzzles\nno puzzles left\n1 of 2 solved on the first attempt, 2 puzzles\n"
        ),
        "{printed}"
    );
    fs::remove_file(&score).unwrap();
    let (printed, _, is_whole) = run_with(&play, "solution\nsolution\n");
    assert!(
        is_whole
            && printed.contains("28-22 17x28 33x22x13x24x15\nshown\n0 of 1 ")
            && printed.ends_with("0 of 2 solved on the first attempt, 2 puzzles\n")
    );
    assert_eq!(fs::read_to_string(&score).unwrap().lines().count(), 2);

    fs::write(&path, "[Event \"a game\"]\n\n1. 32-28 *\n").unwrap();
    let (_, faults, is_whole) = run_with(&play, "");
    assert!(!is_whole && faults.contains("no puzzles found; line 1: expected a record"), "{faults}");
    assert_eq!(faults.lines().count(), 1, "{faults}");
    for other in ["--flip", "--lines"] {
        let (_, faults, is_whole) = run_with(&["play", "--puzzles", "missing.jsonl", other], "");
        assert!(!is_whole && faults.contains("--puzzles") && faults.contains(other), "{faults}");
    }
}

/// Games that contain puzzles only if the solutions are not verified. In the first game, d4-c4 gains a man by force,
/// but after e4-e3 and f3xd3 the extra man is not enough to win. In the second game, both 39-33 and 48-42 win.
const DUBIOUS: &str = r#"[GameType "30"]
[FEN "B:Wa4,b4,d4,f4,g4,h4,a3,b3,c3,f3,g3,h3,b2,g2:Bb7,c7,f7,a6,b6,e6,f6,g6,h6,a5,b5,g5,h5,e5"]

1... e5-e4 2. d4-c4 *

[GameType "20"]
[FEN "B:W26,34,36,37,39,40,45,48:B6,10,15,22,25,K47"]

1... 47-24 2. 39-33 24x31 3. 36x18 *
"#;

#[test]
fn dubious_solutions_make_no_puzzle() {
    let folder = folder("dubious");
    let games = folder.join("games.pdn");
    fs::write(&games, DUBIOUS).expect("the games are written");
    let (json, printed, is_whole) = run(&["puzzles", "--nodes", "8000", games.to_str().unwrap()]);
    assert!(json.is_empty() && is_whole, "{json}{printed}");
}

#[test]
fn a_proved_loss_or_draw_needs_no_claim() {
    let (solved, _, is_whole) = solve("no-claim", "B:W18,24:B12\nW:WK1:BK32\n");
    let found: Vec<_> = solved.iter().map(|problem| [&problem["result"], &problem["verdict"]]).collect();
    assert!(is_whole);
    assert_eq!(found, [["loss", "sound"], ["draw", "cooked"]]);
}

#[test]
fn a_puzzle_with_an_unknown_goal_is_rejected() {
    let path = folder("goal").join("puzzles.jsonl");
    let wrong = PUZZLES.lines().next().expect("a puzzle").replace("\"gain\"", "\"fun\"");
    let game = format!("{{\"id\":\"g\",\"input_hash\":\"0\",\"puzzles\":[{wrong}]}}");
    fs::write(&path, format!("{wrong}\n{game}\n{{\"id\":\"g\",\"input_hash\":\"0\"}}\n")).unwrap();
    let (json, printed, is_whole) = run(&["puzzles", path.to_str().unwrap()]);
    assert!(json.is_empty() && !is_whole, "{json}");
    for line in ["line 1", "line 2"] {
        assert!(printed.contains(&format!("{line}: expected a record from `soffio puzzles`: ")), "{printed}");
    }
    assert!(!printed.contains("line 3"), "{printed}");
}

#[test]
fn a_line_that_ends_before_the_win_is_marked() {
    let (text, printed, is_whole) =
        run_with(&["solve", "--variant", "english", "--nodes", "20000", "--hash", "4", "-"], "W:WK9,K14:BK26\n");
    assert!(is_whole, "{printed}");
    for line in text.lines().filter(|line| line.starts_with("  win in ")) {
        let (head, moves) = line.trim_start().split_once(": ").expect("a line");
        let wanted: usize = head.split(' ').nth(2).and_then(|word| word.parse().ok()).expect("a number of moves");
        let is_cut = moves.split(' ').filter(|word| *word != "...").count() + 1 < 2 * wanted;
        assert_eq!(moves.ends_with(" ..."), is_cut, "{line}");
    }
    assert!(text.contains(" ..."), "{text}");
}
