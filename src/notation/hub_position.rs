//! Positions as the Hub protocol writes them.

use crate::position::Setup;
use crate::rules::{Color, RuleSet};

/// The position as a letter for the side to move and one for each square, in the order of the numbers that the players of
/// the variant use: `w`, `b`, `W` and `B` for men and kings, `e` for an empty square.
pub fn hub_position(spec: &RuleSet, setup: &Setup) -> String {
    let mut squares: Vec<_> = spec.shape.all_squares().collect();
    squares.sort_by_key(|&square| spec.number(square));
    let letter = |square| setup.pieces.get(&square).map_or('e', |piece| piece.letter());
    let side = match setup.side {
        Color::White => 'W',
        Color::Black => 'B',
    };
    std::iter::once(side).chain(squares.into_iter().map(letter)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::FenRecord;
    use crate::rules::Variant;

    #[test]
    fn squares_come_in_the_order_of_their_numbers() {
        let position = |variant: Variant, fen: &str| {
            let record: FenRecord = fen.parse().unwrap();
            hub_position(variant.spec(), &record.to_setup(variant.spec()).unwrap())
        };
        assert_eq!(position(Variant::English, "B:W32,K5:B1,K28"), format!("Bbeee{}{}Beeew", "W", "e".repeat(22)));
        // Spanish numbers begin at the bottom right.
        let spanish = position(Variant::Spanish, "W:W1:B32");
        assert!(spanish.starts_with("Ww") && spanish.ends_with('b') && spanish.len() == 33, "{spanish}");
    }
}
