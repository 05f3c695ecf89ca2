//! American pool checkers, by the rules of the American Pool Checkers Association (APCA).

use super::{Color, DrawRules, Ending, Force, International, Precedence, RuleSet, Rules, Variant};
use crate::board::{Board8, Geometry};

/// American pool checkers, PDN game type 23.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pool;

impl Rules for Pool {
    type Geometry = Board8;
    const VARIANT: Variant = Variant::Pool;
    const SPEC: RuleSet = RuleSet {
        shape: Board8::SHAPE,
        starts: Color::Black,
        men_rows: 3,
        precedence: Precedence::Free,
        draws: DrawRules {
            // Rule 26, as cited by dctl: 30 plies without progress.
            quiet_plies: Some(30),
            // Three kings against one must win within 13 moves, even if the 14th would be a capture.
            endings: &[Ending { force: Force::Kings, pieces: (3, 3), plies: 26 }],
            ..DrawRules::REPETITION
        },
        ..International::SPEC
    };
}
