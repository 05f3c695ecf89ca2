//! From a FEN to a position, and back.

use super::{FenError, FenKingRun, FenPiece, FenRecord};
use crate::board::{Square, SquareName};
use crate::position::{KingRun, Piece, Setup};
use crate::rules::{Color, RuleSet};
use std::collections::BTreeMap;

impl FenRecord {
    /// What the record describes on the board of `spec`. Whether a game can come to it is asked where it is played from.
    ///
    /// # Errors
    /// When a square is not on the board or named twice, or a king whose moves are counted is not told.
    pub fn to_setup(&self, spec: &RuleSet) -> Result<Setup, FenError> {
        let mut pieces = BTreeMap::new();
        for (color, listed) in [(Color::White, &self.white), (Color::Black, &self.black)] {
            // The last square first: of a range that leaves the board, the error should name the end.
            for piece in listed.iter().rev() {
                let square = piece.square.resolve(spec)?;
                if pieces.insert(square, Piece { color, king: piece.king }).is_some() {
                    return Err(FenError::TwoPieces(spec.square_name(square)));
                }
            }
        }
        let quiet_plies = self.half_moves.unwrap_or(0);
        let move_number = self.move_number.unwrap_or(1);
        let mut setup =
            Setup { side: self.side, pieces, quiet_plies, move_number, king_runs: [None; 2], ages: self.ages };
        let [white, black] = self.king_runs;
        setup.king_runs = [king_run(spec, &setup, Color::White, white)?, king_run(spec, &setup, Color::Black, black)?];
        Ok(setup)
    }

    /// The record of `setup`, a position on the board of `spec`, as the players of the variant write it, pieces row by row
    /// from the top left. The half-move clock and the move number are left out while the clock is at 0: not every reader
    /// knows them.
    pub fn from_setup(spec: &RuleSet, setup: &Setup) -> Self {
        let name = |square| name(spec, square);
        let pieces = |color| {
            let placed = spec.shape.all_squares().filter_map(|square| Some((square, setup.pieces.get(&square)?)));
            let own = placed.filter(|(_, piece)| piece.color == color);
            own.map(|(square, piece)| FenPiece { king: piece.king, square: name(square) }).collect()
        };
        let king_run = |run: KingRun| FenKingRun { moves: run.moves, square: Some(name(run.square)) };
        let has_clock = setup.quiet_plies > 0;
        Self {
            side: setup.side,
            white: pieces(Color::White),
            black: pieces(Color::Black),
            half_moves: has_clock.then_some(setup.quiet_plies),
            move_number: has_clock.then_some(setup.move_number),
            king_runs: setup.king_runs.map(|run| run.map(king_run)),
            ages: setup.ages,
        }
    }
}

/// The name of `square` in a FEN. There `k` means a king, so a board that has a file of this letter uses numbers.
fn name(spec: &RuleSet, square: Square) -> SquareName {
    let is_k_a_file = spec.shape.width > b'k' - b'a';
    if is_k_a_file { SquareName::Number(spec.number(square)) } else { spec.square_name(square) }
}

/// The king of `color` in `setup` whose moves `run` counts. A count for a side without men, which nothing limits, is
/// left out.
fn king_run(spec: &RuleSet, setup: &Setup, color: Color, run: Option<FenKingRun>) -> Result<Option<KingRun>, FenError> {
    let Some(FenKingRun { moves, square }) = run else { return Ok(None) };
    if spec.king_moves.is_none() {
        return Err(FenError::UncountedKing(color));
    }
    if !setup.has_man(color) {
        return Ok(None);
    }
    if let Some(name) = square {
        return Ok(Some(KingRun { square: name.resolve(spec)?, moves }));
    }
    let mut kings = setup.pieces.iter().filter(|&(_, &piece)| piece == Piece { color, king: true });
    match (kings.next(), kings.next()) {
        (Some((&square, _)), None) => Ok(Some(KingRun { square, moves })),
        _ => Err(FenError::WhichKing(color)),
    }
}
