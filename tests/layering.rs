//! The rooms of the engine and of the program may name each other in one direction only: this holds every file to the table below.

use crate::common;

use common::rooms::{Naming, rooms_named};
use std::fs;
use std::path::{Path, PathBuf};

/// Every room (a file or folder under `src` or `crates/cli/src`), and the rooms whose names it may use besides its own.
const TABLE: &[(&str, &[&str])] = &[
    ("board", &[]),
    ("color", &[]),
    ("clock", &[]),
    ("stop", &[]),
    ("shard", &[]),
    ("system", &[]),
    ("lock", &[]),
    ("turns", &[]),
    ("checksummed_file", &[]),
    ("pool", &["stop"]),
    ("rules", &["board", "color"]),
    ("position", &["rules", "board"]),
    ("game", &["position", "rules"]),
    ("notation", &["game", "position", "rules", "board"]),
    ("eval", &["checksummed_file", "position", "rules", "board"]),
    ("tables", &["checksummed_file", "pool", "stop", "position", "rules", "board"]),
    ("search", &["clock", "stop", "position", "eval", "tables", "rules", "board", "system", "turns"]),
    // Players and evaluations of student reports.
    ("plain", &["clock", "search", "eval", "position", "rules", "board"]),
    ("book", &["checksummed_file", "search", "game", "notation", "position", "rules", "board"]),
    (
        "engine",
        &[
            "book", "clock", "pool", "turns", "plain", "search", "eval", "tables", "game", "notation", "position",
            "rules",
        ],
    ),
    // The native protocol and Hub, which may not name each other. Limits and scores are written down as the search has them.
    ("wire", &["search", "notation", "position", "rules"]),
    ("session", &["book", "clock", "engine", "wire", "notation"]),
    ("hub", &["book", "clock", "session", "engine", "wire", "game", "notation", "rules"]),
    (
        "train",
        &[
            "checksummed_file",
            "clock",
            "lock",
            "pool",
            "shard",
            "search",
            "eval",
            "tables",
            "notation",
            "position",
            "rules",
            "board",
            "stop",
        ],
    ),
    ("annotate", &["engine", "game", "notation", "position", "rules", "board", "stop"]),
    // Positions whose solution is proved.
    ("puzzle", &["annotate", "engine", "game", "notation", "position", "rules", "board", "stop"]),
    // The program.
    ("key_value", &[]),
    // Counts and sizes in words.
    ("words", &[]),
    // JSON objects field by field.
    ("json", &["words"]),
    // Errors about files, which name them.
    ("of_file", &[]),
    // Files that appear when they are complete.
    ("output_file", &["of_file"]),
    ("stdio", &["hub", "session"]),
    ("dxp", &["of_file", "session", "engine", "notation", "position", "rules"]),
    // The output of commands for scripts.
    ("record", &["book", "engine", "eval", "notation", "rules"]),
    (
        "arena",
        &[
            "book",
            "shard",
            "dxp",
            "engine",
            "wire",
            "game",
            "notation",
            "tables",
            "position",
            "rules",
            "board",
            "key_value",
            "of_file",
            "lock",
            "pool",
            "stop",
        ],
    ),
    // Positions and games judged by the line.
    (
        "batch",
        &[
            "stdio", "record", "json", "words", "of_file", "annotate", "engine", "clock", "notation", "rules", "shard",
            "pool", "stop", "system", "lock",
        ],
    ),
    // Puzzles mined from games, and problems judged.
    (
        "puzzles",
        &[
            "batch", "record", "json", "stdio", "words", "puzzle", "annotate", "engine", "train", "game", "notation",
            "position", "rules", "board", "shard", "stop",
        ],
    ),
    // Opening books are made of judged positions and of games.
    (
        "book_tools",
        &[
            "batch",
            "arena",
            "of_file",
            "output_file",
            "json",
            "record",
            "book",
            "annotate",
            "engine",
            "game",
            "notation",
            "rules",
            "stop",
        ],
    ),
    // The parts that every game on a screen needs.
    ("screen", &["color"]),
    (
        "play",
        &[
            "screen",
            "record",
            "stdio",
            "session",
            "engine",
            "notation",
            "position",
            "rules",
            "board",
            "key_value",
            "words",
            "of_file",
            "output_file",
        ],
    ),
    ("tavla_play", &["screen", "color", "stop", "output_file", "session", "stdio", "words"]),
    // Engines of tavla are started, asked and judged as those of draughts are.
    ("tavla_arena", &["arena", "rules", "color"]),
    ("seeds", &["arena", "engine", "game", "rules", "pool", "stop"]),
    (
        "console",
        &[
            "dxp",
            "stdio",
            "annotate",
            "arena",
            "wire",
            "play",
            "session",
            "seeds",
            "train",
            "eval",
            "tables",
            "engine",
            "notation",
            "game",
            "position",
            "rules",
            "key_value",
            "of_file",
            "output_file",
            "words",
            "record",
            "batch",
            "puzzles",
            "puzzle",
            "book_tools",
            "book",
            "pool",
            "shard",
            "stop",
            "tavla_play",
            "tavla_arena",
            "system",
            "clock",
        ],
    ),
    ("command_line", &["console", "stdio", "of_file", "output_file", "hub", "rules", "system"]),
];

