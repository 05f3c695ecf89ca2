//! Positions on the only board that DXP supports.

use super::message::SQUARES;
use soffio::notation::{EndingAges, FenPiece, FenRecord, SquareError, SquareName};
use soffio::rules::{Color, RuleSet, Variant};
use std::fmt;

/// A position, square by square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The side to move.
    pub side: Color,
    /// What stands on each square: a side and whether it is a king.
    pub squares: Vec<Option<(Color, bool)>>,
}

/// The error that a variant is played on another board than that of DXP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownBoard(Variant);

impl fmt::Display for UnknownBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DXP knows games on the board of 10x10 only, not {}", self.0)
    }
}

impl std::error::Error for UnknownBoard {}

/// Whether games of `variant` can be played over DXP.
///
/// # Errors
/// When its board is another one.
pub fn carries(variant: Variant) -> Result<(), UnknownBoard> {
    let shape = variant.spec().shape;
    let is_board = shape.squares() == SQUARES && shape.width == shape.height;
    if is_board { Ok(()) } else { Err(UnknownBoard(variant)) }
}

impl Placement {
    /// The position `fen` on the board of `spec`, or nothing if it is the start position of international draughts, which
    /// is the same in every program.
    ///
    /// # Errors
    /// When a square is not one of the board.
    pub fn unless_usual(fen: &FenRecord, spec: &RuleSet) -> Result<Option<Self>, SquareError> {
        let placement = Self::of(fen, spec)?;
        let is_usual = placement == Self::of_rows(spec);
        Ok((!is_usual).then_some(placement))
    }

    fn of(fen: &FenRecord, spec: &RuleSet) -> Result<Self, SquareError> {
        let mut squares = vec![None; usize::from(SQUARES)];
        for (color, pieces) in [(Color::White, &fen.white), (Color::Black, &fen.black)] {
            for piece in pieces {
                let number = spec.number(piece.square.resolve(spec)?).get();
                if let Some(square) = squares.get_mut(usize::from(number) - 1) {
                    *square = Some((color, piece.king));
                }
            }
        }
        Ok(Self { side: fen.side, squares })
    }

    /// The start position of international draughts, which a game request does not spell out.
    fn of_rows(spec: &RuleSet) -> Self {
        let men = usize::from(SQUARES) * 2 / 5;
        let side = |color| std::iter::repeat_n(Some((color, false)), men);
        let empty = std::iter::repeat_n(None, usize::from(SQUARES) - 2 * men);
        Self { side: spec.starts, squares: side(Color::Black).chain(empty).chain(side(Color::White)).collect() }
    }

    /// The position as a FEN record.
    pub fn record(&self) -> FenRecord {
        let pieces = |side: Color| {
            let numbered = (1..).map_while(SquareName::numbered).zip(&self.squares);
            numbered
                .filter_map(|(square, piece)| piece.filter(|&(color, _)| color == side).map(|(_, king)| (square, king)))
                .map(|(square, king)| FenPiece { king, square })
                .collect()
        };
        FenRecord {
            side: self.side,
            white: pieces(Color::White),
            black: pieces(Color::Black),
            half_moves: None,
            move_number: None,
            king_runs: [None; 2],
            ages: EndingAges::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_the_same_there_and_back() {
        let spec = Variant::International.spec();
        let read = |text: &str| Placement::unless_usual(&text.parse().unwrap(), spec).unwrap();
        assert_eq!(read("W:W31-50:B1-20"), None, "nobody needs to be told the start position");
        assert!(read("B:W31-50:B1-20").is_some());
        for text in ["B:W31,K46:B5,K6", "W:WK50:BK1,2"] {
            assert_eq!(read(text).unwrap().record().to_string(), text);
        }
        assert!(Placement::unless_usual(&"W:W51:B1".parse().unwrap(), spec).is_err());
    }

    #[test]
    fn only_games_on_the_board_of_ten_times_ten_are_carried() {
        let carried: Vec<_> =
            Variant::listed().filter(|&variant| carries(variant).is_ok()).map(Variant::name).collect();
        assert_eq!(carried, ["international", "frisian", "frysk", "killer", "breakthrough", "losing"]);
        let error = carries(Variant::English).unwrap_err().to_string();
        assert_eq!(error, "DXP knows games on the board of 10x10 only, not english");
    }
}
