//! A page with the score curves and the bad moves of games.

use super::score_plot::is_drawable;
use crate::annotate::{Analysis, Mark, Summary};
use crate::notation::pdn::GameRecord;
use std::fmt::Write;

/// The page, as HTML that is XML too.
#[derive(Clone, Debug, Default)]
pub(super) struct Page {
    body: String,
}

/// `text` as XML has it.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            c if is_drawable(c) => escaped.push(c),
            _ => escaped.push('?'),
        }
    }
    escaped
}

impl Page {
    /// Adds the game `record` with this `title`, its analysis and its score curve (SVG).
    pub(super) fn add(&mut self, title: &str, record: &GameRecord, analysis: &Analysis, curve: &str) {
        let rows: String = record
            .moves
            .iter()
            .enumerate()
            .zip(&analysis.moves)
            .zip(&analysis.scores)
            .zip(analysis.scores.iter().skip(1))
            .filter_map(|((((index, mv), judgement), before), behind)| {
                let mark = match judgement.mark? {
                    Mark::Doubtful => "?!",
                    Mark::Mistake => "?",
                    Mark::Blunder => "??",
                };
                let better = judgement.better.first().map_or("", String::as_str);
                let cells = [
                    format!("{} {}{mark}", record.number(index), mv.text),
                    behind.to_string(),
                    better.to_owned(),
                    before.to_string(),
                ];
                let cells = cells.map(|cell| format!("<td>{}</td>", escaped(&cell))).concat();
                Some(format!("<tr>{cells}</tr>\n"))
            })
            .collect();
        let table = if rows.is_empty() {
            String::new()
        } else {
            format!("<table>\n<tr><th>move</th><th>score</th><th>better</th><th>score</th></tr>\n{rows}</table>\n")
        };
        // Writing to a string cannot fail.
        let _ = write!(
            self.body,
            "<section>\n<h2>{}</h2>\n<p>{}</p>\n{curve}{table}</section>\n",
            escaped(title),
            Summary::from(analysis),
        );
    }

    /// The text of the page.
    pub(super) fn text(&self, title: &str) -> String {
        let title = escaped(title);
        format!(
            "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
             <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n\
             <p>Scores are White's, in men.</p>\n{}</body>\n</html>\n",
            self.body
        )
    }
}

const STYLE: &str = "body { font-family: sans-serif; max-width: 60em; margin: auto; padding: 1em }
svg { max-width: 100%; height: auto }
td, th { text-align: left; padding: 0 1.5em 0 0 }";
