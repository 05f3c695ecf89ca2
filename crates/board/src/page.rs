//! Builds the page as a single HTML file, which contains the markup, the style, the scripts, the texts, and the games
//! that the page shows when it is opened.
//!
//! The scripts are ES modules, so the `page` folder also works unchanged on a web server. In the single file, the
//! scripts are concatenated into one module in dependency order, without their `import` lines. A test checks that no
//! two scripts define the same name.

use crate::tree::GameTree;
use serde::Serialize;

const MARKUP: &str = include_str!("../page/index.html");
const STYLE: &str = include_str!("../page/style.css");

/// The scripts in dependency order. Each script follows the scripts that it imports.
pub(crate) const SCRIPTS: &[(&str, &str)] = &[
    ("texts/en.js", include_str!("../page/texts/en.js")),
    ("texts/de.js", include_str!("../page/texts/de.js")),
    ("texts/fr.js", include_str!("../page/texts/fr.js")),
    ("texts/it.js", include_str!("../page/texts/it.js")),
    ("texts/nl.js", include_str!("../page/texts/nl.js")),
    ("texts/pl.js", include_str!("../page/texts/pl.js")),
    ("texts/pt.js", include_str!("../page/texts/pt.js")),
    ("texts/ru.js", include_str!("../page/texts/ru.js")),
    ("texts/tr.js", include_str!("../page/texts/tr.js")),
    ("words.js", include_str!("../page/words.js")),
    ("store.js", include_str!("../page/store.js")),
    ("host.js", include_str!("../page/host.js")),
    ("reasons.js", include_str!("../page/reasons.js")),
    ("rules.js", include_str!("../page/rules.js")),
    ("tree.js", include_str!("../page/tree.js")),
    ("dom.js", include_str!("../page/dom.js")),
    ("sound.js", include_str!("../page/sound.js")),
    ("autoplay.js", include_str!("../page/autoplay.js")),
    ("board.js", include_str!("../page/board.js")),
    ("input.js", include_str!("../page/input.js")),
    ("engine.js", include_str!("../page/engine.js")),
    ("openings.js", include_str!("../page/openings.js")),
    ("moves.js", include_str!("../page/moves.js")),
    ("curve.js", include_str!("../page/curve.js")),
    ("report.js", include_str!("../page/report.js")),
    ("learn.js", include_str!("../page/learn.js")),
    ("threat.js", include_str!("../page/threat.js")),
    ("team.js", include_str!("../page/team.js")),
    ("analysis.js", include_str!("../page/analysis.js")),
    ("play.js", include_str!("../page/play.js")),
    ("puzzle.js", include_str!("../page/puzzle.js")),
    ("book-reader.mjs", include_str!("../page/book-reader.mjs")),
    ("book.js", include_str!("../page/book.js")),
    ("session.js", include_str!("../page/session.js")),
    ("setup.js", include_str!("../page/setup.js")),
    ("list.js", include_str!("../page/list.js")),
    ("archive.js", include_str!("../page/archive.js")),
    ("gif.js", include_str!("../page/gif.js")),
    ("finder.js", include_str!("../page/finder.js")),
    ("collection.js", include_str!("../page/collection.js")),
    ("files.js", include_str!("../page/files.js")),
    ("fields.js", include_str!("../page/fields.js")),
    ("frame.js", include_str!("../page/frame.js")),
    ("undo.js", include_str!("../page/undo.js")),
    ("pen.js", include_str!("../page/pen.js")),
    ("main.js", include_str!("../page/main.js")),
];

const STYLE_LINE: &str = "<link rel=\"stylesheet\" href=\"style.css\">";
/// The manifest and the service worker need a web server, so the single file has neither.
const MANIFEST_LINE: &str = "<link rel=\"manifest\" href=\"manifest.webmanifest\">\n";
const SCRIPT_LINE: &str = "<script type=\"module\" src=\"main.js\"></script>";

/// The host that answers the page's requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Host<'a> {
    /// There is no host, and the page only shows its games.
    None,
    /// The program that serves the page.
    Server,
    /// A web worker that runs this script.
    Worker(&'a str),
}

#[derive(Serialize)]
struct PageStart<'a> {
    engine: &'static str,
    version: &'static str,
    title: &'a str,
    games: &'a [GameTree],
    /// Filled only for [`Host::None`], because without a host the page cannot request the variants.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variants: Vec<crate::position::VariantBoard>,
}

/// Returns the page as a single file, with the given title and games.
pub fn page(title: &str, games: &[GameTree], host: Host<'_>) -> String {
    let (name, worker) = match host {
        Host::None => ("none", ""),
        Host::Server => ("server", ""),
        Host::Worker(script) => ("worker", script),
    };
    let variants = if host == Host::None { crate::position::boards() } else { Vec::new() };
    let start = PageStart { engine: name, version: env!("CARGO_PKG_VERSION"), title, games, variants };
    // Serialization fails only for maps whose keys are not strings, and there are no such maps.
    let start = serde_json::to_string(&start).unwrap_or_default().replace('<', "\\u003c");
    let script: String = SCRIPTS.iter().map(|(_, text)| strip_module_syntax(text)).collect();
    let mut parts = format!("<script type=\"application/json\" id=\"start\">{start}</script>\n");
    if !worker.is_empty() {
        // In JavaScript strings and regular expressions, `<\/` is the same as `</`, but it cannot end the script
        // element.
        let worker = worker.replace("</", "<\\/");
        parts.push_str(&format!("<script type=\"text/plain\" id=\"worker\">{worker}</script>\n"));
    }
    parts.push_str(&format!("<script type=\"module\">\n{script}</script>"));
    MARKUP
        .replace(MANIFEST_LINE, "")
        .replace(STYLE_LINE, &format!("<style>\n{STYLE}</style>"))
        .replace("<title>Soffio</title>", &format!("<title>{}</title>", escaped(title)))
        .replace(SCRIPT_LINE, &parts)
}

/// Removes the `import` lines and the `export` keywords.
fn strip_module_syntax(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with("import "));
    lines.flat_map(|line| [line.strip_prefix("export ").unwrap_or(line), "\n"]).collect()
}

fn escaped(text: &str) -> String {
    let printable = |c: &char| !c.is_control();
    let text: String = text.chars().filter(printable).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
