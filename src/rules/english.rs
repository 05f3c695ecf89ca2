//! English draughts (American checkers), by the rules of the World Checkers Draughts Federation (WCDF).

use super::{Color, DrawRules, International, Precedence, Promotion, RuleSet, Rules, Variant};
use crate::board::{Board8, Geometry};

/// English draughts, PDN game type 21.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct English;

impl Rules for English {
    type Geometry = Board8;
    const VARIANT: Variant = Variant::English;
    const SPEC: RuleSet = RuleSet {
        shape: Board8::SHAPE,
        starts: Color::Black,
        men_rows: 3,
        men_capture_backward: false,
        men_capture_kings: true,
        flying_kings: false,
        // Art. 1.19: a man that reaches the king row ends its move there.
        promotion: Promotion::EndsMove,
        // Art. 1.20: free choice, but the capture is played to its end.
        precedence: Precedence::Free,
        // Art. 1.32: third occurrence; neither side advanced a man or captured in its last 40 moves.
        draws: DrawRules { quiet_plies: Some(80), ..DrawRules::REPETITION },
        ..International::SPEC
    };
}
