//! Tests of `soffio tables`.

mod adjudication;
mod results;

use crate::common::endings::{pieces_of, published};
use crate::process::{program, run_to_end};
use serde_json::Value;
use soffio::notation::FenRecord;
use soffio::position::with_width;
use soffio::rules::Variant;
use soffio::tables::{AnyTables, Slice};
use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

pub fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

fn command(arguments: &str, place: &TempDir) -> Command {
    let mut command = program(&["tables"]);
    command.args(arguments.split_whitespace()).arg("--dir").arg(place.path());
    command
}

/// Runs `soffio tables` with these arguments and the folder `place`. Returns its standard output, its standard error,
/// and whether it succeeded.
fn tables(arguments: &str, place: &TempDir) -> (String, String, bool) {
    run_to_end(command(arguments, place), "")
}

#[track_caller]
pub fn good(arguments: &str, place: &TempDir) -> String {
    let (output, errors, success) = tables(arguments, place);
    assert!(success, "{arguments}: {output}{errors}");
    output
}

#[test]
fn tables_are_built_verified_counted_and_probed() {
    let place = folder();
    fs::remove_dir(place.path()).expect("the program makes the folder");
    let built = good("build --variant english --pieces 3 --threads 2", &place);
    assert!(built.ends_with("9 slices: 9 built, 0 already built\n"), "{built}");
    assert!(good("build --variant english --pieces 3", &place).ends_with("9 slices: 0 built, 9 already built\n"));
    let verified = good("verify --variant english --pieces 3", &place);
    assert!(verified.ends_with("9 slices: 9 valid, 0 faulty\n"), "{verified}");
    // The counts are compared with those of another program.
    let json: Value = serde_json::from_str(&good("stat --variant english --pieces 3 --json", &place)).expect("JSON");
    assert_eq!(json["variant"], "english");
    let (_, classes) = published(Variant::English);
    let small: Vec<_> = classes.iter().filter(|(name, _)| pieces_of(name) <= 3).collect();
    assert_eq!(json["classes"].as_object().map(|classes| classes.len()), Some(small.len()));
    for (name, class) in small {
        let found = &json["classes"][name.as_str()];
        let counts = ["win", "draw", "loss"].map(|field| found[field].as_u64());
        assert_eq!(counts, [class.quiet_win, class.quiet_draw, class.quiet_loss].map(Some), "{name}");
        let plies = found["longest_win_plies"].as_u64();
        assert_eq!(plies, class.longest_win().map(|(plies, _)| u64::from(plies)), "{name}");
        if let Some(plies) = plies {
            let fen = found["longest_win"].as_str().expect("a position");
            let (answer, ..) = run_to_end(command("probe --variant english --pv", &place), fen);
            assert!(answer.starts_with(&format!("win {plies} pv ")), "{name}: {answer}");
            assert_eq!(answer.split_whitespace().count() as u64, 3 + plies, "{answer}");
        } else {
            assert!(found["longest_win"].is_null(), "{name}");
        }
    }
    let text = good("stat --variant english --pieces 2", &place);
    assert!(text.contains("\n0m1k-0m1k          158          654          108  11 plies, W:WK"), "{text}");
}

#[test]
fn packed_files_contain_the_results() {
    let place = folder();
    good("build --variant english --pieces 3", &place);
    let packed = good("pack --variant english --pieces 3", &place);
    assert!(packed.contains("\n0m1k-1m0k 1736 positions, "), "{packed}");
    assert!(packed.ends_with(" already written, 0 skipped\n") && packed.contains("9 slices: 9 written ("), "{packed}");
    let again = good("pack --variant english --pieces 3", &place);
    assert!(again.contains("9 slices: 0 written (0 bytes), 9 already written"), "{again}");
    let stat = good("stat --variant english --pieces 3", &place);
    let positions = "W:WK22:B18\nB:WK1,K2:BK14\nW:WK1:BK32\nW:WK1,K2:BK14\n";
    let probe = |place: &TempDir| run_to_end(command("probe --variant english", place), positions).0;
    assert_eq!(probe(&place), "win 1\nloss 30\ndraw\nwin 33\n");
    for entry in fs::read_dir(place.path()).expect("the folder").flatten().filter(is_table) {
        fs::remove_file(entry.path()).expect("the file is there");
    }
    // Only the win in one move still has a distance, because its capture ends the game.
    assert_eq!(probe(&place), "win 1\nloss\ndraw\nwin\n");
    let verified = good("verify --variant english --pieces 3", &place);
    assert!(verified.ends_with("9 slices: 9 valid, 0 faulty\n"), "{verified}");
    // The lines of the longest wins need distances.
    let without_lines: String =
        stat.lines().filter(|line| !line.starts_with(' ')).map(|line| format!("{line}\n")).collect();
    assert_eq!(good("stat --variant english --pieces 3", &place), without_lines);
    let (_, errors, success) = tables("longest --variant english --pieces 3", &place);
    assert!(!success && errors.contains("no distances"), "{errors}");
    // Without distances, nothing is written.
    fs::remove_file(place.path().join("english-0m1k-0m1k.wld")).expect("the file is there");
    let (_, errors, success) = tables("pack --variant english --pieces 2", &place);
    assert!(!success && errors.contains("0m1k-0m1k skipped: no usable file with distances"), "{errors}");
    let (_, errors, success) = tables("pack --variant italian --pieces 2", &place);
    assert!(!success && errors.contains("the folder has no endgame tables for italian"), "{errors}");
    let path = place.path().to_owned();
    fs::remove_dir_all(&path).expect("a folder");
    let (_, _, success) = tables("pack --variant english --pieces 2", &place);
    assert!(!success && !path.exists(), "a missing folder is not created");
}