/// The packages that link the engine, and the rooms of it that they may name besides the items of its root.
const PROGRAMS: &[(&str, &[&str])] = &[
    ("crates/board", &["annotate", "board", "book", "engine", "notation", "position", "rules", "wire"]),
    ("crates/checkerboard", &["engine", "notation", "game", "position", "rules", "board"]),
    (
        "python",
        &[
            "annotate", "book", "engine", "eval", "tables", "train", "notation", "game", "position", "puzzle", "rules",
            "board", "stop",
        ],
    ),
    ("crates/wasm", &["clock", "engine", "hub", "session", "turns"]),
    ("crates/tavla", &["clock", "color", "pool", "checksummed_file", "engine", "notation", "session", "stop", "wire"]),
];

/// The two roots, which may name every room.
const ROOTS: &[&str] = &["main", "lib"];

/// The rooms that code of `room` may name; tests inside a room may also look at anything below it.
fn may_name(room: &str, in_tests: bool) -> Vec<&'static str> {
    let direct = |room: &str| TABLE.iter().find(|(name, _)| *name == room).map_or(&[][..], |(_, below)| below);
    let mut allowed = direct(room).to_vec();
    let mut next = 0;
    while in_tests && next < allowed.len() {
        for below in direct(allowed[next]) {
            if !allowed.contains(below) {
                allowed.push(below);
            }
        }
        next += 1;
    }
    allowed
}

/// The faults in the text of one file of `room`; `name` is how messages call the file.
fn faults(room: &str, name: &str, text: &str) -> Vec<String> {
    if ROOTS.contains(&room) {
        return Vec::new();
    }
    if !TABLE.iter().any(|(known, _)| *known == room) {
        return vec![format!("{name}: the room `{room}` is not in the table of this test")];
    }
    let is_fault = |naming: &Naming| {
        // A name that is no room is an item that the root exports, which no room may reach for either.
        naming.room != room && !may_name(room, naming.in_tests).contains(&naming.room.as_str())
    };
    let fault = |naming: Naming| format!("{name}:{}: `{room}` may not name `{}`", naming.line, naming.room);
    rooms_named(text).into_iter().filter(is_fault).map(fault).collect()
}

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the sources can be listed") {
        let path = entry.expect("the sources can be listed").path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn every_room_names_only_rooms_below_it() {
    let mut all_faults = Vec::new();
    for folder in ["src", "crates/cli/src"] {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let mut files = Vec::new();
        rust_files(&source, &mut files);
        assert!(files.len() > 10, "only {} source files found", files.len());
        for file in files {
            let inside = file.strip_prefix(&source).expect("the file was found there");
            let first = inside.iter().next().and_then(|part| part.to_str()).expect("file names are plain");
            let text = fs::read_to_string(&file).expect("a source file is text");
            all_faults.extend(faults(first.trim_end_matches(".rs"), &format!("{folder}/{}", inside.display()), &text));
        }
    }
    assert!(all_faults.is_empty(), "\n{}\n", all_faults.join("\n"));
}

