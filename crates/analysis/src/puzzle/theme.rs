//! Detects the themes of a solution.

use super::proof::Proof;
use super::solution::Solution;
use derive_more::Display;
use soffio::engine::Status;
use soffio::notation::WrittenGame;
use soffio::position::WinReason;
use soffio::position::paths::{best_captures, captures};
use soffio::rules::Precedence;

#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
pub enum Theme {
    /// A sacrifice followed by a multiple capture. The number counts all captured pieces.
    #[display("shot-{_0}")]
    Shot(u32),
    #[display("sacrifice")]
    Sacrifice,
    #[display("breakthrough")]
    Breakthrough,
    /// Few pieces in equal numbers and no captures, so that the right to move decides.
    #[display("opposition")]
    Opposition,
    /// The opponent has pieces left but no legal move.
    #[display("stalemate")]
    Stalemate,
    #[display("table")]
    Table,
    #[display("trapped-king")]
    TrappedKing,
    /// The precedence rules force a particular capture.
    #[display("majority")]
    Majority,
}

const OPPOSITION_PIECES: usize = 8;

pub fn themes(game: &WrittenGame, solution: &Solution) -> Vec<Theme> {
    let (spec, solver) = (game.spec(), game.side());
    let pieces = game.game().setup().pieces;
    let own = pieces.values().filter(|piece| piece.color == solver).count();
    let is_even = pieces.len() <= OPPOSITION_PIECES && 2 * own == pieces.len();
    let (mut taken, mut largest, mut given) = (0, 0, 0);
    let (mut is_crowned, mut is_king_taken, mut is_ordered) = (false, false, false);
    let mut game = game.clone();
    for &mv in &solution.moves {
        let before = game.game().setup();
        let count = mv.captured.count_ones();
        if mv.is_capture() && spec.precedence != Precedence::Free {
            let all = captures(spec, &before);
            let count = all.len();
            is_ordered |= best_captures(spec, &before, all).len() < count;
        }
        let is_own = game.side() == solver;
        let is_taken = |(square, piece): (&soffio::board::Square, &soffio::position::Piece)| {
            piece.king && mv.captured >> square.index() & 1 == 1
        };
        let takes_king = before.pieces.iter().any(|(square, piece)| is_taken((square, piece)));
        game.play_found(mv);
        if is_own {
            (taken, largest) = (taken + count, largest.max(count));
            is_king_taken |= takes_king;
            let is_king = game.game().setup().pieces.get(&mv.to).is_some_and(|piece| piece.king);
            is_crowned |= is_king && before.pieces.get(&mv.from).is_some_and(|piece| !piece.king);
        } else {
            given += count;
        }
    }
    let is_stalemate = matches!(game.status(), Status::Won { reason: WinReason::NoMove, .. });
    let all = [
        (given > 0 && largest > 1, Theme::Shot(taken)),
        (given > 0, Theme::Sacrifice),
        (is_crowned, Theme::Breakthrough),
        (is_even && taken + given == 0, Theme::Opposition),
        (is_stalemate, Theme::Stalemate),
        (solution.proof == Proof::Table, Theme::Table),
        (is_king_taken, Theme::TrappedKing),
        (is_ordered, Theme::Majority),
    ];
    all.into_iter().filter(|(is_shown, _)| *is_shown).map(|(_, theme)| theme).collect()
}
