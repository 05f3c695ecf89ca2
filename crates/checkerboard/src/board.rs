//! Types and constants of CheckerBoard's C interface, with the same memory layout. `convert` translates them to the
//! types of the engine.

use std::ffi::c_int;

/// Maximum length in bytes of a reply that fits into every buffer of CheckerBoard.
pub const SHORT: usize = 254;

/// Maximum length in bytes of a reply to a command with a larger buffer.
pub const LONG: usize = 1023;

/// Reply to an unsupported command. CheckerBoard then greys out the corresponding window.
pub const UNKNOWN: &str = "?";

pub const TOO_LONG: &str = "the answer is too long";

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

pub const MOST_CAPTURED: usize = 12;

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
    pub path: [Coordinates; MOST_CAPTURED],
    pub captured: [Coordinates; MOST_CAPTURED],
    pub captured_pieces: [c_int; MOST_CAPTURED],
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