/// The faults in the text of one file of a program that may name the rooms `allowed`. What the root shows begins with a
/// capital letter.
fn faults_of_program(allowed: &[&str], name: &str, text: &str) -> Vec<String> {
    let is_fault =
        |naming: &Naming| !naming.room.starts_with(char::is_uppercase) && !allowed.contains(&naming.room.as_str());
    let fault = |naming: Naming| format!("{name}:{}: it may not name `{}`", naming.line, naming.room);
    // Its own rooms are its own affair.
    rooms_named(&text.replace("crate::", "own::")).into_iter().filter(is_fault).map(fault).collect()
}

#[test]
fn every_program_names_only_what_it_may() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (program, allowed) in PROGRAMS {
        let mut files = Vec::new();
        rust_files(&root.join(program).join("src"), &mut files);
        assert!(files.len() > 2, "only {} files of {program} found", files.len());
        let all_faults: Vec<_> = files
            .iter()
            .flat_map(|file| {
                let text = fs::read_to_string(file).expect("a source file is text");
                faults_of_program(allowed, &file.display().to_string(), &text)
            })
            .collect();
        assert!(all_faults.is_empty(), "\n{}\n", all_faults.join("\n"));
    }
    let sample = "use soffio::engine::Signal;\nuse soffio::{Engine, search::Limits};";
    assert_eq!(faults_of_program(&["engine"], "f", sample), ["f:2: it may not name `search`"]);
}

/// The texts of protocols and notations are parsed with nom, never by splitting lines by hand.
#[test]
fn protocols_are_parsed_with_nom() {
    const PARSERS: [&str; 10] = [
        "src/wire/native/words.rs",
        "src/wire/native/command.rs",
        "src/wire/native/go.rs",
        "src/wire/hub/mod.rs",
        "src/notation/fen.rs",
        "src/notation/moves.rs",
        "src/notation/pdn/read.rs",
        "src/notation/syntax.rs",
        "crates/cli/src/dxp/message.rs",
        "crates/tavla/src/session/command.rs",
    ];
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in PARSERS {
        let text = fs::read_to_string(root.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(text.contains("use nom::"), "{name} does not use nom");
    }
    for name in ["words", "command", "go"] {
        let text =
            fs::read_to_string(root.join(format!("src/wire/native/{name}.rs"))).expect("the file was found before");
        for splitter in ["split_whitespace", "split_once", "split_at", ".split(", ".find(char"] {
            assert!(!text.contains(splitter), "src/wire/native/{name}.rs splits lines by hand: {splitter}");
        }
    }
}

#[test]
fn the_table_has_no_circle() {
    for (room, _) in TABLE {
        assert!(!may_name(room, true).contains(room), "{room} is below itself");
        assert!(may_name(room, true).iter().all(|below| TABLE.iter().any(|(name, _)| name == below)), "{room}");
    }
}

/// Every arrow of the table that does not follow from two others, as a drawing for `docs/architecture.md`: an arrow leads from a
/// room to one that it may name.
fn drawing() -> String {
    let below = |room: &str| may_name(room, true);
    let folder = |name: &str| {
        let engine = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        engine.join(name).exists() || engine.join(name).with_extension("rs").exists()
    };
    let mut lines = vec!["```mermaid".to_owned(), "flowchart TD".to_owned()];
    for (title, is_engine) in
        [("engine: package soffio, src", true), ("program: package soffio-cli, crates/cli/src", false)]
    {
        let rooms: Vec<_> = TABLE.iter().map(|(room, _)| *room).filter(|room| folder(room) == is_engine).collect();
        lines.push(format!("  subgraph {}[\"{title}\"]", if is_engine { "engine_package" } else { "program" }));
        lines.extend(rooms.iter().map(|room| format!("    {room}[{room}]")));
        lines.push("  end".to_owned());
    }
    for (room, named) in TABLE {
        let follows = |other: &str| named.iter().any(|&between| between != other && below(between).contains(&other));
        lines.extend(named.iter().filter(|&&other| !follows(other)).map(|other| format!("  {room} --> {other}")));
    }
    lines.push("```".to_owned());
    lines.join("\n")
}

#[test]
fn the_drawing_of_the_rooms_is_true() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/architecture.md");
    let text = fs::read_to_string(page).expect("the page is there");
    let drawing = drawing();
    assert!(text.contains(&drawing), "docs/architecture.md wants this drawing:\n{drawing}");
}

