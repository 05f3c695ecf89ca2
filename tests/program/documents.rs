//! Tests that the examples in README.md, protocol.md and the pages in `docs/` show the actual output of the program.
//!
//! A fenced block marked `dialogue` is run with a new engine, which is started with the words after the mark. Lines
//! that start with `> ` are sent, and the other lines are the expected answers. Times, speeds and table fill may
//! differ, and so may the values in `info depth` lines of both protocols. A line `...` stands for any number of further
//! `info depth` lines. Shell blocks below a comment `<!-- tested -->` must succeed.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// The root folder of the project. File names in documents are relative to this folder.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Maximum time to wait for a line of the engine's answer.
const TIMEOUT: Duration = Duration::from_secs(600);

/// Words that are followed by a number that differs between runs.
const VARYING: [&str; 4] = ["nodes", "nps", "time", "hashfull"];

/// Names of the fields in an `info depth` line.
const FIELDS: [&str; 10] =
    ["depth", "seldepth", "multipv", "score", "nodes", "nps", "hashfull", "tbhits", "time", "pv"];

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

/// Returns the part of a line that must be the same in the document and in the output.
fn normal_form(line: &str) -> String {
    let words = line.split(' ');
    if line.starts_with("info depth ") {
        let fields: Vec<_> = words.filter(|word| FIELDS.contains(word)).collect();
        return format!("info {}", fields.join(" "));
    }
    if line.starts_with("info depth=") {
        let names: Vec<_> = words.filter_map(|word| word.split_once('=')).map(|(name, _)| name).collect();
        return format!("info {}", names.join("= "));
    }
    let mut after_varying = false;
    let words = words.map(|word| {
        let is_varying = std::mem::replace(&mut after_varying, VARYING.contains(&word));
        if is_varying && word.bytes().all(|byte| byte.is_ascii_digit()) { "#" } else { word }
    });
    words.collect::<Vec<_>>().join(" ")
}

fn is_info(line: &str) -> bool {
    line.starts_with("info depth ") || line.starts_with("info depth=")
}

/// A running engine, which is killed when this value is dropped.
struct Engine {
    child: Child,
    lines: Receiver<String>,
    transcript: Vec<String>,
    /// Whether the engine may print `info depth` lines that the document does not show.
    skips_info: bool,
}

impl Engine {
    fn start<'a>(arguments: impl Iterator<Item = &'a str>) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_soffio"));
        command.args(arguments).current_dir(ROOT);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Self { child, lines, transcript: Vec::new(), skips_info: false }
    }

    fn send(&mut self, line: &str) {
        self.transcript.push(format!("> {line}"));
        writeln!(self.child.stdin.as_mut().unwrap(), "{line}").unwrap();
    }

    /// Returns the next line, or `None` if the output has ended or the timeout is exceeded.
    fn receive(&mut self) -> Option<String> {
        let line = self.lines.recv_timeout(TIMEOUT).ok()?;
        self.transcript.push(line.clone());
        Some(line)
    }

    fn expect(&mut self, expected: &str) -> Result<(), String> {
        loop {
            let line = self.receive().ok_or_else(|| format!("'{expected}' did not come"))?;
            let is_expected = match expected.strip_suffix('*') {
                Some(start) => line.starts_with(start),
                None => normal_form(&line) == normal_form(expected),
            };
            if is_expected {
                self.skips_info &= !expected.starts_with("bestmove ") && !expected.starts_with("done ");
                return Ok(());
            }
            // On a busy machine, a search may take more than a second. It then also reports the current move.
            self.skips_info |= line.contains(" currmove ");
            if !(self.skips_info && is_info(&line)) {
                return Err(format!("expected '{expected}', found '{line}'"));
            }
        }
    }

    /// Runs the dialogue, and checks that no further output follows.
    fn run_dialogue(&mut self, dialogue: &[String]) -> Result<(), String> {
        for line in dialogue {
            match line.strip_prefix("> ") {
                Some(command) => self.send(command),
                None if line == "..." => self.skips_info = true,
                None => self.expect(line)?,
            }
        }
        drop(self.child.stdin.take());
        match self.receive() {
            Some(line) => Err(format!("'{line}' is not in the document")),
            None => Ok(()),
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // The engine may already have exited.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn check_dialogues(name: &str, least: usize) {
    let dialogues: Vec<_> =
        blocks(name).into_iter().filter(|block| block.kind.split(' ').next() == Some("dialogue")).collect();
    assert!(dialogues.len() >= least, "{name} has only {} dialogues", dialogues.len());
    for Block { place, kind, lines, .. } in dialogues {
        let mut engine = Engine::start(kind.split(' ').skip(1));
        if let Err(error) = engine.run_dialogue(&lines) {
            panic!("{place}: {error}. The session was:\n{}", engine.transcript.join("\n"));
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
        let mut bash = Command::new("bash");
        bash.args(["-euo", "pipefail", "-c", &lines.join("\n")]).env("PATH", &path);
        let output = bash.current_dir(ROOT).stdin(Stdio::null()).output().unwrap();
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
fn only_varying_fields_are_compared_loosely() {
    let same = |a: &str, b: &str| normal_form(a) == normal_form(b);
    assert!(same("perft 4 860 time 0 nps 87", "perft 4 860 time 12 nps 1"));
    assert!(!same("perft 4 860 time 0 nps 87", "perft 4 861 time 0 nps 87"));
    assert!(same("info depth 1 score cp 3 pv 21-17", "info depth 9 score win 2 pv 22-18 9-13"));
    assert!(!same("info depth 1 score cp 3 pv 21-17", "info depth 1 score cp 3 time 4 pv 21-17"));
    assert!(!same("bestmove 21-17", "bestmove 21-18"));
    assert!(same("info depth=1 score=0.1 pv=32-28", "info depth=2 score=-0.1 pv=\"31-26 19-23\""));
    assert!(!same("info depth=1 score=0.1", "info depth=1 nodes=3"));
}
