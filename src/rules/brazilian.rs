//! Brazilian draughts: the international rules on the small board.

use super::{DrawRules, International, Notation, RuleSet, Rules, Russian, Variant};
use crate::board::{Board8, Geometry};

/// Brazilian draughts, PDN game type 26.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Brazilian;

impl Rules for Brazilian {
    type Geometry = Board8;
    const VARIANT: Variant = Variant::Brazilian;
    const SPEC: RuleSet = RuleSet {
        shape: Board8::SHAPE,
        men_rows: 3,
        // Summaries of the Brazilian federation: 20 moves of each side with kings only. Everything else as in Russian
        // draughts, by the common rules of FMJD-64.
        draws: DrawRules { quiet_plies: Some(40), ..Russian::SPEC.draws },
        notation: Notation::ALGEBRAIC,
        ..International::SPEC
    };
}
