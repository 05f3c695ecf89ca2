//! American pool checkers, by the rules of the American Pool Checkers Association (APCA).

use super::{Color, DrawRules, Ending, Force, Promotion, RuleSet};

/// American pool checkers, PDN game type 23.
pub(super) const POOL: RuleSet = RuleSet {
    starts: Color::Black,
    men_capture_backward: true,
    flying_kings: true,
    promotion: Promotion::AtRest,
    draws: DrawRules {
        // Rule 26, as cited by dctl: 30 plies without progress.
        quiet_plies: Some(30),
        // Three kings against one must win within 13 moves, even if the 14th would be a capture.
        endings: &[Ending { force: Force::Kings, pieces: (3, 3), plies: 26, anew: false }],
        ..DrawRules::REPETITION
    },
    ..RuleSet::PLAIN
};
