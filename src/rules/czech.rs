//! Czech draughts, as the texts of the Czech federation are cited by dctl and the Czech Wikipedia.

use super::{DrawRules, International, Notation, Precedence, Promotion, RuleSet, Rules, Russian, Variant};
use crate::board::{Board8, Geometry};

/// Czech draughts, PDN game type 29.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Czech;

impl Rules for Czech {
    type Geometry = Board8;
    const VARIANT: Variant = Variant::Czech;
    const SPEC: RuleSet = RuleSet {
        shape: Board8::SHAPE,
        men_rows: 3,
        men_capture_backward: false,
        promotion: Promotion::EndsMove,
        // If a king can capture, a king must; beyond that the choice is free.
        precedence: Precedence::KingFirst,
        // No exact counts could be verified: repetition and 15 king moves of each side, as in Russian draughts.
        draws: DrawRules { quiet_plies: Russian::SPEC.draws.quiet_plies, ..DrawRules::REPETITION },
        notation: Notation::ALGEBRAIC,
        ..International::SPEC
    };
}
