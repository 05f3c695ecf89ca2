//! Tests of the folder for endgame tables that searches solve.

use crate::process::{Engine, SOLVED_TABLES, command, program, run_to_end};
use std::fs;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::thread::sleep;
use std::time::Duration;
use tempfile::tempdir;

const SEARCH: [&str; 3] =
    ["setoption name UCI_Variant value russian", "position fen W:WKc3,Kd4,Kf4:BKb8", "go nodes 4000000"];

/// The slices that this search needs.
const SLICES: [&str; 3] = ["0m1k-0m1k", "0m2k-0m1k", "0m3k-0m1k"];

fn files(folder: &Path) -> Vec<PathBuf> {
    SLICES.map(|slice| folder.join(format!("russian-{slice}.table"))).into()
}

/// Runs the search with this folder. Returns the best move and the last score, and what the program logged.
fn searched(folder: &Path) -> (Vec<String>, String) {
    let mut command = program(&["--log-level", "debug"]);
    command.env(SOLVED_TABLES, folder);
    let (output, log, _) = run_to_end(command, format!("{}\nwait\nquit\n", SEARCH.join("\n")));
    let last = output.lines().rfind(|line| line.starts_with("info depth")).unwrap_or_default();
    let (before, after) = (last.split(" nps").next().unwrap_or_default(), last.split(" pv").last().unwrap_or_default());
    let best = output.lines().find(|line| line.starts_with("bestmove")).unwrap_or_default();
    ([before, after, best].map(str::to_owned).into(), log)
}

/// Runs the search, and waits until its tables are in the folder.
fn fill(folder: &Path) {
    let variable = format!("{SOLVED_TABLES}={}", folder.display());
    let mut engine = Engine::run("env", &[&variable, env!("CARGO_BIN_EXE_soffio")]);
    SEARCH.iter().for_each(|line| _ = engine.send(line));
    engine.until("bestmove");
    while !files(folder).iter().all(|file| file.exists()) {
        sleep(Duration::from_millis(5));
    }
}

#[test]
fn solved_tables_are_kept_for_later_processes() {
    let place = tempdir().unwrap();
    let folder = place.path().join("cache/tables");
    let (expected, log) = searched(Path::new(""));
    assert!(expected[0].contains("score win") && !log.contains(".table"), "{expected:?} {log}");
    fill(&folder);
    let (found, log) = searched(&folder);
    assert_eq!(found, expected);
    assert_eq!(log.matches(".table: read").count(), SLICES.len(), "{log}");
    // The folder has the format of other table folders.
    let folder_text = folder.display().to_string();
    let verify = ["tables", "verify", "--variant", "russian", "--pieces", "2", "--dir", &folder_text];
    let (verified, ..) = run_to_end(program(&verify), "");
    assert!(verified.contains("0m1k-0m1k ok"), "{verified}");
}

#[test]
fn a_damaged_table_is_solved_again_and_replaced() {
    let place = tempdir().unwrap();
    let (expected, _) = searched(Path::new(""));
    fill(place.path());
    let damaged = &files(place.path())[1];
    let good = fs::read(damaged).unwrap();
    let mut bytes = good.clone();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(damaged, bytes).unwrap();
    let (found, log) = searched(place.path());
    assert_eq!(found, expected);
    assert!(log.contains("is damaged; the table is solved again"), "{log}");
    fs::remove_file(&files(place.path())[2]).unwrap();
    // The tables are written in order, so the damaged file has been replaced once the last file is there.
    fill(place.path());
    assert_eq!(fs::read(damaged).unwrap(), good);
}

#[test]
fn a_search_does_not_need_the_folder() {
    let place = tempdir().unwrap();
    let file = place.path().join("file");
    fs::write(&file, "text").unwrap();
    let (expected, _) = searched(Path::new(""));
    assert_eq!(searched(&file.join("tables")).0, expected);
    assert_eq!(fs::read_to_string(&file).unwrap(), "text");
}

#[test]
fn files_of_others_in_the_folder_stay() {
    let place = tempdir().unwrap();
    let others = ["disk.iso.part", "book.pdn.4db711eaba2c4b9a.part", "russian-0m1k-0m1k.4db711eaba2c4b9a.tmp.part"];
    let unfinished = ["russian-0m1k-0m1k.4db711eaba2c4b9a.part", "english-1m0k-0m2k.1f.wld.part"];
    others.iter().chain(&unfinished).for_each(|name| fs::write(place.path().join(name), "data").unwrap());
    fill(place.path());
    assert!(others.iter().all(|name| place.path().join(name).exists()));
    assert!(unfinished.iter().all(|name| !place.path().join(name).exists()));
}

#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_a_file_is_rejected() {
    let place = tempdir().unwrap();
    let pipe = place.path().join("pipe");
    let made = command("mkfifo").args([&files(place.path())[0], &pipe]).status().unwrap();
    assert!(made.success());
    let (found, log) = searched(place.path());
    assert_eq!(found, searched(Path::new("")).0);
    assert!(log.contains("not a regular file; the table is solved again"), "{log}");
    for (words, option) in [(&[][..], "BookFile"), (&[], "EvalFile"), (&["tavla"], "EvalFile")] {
        let line = format!("setoption name {option} value {}\nquit\n", pipe.display());
        let (output, ..) = run_to_end(program(words), &line);
        assert!(output.contains("not a regular file"), "{output}");
    }
}