#[test]
fn every_line_gets_one_answer_in_order() {
    let place = folder();
    good("build --variant english --pieces 2", &place);
    // The positions include pending captures, either side to move, a side without pieces, and lines that are not
    // positions.
    let lines = [
        ("W:WK22:B18", "win 1"),
        ("B:W22:B18", "win 1"),
        ("W:W30:BK1", "draw"),
        ("W:WK1:BK5", "draw"),
        ("W:W:BK5", "loss 0"),
        ("W:WK1:B", "win 1"),
        ("", "error fen "),
        ("chess", "error fen "),
        ("W:WK99:BK1", "error fen "),
        ("W:WK1,K2:BK30", "error no table for 0m2k-0m1k"),
        ("W:W21-32:B1-12", "error no table for 24 pieces"),
        ("W:WK22:B18", "win 1"),
    ];
    let input: String = lines.iter().map(|(line, _)| format!("{line}\n")).collect();
    let (output, errors, success) = run_to_end(command("probe --variant english", &place), &input);
    assert!(!success && errors.is_empty(), "some lines have no answer: {errors}");
    let answers: Vec<_> = output.lines().collect();
    assert_eq!(answers.len(), lines.len(), "{output}");
    for ((line, expected), answer) in lines.iter().zip(answers) {
        assert!(answer.starts_with(expected), "{line}: {answer}");
    }
    // If no folder is given, the tables are built in memory up to a maximum number of pieces.
    let alone = program(&["tables", "probe", "--variant", "russian"]);
    let (output, ..) = run_to_end(alone, "W:Wc1,Ka1:BKh8\nW:WKa1,Kc1,Ke1,Kg1:BKh8\n");
    let answers: Vec<_> = output.lines().collect();
    assert!(answers.len() == 2 && answers[1].starts_with("error no table for 0m4k-0m1k"), "{output}");
    assert!(!answers[0].starts_with("error"), "{output}");
}

/// Probes a position of each material with up to three pieces, each in a separate process that has no table files.
#[test]
fn every_slice_is_built_with_its_dependencies() {
    let probe =
        |variant: Variant, fen: &str| run_to_end(program(&["tables", "probe", "--variant", variant.name()]), fen).0;
    assert_eq!(probe(Variant::English, "W:W23:B10,11"), "loss 4\n");
    for variant in [Variant::English, Variant::Russian, Variant::Frisian] {
        let materials = Slice::all(variant.spec(), 3).into_iter().flat_map(Slice::materials);
        with_width!(AnyTables::new(variant), tables => for material in materials {
            let index = tables.index(material);
            let setup = (index.size() / 3..index.size()).find_map(|number| index.setup(number)).expect("a position");
            let fen = FenRecord::from_setup(variant.spec(), &setup).to_string();
            let answer = probe(variant, &fen);
            assert!(["win ", "draw", "loss "].iter().any(|word| answer.starts_with(word)), "{variant} {fen}: {answer}");
        });
    }
}

