//! Tests of the output files of `soffio annotate`, and of its errors.

use super::{BLUNDERS, annotate, record};
use crate::common::records::{new_file, records};
use crate::process::{self, TIMEOUT, program, run_to_end, terminate};
use roxmltree::Document;
use std::fs;
use std::path::Path;
use std::thread;

const SOFFIO: &str = env!("CARGO_BIN_EXE_soffio");

/// Runs every tested example on the page about annotated games, and compares its output with the page.
#[test]
#[cfg(unix)]
fn the_page_shows_what_its_examples_print() {
    let page =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/annotate.md")).expect("it is there");
    let path = Path::new(SOFFIO).parent().expect("it is in a folder").display().to_string();
    let examples: Vec<_> = page.split("<!-- tested -->\n```sh\n").skip(1).collect();
    assert!(!examples.is_empty());
    for example in examples {
        let (command, rest) = example.split_once("```\n\n```text\n").expect("its output follows");
        let (expected, _) = rest.split_once("```").expect("it ends");
        let mut bash = process::command("bash");
        bash.args(["-euo", "pipefail", "-c", command]);
        bash.env("PATH", format!("{path}:{}", std::env::var("PATH").unwrap_or_default()));
        let (output, errors, _) = run_to_end(bash, "");
        let run = output + &errors;
        assert_eq!(run, expected);
    }
}

#[test]
fn each_error_is_reported_in_one_line() {
    let existing = new_file("existing.pdn");
    fs::write(&existing, "mine").expect("it can be written");
    let existing = existing.display().to_string();
    for (arguments, error) in [
        (&["/does/not/exist"][..], "soffio: /does/not/exist: No such file or directory\n"),
        (&["-", "--games", "2-3"], "soffio: -: --games selects no games; the file ends with game 1\n"),
        (
            &["-", "--out", &existing],
            "existing.pdn: the file exists; use --overwrite to replace it, or choose another name\n",
        ),
        (&["-", "--html", &existing], "existing.pdn: the file exists; use --overwrite"),
        (&["-", "--svg", &existing], "existing.pdn: the file exists; use --overwrite"),
        (&["-", "--svg", "/does/not/exist/a.svg"], "soffio: /does/not/exist/a.svg: No such file or directory"),
        (&["-", "--html", "/does/not/exist/a.html"], "soffio: /does/not/exist/a.html: No such file or directory"),
        (&["-", "--games", "0"], "expected a game number such as 3, or a range such as 3-7 or 3-"),
        (&["-", "--depth", "0"], "expected a whole number from 1 to 127"),
        (&["-", "--variant", "chess"], "expected one of"),
    ] {
        let run = annotate(arguments, b"[GameType \"20\"]\n1. 32-28 *");
        assert!(!run.is_success && run.output.is_empty() && run.errors.contains(error), "{}", run.errors);
    }
    assert_eq!(fs::read_to_string(&existing).expect("it is there"), "mine");
    assert_eq!(annotate(&["-"], b" ; nothing\n").errors, "soffio: -: no games found\n");
}

#[test]
fn plots_are_valid_xml_and_pages_contain_the_games() {
    let mut input: String = BLUNDERS.iter().map(|blunder| record(blunder).to_string()).collect();
    input.insert_str(0, "[White \"<&>'\\\"\u{fffe}\"]\n");
    let (page, curve, out) = (new_file("games.html"), new_file("curve.svg"), new_file("annotated.pdn"));
    let curves = [1, 2, 3, 4].map(|index| new_file(&format!("curve-{index}.svg")));
    let names = [&page, &curve, &out].map(|path| path.display().to_string());
    let words = ["-", "--depth", "6", "--hash", "1", "--html", &names[0], "--svg", &names[1], "--out", &names[2]];
    let run = annotate(&words, input.as_bytes());
    assert!(run.is_success && run.output.is_empty(), "{}", run.errors);
    assert_eq!(records(&out).len(), 4);
    let text = fs::read_to_string(&page).expect("it is written");
    let start =
        text.split("id=\"start\">").nth(1).and_then(|rest| rest.split("</script>").next()).expect("it has games");
    let start: serde_json::Value = serde_json::from_str(start).expect("they are JSON");
    let games = start["games"].as_array().expect("there are games");
    assert_eq!((games.len(), &start["engine"]), (4, &serde_json::json!("none")));
    assert_eq!(games[0]["tags"][0], serde_json::json!(["White", "<&>'\"\u{fffe}"]), "text from the file is escaped");
    for game in games {
        let nodes = game["nodes"].as_array().expect("it has moves");
        let is_bad = |node: &&serde_json::Value| node["glyphs"].to_string().contains('4') && node["score"].is_object();
        let bad = nodes.iter().find(is_bad).expect("there is a blunder");
        let others = nodes.iter().filter(|node| node["parent"] == bad["parent"]).count();
        assert_eq!(others, 2, "the better move is shown next to it");
    }
    assert_eq!(text.matches("</script>").count(), 2, "no text in a game ends a script element");
    for path in curves {
        let text = fs::read_to_string(path).expect("it is drawn");
        assert!(
            Document::parse(&text)
                .is_ok_and(|picture| picture.root_element().has_tag_name(("http://www.w3.org/2000/svg", "svg")))
        );
    }
    annotate(&["-", "--depth", "1", "--games", "2", "--svg", &names[1]], input.as_bytes());
    assert!(curve.exists(), "a single game is written to the named file");
}

#[test]
#[cfg(unix)]
fn an_interrupt_keeps_the_games_annotated_so_far() {
    for old in [None, Some("the old games\n")] {
        let place = tempfile::tempdir().expect("a folder");
        let [input, out] = ["many.pdn", "interrupted.pdn"].map(|name| place.path().join(name));
        let text = record(&BLUNDERS[2]).to_string();
        fs::write(&input, text.repeat(1000)).expect("it can be written");
        if let Some(old) = old {
            fs::write(&out, old).expect("it can be written");
        }
        let child = program(&["annotate", "--movetime", "20", "--hash", "1", "--overwrite"])
            .args([&input, Path::new("--out"), &out])
            .spawn()
            .expect("the program can be started");
        // The file has a different name until it is complete.
        let unfinished = || {
            let files = fs::read_dir(place.path()).expect("the folder exists").flatten().map(|entry| entry.path());
            files.into_iter().find(|path| path.extension().is_some_and(|end| end == "part"))
        };
        let length = || unfinished().and_then(|path| fs::metadata(path).ok()).map_or(0, |file| file.len());
        let started = std::time::Instant::now();
        while length() < 2 * text.len() as u64 {
            assert!(started.elapsed() < TIMEOUT, "no game is written");
            thread::sleep(std::time::Duration::from_millis(10));
        }
        terminate(&child);
        let output = child.wait_with_output().expect("it ends");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success());
        let written = if let Some(old) = old {
            let part = unfinished().expect("the new games have another name");
            let notice = format!("the old file is unchanged; the games annotated so far are in {}\n", part.display());
            assert!(errors.contains(&notice), "{errors}");
            assert_eq!(fs::read_to_string(&out).expect("it is there"), old);
            part
        } else {
            assert_eq!(unfinished(), None);
            out
        };
        let games = records(&written);
        assert!(!games.is_empty() && games.iter().all(|game| game.moves.iter().all(|mv| mv.comment.is_some())));
        assert!(errors.ends_with(&format!("{} of 1000 games annotated, then interrupted\n", games.len())), "{errors}");
    }
}
