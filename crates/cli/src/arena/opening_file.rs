//! Openings from files: game records, or lines with a FEN or a list of moves.

use super::Opening;
use soffio::notation::FenRecord;
use soffio::notation::pdn::{GameRecord, PdnError, read_games};
use soffio::notation::{FenError, printable};
use std::fmt;

/// Why a text has no openings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningFileError {
    /// It cannot be read as game records.
    Pdn(PdnError),
    /// A game begins with a FEN that cannot be read.
    Fen {
        /// Number of the game, counted from 1.
        game: usize,
        /// What is wrong.
        error: FenError,
    },
    /// A line is neither a FEN nor a list of moves.
    Line {
        /// Number of the line, counted from 1.
        line: usize,
        /// Its beginning.
        text: String,
    },
    /// There is nothing in it.
    Empty,
}

impl fmt::Display for OpeningFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pdn(error) => error.fmt(f),
            Self::Fen { game, error } => write!(f, "game {game}: fen {error}"),
            Self::Line { line, text } => write!(f, "line {line}: expected a FEN or moves, found '{text}'"),
            Self::Empty => f.write_str("no opening"),
        }
    }
}

impl std::error::Error for OpeningFileError {}

/// The openings of a file, with `plies` moves each at most: PDN if a line begins with `[`, or else a line for each, of
/// which those that begin with `#` are left out.
///
/// # Errors
/// When it cannot be read, or has no opening.
pub fn read_openings(text: &str, plies: Option<usize>) -> Result<Vec<Opening>, OpeningFileError> {
    let is_pdn = text.trim_start_matches('\u{feff}').lines().any(|line| line.starts_with('['));
    let mut openings = if is_pdn { from_records(text) } else { from_lines(text) }?;
    if let Some(plies) = plies {
        openings.iter_mut().for_each(|opening| opening.moves.truncate(plies));
    }
    if openings.is_empty() { Err(OpeningFileError::Empty) } else { Ok(openings) }
}

fn from_records(text: &str) -> Result<Vec<Opening>, OpeningFileError> {
    let games = read_games(text).map_err(OpeningFileError::Pdn)?;
    let opening = |(index, game): (usize, GameRecord)| {
        let start = game.start().map_err(|error| OpeningFileError::Fen { game: index + 1, error })?;
        Ok(Opening { start, moves: game.moves.into_iter().map(|mv| mv.text).collect() })
    };
    games.into_iter().enumerate().map(opening).collect()
}

fn from_lines(text: &str) -> Result<Vec<Opening>, OpeningFileError> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let used = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let opening = |(line, text): (usize, &str)| {
        if let Ok(fen) = text.parse::<FenRecord>() {
            return Ok(Opening { start: Some(fen), moves: Vec::new() });
        }
        // A FEN can have moves after it.
        let (first, others) = text.split_once(' ').unwrap_or((text, ""));
        let start = first.parse::<FenRecord>().ok();
        let moves = if start.is_some() { others } else { text };
        match read_games(moves).as_deref() {
            Ok([game]) => {
                let moves = game.moves.iter().map(|mv| mv.text.clone()).collect();
                Ok(Opening { start, moves })
            }
            _ => Err(OpeningFileError::Line { line, text: printable(text.chars()) }),
        }
    };
    used.map(opening).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_positions_or_moves() {
        let openings = read_openings("# two\n\nB:W21:B1\r\n 23-19 9-14 22-18\n1. 23-19 9-14 *", Some(2)).unwrap();
        let fen = |opening: &Opening| opening.start.as_ref().map(ToString::to_string);
        assert_eq!((fen(&openings[0]).as_deref(), openings[0].moves.len()), (Some("B:W21:B1"), 0));
        assert_eq!((fen(&openings[1]), openings[1].moves.as_slice()), (None, &["23-19", "9-14"].map(String::from)[..]));
        assert_eq!(openings[1], openings[2]);
    }

    #[test]
    fn what_is_printed_is_read_again() {
        let text = "W:W21:B1 21-17 1-5\nB:W21:B1\n23-19 9-14";
        let openings = read_openings(text, None).unwrap();
        assert_eq!(openings.iter().map(ToString::to_string).collect::<Vec<_>>(), text.lines().collect::<Vec<_>>());
        assert_eq!(openings[0].moves.len(), 2);
    }

    #[test]
    fn records_are_positions_with_moves() {
        let text = "[Event \"a\"]\n\n1. 23-19 9-14 1-0\n\n[FEN \"B:W21:B1\"] 1... 1-5 *\n";
        let openings = read_openings(text, None).unwrap();
        assert_eq!(openings[0].moves, ["23-19", "9-14"]);
        assert_eq!((openings[1].start.is_some(), openings[1].moves.len()), (true, 1));
    }

    #[test]
    fn errors_say_where() {
        let error = |text: &str| read_openings(text, None).unwrap_err().to_string();
        assert_eq!(error("# nothing\n"), "no opening");
        assert_eq!(error("23-19\n<what>"), "line 2: expected a FEN or moves, found '<what>'");
        assert_eq!(error("[FEN \"W\"] *"), "game 1: fen white pieces: the list is missing");
        assert!(error("[Event \"a\"]\n1. 23-19 {").starts_with("game 1, line 2 column 10: expected a comment"));
    }
}
