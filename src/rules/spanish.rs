//! Spanish and Portuguese draughts, by the rules of the Federação Portuguesa de Damas (FPD) of 2013.

use super::{
    DrawRules, Ending, FirstSquare, Force, International, Notation, Precedence, Promotion, RuleSet, Rules, Variant,
};
use crate::board::{Board8Mirrored, Geometry};

/// Spanish draughts, PDN game type 24.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spanish;

impl Rules for Spanish {
    type Geometry = Board8Mirrored;
    const VARIANT: Variant = Variant::Spanish;
    const SPEC: RuleSet = RuleSet {
        shape: Board8Mirrored::SHAPE,
        men_rows: 3,
        men_capture_backward: false,
        promotion: Promotion::EndsMove,
        // The law of quantity, then the law of quality; it does not matter what captures.
        precedence: Precedence::MostPiecesMostKings,
        // The laws of limited moves as usually quoted: 20 moves with kings only, and 12 moves for three kings against
        // one on the long diagonal, the river.
        draws: DrawRules {
            quiet_plies: Some(40),
            main_road: Some(Ending { force: Force::Kings, pieces: (3, 3), plies: 24 }),
            ..DrawRules::REPETITION
        },
        // Square 1 is at White's right hand.
        notation: Notation { first: FirstSquare::BottomRight, ..Notation::NUMERIC },
        ..International::SPEC
    };
}

/// Portuguese draughts, PDN game type 28: no difference of rules to the Spanish game is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Portuguese;

impl Rules for Portuguese {
    type Geometry = Board8Mirrored;
    const VARIANT: Variant = Variant::Portuguese;
    const SPEC: RuleSet = Spanish::SPEC;
}
