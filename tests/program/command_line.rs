//! Tests of error messages for invalid command lines and input files, and of the text encodings that all readers
//! accept.

use crate::process::{program, run_to_end};
use serde_json::Value;
use std::fs;
use tempfile::TempDir;

/// Runs the program with `arguments` and `input` in `folder`. Returns its standard output, its standard error, and
/// whether it succeeded.
fn run(folder: &TempDir, arguments: &[&str], input: &str) -> (String, String, bool) {
    let mut command = program(arguments);
    command.current_dir(folder.path());
    run_to_end(command, input)
}

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn wrong_option_values_are_rejected_with_a_message() {
    let folder = folder();
    for (line, expected) in [
        ("--log-level loud bench", "[possible values: off, error, warn, info, debug, trace]"),
        ("batch --threads 0", "expected a whole number of at least 1"),
        ("batch --hash 0", "expected a whole number from 1 to 33554432"),
        ("batch --multipv 65", "expected a whole number from 1 to 64"),
        ("analyse --depth 128", "expected a whole number from 1 to 127"),
        ("analyse --movetime x", "expected a whole number from 1 to 86400000"),
        ("analyse --nodes 1e3", "expected a whole number of at least 1"),
        ("perft 100", "expected a whole number from 0 to 99"),
        ("serve --threads 0", "expected a whole number from 1 to 65535"),
        ("serve --queue x", "expected a whole number from 0 to 65535"),
        ("dxp --connect x --games x", "expected a whole number from 0 to 65535"),
        ("selfplay --variant english --out x --games 0", "expected a whole number from 1 to 1000000000"),
        ("train --variant english --out x --seed x y", "expected a whole number of at least 0"),
        ("train --variant english --out x --rate x y", "expected a number above 0"),
        ("tavla train --out x --half 0", "expected a number of at least 1"),
        ("tables build --variant english --pieces 99", "expected a whole number from 2 to 14"),
        ("book show x --plies x", "expected a whole number of at least 0"),
        ("annotate x --encoding klingon", "expected the name of an encoding such as cp1251, cp866, koi8-r"),
        (
            "play --white speed=3",
            "player: unknown setting 'speed'; expected depth, nodes, movetime or an engine option",
        ),
        (
            "tavla duel depth=1 speed=3",
            "player: unknown name 'speed'; expected depth, nodes, movetime, rollout and the",
        ),
        ("sprt elo0=0,elo1=10", "<--games <W,D,L>|--pairs <N,N,N,N,N>>"),
        ("batch --shard 3/2", "expected K/N with K from 1 to N, such as 2/8"),
    ] {
        let (_, errors, is_good) = run(&folder, &line.split_whitespace().collect::<Vec<_>>(), "");
        assert!(!is_good && errors.contains(expected), "{line}: {errors}");
    }
}

#[test]
fn analyse_suggests_annotate_for_a_file() {
    let folder = folder();
    fs::write(folder.path().join("games.pdn"), "[GameType \"21\"]\n\n1. 11-15 *\n").unwrap();
    let (_, errors, is_good) = run(&folder, &["analyse", "--nodes", "9", "games.pdn"], "");
    assert!(!is_good && errors == "hint: for game records use `soffio annotate`\n", "{errors}");
    let (_, errors, is_good) = run(&folder, &["analyse", "--nodes", "9", "missing.pdn"], "");
    assert!(!is_good && errors.is_empty(), "{errors}");
}

#[test]
fn dxp_requires_listen_or_connect() {
    let (_, errors, is_good) = run(&folder(), &["dxp"], "");
    assert!(!is_good && errors.contains("<--listen [<HOST[:PORT]>]|--connect <HOST[:PORT]>>"), "{errors}");
}