#[test]
fn every_arrow_of_the_table_is_used() {
    let mut used = std::collections::BTreeSet::new();
    for folder in ["src", "crates/cli/src"] {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let mut files = Vec::new();
        rust_files(&source, &mut files);
        for file in files {
            let first = file.strip_prefix(&source).ok().and_then(|inside| inside.iter().next()?.to_str()).unwrap_or("");
            let text = fs::read_to_string(&file).expect("a source file is text");
            let named = rooms_named(&text).into_iter().filter(|naming| !naming.in_tests);
            used.extend(named.map(|naming| (first.trim_end_matches(".rs").to_owned(), naming.room)));
        }
    }
    for (room, named) in TABLE {
        for other in *named {
            assert!(used.contains(&((*room).to_owned(), (*other).to_owned())), "`{room}` no longer names `{other}`");
        }
    }
}

const SAMPLE: &str = r#"//! A comment may link to [`crate::engine`].
use crate::board::Square; // and name crate::stdio
use crate::{
    rules::{Color, Variant},
    search,
};
pub(crate) const TEXT: &str = "crate::session";
fn depth() -> crate::wire::Depth {
    loop {}
}
#[cfg(test)]
mod tests {
    use crate::adapter::hub::Line;
}
fn after() { crate::eval::run() }
"#;

#[test]
fn the_scanner_finds_every_form_of_a_name() {
    let found: Vec<_> = rooms_named(SAMPLE).into_iter().map(|n| (n.line, n.room, n.in_tests)).collect();
    let expected = [
        (2, "board", false),
        (4, "rules", false),
        (5, "search", false),
        (8, "wire", false),
        (13, "adapter", true),
        (15, "eval", false),
    ];
    assert_eq!(found, expected.map(|(line, room, in_tests)| (line, room.to_owned(), in_tests)));
}

#[test]
fn a_forbidden_name_is_reported_with_file_line_and_room() {
    assert_eq!(
        faults("position", "src/position/sample.rs", SAMPLE),
        [
            "src/position/sample.rs:5: `position` may not name `search`",
            "src/position/sample.rs:8: `position` may not name `wire`",
            "src/position/sample.rs:13: `position` may not name `adapter`",
            "src/position/sample.rs:15: `position` may not name `eval`",
        ]
    );
    assert_eq!(faults("board", "f", "use crate::rules::Color;"), ["f:1: `board` may not name `rules`"]);
    assert_eq!(faults("session", "f", "use soffio::search::Limits;"), ["f:1: `session` may not name `search`"]);
    assert_eq!(
        faults("play", "f", "use crate::{Engine, engine::Limits};\nfn game() -> crate::Game {}"),
        ["f:1: `play` may not name `Engine`", "f:2: `play` may not name `Game`"],
        "what the root shows to other programs is no way around the rooms"
    );
    assert_eq!(faults("cellar", "f", "").len(), 1, "an unknown room is a fault");
}

#[test]
fn tests_inside_a_room_may_name_everything_below() {
    let in_tests = "#[cfg(test)]\nmod tests {\n    use crate::position::Position;\n}\n";
    assert_eq!(faults("session", "f", in_tests), [""; 0]);
    assert_eq!(faults("session", "f", "use crate::position::Position;").len(), 1);
    assert_eq!(faults("board", "f", in_tests).len(), 1, "but nothing above");
}
