//! Types and constants of CheckerBoard's C interface, with the same memory layout. `convert` translates them to the
//! engine's types and back.

use soffio::Variant;
use soffio::board::{Corner, Number, Square};
use std::ffi::c_int;

/// Maximum length in bytes of a reply that fits into every CheckerBoard buffer.
pub const MAX_SHORT_REPLY: usize = 254;

/// Maximum length in bytes of a reply to a command with a larger buffer.
pub const MAX_LONG_REPLY: usize = 1023;

/// Reply to an unsupported command. CheckerBoard then greys out the corresponding window.
pub const UNKNOWN: &str = "?";

pub const TOO_LONG: &str = "too long for CheckerBoard's buffer";

/// The board as `board[x][y]`, where `x` is the column and `y` the row. Row 0 is Black's home row. On the playing
/// squares, `x` and `y` are either both even or both odd.
pub type BoardArray = [[c_int; 8]; 8];

pub const WHITE: c_int = 1;
pub const BLACK: c_int = 2;
/// A piece combines `MAN` or `KING` with a side, as in `WHITE | MAN`.
pub const MAN: c_int = 4;
pub const KING: c_int = 8;

pub fn start() -> BoardArray {
    let mut board = BoardArray::default();
    for (x, column) in board.iter_mut().enumerate() {
        for (y, square) in column.iter_mut().enumerate().filter(|(y, _)| (x + y) % 2 == 0) {
            *square = match y {
                0..=2 => BLACK | MAN,
                5..=7 => WHITE | MAN,
                _ => 0,
            };
        }
    }
    board
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coordinates {
    pub x: c_int,
    pub y: c_int,
}

pub const MAX_CAPTURED: usize = 12;

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoardMove {
    pub jumps: c_int,
    /// The piece after the move. It differs from `old_piece` if the move promotes a man.
    pub new_piece: c_int,
    pub old_piece: c_int,
    pub from: Coordinates,
    pub to: Coordinates,
    /// The landing squares, starting at index 1. Index 0 is not used.
    pub path: [Coordinates; MAX_CAPTURED],
    pub captured: [Coordinates; MAX_CAPTURED],
    pub captured_pieces: [c_int; MAX_CAPTURED],
}

const _: () = assert!(size_of::<BoardMove>() == 67 * size_of::<c_int>());

/// The game result that [`getmove`](super::ffi::getmove) returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameClaim {
    Draw = 0,
    /// The side that moved has won.
    Win = 1,
    /// The side to move has lost.
    Loss = 2,
    /// The game continues. In an engine match, CheckerBoard ends the game on any other claim.
    Unknown = 3,
}

/// The supported games. CheckerBoard also has a number for Czech draughts, but would draw square 1 of that game outside
/// the board.
pub const SUPPORTED_GAMES: [Variant; 5] =
    [Variant::English, Variant::Italian, Variant::Spanish, Variant::Russian, Variant::Brazilian];

/// Returns the game in the library's file name, or English draughts if the file name does not contain a game.
/// CheckerBoard can query a library's game, but cannot set it.
pub fn game_of_file(name: &str) -> Variant {
    let name = name.to_lowercase();
    SUPPORTED_GAMES.into_iter().find(|game| name.contains(game.name())).unwrap_or(Variant::English)
}

const SIDE: u8 = 8;

/// Returns the square at `place`, or `None` if pieces cannot stand there.
///
/// CheckerBoard shows Black at the bottom, so its columns are reversed. In games whose playing corner is on the right,
/// it also mirrors the board for display, so the columns are the same as in the engine.
pub fn square_at(game: Variant, place: Coordinates) -> Option<Square> {
    let x = u8::try_from(place.x).ok().filter(|&x| x < SIDE)?;
    let row = u8::try_from(place.y).ok().filter(|&y| y < SIDE)?;
    game.spec().shape.square_at(row, column_of(game, x))
}

pub fn coordinates_of(game: Variant, square: Square) -> Coordinates {
    let shape = game.spec().shape;
    let column = column_of(game, shape.column(square));
    Coordinates { x: column.into(), y: shape.row(square).into() }
}

fn column_of(game: Variant, column: u8) -> u8 {
    match game.spec().shape.corner {
        Corner::Right => column,
        Corner::Left | Corner::Both => SIDE - 1 - column,
    }
}

/// Returns CheckerBoard's number for `square`. From White's point of view, the squares are numbered row by row from the
/// top left, or from the bottom right in Spanish draughts. In games with algebraic notation, these numbers differ from
/// the engine's.
pub fn number_of(game: Variant, square: Square) -> u8 {
    let from_the_top = game.spec().shape.number(square).get();
    if game == Variant::Spanish { SIDE * SIDE / 2 + 1 - from_the_top } else { from_the_top }
}

pub fn square_numbered(game: Variant, number: u8) -> Option<Square> {
    let from_the_top = if game == Variant::Spanish { (SIDE * SIDE / 2 + 1).checked_sub(number)? } else { number };
    game.spec().shape.numbered(Number::new(from_the_top)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn game_numbers_match_pdn() {
        assert_eq!(SUPPORTED_GAMES.map(|game| game.game_type().unwrap()), [21, 22, 24, 25, 26]);
    }

    #[test]
    fn the_file_name_selects_the_game() {
        assert_eq!(game_of_file("soffio_italian.dll"), Variant::Italian);
        assert_eq!(game_of_file("Soffio Russian (2).DLL"), Variant::Russian);
        assert_eq!(game_of_file("libsoffio_checkerboard.so"), Variant::English);
        for game in SUPPORTED_GAMES {
            assert_eq!(game_of_file(&format!("soffio_{game}.dll")), game);
        }
    }

    fn by_formula(game: Variant, number: i32) -> Coordinates {
        let index = number - 1;
        let (x, y) = match game {
            Variant::Italian => (2 * (index % 4), index / 4),
            Variant::Spanish => (2 * (3 - index % 4), 7 - index / 4),
            _ => (2 * (3 - index % 4), index / 4),
        };
        Coordinates { x: x + y % 2, y }
    }

    #[test]
    fn coordinates_and_numbers_match_checkerboards_formulas() {
        for game in SUPPORTED_GAMES {
            for number in 1..=32 {
                let square = square_numbered(game, number).unwrap();
                let place = by_formula(game, number.into());
                assert_eq!(coordinates_of(game, square), place, "{game} {number}");
                assert_eq!(square_at(game, place), Some(square), "{game} {number}");
                assert_eq!(number_of(game, square), number, "{game}");
            }
            assert_eq!((square_numbered(game, 0), square_numbered(game, 33)), (None, None));
            assert_eq!(square_numbered(game, 255), None);
        }
    }

    #[test]
    fn unplayable_coordinates_are_not_squares() {
        for game in SUPPORTED_GAMES {
            for (x, y) in [(0, 1), (7, 0), (-1, 1), (8, 8), (0, 8), (i32::MIN, i32::MAX)] {
                assert_eq!(square_at(game, Coordinates { x, y }), None, "{game} {x} {y}");
            }
        }
    }

    #[test]
    fn numeric_variants_have_the_same_square_numbers() {
        for game in [Variant::English, Variant::Italian, Variant::Spanish] {
            let spec = game.spec();
            for square in spec.shape.all_squares() {
                assert_eq!(number_of(game, square), spec.number(square).get(), "{game}");
            }
        }
    }
}
