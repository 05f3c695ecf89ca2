//! The games that CheckerBoard supports, with its board coordinates and square numbers.

use super::board::Place;
use derive_more::Display;
use soffio::Variant;
use soffio::board::{Corner, Number, Square};

/// Czech draughts is missing: it has a number too, but CheckerBoard would draw its square 1 outside the board.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
#[display("{}", self.variant())]
pub enum GameType {
    English,
    Italian,
    Spanish,
    Russian,
    Brazilian,
}

impl GameType {
    pub const ALL: [Self; 5] = [Self::English, Self::Italian, Self::Spanish, Self::Russian, Self::Brazilian];

    /// Returns CheckerBoard's number of the game, which is that of the PDN tag `GameType`.
    pub fn number(self) -> u8 {
        self.variant().game_type().unwrap_or_default()
    }

    pub const fn variant(self) -> Variant {
        match self {
            Self::English => Variant::English,
            Self::Italian => Variant::Italian,
            Self::Spanish => Variant::Spanish,
            Self::Russian => Variant::Russian,
            Self::Brazilian => Variant::Brazilian,
        }
    }

    /// Returns the game named in the file name of the library, by default English draughts. CheckerBoard can query the
    /// game of a library, but not set it.
    pub fn of_file(name: &str) -> Self {
        let name = name.to_lowercase();
        Self::ALL.into_iter().find(|game| name.contains(game.variant().name())).unwrap_or(Self::English)
    }
}

const SIDE: u8 = 8;

/// Returns the square at `place`, if it is played on.
///
/// CheckerBoard puts Black at the bottom, so its columns are reversed. Games with the playing corner on the right are
/// mirrored for display, so there its columns match the engine's.
pub fn square_at(game: GameType, place: Place) -> Option<Square> {
    let x = u8::try_from(place.x).ok().filter(|&x| x < SIDE)?;
    let row = u8::try_from(place.y).ok().filter(|&y| y < SIDE)?;
    game.variant().spec().shape.square_at(row, column_of(game, x))
}

pub fn place_of(game: GameType, square: Square) -> Place {
    let shape = game.variant().spec().shape;
    let column = column_of(game, shape.column(square));
    Place { x: column.into(), y: shape.row(square).into() }
}

fn column_of(game: GameType, column: u8) -> u8 {
    match game.variant().spec().shape.corner {
        Corner::Right => column,
        Corner::Left | Corner::Both => SIDE - 1 - column,
    }
}

/// Returns CheckerBoard's number of `square`: row by row from the top left as White sees the board, in Spanish draughts
/// from the bottom right. In games with algebraic notation this differs from the engine's number.
pub fn number_of(game: GameType, square: Square) -> u8 {
    let from_the_top = game.variant().spec().shape.number(square).get();
    if game == GameType::Spanish { SIDE * SIDE / 2 + 1 - from_the_top } else { from_the_top }
}

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
