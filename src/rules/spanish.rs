//! Spanish draughts, and Portuguese, which has the same rules: those of the Federação Portuguesa de Damas (FPD) of 2013.

use super::{DrawRules, Ending, FirstSquare, Force, Notation, Precedence, RuleSet};
use crate::board::Shape;

/// Spanish draughts, PDN game type 24.
pub(super) const SPANISH: RuleSet = RuleSet {
    shape: Shape::BOARD8_MIRRORED,
    flying_kings: true,
    // The law of quantity, then the law of quality; it does not matter what captures.
    precedence: Precedence::MostPiecesMostKings,
    // The laws of limited moves as usually quoted: 20 moves with kings only, and 12 moves for three kings against
    // one on the long diagonal, the river.
    draws: DrawRules {
        quiet_plies: Some(40),
        main_road: Some(Ending { force: Force::Kings, pieces: (3, 3), plies: 24, restarts: false }),
        ..DrawRules::REPETITION
    },
    // Square 1 is at White's right hand.
    notation: Notation { first: FirstSquare::BottomRight, ..Notation::NUMERIC },
    ..RuleSet::PLAIN
};
