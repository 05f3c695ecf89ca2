//! Turkish draughts (dama), which is played on all 64 squares.

use super::{DrawRules, Ending, Force, Notation, Precedence, Promotion, Removal, RuleSet};
use crate::board::{Lines, Shape};

/// Turkish draughts, PDN game type 30.
pub(super) const TURKISH: RuleSet = RuleSet {
    shape: Shape::BOARD8_EVERY,
    men_rows: 2,
    empty_rows: 1,
    // Men move and capture forwards and sideways, kings like a rook.
    moves: Lines::Orthogonal,
    captures: Lines::Orthogonal,
    flying_kings: true,
    // Pieces are removed as they are jumped, but two jumps in a row never go in opposite directions.
    removal: Removal::AtOnce,
    // A man that reaches the far row in the middle of a capture goes on as a man, and is crowned if it ends there:
    // of the published readings the one of hgware.com and of the open implementations.
    promotion: Promotion::AtRest,
    precedence: Precedence::MostPieces,
    draws: DrawRules {
        // No count is documented; the international one.
        quiet_plies: Some(50),
        // One piece each is a draw, even if one is a king (damaakademisi.com, 19b; a later wording of Wikipedia lets a
        // king win against a man); 2 more moves of each side let a pending capture be made, as in pydraughts.
        endings: &[Ending { force: Force::Pieces, pieces: (1, 1), plies: 4, restarts: false }],
        ..DrawRules::REPETITION
    },
    notation: Notation::ALGEBRAIC,
    ..RuleSet::PLAIN
};
