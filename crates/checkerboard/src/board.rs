//! The board, the squares and the moves of CheckerBoard's interface, in the layout that it lays down.
//!
//! Everything here is a plain number, as the interface has it; `convert` gives it meaning.

use std::ffi::c_int;

/// The board by columns and rows, `board[x][y]`: row 0 is Black's home row, and a square is played on where `x` and `y` are
/// both even or both odd.
pub type Board = [[c_int; 8]; 8];

/// The side that has the white pieces.
pub const WHITE: c_int = 1;
/// The side that has the black pieces.
pub const BLACK: c_int = 2;
/// A man, together with its side.
pub const MAN: c_int = 4;
/// A king, together with its side.
pub const KING: c_int = 8;

/// The board on which every game of CheckerBoard begins.
pub fn start() -> Board {
    let mut board = Board::default();
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

/// A square, by its column and its row.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The column.
    pub x: c_int,
    /// The row.
    pub y: c_int,
}

/// Entries of the lists of a move.
pub const MOST_CAPTURED: usize = 12;

/// A move.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoardMove {
    /// The number of pieces that it takes.
    pub jumps: c_int,
    /// The piece that arrives.
    pub new_piece: c_int,
    /// The piece that leaves.
    pub old_piece: c_int,
    /// The square that the piece leaves.
    pub from: Place,
    /// The square where it arrives.
    pub to: Place,
    /// The squares where it lands, from index 1 on; index 0 is not used.
    pub path: [Place; MOST_CAPTURED],
    /// The squares of the pieces that it takes.
    pub captured: [Place; MOST_CAPTURED],
    /// These pieces.
    pub captured_pieces: [c_int; MOST_CAPTURED],
}

const _: () = assert!(size_of::<BoardMove>() == 67 * size_of::<c_int>());

/// The state of the game, as [`getmove`](super::ffi::getmove) returns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The game is drawn.
    Draw = 0,
    /// The side that moved has won.
    Win = 1,
    /// The side that was to move has lost.
    Loss = 2,
    /// It goes on. In an engine match any other claim ends the game.
    Unknown = 3,
}
