//! Tests that dependencies are acyclic and follow the layers. This applies to packages, to the modules of the engine,
//! and to the files in each folder.

mod module_graph;

use module_graph::{Graph, ModuleGraph};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Every top-level module of the engine, with the modules that it may use.
const MODULES: &[(&str, &[&str])] = &[
    ("board", &[]),
    ("clock", &[]),
    ("stop", &[]),
    ("shard", &[]),
    ("system", &[]),
    ("files", &[]),
    ("lock", &["files"]),
    ("memory", &[]),
    ("checksummed_file", &[]),
    ("pool", &["stop"]),
    ("rules", &["board"]),
    ("turns", &["rules"]),
    ("position", &["rules", "board"]),
    ("game", &["position", "rules"]),
    ("notation", &["score", "game", "position", "rules", "board"]),
    ("eval", &["checksummed_file", "files", "position", "rules", "board"]),
    ("tables", &["checksummed_file", "files", "memory", "pool", "stop", "position", "rules", "board"]),
    ("score", &["board"]),
    (
        "search",
        &["clock", "memory", "stop", "score", "position", "eval", "tables", "rules", "board", "system", "turns"],
    ),
    ("plain", &["clock", "search", "eval", "position", "rules", "board"]),
    ("book", &["checksummed_file", "files", "search", "game", "notation", "position", "rules", "board"]),
    (
        "engine",
        &[
            "book", "clock", "files", "pool", "turns", "plain", "search", "eval", "tables", "game", "notation",
            "position", "rules",
        ],
    ),
    ("wire", &["search", "notation", "position", "rules"]),
    ("session", &["book", "clock", "engine", "wire", "game", "notation", "rules", "system"]),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn packages() -> Vec<PathBuf> {
    let crates = fs::read_dir(root().join("crates")).expect("the crates can be listed");
    let mut folders: Vec<_> = crates.map(|entry| entry.expect("the crates can be listed").path()).collect();
    folders.extend([root().to_owned(), root().join("python")]);
    folders.sort();
    folders
}

#[test]
fn engine_modules_use_only_modules_below_them() {
    let named = ModuleGraph::read(&root().join("src")).between(&[]);
    let allowed: BTreeMap<_, _> = MODULES.iter().copied().collect();
    let mut faults = Vec::new();
    for (module, others) in &named {
        let Some(reachable_from) = allowed.get(module.as_str()) else {
            faults.push(format!("`{module}` is not in the table of this test"));
            continue;
        };
        for (other, place) in others {
            if !reachable_from.contains(&other.as_str()) {
                faults.push(format!("{place}: `{module}` may not name `{other}`"));
            }
        }
    }
    for (module, reachable_from) in MODULES {
        let used = named.get(*module).unwrap_or_else(|| panic!("there is no module `{module}`"));
        let idle = reachable_from.iter().filter(|other| !used.contains_key(**other));
        faults.extend(idle.map(|other| format!("`{module}` no longer names `{other}`")));
    }
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

#[test]
fn no_folder_has_a_cycle() {
    let mut cycles = Vec::new();
    for package in packages() {
        let graph = ModuleGraph::read(&package.join("src"));
        for folder in graph.folders() {
            if let Some(cycle) = cycle(&graph.between(&folder)) {
                cycles.push(format!("{} {}: {cycle}", package.display(), folder.join("::")));
            }
        }
    }
    assert!(cycles.is_empty(), "\n{}\n", cycles.join("\n"));
}

/// Describes the first cycle in `graph` with the files that contain its edges, or returns `None` if there is no cycle.
fn cycle(graph: &Graph) -> Option<String> {
    fn visit<'a>(
        graph: &'a Graph,
        node: &'a str,
        path: &mut Vec<&'a str>,
        done: &mut BTreeSet<&'a str>,
    ) -> Option<String> {
        if let Some(start) = path.iter().position(|&seen| seen == node) {
            let ends = path[start + 1..].iter().copied().chain([node]);
            let arrow = |(from, to): (&str, &str)| format!("{from} -> {to} ({})", graph[from][to]);
            return Some(path[start..].iter().copied().zip(ends).map(arrow).collect::<Vec<_>>().join(", "));
        }
        if !done.insert(node) {
            return None;
        }
        path.push(node);
        let found = graph.get(node)?.keys().find_map(|next| visit(graph, next, path, done));
        path.pop();
        found
    }
    graph.keys().find_map(|node| visit(graph, node, &mut Vec::new(), &mut BTreeSet::new()))
}

/// Returns the workspace packages on which each package depends, without their common prefix.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let short = |name: &str| if name == "soffio" { "engine".to_owned() } else { name.replace("soffio-", "") };
    let mut all = BTreeMap::new();
    for package in packages() {
        let manifest = fs::read_to_string(package.join("Cargo.toml")).expect("a package has a manifest");
        let (_, own) = manifest.split_once("[package]").expect("the manifest names its package");
        let name = own.lines().find_map(|line| line.strip_prefix("name = \"")).expect("a package has a name");
        let (_, list) = own.split_once("[dependencies]").expect("a package has dependencies");
        let list = list.split("\n[").next().unwrap_or_default();
        let named = list.lines().filter(|line| line.starts_with("soffio"));
        let named = named.map(|line| short(line.split(['.', ' ']).next().unwrap_or_default())).collect();
        all.insert(short(name.trim_end_matches('"')), named);
    }
    all
}

