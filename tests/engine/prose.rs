//! Tests of the vocabulary and the line lengths in sources and documents.

use std::fs;
use std::path::{Path, PathBuf};

/// Words to avoid, with their replacements.
const WORDS: &[(&str, &str)] = &[
    ("as many as there are", "one per ..."),
    ("by chance", "at random"),
    ("centimen", "cp"),
    ("doubtful", "dubious"),
    ("figures date", "figures were measured"),
    ("hangs on the position", "depends on the position"),
    ("of before and of now", "previous and current"),
    ("not understood", "unrecognised"),
    ("oversteps", "exceeds, flags"),
    ("plies to look ahead", "search depth in plies"),
    ("rate of learning", "learning rate"),
    (" rooms ", "modules, layers, crates"),
    ("set-ups", "positions"),
    ("than which", "(two sentences)"),
    ("the way through the pipes", "pipe latency"),
    ("undoable()", "ply()"),
    ("weights of before", "previous weights"),
    ("which is to be", "(active voice)"),
];

/// Maximum number of columns in the comments of source files, and in Markdown prose.
const COLUMNS: (usize, usize) = (120, 100);

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Collects the files below `folder` whose names end with `ending`. Skips generated files and historical documents.
fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder can be listed") {
        let path = entry.expect("the folder can be listed").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_skipped = ["target", "log", "data", "node_modules", "CHANGELOG.md", "dist"].contains(&&*name);
        if is_skipped || name.starts_with('.') || name.starts_with("prose.") {
            continue;
        }
        if path.is_dir() {
            files(&path, ending, found);
        } else if name.ends_with(ending) {
            found.push(path);
        }
    }
}

fn texts(ending: &str) -> impl Iterator<Item = (PathBuf, String)> {
    let mut found = Vec::new();
    files(root(), ending, &mut found);
    assert!(found.len() > 20, "{ending}: only {} files", found.len());
    found.into_iter().map(|path| {
        let text = fs::read_to_string(&path).expect("a source is text");
        (path.strip_prefix(root()).expect("it is below the root").to_owned(), text)
    })
}

#[test]
fn avoided_words_do_not_return() {
    let mut faults = Vec::new();
    for (path, text) in texts(".rs").chain(texts(".md")) {
        for (number, line) in (1..).zip(text.to_lowercase().lines()) {
            let found = WORDS.iter().find(|(word, _)| line.contains(word));
            faults.extend(found.map(|(word, other)| format!("{}:{number}: `{word}`: {other}", path.display())));
        }
    }
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

/// Processes that are started in another way could write solved endgame tables to the user's folder.
#[test]
fn tests_start_processes_with_the_function_command() {
    for (path, text) in texts(".rs").filter(|(path, _)| path.starts_with("tests/program")) {
        assert!(!text.contains("Command::new("), "{}: use `process::command`", path.display());
    }
}

#[test]
fn lines_are_not_too_long() {
    let mut faults = Vec::new();
    let mut check = |path: &Path, number: usize, line: &str, max_width: usize| {
        let length = line.chars().count();
        if length > max_width {
            faults.push(format!("{}:{number}: {length} columns", path.display()));
        }
    };
    for (path, text) in texts(".rs") {
        // Only comments are checked, because the formatter limits the length of code lines.
        let lines = (1..).zip(text.lines()).filter(|(_, line)| line.trim_start().starts_with("//"));
        lines.for_each(|(number, line)| check(&path, number, line, COLUMNS.0));
    }
    for (path, text) in texts(".md") {
        let mut is_code = false;
        for (number, line) in (1..).zip(text.lines()) {
            is_code ^= line.trim_start().starts_with("```");
            if !is_code && !line.starts_with(['|', '#']) && !line.contains("](") && !line.contains("http") {
                check(&path, number, line, COLUMNS.1);
            }
        }
    }
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}
