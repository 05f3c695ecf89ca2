//! Tests of output files on a full disk. The message names the file, the old content is preserved, and no partial file
//! remains.
#![cfg(target_os = "linux")]

use crate::process::{command, output, program, run_in};
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// A game. Repeated a few times, it exceeds the file size limit.
const GAME: &str = "[GameType \"21\"]\n\n1. 11-15 22-18 2. 15x22 25x18 3. 8-11 29-25 4. 4-8 25-22 *\n\n";

/// Returns a command that runs the program in the folder `place` with the words of `line`, with a limit of 512 bytes
/// per file.
fn limited(place: &TempDir, line: &str) -> Command {
    let mut command = command("sh");
    command.args(["-c", "ulimit -f 1; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_soffio")]);
    command.args(line.split_whitespace()).current_dir(place.path());
    command
}

/// Runs the program like [`limited`], asserts that it fails, and returns its standard error.
fn errors(place: &TempDir, line: &str) -> String {
    let output = output(limited(place, line), "");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{line}: {errors}");
    errors
}

fn names(place: &Path) -> Vec<String> {
    let name = |entry: std::io::Result<fs::DirEntry>| Some(entry.ok()?.file_name().to_str()?.to_owned());
    let mut names: Vec<_> = fs::read_dir(place).unwrap().filter_map(name).collect();
    names.sort();
    names
}

/// Creates a folder with games, requests, records, self-play games, and a file called `old`.
fn place() -> TempDir {
    let place = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(place.path().join(name), bytes).unwrap();
    write("games.pdn", GAME.repeat(36).as_bytes());
    let requests = "{\"variant\":\"english\",\"moves\":\"11-15 22-18\",\"plies\":true}\n".repeat(9);
    write("requests", requests.as_bytes());
    write("records", &output(program(&["batch", "--nodes", "20"]), requests).stdout);
    write("old", b"old");
    assert!(run_in(place.path(), "selfplay --variant english --games 9 --nodes 20 --seed 2 --out data", "").2);
    place
}

#[test]
fn a_file_that_does_not_fit_keeps_the_old_one_and_leaves_nothing() {
    let place = place();
    let before = names(place.path());
    for (line, file) in [
        ("annotate --nodes 20 --out new games.pdn", "new"),
        ("annotate --nodes 20 --out old --overwrite games.pdn", "old"),
        ("annotate --nodes 20 --games 1 --svg old --overwrite games.pdn", "old"),
        ("merge --out new records", "new"),
        ("merge --out old --overwrite records", "old"),
        ("merge --out new data", "new"),
        ("data --split 2 --into new newer data", "new"),
        ("train --variant english --epochs 1 --held-out 0.4 --out new data", "new"),
        ("tavla train --games 1 --out old --overwrite", "old"),
    ] {
        let printed = errors(&place, line);
        assert!(printed.lines().any(|line| line.starts_with(&format!("soffio: {file}: "))), "{line}: {printed}");
        assert_eq!(names(place.path()), before, "{line}");
        assert_eq!(fs::read(place.path().join("old")).unwrap(), b"old", "{line}");
    }
}

#[test]
fn a_game_that_does_not_fit_keeps_the_saved_one() {
    let place = place();
    let before = names(place.path());
    let moves = "11-15\n22-18\n15x22\n25x18\n8-11\n29-25\n4-8\n25-22\n12-16\n24-20\n8-12\n27-24\n9-14\n18x9\n5x14\n";
    let play = limited(&place, "play --variant english --black human");
    let printed = output(play, format!("{moves}replace old\nsave new\nquit\n"));
    let printed = String::from_utf8_lossy(&printed.stdout).into_owned();
    for file in ["old", "new"] {
        assert!(printed.contains(&format!("error {file}: ")), "{printed}");
    }
    assert_eq!((names(place.path()), fs::read(place.path().join("old")).unwrap()), (before, b"old".to_vec()));
}

