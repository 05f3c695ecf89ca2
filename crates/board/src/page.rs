//! The page as one file: markup, style, scripts and texts, and what it shows when it opens.
//!
//! The scripts are modules, so that the folder also works as it is on a web server. In one file they stand in one module, each after
//! those that it names: their `import` lines are left out, and a test sees to it that no two of them use one name.

use crate::tree::Tree;
use serde::Serialize;

/// Markup with the places of the other parts.
const MARKUP: &str = include_str!("../page/index.html");
const STYLE: &str = include_str!("../page/style.css");

/// The scripts, each after those that it names.
pub(crate) const SCRIPTS: &[(&str, &str)] = &[
    ("texts/en.js", include_str!("../page/texts/en.js")),
    ("texts/it.js", include_str!("../page/texts/it.js")),
    ("texts/nl.js", include_str!("../page/texts/nl.js")),
    ("texts/ru.js", include_str!("../page/texts/ru.js")),
    ("words.js", include_str!("../page/words.js")),
    ("store.js", include_str!("../page/store.js")),
    ("host.js", include_str!("../page/host.js")),
    ("rules.js", include_str!("../page/rules.js")),
    ("tree.js", include_str!("../page/tree.js")),
    ("dom.js", include_str!("../page/dom.js")),
    ("board.js", include_str!("../page/board.js")),
    ("input.js", include_str!("../page/input.js")),
    ("engine.js", include_str!("../page/engine.js")),
    ("moves.js", include_str!("../page/moves.js")),
    ("curve.js", include_str!("../page/curve.js")),
    ("analysis.js", include_str!("../page/analysis.js")),
    ("play.js", include_str!("../page/play.js")),
    ("puzzle.js", include_str!("../page/puzzle.js")),
    ("book-reader.mjs", include_str!("../page/book-reader.mjs")),
    ("book.js", include_str!("../page/book.js")),
    ("session.js", include_str!("../page/session.js")),
    ("setup.js", include_str!("../page/setup.js")),
    ("files.js", include_str!("../page/files.js")),
    ("main.js", include_str!("../page/main.js")),
];

/// The line of the markup that names the style.
const STYLE_LINE: &str = "<link rel=\"stylesheet\" href=\"style.css\">";
/// The line of the markup that names the first script.
const SCRIPT_LINE: &str = "<script type=\"module\" src=\"main.js\"></script>";

/// The host that answers the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Host<'a> {
    /// Nothing: the page shows the games that it has.
    None,
    /// The program that serves it.
    Server,
    /// A worker with this script.
    Worker(&'a str),
}

/// The data that the page begins with.
#[derive(Serialize)]
struct Start<'a> {
    engine: &'static str,
    version: &'static str,
    title: &'a str,
    games: &'a [Tree],
    /// The boards, for a page that nothing answers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variants: Vec<crate::variants::VariantBoard>,
}

/// The page, which opens with `games` and is called `title`, as one file.
pub fn page(title: &str, games: &[Tree], host: Host<'_>) -> String {
    let (name, worker) = match host {
        Host::None => ("none", ""),
        Host::Server => ("server", ""),
        Host::Worker(script) => ("worker", script),
    };
    let variants = if host == Host::None { crate::variants::boards() } else { Vec::new() };
    let start = Start { engine: name, version: env!("CARGO_PKG_VERSION"), title, games, variants };
    // It has no map whose keys are not text, which is all that could go wrong.
    let start = serde_json::to_string(&start).unwrap_or_default().replace('<', "\\u003c");
    let script: String = SCRIPTS.iter().map(|(_, text)| joined(text)).collect();
    let mut parts = format!("<script type=\"application/json\" id=\"start\">{start}</script>\n");
    if !worker.is_empty() {
        // In a script `<\/` is the same as `</`.
        let worker = worker.replace("</", "<\\/");
        parts.push_str(&format!("<script type=\"text/plain\" id=\"worker\">{worker}</script>\n"));
    }
    parts.push_str(&format!("<script type=\"module\">\n{script}</script>"));
    MARKUP
        .replace(STYLE_LINE, &format!("<style>\n{STYLE}</style>"))
        .replace("<title>Soffio</title>", &format!("<title>{}</title>", escaped(title)))
        .replace(SCRIPT_LINE, &parts)
}

/// The text of a module without `import` and `export`.
fn joined(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with("import "));
    lines.flat_map(|line| [line.strip_prefix("export ").unwrap_or(line), "\n"]).collect()
}

fn escaped(text: &str) -> String {
    let printable = |c: &char| !c.is_control();
    let text: String = text.chars().filter(printable).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
