//! From a FEN to a position, and back.

use super::{FenError, FenPiece, FenRecord};
use crate::notation::SquareName;
use crate::position::{Piece, Setup};
use crate::rules::{Color, RuleSet};
use std::collections::BTreeMap;

impl FenRecord {
    /// The position that the record describes on the board of `spec`.
    ///
    /// # Errors
    /// When a square is not on the board or named twice, or when no game by the rules `spec` has such a position.
    pub fn to_setup(&self, spec: &RuleSet) -> Result<Setup, FenError> {
        let mut pieces = BTreeMap::new();
        for (color, listed) in [(Color::White, &self.white), (Color::Black, &self.black)] {
            for piece in listed {
                let square = piece.square.resolve(spec)?;
                if pieces.insert(square, Piece { color, king: piece.king }).is_some() {
                    return Err(FenError::TwoPieces(spec.shape.number(square)));
                }
            }
        }
        let quiet_plies = self.half_moves.unwrap_or(0);
        let move_number = self.move_number.unwrap_or(1);
        let setup = Setup { side: self.side, pieces, quiet_plies, move_number, king_runs: [None; 2] };
        setup.check(spec)?;
        Ok(setup)
    }

    /// The record of `setup`, a position on the board of `spec`. The half-move clock and the move number are left out
    /// while the clock is at 0: not every reader knows them.
    pub fn from_setup(spec: &RuleSet, setup: &Setup) -> Self {
        let pieces = |color| {
            let own = setup.pieces.iter().filter(move |(_, piece)| piece.color == color);
            own.map(|(&square, piece)| FenPiece { king: piece.king, square: SquareName::of(spec, square) }).collect()
        };
        let has_clock = setup.quiet_plies > 0;
        Self {
            side: setup.side,
            white: pieces(Color::White),
            black: pieces(Color::Black),
            half_moves: has_clock.then_some(setup.quiet_plies),
            move_number: has_clock.then_some(setup.move_number),
        }
    }
}
