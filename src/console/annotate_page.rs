//! A page with the score curves and the bad moves of games.

use super::score_plot::is_drawable;
use crate::annotate::{Analysis, JudgedMove, Mark, Summary};
use crate::notation::pdn::GameRecord;
use std::fmt::Write;

/// The page, as HTML that is XML too.
#[derive(Clone, Debug, Default)]
pub(super) struct Page {
    body: String,
}

/// The row of the table on a move, if it is a bad one.
fn row(number: String, text: &str, judged: JudgedMove<'_>) -> Option<String> {
    let JudgedMove { judgement, before, behind } = judged;
    let mark = match judgement.mark? {
        Mark::Doubtful => "?!",
        Mark::Mistake => "?",
        Mark::Blunder => "??",
    };
    let better = judgement.better.first().cloned().unwrap_or_default();
    let cells = [format!("{number} {text}{mark}"), behind.to_string(), better, before.to_string()];
    let cells = cells.map(|cell| format!("<td>{}</td>", escaped(&cell))).concat();
    Some(format!("<tr>{cells}</tr>\n"))
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
        let moves = record.moves.iter().enumerate().zip(analysis.judged_moves());
        let rows: String =
            moves.filter_map(|((index, mv), judged)| row(record.number(index), &mv.text, judged)).collect();
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