#[test]
fn a_folder_in_place_of_a_file_is_reported() {
    let folder = folder();
    fs::create_dir(folder.path().join("folder")).unwrap();
    for line in [
        "batch folder",
        "annotate folder",
        "solve folder",
        "puzzles folder",
        "book stat folder",
        "data folder",
        "merge folder",
        "train --variant english --out w folder",
        "dxp --connect 127.0.0.1:1 --ballots folder",
        "play --puzzles folder",
        "play --load folder",
    ] {
        let (_, errors, is_good) = run(&folder, &line.split_whitespace().collect::<Vec<_>>(), "");
        let last = errors.lines().last().unwrap_or_default();
        let is_named = ["soffio: folder: i", "soffio: folder: not a file"].iter().any(|start| last.starts_with(start));
        assert!(!is_good && is_named || last.contains("folder: I"), "{line}: {errors}");
        assert!(!last.contains("No such device"), "{line}: {errors}");
    }
}

#[test]
fn wrong_requests_are_rejected_with_a_message() {
    let cases = [
        ("[]", "expected a JSON object, found []"),
        (r#"["a",null,"startpos",null,null,false,{},null,null]"#, "expected a JSON object, found [\"a\",null,"),
        ("null", "expected a JSON object, found null"),
        (r#"{"fen":1}"#, "fen: expected a string, found 1"),
        (r#"{"id":1.5,"fen":"startpos"}"#, "id: expected a string or an integer, found 1.5"),
        (r#"{"fen":"startpos","variant":7}"#, "variant: expected a string, found 7"),
        (r#"{"fen":"startpos","multipv":0}"#, "multipv: expected a whole number from 1 to 64, found 0"),
        (r#"{"fen":"startpos","multipv":70000}"#, "multipv: expected a whole number from 1 to 64, found 70000"),
        (r#"{"fen":"startpos","limits":[3,null,null]}"#, "limits: expected a JSON object, found [3,null,null]"),
        (r#"{"fen":"startpos","limits":3}"#, "limits: expected a JSON object, found 3"),
        (r#"{"fen":"startpos","limits":{"depth":0}}"#, "limits.depth: expected a whole number from 1 to 127, found 0"),
        (
            r#"{"fen":"startpos","limits":{"depth":"3"}}"#,
            "limits.depth: expected a whole number from 1 to 127, found \"3\"",
        ),
        (
            r#"{"fen":"startpos","limits":{"nodes":1e3}}"#,
            "limits.nodes: expected a whole number of at least 1, found 1e3",
        ),
        (
            r#"{"fen":"startpos","limits":{"movetime":-1}}"#,
            "limits.movetime: expected a whole number from 1 to 86400000, found -1",
        ),
        (r#"{"fen":"startpos","plies":1}"#, "plies: expected true or false, found 1"),
        (r#"{"moves":[1]}"#, "moves: expected a list of moves, or a string of moves separated by spaces, found [1]"),
        (
            r#"{"fen":"startpos","searchmoves":3}"#,
            "searchmoves: expected a list of moves, or a string of moves separated by spaces, found 3",
        ),
        (r#"{"fen":"startpos","foo":1}"#, "unknown field foo; the fields are id, variant, fen, moves"),
        (r#"{"fen":"startpos","fen":"x"}"#, "the field fen appears twice"),
        (r#"{"fen":"startpos""#, "unexpected end of JSON"),
        ("x", "not valid JSON at column 1"),
    ];
    let input: String = cases.iter().map(|(request, _)| format!("{request}\n")).collect();
    let (output, ..) = run(&folder(), &["batch", "--variant", "english", "--nodes", "9"], &input);
    assert_eq!(output.lines().count(), cases.len(), "{output}");
    for (line, (request, expected)) in output.lines().zip(cases) {
        let record: Value = serde_json::from_str(line).unwrap();
        assert!(record["error"].as_str().is_some_and(|error| error.starts_with(expected)), "{request}: {line}");
    }
}

#[test]
fn wrong_book_rows_are_rejected_with_a_message() {
    let folder = folder();
    let row = "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
    for (name, text, expected) in [
        ("a.jsonl", "{\"fen\":\"x\"}".to_owned(), "a.jsonl, row 1: missing field move"),
        ("b.jsonl", "[]".to_owned(), "b.jsonl, row 1: expected a JSON object, found []"),
        (
            "c.csv",
            format!("fen,move,weight\n\"{row}\",22-18,x\n"),
            "c.csv, row 1: weight: expected a whole number from 0 to 65535",
        ),
        ("d.csv", format!("fen,move,wait\n\"{row}\",22-18,1\n"), "d.csv, row 1: unknown field wait"),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
        let (_, errors, is_good) = run(&folder, &["book", "import", "--variant", "italian", "--out", "x", name], "");
        assert!(!is_good && errors.starts_with(&format!("soffio: {expected}")), "{errors}");
    }
    let text = format!("\u{feff}fen,move,score,weight\n\"{row}\",22-18,,3\n\"{row}\",22-19,-5,\n");
    fs::write(folder.path().join("good.csv"), text).unwrap();
    let (_, errors, is_good) =
        run(&folder, &["book", "import", "--variant", "italian", "--out", "good.book", "good.csv"], "");
    assert!(is_good && errors.contains("2 moves"), "{errors}");
}

#[test]
fn a_byte_order_mark_is_skipped_in_every_input() {
    let folder = folder();
    let fen = "W:W18:B15";
    let game = format!("[GameType \"21\"]\n[FEN \"{fen}\"]\n\n1. 18x11 1-0\n");
    for (name, text) in [
        ("requests", format!("{{\"fen\":\"{fen}\"}}\n")),
        ("fens", format!("{fen}\n")),
        ("games.pdn", game),
        ("ballots", format!("{fen}\n")),
        ("help", "help\nquit\nquit\n".to_owned()),
        ("rows.jsonl", format!("{{\"fen\":\"{fen}\",\"move\":\"18x11\"}}\n")),
        (
            "puzzles",
            format!(
                "{{\"id\":\"a\",\"variant\":\"english\",\"fen\":\"{fen}\",\"goal\":\"win\",\"proof\":\"table\",\"solution\":[\"18x11\"],\
                 \"themes\":[],\"difficulty\":1,\"nodes\":1000}}\n"
            ),
        ),
    ] {
        fs::write(folder.path().join(name), format!("\u{feff}{text}")).unwrap();
    }
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    for (arguments, input, expected) in [
        ("batch --variant english --nodes 9 requests", "", "\"move\":\"18x11\""),
        ("batch --variant english --nodes 9", "requests", "\"move\":\"18x11\""),
        ("batch --nodes 9 games.pdn", "", "\"id\":\"1/0\""),
        ("analyse --variant english --nodes 9", "fens", "\"move\":\"18x11\""),
        ("solve --variant english fens", "", "1: "),
        ("solve games.pdn", "", "1: "),
        ("annotate --nodes 9 games.pdn", "", "18x11"),
        ("tables probe --variant english", "fens", "win 1"),
        ("book import --variant english --out a.book rows.jsonl", "", ""),
        ("book probe a.book", "fens", "18x11 "),
        ("puzzles --json puzzles", "", "\"solution\":[\"18x11\"]"),
        ("puzzles games.pdn", "", ""),
        ("play --puzzles puzzles", "", "White to play and win"),
        ("play --variant tavla", "help", "legal, board"),
        ("play --variant english --lines", "help", "save FILE"),
        ("match --engine cmd=none --engine cmd=none --variant english --openings fens --each depth=1", "", ""),
    ] {
        let input = if input.is_empty() { String::new() } else { read(input) };
        let (output, errors, is_good) = run(&folder, &arguments.split_whitespace().collect::<Vec<_>>(), &input);
        let is_refused =
            errors.contains("expected") || errors.contains("no puzzle") || errors.contains("no such opening");
        assert!((is_good || arguments.starts_with("match")) && !is_refused, "{arguments}: {errors}");
        assert!(output.contains(expected), "{arguments}: {output}{errors}");
    }
}

#[test]
fn old_encodings_are_detected_or_reported() {
    let folder = folder();
    let game = |name: &[u8]| [b"[White \"", name, b"\"]\n[GameType \"25\"]\n\n1. c3-d4 *\n"].concat();
    // The names are Chizhov in three Cyrillic encodings, Walesa in Latin-2, and Andre in Latin-1.
    let cyrillic: [(&str, &[u8]); 3] =
        [("cp1251", b"\xd7\xe8\xe6\xee\xe2"), ("cp866", b"\x97\xa8\xa6\xae\xa2"), ("koi8-r", b"\xfe\xc9\xd6\xcf\xd7")];
    for (encoding, name) in cyrillic {
        fs::write(folder.path().join("games.pdn"), game(name)).unwrap();
        for more in [&[][..], &["--encoding", encoding]] {
            let (_, errors, _) =
                run(&folder, &[&["annotate", "--depth", "1", "--json", "games.pdn"], more].concat(), "");
            assert!(errors.contains("Чижов - ?"), "{encoding}: {errors}");
            let pdn = [&["batch", "--pdn", "--depth", "1", "games.pdn"], more].concat();
            let (output, ..) = run(&folder, &pdn, "");
            assert!(output.contains("[White \"Чижов\"]"), "{encoding}: {output}");
        }
        let written = folder.path().join("annotated.pdn");
        let arguments = ["annotate", "--depth", "1", "games.pdn", "--out", "annotated.pdn", "--overwrite"];
        assert!(run(&folder, &arguments, "").2);
        let bytes = fs::read(written).unwrap();
        assert!(bytes.windows(name.len()).any(|part| part == name), "it is written as it was parsed");
    }
    fs::write(folder.path().join("games.pdn"), game(b"Wa\xb3\xeasa")).unwrap();
    let (_, errors, _) = run(&folder, &["annotate", "--depth", "1", "--json", "games.pdn", "--encoding", "latin2"], "");
    assert!(errors.contains("Wałęsa - ?"), "{errors}");
    fs::write(folder.path().join("games.pdn"), game(b"Andr\xe9")).unwrap();
    let (_, errors, _) = run(&folder, &["annotate", "--depth", "1", "--json", "games.pdn"], "");
    assert!(errors.contains("André - ?"), "{errors}");
}

#[test]
fn standard_input_and_the_start_position_can_be_named() {
    let folder = folder();
    let problem = "[GameType \"21\"]\n[FEN \"W:W18:B15\"]\n\n1. 18x11 0-1\n";
    let (output, errors, is_good) = run(&folder, &["solve", "-"], problem);
    assert!(is_good && output.contains("18x11") && errors.ends_with("1 problem: 1 sound\n"), "{output}{errors}");
    let (_, errors, is_good) = run(&folder, &["puzzles", "-"], "");
    assert!(!is_good && errors == "soffio: -: no games found\n", "{errors}");
    let (_, errors, is_good) = run(&folder, &["solve", "--variant", "english", "-"], "");
    assert!(!is_good && errors == "soffio: -: no problems found\n", "{errors}");
    let row = "{\"fen\":\"startpos\",\"move\":\"11-15\"}\n";
    fs::write(folder.path().join("rows.jsonl"), row).unwrap();
    assert!(run(&folder, &["book", "import", "--variant", "english", "--out", "a.book", "rows.jsonl"], "").2);
    let (output, ..) = run(&folder, &["book", "probe", "a.book"], "startpos\n");
    assert!(output.starts_with("11-15 "), "{output}");
    let (output, _, is_good) = run(&folder, &["tables", "probe", "--variant", "english"], "startpos\n");
    assert!(!is_good && output == "error no table for 24 pieces\n", "{output}");
    let (output, _, is_good) = run(&folder, &["tables", "probe", "--variant", "english"], "WK1:BK32\n");
    assert!(!is_good && output.starts_with("error "), "{output}");
    assert!(run(&folder, &["tables", "probe", "--variant", "english"], "W:WK1:BK32\n").2);
}

#[test]
fn command_and_option_names_are_unambiguous() {
    let folder = folder();
    let arguments = ["--variant", "english", "--depth", "3", "W:W18,22:B1,2"];
    let read = |command: &str, multipv: &str| {
        let (output, errors, is_good) = run(&folder, &[&[command][..], &arguments, &[multipv, "2"]].concat(), "");
        assert!(is_good, "{errors}");
        serde_json::from_str::<Value>(&output).unwrap()["lines"].clone()
    };
    let lines = read("analyse", "--multipv");
    assert_eq!(lines.as_array().map(Vec::len), Some(2));
    assert_eq!(read("analyze", "--multipv"), lines);
    let (output, _, is_good) = run(&folder, &["play", "--variant", "english", "--optional-capture"], "quit\n");
    assert!(is_good && output.starts_with("english without forced captures"), "{output}");
    let (output, ..) = run(&folder, &["variants", "--json"], "");
    let variants: Vec<Value> = output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (table, ..) = run(&folder, &["variants"], "");
    assert_eq!(variants.len() + 1, table.lines().count());
    let english = variants.iter().find(|variant| variant["variant"] == "english").unwrap();
    assert_eq!([&english["pdn"], &english["columns"], &english["men"]], [21, 8, 12]);
    assert_eq!([&english["first_move"], &english["game_type"]], ["black", "21,B,8,8,N1,0"]);
}

#[test]
fn a_folder_without_usable_tables_is_rejected() {
    let folder = folder();
    for name in ["empty", "damaged", "russian"] {
        fs::create_dir(folder.path().join(name)).unwrap();
    }
    let build = ["tables", "build", "--variant", "russian", "--pieces", "2", "--dir", "russian"];
    assert!(run(&folder, &build, "").2);
    fs::write(folder.path().join("damaged/english-0m1k-0m1k.table"), "x").unwrap();
    let request = "{\"variant\":\"russian\",\"fen\":\"W:WKa1:BKh8\"}\n";
    let empty = "option TablePath empty: the folder has no endgame tables";
    let damaged =
        "option TablePath damaged: no endgame table file is usable; the first error is: not an endgame table file";
    for line in [
        "batch --nodes 9", "analyse --nodes 9", "annotate --nodes 9 -", "puzzles -", "solve -",
        "serve --listen 127.0.0.1:0",
    ] {
        for (tables, expected) in [("empty", empty), ("damaged", damaged)] {
            let arguments = [&line.split_whitespace().collect::<Vec<_>>()[..], &["--tables", tables]].concat();
            let (_, errors, is_good) = run(&folder, &arguments, "[GameType \"21\"] 1. 11-15 *");
            let reason = expected.split_once(": ").unwrap().1;
            assert!(!is_good && errors.contains(reason), "{line} {tables}: {errors}");
        }
    }
    assert!(run(&folder, &["batch", "--nodes", "9", "--tables", "russian"], request).2);
    let arguments = ["analyse", "--variant", "english", "--nodes", "9", "--tables", "russian", "startpos"];
    let (_, errors, is_good) = run(&folder, &arguments, "");
    assert!(!is_good && errors == "soffio: russian: the folder has no endgame tables for english\n", "{errors}");
    let arguments = ["tables", "probe", "--variant", "english", "--dir", "russian"];
    assert!(run(&folder, &arguments, "").1.ends_with("russian: the folder has no endgame tables for english\n"));
    let options: String =
        ["empty", "damaged", "russian"].map(|name| format!("setoption name TablePath value {name}\n")).concat();
    let (output, ..) = run(&folder, &[], &options);
    assert_eq!(output, format!("error {empty}\nerror {damaged}\n"));
}

#[test]
fn sizes_are_printed_with_suitable_units() {
    let folder = folder();
    let (_, errors, is_good) = run(&folder, &["tables", "build", "--variant", "english", "--pieces", "9"], "");
    let is_sensible = errors.contains("requires 1.2 TiB of memory: 485.8 GiB for 3m2k-2m2k, 695.5 GiB for the slices");
    assert!(!is_good && is_sensible, "{errors}");
}
