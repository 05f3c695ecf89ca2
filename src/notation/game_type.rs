//! The `GameType` tag of Portable Draughts Notation.

use crate::board::Corner;
use crate::rules::{Color, FirstSquare, Variant};

/// The `GameType` tag of `variant` in full, such as `20,W,10,10,N2,0`, if the variant has a number: who starts, columns
/// and rows, how squares are written, and whether the bottom left corner is no playing square.
pub fn game_type(variant: Variant) -> Option<String> {
    let number = variant.game_type()?;
    let spec = variant.spec();
    let starts = match spec.starts {
        Color::White => 'W',
        Color::Black => 'B',
    };
    // The corner of the first square as the starting side sees it: 0 and 1 at the bottom, 2 and 3 at the top, the left
    // one first. Turning the board exchanges 0 with 3 and 1 with 2.
    let from_white = match (spec.notation.algebraic, spec.notation.first) {
        (true, _) => 0,
        (false, FirstSquare::BottomRight) => 1,
        (false, FirstSquare::TopLeft) => 2,
    };
    let first = if spec.starts == Color::White { from_white } else { 3 - from_white };
    let letter = if spec.notation.algebraic { 'A' } else { 'N' };
    let mirrored = u8::from(spec.shape.corner == Corner::Right);
    Some(format!("{number},{starts},{},{},{letter}{first},{mirrored}", spec.shape.width, spec.shape.height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tags_are_those_of_the_standard() {
        for (variant, tag) in [
            (Variant::International, "20,W,10,10,N2,0"),
            (Variant::English, "21,B,8,8,N1,0"),
            (Variant::Italian, "22,W,8,8,N2,1"),
            (Variant::Pool, "23,B,8,8,N1,0"),
            (Variant::Spanish, "24,W,8,8,N1,1"),
            (Variant::Russian, "25,W,8,8,A0,0"),
            (Variant::Brazilian, "26,W,8,8,A0,0"),
            (Variant::Canadian, "27,W,12,12,N2,0"),
            (Variant::Portuguese, "28,W,8,8,N1,1"),
            (Variant::Czech, "29,W,8,8,A0,0"),
            (Variant::Turkish, "30,W,8,8,A0,0"),
            (Variant::Thai, "31,B,8,8,N2,0"),
            (Variant::Frisian, "40,W,10,10,N2,0"),
            (Variant::Spantsiretti, "41,W,10,8,A0,0"),
        ] {
            assert_eq!(game_type(variant).as_deref(), Some(tag));
        }
        assert_eq!(game_type(Variant::Killer), None);
    }
}
