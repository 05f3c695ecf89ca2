//! The `GameType` tag of Portable Draughts Notation.

use crate::board::Corner;
use crate::notation::printable;
use crate::rules::{Color, FirstSquare, Letters, Notation, Variant};

/// The `GameType` tag of `variant` in full, such as `20,W,10,10,N2,0`, if the variant has a number: the side that starts,
/// columns and rows, how squares are written, and whether the bottom left corner is not a playing square.
pub fn game_type(variant: Variant) -> Option<String> {
    let number = variant.game_type()?;
    let spec = variant.spec();
    let letter = if spec.notation.algebraic { 'A' } else { 'N' };
    let first = first_corner(variant);
    let mirrored = u8::from(spec.shape.corner == Corner::Right);
    let (starts, shape) = (starts(variant), spec.shape);
    Some(format!("{number},{starts},{},{},{letter}{first},{mirrored}", shape.width, shape.height))
}

fn starts(variant: Variant) -> char {
    match variant.spec().starts {
        Color::White => 'W',
        Color::Black => 'B',
    }
}

/// The corner of the first square, a1 or 1, as the starting side sees it: 0 and 1 at the bottom, 2 and 3 at the top, the left
/// one first.
fn first_corner(variant: Variant) -> u8 {
    let spec = variant.spec();
    let from_white = match spec.notation {
        Notation { algebraic: true, letters: Letters::Upright, .. } => 0,
        Notation { algebraic: false, first: FirstSquare::BottomRight, .. } => 1,
        _ => 2,
    };
    // Turning the board exchanges 0 with 3 and 1 with 2.
    if spec.starts == Color::White { from_white } else { 3 - from_white }
}

/// The variant of a `GameType` tag: its number alone, or with all the fields that the standard puts after it. Those fields
/// must agree with the variant, or moves would be misread. The corner of the first square decides only between variants with
/// one number: some programs name the wrong one, as PlayOK does in `20,W,10,10,N1,0`, and a real difference would show as
/// illegal moves. The last field is not checked, because its meaning has changed.
///
/// # Errors
/// When there is no variant with this number, or the other fields contradict its rules.
pub fn variant_of_game_type(text: &str) -> Result<Variant, GameTypeError> {
    let fields: Vec<_> = text.split(',').map(str::trim).collect();
    let number = fields.first().and_then(|number| number.parse().ok());
    let with_number = || Variant::listed().filter(|variant| number.is_some() && variant.game_type() == number);
    let first = with_number().next().ok_or_else(|| GameTypeError::unknown(text))?;
    let has_its_corner = |variant: &Variant| {
        let own = game_type(*variant).unwrap_or_default();
        fields.get(4).is_some_and(|style| own.split(',').nth(4).is_some_and(|own| own.eq_ignore_ascii_case(style)))
    };
    let variant = with_number().find(has_its_corner).unwrap_or(first);
    let shape = variant.spec().shape;
    let is_square_style = |field: &str| {
        let corner = field.strip_prefix(['A', 'a', 'S', 's', 'N', 'n']);
        corner.is_some_and(|corner| matches!(corner, "0" | "1" | "2" | "3"))
    };
    let is_right = fields.iter().enumerate().all(|(index, field)| match index {
        0 => true,
        1 => field.eq_ignore_ascii_case(&starts(variant).to_string()),
        2 => field.parse() == Ok(shape.width),
        3 => field.parse() == Ok(shape.height),
        4 => is_square_style(field),
        _ => index == 5,
    });
    if is_right { Ok(variant) } else { Err(GameTypeError::Other { text: printable(text.chars()), variant }) }
}

/// The reason why a tag does not say which game is played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameTypeError {
    /// No game that is known here has this number or name, of which it is the beginning.
    #[error("no game is known as '{0}'")]
    Unknown(String),
    /// The game has another board, numbering or starting side here.
    #[error("the game type '{text}' is not that of {variant}, {}", game_type(*.variant).unwrap_or_default())]
    Other {
        /// The beginning of the tag.
        text: String,
        /// The game with this number.
        variant: Variant,
    },
}

impl GameTypeError {
    /// The error that no game is called `text`.
    pub(super) fn unknown(text: &str) -> Self {
        Self::Unknown(printable(text.chars()))
    }
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
            (Variant::Jamaican, "23,B,8,8,A1,1"),
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
            assert_eq!(variant_of_game_type(tag), Ok(variant));
        }
        assert_eq!(game_type(Variant::Killer), None);
    }

    #[test]
    fn every_form_of_a_tag_is_read_or_refused_with_a_reason() {
        let read = |text: &str| variant_of_game_type(text).map_err(|error| error.to_string());
        for text in ["25", "25,W", "25,w, 8 ,8,A0", "25,W,8,8,A0,1", "25,W,8,8,S0", "25,W,8,8,N2,0", " 25 "] {
            assert_eq!(read(text), Ok(Variant::Russian), "{text}");
        }
        assert_eq!(read("21,B,8,8,A3"), Ok(Variant::English));
        assert_eq!(read("98"), Ok(Variant::Losing));
        for (text, variant) in
            [("23", Variant::Pool), ("23,B,8,8,N2", Variant::Pool), ("23,b,8,8,a1", Variant::Jamaican)]
        {
            assert_eq!(read(text), Ok(variant));
        }
        assert_eq!(read("20,W,10,10,N1,0"), Ok(Variant::International), "as PlayOK has it");
        assert_eq!(read("25,W,8,8,A1,0"), Ok(Variant::Russian));
        for text in ["", "x", "0", "-20", "50", "300", ",W", "20 W"] {
            assert_eq!(read(text), Err(format!("no game is known as '{text}'")));
        }
        let other = "the game type '23,W,8,8,A0,0' is not that of pool, 23,B,8,8,N1,0";
        assert_eq!(read("23,W,8,8,A0,0"), Err(other.to_owned()));
        for text in ["20,W,8,8", "20,W,10,10,N4", "20,W,10,10,N", "20,W,10,10,N2,0,0", "20,W,10,10,X2", "20,,10,10"] {
            assert!(read(text).is_err_and(|error| error.starts_with("the game type")), "{text}");
        }
    }
}
