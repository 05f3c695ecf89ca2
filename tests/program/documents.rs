//! Tests that the examples in README.md, protocol.md and the pages in `docs/` show the actual output of the program.
//!
//! A fenced block marked `dialogue` is run as in [`crate::dialogues`] with a new engine, which is started with the
//! words after the mark. Times, speeds and table fill may differ, and so may most values in `info depth` lines of both
//! protocols. A line `...` stands for any number of further `info depth` lines. Shell blocks below a comment
//! `<!-- tested -->` must succeed.

use crate::dialogues::{is_numeric, run_dialogue_with};
use crate::process::{Engine, command, output};
use std::path::Path;

/// The root folder of the project. File names in documents are relative to this folder.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Words that are followed by a number that differs between runs.
const VARYING: [&str; 4] = ["nodes", "nps", "time", "hashfull"];

/// The fields of an `info depth` line whose values must be the same in the document and in the output.
const FIXED: [&str; 2] = ["depth", "multipv"];

struct Block {
    /// Location of the start of the block, as `file:line`.
    place: String,
    /// The text after the opening fence.
    kind: String,
    /// Whether a comment above the block marks it as tested.
    marked: bool,
    lines: Vec<String>,
}

fn blocks(name: &str) -> Vec<Block> {
    let text = std::fs::read_to_string(Path::new(ROOT).join(name)).unwrap();
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    let mut marked = false;
    for (index, line) in text.lines().enumerate() {
        match (line.strip_prefix("```"), open.take()) {
            (Some(_), Some(block)) => blocks.push(block),
            (Some(kind), None) => {
                let place = format!("{name}:{}", index + 1);
                open = Some(Block { place, kind: kind.to_owned(), marked, lines: Vec::new() });
            }
            (None, Some(mut block)) => {
                block.lines.push(line.to_owned());
                open = Some(block);
            }
            (None, None) => marked = line == "<!-- tested -->",
        }
    }
    assert!(open.is_none(), "{name}: a block is not closed");
    blocks
}

/// Returns the line of a dialogue that stands for a line of a document.
fn pattern(line: &str) -> String {
    if line == "..." {
        return "info depth...".to_owned();
    }
    let is_info = line.starts_with("info depth");
    let (fields, moves) = match line.split_once(" pv") {
        Some((fields, _)) if is_info => (fields, " pv*"),
        _ => (line, ""),
    };
    let mut last = "";
    let words = fields.split(' ').map(|word| {
        let (name, value) = word.split_once('=').unwrap_or((last, word));
        last = word;
        let varies = if is_info { !FIXED.contains(&name) } else { VARYING.contains(&name) };
        let is_sent = line.starts_with("> ");
        if !is_sent && varies && value.chars().all(is_numeric) { word.replace(value, "#") } else { word.to_owned() }
    });
    words.collect::<Vec<_>>().join(" ") + moves
}

fn check_dialogues(name: &str, least: usize) {
    let dialogues: Vec<_> =
        blocks(name).into_iter().filter(|block| block.kind.split(' ').next() == Some("dialogue")).collect();
    assert!(dialogues.len() >= least, "{name} has only {} dialogues", dialogues.len());
    for Block { place, kind, lines, .. } in dialogues {
        let arguments: Vec<_> = kind.split(' ').skip(1).collect();
        let dialogue: Vec<_> = lines.iter().map(|line| pattern(line)).collect();
        if let Err(error) = run_dialogue_with(Engine::started(&arguments), &dialogue.join("\n")) {
            panic!("{place}: {error}");
        }
    }
}

/// Returns the paths of README.md and the pages in `docs/`, relative to the root.
fn guides() -> Vec<String> {
    let folder = Path::new(ROOT).join("docs");
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut pages: Vec<_> = names.filter(|name| name.ends_with(".md")).map(|name| format!("docs/{name}")).collect();
    pages.sort();
    assert!(pages.len() >= 6, "the pages are there");
    pages.insert(0, "README.md".to_owned());
    pages
}

#[test]
fn the_dialogues_in_the_readme_match() {
    check_dialogues("README.md", 1);
}