fn reachable_from<'a>(arrows: &'a BTreeMap<String, BTreeSet<String>>, start: &str) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut next: Vec<_> = arrows.get(start).into_iter().flatten().collect();
    while let Some(name) = next.pop() {
        if found.insert(name.as_str()) {
            next.extend(arrows.get(name).into_iter().flatten());
        }
    }
    found
}

/// Returns a Mermaid diagram of the transitive reduction of `arrows`.
fn diagram(arrows: &BTreeMap<String, BTreeSet<String>>) -> String {
    let mut lines = vec!["```mermaid".to_owned(), "flowchart TD".to_owned()];
    for (from, named) in arrows {
        let follows = |other: &str| {
            named.iter().any(|between| between != other && reachable_from(arrows, between).contains(other))
        };
        let direct: Vec<_> = named.iter().filter(|other| !follows(other)).map(String::as_str).collect();
        if !direct.is_empty() {
            lines.push(format!("  {from} --> {}", direct.join(" & ")));
        }
    }
    lines.push("```".to_owned());
    lines.join("\n")
}

#[test]
fn the_architecture_diagrams_are_current() {
    let page = fs::read_to_string(root().join("docs/architecture.md")).expect("the page is there");
    let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let modules = MODULES.iter().map(|(name, named)| ((*name).to_owned(), owned(named))).collect();
    for diagram in [diagram(&dependencies()), diagram(&modules)] {
        assert!(page.contains(&diagram), "docs/architecture.md lacks this diagram:\n{diagram}");
    }
}

#[test]
fn protocols_are_parsed_with_nom() {
    const PARSERS: [&str; 10] = [
        "src/wire/native/words.rs",
        "src/wire/native/command.rs",
        "src/wire/native/go.rs",
        "src/wire/hub/mod.rs",
        "src/notation/fen.rs",
        "src/notation/moves.rs",
        "src/notation/pdn/token.rs",
        "src/notation/syntax.rs",
        "crates/match/src/dxp/message.rs",
        "crates/tavla/src/session/command.rs",
    ];
    for name in PARSERS {
        let text = fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(text.contains("use nom::"), "{name} does not use nom");
    }
    for name in ["words", "command", "go"] {
        let name = format!("src/wire/native/{name}.rs");
        let text = fs::read_to_string(root().join(&name)).expect("the file was found before");
        for splitter in ["split_whitespace", "split_once", "split_at", ".split(", ".find(char"] {
            assert!(!text.contains(splitter), "{name} splits lines by hand: {splitter}");
        }
    }
}
