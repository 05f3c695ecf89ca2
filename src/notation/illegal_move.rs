//! Why a move cannot be played.

use super::{SquareError, SquareName};
use std::fmt;

/// Most moves that an error lists.
const MOST_LISTED: usize = 3;

/// Why a written move is not a legal move of the position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IllegalMove {
    /// A square is not one of the board.
    Square(SquareError),
    /// The side to move has no legal move.
    NoLegalMove,
    /// The square to leave is empty or holds a piece of the other side.
    NoPiece(SquareName),
    /// The square of arrival is not free.
    Occupied(SquareName),
    /// The text fits all these legal moves.
    Ambiguous(Vec<String>),
    /// A capture is compulsory, by one of these moves.
    CaptureCompulsory(Vec<String>),
    /// The capture stops before its end; one that goes on.
    MustGoOn(String),
    /// A capture of so many pieces is possible, and compulsory.
    MustTakePieces(usize),
    /// A king can take what counts as much as what this man takes, and must.
    MustTakeWithKing,
    /// A capture of more value is possible, as this one.
    MustTakeMoreValue(String),
    /// A capture of as many pieces, so many of them kings, is possible.
    MustTakeKings(usize),
    /// A capture of as many kings that meets one of them earlier is possible.
    MustTakeKingSooner,
    /// A man tries to take a king, which it may not in this variant.
    ManTakesKing,
    /// A man tries to take backwards, which it may not in this variant.
    ManTakesBackwards,
    /// A man tries to move backwards.
    ManMovesBackwards,
    /// The move is legal, but written as a capture.
    TakesNothing {
        /// The square that the piece leaves.
        from: SquareName,
        /// The square where it comes to rest.
        to: SquareName,
    },
    /// The piece can legally go there, but not by this path; these moves lead there.
    OtherWay {
        /// The square where the piece comes to rest.
        to: SquareName,
        /// The legal moves.
        moves: Vec<String>,
    },
    /// The king has made as many moves in a row as it may while its side has men.
    KingMustWait {
        /// The square of the king.
        square: SquareName,
        /// Its moves.
        moves: u8,
    },
    /// The piece has no legal move.
    CannotMove(SquareName),
    /// The piece can move, but not to this square.
    CannotReach {
        /// The square of the piece.
        from: SquareName,
        /// The square that it does not reach.
        to: SquareName,
    },
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Square(SquareError::OffBoard { name, width, height }) => {
                write!(f, "no square {name} on the {width}x{height} board")
            }
            Self::Square(error @ SquareError::Light(_)) => error.fmt(f),
            Self::NoLegalMove => f.write_str("no legal move"),
            Self::NoPiece(square) => write!(f, "no piece of the side to move on {square}"),
            Self::Occupied(square) => write!(f, "{square} is occupied"),
            Self::Ambiguous(moves) => write!(f, "ambiguous: {}", choice(moves)),
            Self::CaptureCompulsory(moves) => write!(f, "a capture is compulsory: {}", choice(moves)),
            Self::MustGoOn(path) => write!(f, "the capture must go on: {path}"),
            Self::MustTakePieces(count) => write!(f, "must take {count} pieces"),
            Self::MustTakeWithKing => f.write_str("must capture with a king"),
            Self::MustTakeMoreValue(path) => write!(f, "must take pieces of more value: {path}"),
            Self::MustTakeKings(1) => f.write_str("must take a king"),
            Self::MustTakeKings(count) => write!(f, "must take {count} kings"),
            Self::MustTakeKingSooner => f.write_str("must take a king sooner"),
            Self::ManTakesKing => f.write_str("a man cannot take a king"),
            Self::ManTakesBackwards => f.write_str("a man cannot take backwards"),
            Self::ManMovesBackwards => f.write_str("a man cannot move backwards"),
            Self::TakesNothing { from, to } => write!(f, "{from}-{to} takes no piece"),
            Self::OtherWay { to, moves } => write!(f, "the way to {to} is {}", choice(moves)),
            Self::KingMustWait { square, moves } => {
                write!(f, "the king on {square} has made {moves} moves in a row, another piece must move")
            }
            Self::CannotMove(square) => write!(f, "the piece on {square} cannot move"),
            Self::CannotReach { from, to } => write!(f, "the piece on {from} cannot reach {to}"),
        }
    }
}

/// The first few of `moves`, and whether there are more.
fn choice(moves: &[String]) -> String {
    let more = (moves.len() > MOST_LISTED).then_some("...");
    moves.iter().take(MOST_LISTED).map(String::as_str).chain(more).collect::<Vec<_>>().join(" or ")
}

impl std::error::Error for IllegalMove {}

impl From<SquareError> for IllegalMove {
    fn from(error: SquareError) -> Self {
        Self::Square(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_few_moves_are_listed() {
        let listed = |count| {
            let moves = ["1-5", "1-6", "1-7", "1-8"].into_iter().take(count).map(String::from).collect();
            IllegalMove::Ambiguous(moves).to_string()
        };
        assert_eq!(listed(2), "ambiguous: 1-5 or 1-6");
        assert_eq!(listed(3), "ambiguous: 1-5 or 1-6 or 1-7");
        assert_eq!(listed(4), "ambiguous: 1-5 or 1-6 or 1-7 or ...");
    }
}
