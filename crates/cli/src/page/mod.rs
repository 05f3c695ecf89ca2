//! A page of judged games that a browser shows without anything else: boards, arrows, moves and score curves, which can be
//! clicked. Without scripts there are still the moves, the curves, and the boards of the bad moves.
//!
//! The page is HTML that is XML too.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod board;
mod curve;
mod game;
mod line;
mod moves;
#[cfg(test)]
mod tests;
mod text;
mod words;

pub use game::JudgedGame;
pub use text::is_xml_character;
pub use words::outcome;

use board::Board;
use soffio::annotate::AnnotateError;
use std::fmt::Write;
use text::{Escaped, script_json};

/// The page.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The boards that are used.
    boards: Vec<Board>,
    /// The entry of each game in the table of contents.
    contents: String,
    /// The games.
    sections: String,
    games: usize,
}

impl Page {
    /// Adds a game.
    ///
    /// # Errors
    /// When a move or one of the engine's lines cannot be played.
    pub fn add(&mut self, game: JudgedGame<'_>) -> Result<(), AnnotateError> {
        let board = game.board()?;
        let known = self.boards.iter().position(|known| *known == board);
        let board_index = known.unwrap_or(self.boards.len());
        let section = game.section(self.games + 1, &board, board_index)?;
        if known.is_none() {
            self.boards.push(board);
        }
        self.games += 1;
        self.sections.push_str(&section);
        // Writing to a string cannot fail.
        let _ = writeln!(
            self.contents,
            "<li><a href=\"#game-{}\"><span>{}</span> <small>{}</small></a></li>",
            self.games,
            Escaped(&game.title()),
            Escaped(&game.result())
        );
        Ok(())
    }

    /// The text of the page, which is called `title`.
    pub fn text(&self, title: &str) -> String {
        let title = Escaped(title);
        let boards = (0..).zip(&self.boards);
        let grounds: String = boards
            .flat_map(|(index, board)| {
                let id = ground_id(index);
                [board.ground(&id, false), board.ground(&format!("{id}-turned"), true)]
            })
            .collect();
        let contents = match self.games {
            0 | 1 => String::new(),
            games => format!(
                "<nav aria-label=\"Games\"><details open=\"\"><summary>{games} games<span></span></summary>\n<ol>\n{}</ol></details>\n\
                 {STEPS}</nav>\n",
                self.contents
            ),
        };
        // It has no map whose keys are not text, which is all that could go wrong.
        let boards = script_json(&serde_json::to_string(&self.boards).unwrap_or_default());
        format!(
            "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\"/>\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
             <svg class=\"shapes\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>\n{SHAPES}{grounds}</defs></svg>\n\
             <header><h1>{title}</h1></header>\n\
             <noscript><p>Without scripts this page shows the games and the boards of bad moves, but no other board.</p></noscript>\n\
             {contents}<main>\n{}</main>\n{FOOTER}\
             <script type=\"application/json\" id=\"boards\">{boards}</script>\n\
             <script>\n//<![CDATA[\n{SCRIPT}//]]>\n</script>\n</body>\n</html>\n",
            self.sections
        )
    }
}

/// The id of the empty board of this number.
fn ground_id(index: usize) -> String {
    format!("board-{index}")
}

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
const SHAPES: &str = include_str!("shapes.svg");

/// The buttons that lead from game to game, which the script shows.
const STEPS: &str = "<div class=\"steps\">\
    <button type=\"button\" data-do=\"game-before\" title=\"previous game (P)\">\u{2039} game</button>\
    <button type=\"button\" data-do=\"game-after\" title=\"next game (N)\">game \u{203a}</button></div>";

/// Nothing is loaded from anywhere.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

const FOOTER: &str = concat!(
    "<footer>\n<p>Scores are White's, in men: +1.00 is a man more for White. \u{2190} and \u{2192} go through the moves, Home and \
     End to the first and last position, \u{2191} and \u{2193} to the bad moves, N and P to the next and previous game, F turns the \
     board.</p>\n<p>Judged by Soffio ",
    env!("CARGO_PKG_VERSION"),
    ".</p>\n</footer>\n"
);
