//! The games that CheckerBoard can play with an engine, and their squares: columns and rows as its own board has them, and the numbers by
//! which it writes moves.

use super::board::Place;
use derive_more::Display;
use soffio::Variant;
use soffio::board::{Corner, Number, Square};

/// A game of CheckerBoard. Czech draughts, which its interface numbers too, it cannot draw: it looks for square 1 outside of
/// the board.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
#[display("{}", self.variant())]
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
    pub fn number(self) -> u8 {
        self.variant().game_type().unwrap_or_default()
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

/// Columns, and rows, of the board.
const SIDE: u8 = 8;

/// The square of the engine's board at `place`, if it is played on.
///
/// CheckerBoard sees the board with Black at the bottom, so that its columns run the other way; where the corner that is played
/// on is the right one, it mirrors the board as it shows it, and its columns run as ours do.
pub fn square_at(game: GameType, place: Place) -> Option<Square> {
    let x = u8::try_from(place.x).ok().filter(|&x| x < SIDE)?;
    let row = u8::try_from(place.y).ok().filter(|&y| y < SIDE)?;
    game.variant().spec().shape.square_at(row, column_of(game, x))
}

/// The place of `square` on the board of CheckerBoard.
pub fn place_of(game: GameType, square: Square) -> Place {
    let shape = game.variant().spec().shape;
    let column = column_of(game, shape.column(square));
    Place { x: column.into(), y: shape.row(square).into() }
}

/// From a column of one of the boards to that of the other.
fn column_of(game: GameType, column: u8) -> u8 {
    match game.variant().spec().shape.corner {
        Corner::Right => column,
        Corner::Left | Corner::Both => SIDE - 1 - column,
    }
}

/// The number by which CheckerBoard calls `square`: row by row from the top left as White sees the board, or from the bottom
/// right in the Spanish game. In the games that are written with letters this is not the number of the engine.
pub fn number_of(game: GameType, square: Square) -> u8 {
    let from_the_top = game.variant().spec().shape.number(square).get();
    if game == GameType::Spanish { SIDE * SIDE / 2 + 1 - from_the_top } else { from_the_top }
}

/// The square that CheckerBoard calls by `number`, if there is one.
pub fn square_numbered(game: GameType, number: u8) -> Option<Square> {
    let from_the_top = if game == GameType::Spanish { (SIDE * SIDE / 2 + 1).checked_sub(number)? } else { number };
    game.variant().spec().shape.numbered(Number::new(from_the_top)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_pdn() {
        assert_eq!(GameType::ALL.map(GameType::number), [21, 22, 24, 25, 26]);
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

    /// The place of the square with this number by CheckerBoard's own formulas.
    fn by_formula(game: GameType, number: i32) -> Place {
        let index = number - 1;
        let (x, y) = match game {
            GameType::Italian => (2 * (index % 4), index / 4),
            GameType::Spanish => (2 * (3 - index % 4), 7 - index / 4),
            _ => (2 * (3 - index % 4), index / 4),
        };
        Place { x: x + y % 2, y }
    }

    #[test]
    fn places_and_numbers_are_those_of_checkerboards_formulas() {
        for game in GameType::ALL {
            for number in 1..=32 {
                let square = square_numbered(game, number).unwrap();
                let place = by_formula(game, number.into());
                assert_eq!(place_of(game, square), place, "{game} {number}");
                assert_eq!(square_at(game, place), Some(square), "{game} {number}");
                assert_eq!(number_of(game, square), number, "{game}");
            }
            assert_eq!((square_numbered(game, 0), square_numbered(game, 33)), (None, None));
            assert_eq!(square_numbered(game, 255), None);
        }
    }

    #[test]
    fn places_that_are_not_played_on_are_not_squares() {
        for game in GameType::ALL {
            for (x, y) in [(0, 1), (7, 0), (-1, 1), (8, 8), (0, 8), (i32::MIN, i32::MAX)] {
                assert_eq!(square_at(game, Place { x, y }), None, "{game} {x} {y}");
            }
        }
    }

    #[test]
    fn the_games_that_are_written_with_numbers_have_the_same_ones_here() {
        for game in [GameType::English, GameType::Italian, GameType::Spanish] {
            let spec = game.variant().spec();
            for square in spec.shape.all_squares() {
                assert_eq!(number_of(game, square), spec.number(square).get(), "{game}");
            }
        }
    }
}
