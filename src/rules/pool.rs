//! American pool checkers, by the rules of the American Pool Checkers Association (APCA).

use super::{Color, DrawRules, Ending, Force, Letters, Notation, Promotion, RuleSet};
use crate::board::Shape;

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
        endings: &[Ending { force: Force::Kings, pieces: (3, 3), plies: 26, restarts: false }],
        ..DrawRules::REPETITION
    },
    ..RuleSet::PLAIN
};

/// Jamaican draughts: pool checkers on the mirrored board, PDN game type `23,B,8,8,A1,1` (poolcheckers.com).
pub(super) const JAMAICAN: RuleSet = RuleSet {
    shape: Shape::BOARD8_MIRRORED,
    // The PDN standard: a1 is at the right hand of Black, who begins, and "the direction of the numbering is vertical". So it is
    // on a lettered board that is turned by a quarter to have its dark corner there. The diagram beside this sentence, and
    // the page that draws it, turn letters and digits around without turning the board: no game on paper is known to decide.
    notation: Notation { letters: Letters::Turned, ..Notation::ALGEBRAIC },
    ..POOL
};