#[test]
fn the_dialogues_in_the_pages_match() {
    check_dialogues("docs/dialogues.md", 1);
    guides().iter().skip(1).for_each(|page| check_dialogues(page, 0));
}

#[test]
fn the_dialogues_in_the_protocol_match() {
    check_dialogues("protocol.md", 7);
}

#[test]
#[cfg(unix)]
fn the_shell_examples_in_the_readme_and_the_pages_work() {
    let binary = Path::new(env!("CARGO_BIN_EXE_soffio"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", binary.parent().unwrap().display());
    let examples = guides().into_iter().flat_map(|page| blocks(&page));
    let examples: Vec<_> = examples.filter(|block| block.kind == "sh" && block.marked).collect();
    assert!(examples.len() >= 7, "only {} examples", examples.len());
    for Block { place, lines, .. } in examples {
        let mut bash = command("bash");
        bash.args(["-euo", "pipefail", "-c", &lines.join("\n")]).env("PATH", &path).current_dir(ROOT);
        let output = output(bash, "");
        let printed = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && !printed.is_empty(), "{place}: {printed}{errors}");
        assert!(!printed.lines().any(|line| line.starts_with("error ")), "{place}: {printed}");
    }
}

/// Returns the anchor of a heading, or an empty string if `line` is not a heading.
fn anchor_of(line: &str) -> String {
    let heading = line.strip_prefix('#').unwrap_or_default().trim_start_matches('#').trim();
    let kept = heading.chars().filter(|&c| c.is_alphanumeric() || "-_ ".contains(c));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Maximum number of lines in a page. Longer pages must be split by subject.
const LONGEST_PAGE: usize = 400;

#[test]
fn no_page_is_too_long() {
    for page in guides().into_iter().chain(["protocol.md".to_owned()]) {
        let lines = std::fs::read_to_string(Path::new(ROOT).join(&page)).unwrap().lines().count();
        assert!(lines <= LONGEST_PAGE, "{page} has {lines} lines");
    }
}

#[test]
fn every_page_is_in_the_table_of_contents() {
    let summary = std::fs::read_to_string(Path::new(ROOT).join("docs/SUMMARY.md")).unwrap();
    let log = std::fs::read_dir(Path::new(ROOT).join("docs/log")).unwrap();
    let log = log.map(|entry| format!("docs/log/{}", entry.unwrap().file_name().into_string().unwrap()));
    for page in guides().into_iter().chain(log).filter(|page| page != "docs/SUMMARY.md") {
        let Some(inside) = page.strip_prefix("docs/") else { continue };
        assert!(summary.contains(&format!("({inside})")), "docs/SUMMARY.md lacks {page}");
    }
}

#[test]
fn every_link_to_a_file_resolves() {
    let root = Path::new(ROOT);
    let others = ["protocol.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(str::to_owned);
    for page in guides().into_iter().chain(others) {
        let text = std::fs::read_to_string(root.join(&page)).unwrap();
        let folder = root.join(&page).parent().unwrap().to_owned();
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
        for target in targets.filter(|target| !target.contains("://")) {
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let path = if file.is_empty() { root.join(&page) } else { folder.join(file) };
            assert!(path.exists(), "{page}: there is no file {target}");
            let has_anchor = || std::fs::read_to_string(&path).unwrap().lines().any(|line| anchor_of(line) == anchor);
            assert!(anchor.is_empty() || has_anchor(), "{page}: there is no heading {target}");
        }
    }
}

#[test]
fn only_varying_values_become_patterns() {
    for (line, expected) in [
        ("...", "info depth..."),
        ("perft 4 860 time 0 nps 87", "perft 4 860 time # nps #"),
        ("info depth 1 multipv 2 score cp -3 pv 21-17 9-13", "info depth 1 multipv 2 score cp # pv*"),
        ("info depth=1 score=-0.1 pv=\"31-26 19-23\"", "info depth=1 score=# pv*"),
        ("bestmove 21-17", "bestmove 21-17"),
        ("> go nodes 5", "> go nodes 5"),
    ] {
        assert_eq!(pattern(line), expected);
    }
}
