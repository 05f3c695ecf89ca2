//! Positions square by square, as the protocols Hub and DXP write them.

use super::{EndingAges, FenPiece, FenRecord, SquareName};
use crate::position::{Piece, Setup};
use crate::rules::{Color, RuleSet};
use std::fmt;

/// A position square by square, in the order of the numbers that the players of the variant use. It prints as the protocol Hub
/// writes it: a letter for the side to move and one for each square, `w`, `b`, `W` and `B` for men and kings, `e` for an empty
/// square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The side to move.
    pub side: Color,
    /// The piece on each square.
    pub squares: Vec<Option<Piece>>,
}

impl Placement {
    /// The pieces of `setup`, a position on the board of `spec`.
    pub fn new(spec: &RuleSet, setup: &Setup) -> Self {
        let mut squares: Vec<_> = spec.shape.all_squares().collect();
        squares.sort_by_key(|&square| spec.number(square));
        Self { side: setup.side, squares: squares.iter().map(|square| setup.pieces.get(square).copied()).collect() }
    }

    /// The position as a FEN without counters.
    pub fn record(&self) -> FenRecord {
        let pieces = |color| {
            let numbered = (1..).map_while(SquareName::numbered).zip(&self.squares);
            let placed = numbered.filter_map(|(square, piece)| Some((square, (*piece)?)));
            let own = placed.filter(|(_, piece)| piece.color == color);
            own.map(|(square, piece)| FenPiece { king: piece.king, square }).collect()
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

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.side == Color::White { "W" } else { "B" })?;
        self.squares.iter().try_for_each(|piece| write!(f, "{}", piece.map_or('e', Piece::letter)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    #[test]
    fn squares_come_in_the_order_of_their_numbers() {
        let position = |variant: Variant, fen: &str| {
            let record: FenRecord = fen.parse().unwrap();
            let placement = Placement::new(variant.spec(), &record.to_setup(variant.spec()).unwrap());
            assert_eq!(placement.record().to_string(), fen);
            placement.to_string()
        };
        assert_eq!(position(Variant::English, "B:WK5,32:B1,K28"), format!("Bbeee{}{}Beeew", "W", "e".repeat(22)));
        // Spanish numbers begin at the bottom right.
        let spanish = position(Variant::Spanish, "W:W1:B32");
        assert!(spanish.starts_with("Ww") && spanish.ends_with('b') && spanish.len() == 33, "{spanish}");
    }
}
