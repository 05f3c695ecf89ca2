//! The games that CheckerBoard can play with an engine.

use soffio::Variant;
use std::fmt;

/// A game of CheckerBoard. Czech draughts, which its interface numbers too, it cannot draw: it looks for square 1 outside of
/// the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameType {
    /// English draughts, or checkers.
    English,
    /// Italian draughts.
    Italian,
    /// Spanish draughts.
    Spanish,
    /// Russian draughts.
    Russian,
    /// Brazilian draughts.
    Brazilian,
}

impl GameType {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::English, Self::Italian, Self::Spanish, Self::Russian, Self::Brazilian];

    /// The number by which CheckerBoard knows the game, that of the tag `GameType` of PDN.
    pub const fn number(self) -> u8 {
        match self {
            Self::English => 21,
            Self::Italian => 22,
            Self::Spanish => 24,
            Self::Russian => 25,
            Self::Brazilian => 26,
        }
    }

    /// The variant of the engine.
    pub const fn variant(self) -> Variant {
        match self {
            Self::English => Variant::English,
            Self::Italian => Variant::Italian,
            Self::Spanish => Variant::Spanish,
            Self::Russian => Variant::Russian,
            Self::Brazilian => Variant::Brazilian,
        }
    }

    /// The game that is named in the name of a file, whatever else the name has: CheckerBoard asks a library which game it
    /// plays, and cannot tell it. Without any it is English draughts.
    pub fn of_file(name: &str) -> Self {
        let name = name.to_lowercase();
        Self::ALL.into_iter().find(|game| name.contains(game.variant().name())).unwrap_or(Self::English)
    }
}

impl fmt::Display for GameType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.variant().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_pdn() {
        for game in GameType::ALL {
            assert_eq!(Some(game.number()), game.variant().game_type());
        }
    }

    #[test]
    fn the_name_of_the_file_says_which_game_it_is() {
        assert_eq!(GameType::of_file("soffio_italian.dll"), GameType::Italian);
        assert_eq!(GameType::of_file("Soffio Russian (2).DLL"), GameType::Russian);
        assert_eq!(GameType::of_file("libsoffio_checkerboard.so"), GameType::English);
        for game in GameType::ALL {
            assert_eq!(GameType::of_file(&format!("soffio_{game}.dll")), game);
        }
    }
}