#[test]
fn damaged_or_foreign_files_are_reported_and_rebuilt() {
    let place = folder();
    good("build --variant english --pieces 2", &place);
    good("build --variant italian --pieces 2", &place);
    let kings = place.path().join("english-0m1k-0m1k.table");
    let whole = fs::read(&kings).expect("the file is there");
    let mut damaged = whole.clone();
    let last = damaged.len() - 3;
    damaged[last] ^= 4;
    let foreign = fs::read(place.path().join("italian-0m1k-0m1k.table")).expect("the file is there");
    for (bytes, reason) in [
        (damaged, "is damaged"),
        (whole[..whole.len() / 2].to_vec(), "the file should have"),
        (foreign, "the tables are for variant \"italian\""),
        (b"text".to_vec(), "not an endgame table file"),
    ] {
        fs::write(&kings, bytes).expect("the file can be written");
        let (output, _, success) = tables("verify --variant english --pieces 2", &place);
        assert!(!success && output.contains(reason), "{output}");
        let (output, ..) = run_to_end(command("probe --variant english", &place), "W:WK1:BK32\nW:W30:B1\n");
        let answers: Vec<_> = output.lines().collect();
        assert!(answers.len() == 2 && answers[0].starts_with("error "), "{reason}: {output}");
        let (output, errors, success) = tables("build --variant english --pieces 2", &place);
        assert!(success && errors.contains(reason) && errors.contains("english-0m1k-0m1k.table"), "{errors}");
        assert!(output.ends_with("3 slices: 1 built, 2 already built\n"), "{output}");
        assert!(fs::read(&kings).is_ok_and(|bytes| bytes == whole), "the rebuilt file is identical");
    }
}

