//! Positions and moves as the Hub protocol writes them.
//!
//! Squares are numbered as the players of the variant number them; where they write letters and digits, from the top
//! left. The same numbers stand in moves.

use super::quoted;
use crate::notation::{FenKingRun, FenRecord, MoveRecord, MoveSyntaxError, Placement, SquareName, printable};
use crate::position::Piece;
use crate::rules::{Color, RuleSet};
use std::fmt;

/// The arguments of `pos` as they are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionText {
    /// The side to move, and a character for every square.
    pub squares: String,
    /// The moves played from there.
    pub moves: String,
    /// How often in a row each side has moved the same king.
    pub king_runs: String,
}

/// The reason why `pos` cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// The first character is not a side to move.
    #[error("pos begins with W or B, not '{0}'")]
    Side(String),
    /// A character does not stand for a square.
    #[error("pos has w, b, W, B or e for a square, not '{}'", printable([*.0]))]
    Square(char),
    /// The board has another number of squares.
    #[error("pos has {squares} squares, but the board has {needed}")]
    Length {
        squares: usize,
        /// Those of the board.
        needed: u8,
    },
    /// Something is not a move.
    #[error("move {}: {error}", printable(.text.chars()))]
    Move {
        /// The text.
        text: String,
        /// The fault in it.
        error: MoveSyntaxError,
    },
}

impl PositionText {
    /// `moves` from the position `squares`.
    pub fn new<'a>(squares: &str, moves: impl IntoIterator<Item = &'a str>) -> Self {
        let moves: Vec<_> = moves.into_iter().collect();
        Self { squares: squares.to_owned(), moves: moves.join(" "), king_runs: String::new() }
    }

    /// The position before the moves, on the board of `spec`.
    ///
    /// # Errors
    /// When the text does not describe one.
    pub fn position(&self, spec: &RuleSet) -> Result<FenRecord, PositionError> {
        let mut characters = self.squares.chars();
        let side = match characters.next() {
            Some('W') => Color::White,
            Some('B') => Color::Black,
            _ => return Err(PositionError::Side(printable(self.squares.chars().take(1)))),
        };
        let (squares, needed) = (characters.clone().count(), spec.shape.squares());
        if squares != usize::from(needed) {
            return Err(PositionError::Length { squares, needed });
        }
        let piece = |letter: char| match letter {
            'w' | 'W' => Ok(Some(Piece { color: Color::White, king: letter == 'W' })),
            'b' | 'B' => Ok(Some(Piece { color: Color::Black, king: letter == 'B' })),
            'e' => Ok(None),
            other => Err(PositionError::Square(other)),
        };
        let squares = characters.map(piece).collect::<Result<_, _>>()?;
        let king_runs = if spec.king_moves.is_some() { self.king_runs() } else { [None; 2] };
        Ok(FenRecord { king_runs, ..Placement { side, squares }.record() })
    }

    /// The counts of moves with one king, `W28=2 B5=1`; words of another form are ignored.
    fn king_runs(&self) -> [Option<FenKingRun>; 2] {
        let run = |side: char| {
            self.king_runs.split_whitespace().find_map(|word| {
                let (square, moves) = word.strip_prefix(side)?.split_once('=')?;
                let moves = moves.parse().ok().filter(|moves| (1..=3).contains(moves))?;
                let square = square.parse().ok().and_then(SquareName::numbered)?;
                Some(FenKingRun { moves, square: Some(square) })
            })
        };
        [run('W'), run('B')]
    }

    /// The moves.
    ///
    /// # Errors
    /// When a word is not a move.
    pub fn moves(&self) -> Result<Vec<MoveRecord>, PositionError> {
        let read = |text: &str| text.parse().map_err(|error| PositionError::Move { text: text.to_owned(), error });
        self.moves.split_whitespace().map(read).collect()
    }
}

impl fmt::Display for PositionText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pos pos={}", quoted(&self.squares))?;
        let lists = [("moves", &self.moves), ("wolf", &self.king_runs)];
        lists.iter().filter(|(_, list)| !list.is_empty()).try_for_each(|(name, list)| write!(f, " {name}=\"{list}\""))
    }
}
