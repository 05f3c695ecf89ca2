//! The name of a square: its number, or file and rank.

use super::syntax::{Parsed, Problem, number};
use crate::board::{Number, Square, SquareName};
use crate::rules::RuleSet;
use nom::Parser;
use nom::branch::alt;
use nom::character::complete::satisfy;
use nom::combinator::{map_opt, verify};
use std::fmt;

impl SquareName {
    /// The square of this name on the board of `spec`. Both kinds of name are accepted, whichever its players use.
    ///
    /// # Errors
    /// When the board has no such square, or it is one that is not played on.
    pub fn resolve(self, spec: &RuleSet) -> Result<Square, SquareError> {
        let shape = spec.shape;
        let off_board = SquareError::OffBoard { name: self, width: shape.width, height: shape.height };
        match self {
            Self::Number(number) => spec.numbered(number).ok_or(off_board),
            Self::Algebraic { file, rank } => {
                let column = u32::from(file).checked_sub(u32::from('a')).and_then(|column| u8::try_from(column).ok());
                let column = column.filter(|&column| column < shape.width);
                let row = shape.height.checked_sub(rank).filter(|&row| row < shape.height);
                let (Some(row), Some(column)) = (row, column) else { return Err(off_board) };
                shape.square_at(row, column).ok_or(SquareError::Light(self))
            }
        }
    }
}

/// Why a name is not that of a playable square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SquareError {
    /// The board is too small.
    OffBoard {
        /// The name.
        name: SquareName,
        /// Columns of the board.
        width: u8,
        /// Rows of the board.
        height: u8,
    },
    /// The square is one of those that are not played on.
    Light(SquareName),
}

impl fmt::Display for SquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OffBoard { name, width, height } => write!(f, "square {name} is not on the {width}x{height} board"),
            Self::Light(name) => write!(f, "{name} is a light square"),
        }
    }
}

impl std::error::Error for SquareError {}

/// A square by its number or by file and rank.
pub(super) fn square_name(input: &str) -> Parsed<'_, SquareName> {
    alt((square_number.map(SquareName::Number), algebraic)).parse(input)
}

/// The number of a square.
pub(super) fn square_number(input: &str) -> Parsed<'_, Number> {
    map_opt(number(Problem::TooLarge), Number::new).parse(input)
}

/// File and rank; no board has more than the twelve files `a` to `l`.
fn algebraic(input: &str) -> Parsed<'_, SquareName> {
    let file = satisfy(|c| matches!(c.to_ascii_lowercase(), 'a'..='l'));
    let rank = verify(number::<u8>(Problem::TooLarge), |&rank| rank > 0);
    (file, rank).map(|(file, rank)| SquareName::Algebraic { file: file.to_ascii_lowercase(), rank }).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    fn number_of(variant: Variant, name: &str) -> Result<u8, String> {
        let (rest, name) = square_name(name).map_err(|error| error.to_string())?;
        assert_eq!(rest, "");
        let square = name.resolve(variant.spec()).map_err(|error| error.to_string())?;
        Ok(variant.spec().number(square).get())
    }

    #[test]
    fn both_names_of_a_square_mean_it() {
        assert_eq!(number_of(Variant::English, "a1"), Ok(29));
        assert_eq!(number_of(Variant::English, "H8"), Ok(4));
        assert_eq!(number_of(Variant::Italian, "h1"), Ok(32));
        assert_eq!(number_of(Variant::International, "j10"), Ok(5));
        assert_eq!(number_of(Variant::International, "050"), Ok(50));
        assert_eq!(number_of(Variant::Canadian, "k1"), Ok(72));
        assert_eq!(number_of(Variant::Spantsiretti, "j8"), Ok(5));
        assert_eq!(number_of(Variant::Turkish, "a1"), Ok(57));
    }

    #[test]
    fn numbers_begin_where_the_variant_begins() {
        assert_eq!(number_of(Variant::Spanish, "h1"), Ok(1));
        assert_eq!(number_of(Variant::Spanish, "a8"), Ok(32));
        assert_eq!(number_of(Variant::Thai, "g1"), Ok(1));
        assert_eq!(number_of(Variant::Thai, "b8"), Ok(32));
        assert_eq!(number_of(Variant::Russian, "b8"), Ok(1));
        assert_eq!(number_of(Variant::Spanish, "33"), Err("square 33 is not on the 8x8 board".into()));
    }

    #[test]
    fn squares_are_called_as_the_players_of_a_variant_call_them() {
        for &variant in Variant::ALL {
            let spec = variant.spec();
            for square in spec.shape.all_squares() {
                let name = spec.square_name(square);
                assert_eq!(name.resolve(spec), Ok(square), "{variant} {name}");
                assert_eq!(matches!(name, SquareName::Algebraic { .. }), spec.notation.algebraic);
                assert_eq!(spec.numbered(spec.number(square)), Some(square));
            }
        }
    }

    #[test]
    fn names_of_no_square_are_refused() {
        assert_eq!(number_of(Variant::Italian, "a1"), Err("a1 is a light square".into()));
        assert_eq!(number_of(Variant::English, "33"), Err("square 33 is not on the 8x8 board".into()));
        assert_eq!(number_of(Variant::English, "i1"), Err("square i1 is not on the 8x8 board".into()));
        assert_eq!(number_of(Variant::English, "a9"), Err("square a9 is not on the 8x8 board".into()));
        for text in ["", "0", "a0", "m1", "256", "a256", "a"] {
            assert!(square_name(text).is_err(), "{text}");
        }
    }
}