#[test]
fn a_resumed_file_that_does_not_fit_is_reported() {
    let place = place();
    for (line, file) in [
        ("batch --nodes 20 --resume out requests", "out"),
        ("puzzles --resume mined games.pdn", "mined"),
        ("book grow --variant english --positions 40 --nodes 50 --out book", "book.journal"),
        ("tune --variants english --iterations 40 --nodes 9 --out journal", "journal"),
        ("selfplay --variant english --games 9 --nodes 20 --out more", "more"),
    ] {
        let printed = errors(&place, line);
        assert!(printed.lines().any(|line| line.starts_with(&format!("soffio: {file}: "))), "{line}: {printed}");
    }
    // After the same command has been run again, the file is complete.
    assert!(run_in(place.path(), "batch --nodes 20 --ordered --resume out requests", "").2);
    let [out, records] = ["out", "records"].map(|name| fs::read_to_string(place.path().join(name)).unwrap());
    assert_eq!(out, records);
}

#[test]
fn a_full_standard_output_is_reported() {
    for words in [&["variants"][..], &["annotate", "-", "--nodes", "9"]] {
        let mut command = program(words);
        command.stdout(fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
        let output = output(command, GAME);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(errors.ends_with("soffio: standard output: No space left on device\n"), "{errors}");
        assert_eq!(output.status.code(), Some(1));
    }
}

#[test]
fn an_input_is_not_replaced_by_an_output_of_a_different_kind() {
    let place = place();
    let path = |name: &str| place.path().join(name);
    fs::write(path("openings"), "11-15 23-19\n").unwrap();
    fs::write(path("ballots"), "B:W21,22,23:B1,2,3\n").unwrap();
    fs::write(path("worker.js"), "the engine\n").unwrap();
    assert!(run_in(place.path(), "book import games.pdn --variant english --out a.book", "").2);
    let grow = "book grow --variant english --positions 9 --nodes 20 --overwrite";
    for (line, input) in [
        ("book import games.pdn --variant english --out games.pdn --overwrite".to_owned(), "games.pdn"),
        (format!("{grow} --openings openings --out ./openings"), "openings"),
        (format!("{grow} --openings openings --out b.book --leaves openings"), "openings"),
        (format!("{grow} --openings openings --out b.book --journal openings"), "openings"),
        (format!("{grow} --scores records --out records"), "records"),
        ("train --variant english data --out data --overwrite".to_owned(), "data"),
        ("train --variant english data --out new --plot data --overwrite".to_owned(), "data"),
        ("data data --split 2 --into data new --overwrite".to_owned(), "data"),
        ("merge records --requests requests --out requests --overwrite".to_owned(), "requests"),
        ("annotate games.pdn --nodes 20 --book a.book --out a.book --overwrite".to_owned(), "a.book"),
        ("annotate games.pdn --depth 1 --overwrite --out ./games.pdn".to_owned(), "games.pdn"),
        ("annotate games.pdn --depth 1 --overwrite --html games.pdn".to_owned(), "games.pdn"),
        ("annotate games.pdn --depth 1 --games 1 --overwrite --svg games.pdn".to_owned(), "games.pdn"),
        (
            "match --each nodes=9 --engine cmd=a --engine cmd=b --openings openings --plot openings --overwrite"
                .to_owned(),
            "openings",
        ),
        ("dxp --variant english --listen --ballots ballots --pdn ballots".to_owned(), "ballots"),
        ("board --worker worker.js --out worker.js --overwrite".to_owned(), "worker.js"),
    ] {
        let before = fs::read(path(input)).unwrap();
        let (_, errors, is_good) = run_in(place.path(), &line, "");
        assert!(errors.contains(&format!("soffio: {input}: the input file is also the output")), "{line}: {errors}");
        assert_eq!((is_good, fs::read(path(input)).unwrap()), (false, before), "{line}");
    }
    // The output has the format of the input and replaces it when it is complete.
    let converted = fs::read(path("games.pdn")).unwrap();
    assert!(run_in(place.path(), "pdn convert games.pdn --out games.pdn --overwrite", "").2);
    assert_eq!(fs::read(path("games.pdn")).unwrap(), converted);
}

#[test]
fn two_outputs_of_a_command_need_different_names() {
    let place = place();
    for line in [
        "annotate --nodes 20 --out new --svg new --games 1 games.pdn",
        "annotate --nodes 20 --games 1 --html old --svg ./old --overwrite games.pdn",
    ] {
        let (_, errors, is_success) = run_in(place.path(), line, "");
        assert!(!is_success && errors.contains("another output"), "{line}: {errors}");
    }
    assert_eq!(fs::read(place.path().join("old")).unwrap(), b"old");
    assert!(!place.path().join("new").exists());
}