#[test]
fn a_killed_build_is_resumed() {
    let place = folder();
    let mut child = command("build --variant brazilian --pieces 3 --threads 1", &place)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("soffio runs");
    let finished = || fs::read_dir(place.path()).map_or(0, |files| files.flatten().filter(is_table).count());
    let started = Instant::now();
    while finished() < 2 && started.elapsed() < Duration::from_secs(120) {
        thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    let there = finished();
    assert!(there >= 2, "slices are completed one after the other");
    fs::write(place.path().join("brazilian-0m2k-0m1k.1.part"), "left by another build that was killed")
        .expect("it is written");
    let output = good("build --variant brazilian --pieces 3", &place);
    let files = fs::read_dir(place.path()).expect("the folder is there").flatten();
    assert_eq!(files.filter(|entry| !is_table(entry)).count(), 0, "nothing else is left in the folder");
    let kept: usize =
        output.lines().last().and_then(|line| line.split(' ').nth(4)).expect("a count").parse().expect("it");
    assert!(kept >= there, "{there} were there: {output}");
    assert!(good("verify --variant brazilian --pieces 3", &place).ends_with("9 slices: 9 valid, 0 faulty\n"));
}

fn is_table(entry: &fs::DirEntry) -> bool {
    entry.path().extension().is_some_and(|extension| extension == "table")
}

#[test]
fn slices_are_listed_in_layers_and_can_be_built_separately() {
    let place = folder();
    let list = good("build --variant english --pieces 3 --list", &place);
    let rows: Vec<Vec<_>> = list.lines().map(|line| line.split(' ').collect()).collect();
    let layers: Vec<_> = rows.iter().map(|row| row[0]).collect();
    assert_eq!(layers, ["1", "2", "3", "4", "5", "5", "6", "6", "7"], "{list}");
    assert!(rows.iter().all(|row| row.len() == 5 && row[4] == "missing"), "{list}");
    let (_, errors, success) = tables("build --variant english --slice 0m1k-1m1k", &place);
    assert!(
        !success && errors.contains("1m1k-0m1k depends on slices missing from") && errors.contains("0m2k-0m1k"),
        "{errors}"
    );
    for row in &rows {
        good(&format!("build --variant english --slice {}", row[1]), &place);
    }
    let list = good("build --variant english --pieces 3 --list", &place);
    assert!(list.lines().all(|line| line.ends_with(" built")), "{list}");
    good("verify --variant english --pieces 3", &place);
}

#[test]
fn slices_are_verified_separately() {
    for (kind, extension) in [("", "table"), ("--wld", "wld")] {
        let place = folder();
        good(&format!("build --variant english --pieces 3 {kind}"), &place);
        let verify = "verify --variant english --slice 0m1k-1m1k";
        assert_eq!(good(verify, &place), "1m1k-0m1k ok\n1 slice: 1 valid, 0 faulty\n");
        // A promotion leads to two kings against one.
        let needed = place.path().join(format!("english-0m2k-0m1k.{extension}"));
        let mut damaged = fs::read(&needed).expect("the file is there");
        *damaged.last_mut().expect("the file is not empty") ^= 1;
        fs::write(&needed, damaged).expect("the file can be written");
        let (output, _, success) = tables(verify, &place);
        assert!(!success && output.starts_with("1m1k-0m1k ") && output.contains("fault"), "{output}");
        fs::remove_file(&needed).expect("the file is there");
        let (_, errors, success) = tables(verify, &place);
        assert!(!success && errors.contains("1m1k-0m1k depends on slices missing from"), "{errors}");
        assert!(errors.ends_with("build them first: 0m2k-0m1k\n"), "{errors}");
        let (_, errors, success) = tables("verify --variant frisian --slice 1m1k-0m1k", &place);
        assert!(!success && errors.contains("more than three times in a row"), "{errors}");
    }
}

#[test]
fn builds_that_are_not_possible_are_rejected() {
    let place = folder();
    for (arguments, reason) in [
        ("build --variant english --pieces 6 --memory 100", " MiB of memory: "),
        ("build --variant international --pieces 12", "requires 204.8 PiB of memory: "),
        ("build --variant breakthrough --slice 0m1k-0m1k", "the first king ends the game"),
        ("build --variant frisian --slice 1m1k-0m1k", "more than three times in a row"),
        ("build --variant english --slice 8m0k-1m0k", "invalid material"),
        ("build --variant english --pieces 15", "expected a whole number from 2 to 14"),
        ("build --variant chess --pieces 2", "expected one of italian, "),
        ("build --variant english", "--pieces"),
    ] {
        let (_, errors, success) = tables(arguments, &place);
        assert!(!success && errors.contains(reason), "{arguments}: {errors}");
    }
    assert_eq!(fs::read_dir(place.path()).map_or(0, Iterator::count), 0, "nothing was built");
    let absent = place.path().join("absent");
    let words = ["tables", "build", "--variant", "english", "--pieces", "12", "--dir"];
    let mut command = program(&words);
    command.arg(&absent);
    let (_, errors, success) = run_to_end(command, "");
    assert!(!success && errors.contains("available: use --wld or fewer pieces"), "{errors}");
    assert!(!absent.exists());
    for (variant, reason) in [("breakthrough", "the first king ends the game"), ("frisian", "more than three times")] {
        let (output, errors, success) = tables(&format!("build --variant {variant} --pieces 3 --list"), &place);
        assert!(success && !output.is_empty() && errors.contains(reason), "{errors}");
    }
    let (output, _, success) = tables("verify --variant english --pieces 2", &place);
    assert!(!success && output.contains("0m1k-0m1k file not found"), "{output}");
    let (_, errors, success) = tables("stat --variant english --pieces 2 --json", &place);
    assert!(!success && errors.contains("missing files: 0m1k-0m1k"), "{errors}");
}

#[test]
fn a_damaged_block_is_never_taken_for_a_missing_table() {
    let place = folder();
    good("build --variant english --pieces 3", &place);
    let name = "english-1m1k-0m1k.table";
    let path = place.path().join(name);
    let whole = fs::read(&path).expect("the table");
    // A position whose best line passes through the table.
    let stat = good("stat --variant english --pieces 3", &place);
    let (_, longest) = stat.split_once("\n1m1k-0m1k").and_then(|(_, rest)| rest.split_once("plies, ")).expect("a win");
    let fen = longest.lines().next().expect("a position").to_owned();
    let mut damaged = whole.clone();
    damaged[whole.len() / 8..].fill(0xff);
    fs::write(&path, &damaged).expect("the table is written");
    for arguments in ["longest", "mutual-zugzwang", "only-moves 2"] {
        let (output, errors, success) = tables(&format!("{arguments} --variant english --pieces 3"), &place);
        assert!(!success && output.is_empty() && errors.contains(&format!("{name}: damaged")), "{output}{errors}");
    }
    let (_, errors, success) = tables("stat --variant english --pieces 3", &place);
    assert!(!success && errors.contains(&format!("{name}: damaged")), "{errors}");
    let (output, errors, success) = run_to_end(command("probe --variant english --pv", &place), &fen);
    assert!(
        !success && output.starts_with("error ") && errors.contains(&format!("{name}: damaged")),
        "{output}{errors}"
    );

    // The line of a position may lead to a table that is missing.
    fs::write(&path, &whole).expect("the table is written");
    let (line, _, success) = run_to_end(command("probe --variant english --pv", &place), &fen);
    assert!(success && line.starts_with("win "), "{line}");
    fs::remove_file(place.path().join("english-0m2k-0m1k.table")).expect("the file is there");
    let (output, _, success) = run_to_end(command("probe --variant english --pv", &place), &fen);
    assert!(!success && output.starts_with("error the best line ends after "), "{output}");
}
