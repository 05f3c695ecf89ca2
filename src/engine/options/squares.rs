//! How squares are printed.

use crate::rules::Notation;

/// How squares and moves are printed. Every style is accepted as input, whichever is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SquareStyle {
    /// As is usual in the variant.
    #[default]
    OfVariant,
    /// As numbers.
    Numeric,
    /// As letter and digit.
    Algebraic,
    /// Moves as in the Hub protocol.
    Hub,
}

impl SquareStyle {
    /// The styles that can be set, with the names that the option has for them.
    pub(super) const NAMED: [(&'static str, Self); 3] =
        [("default", Self::OfVariant), ("numeric", Self::Numeric), ("algebraic", Self::Algebraic)];

    pub(super) fn named(name: &str) -> Option<Self> {
        let style = Self::NAMED.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        style.map(|&(_, style)| style)
    }

    /// The notation in this style of a variant that has the `notation` by default.
    pub const fn of(self, notation: Notation) -> Notation {
        match self {
            Self::OfVariant => notation,
            Self::Numeric => Notation { algebraic: false, ..notation },
            Self::Algebraic => Notation { algebraic: true, ..notation },
            Self::Hub => Notation { algebraic: false, hub_moves: true, ..notation },
        }
    }
}
