//! Italian draughts, by the technical rules of the Federazione Italiana Dama (FID).

use super::{Color, DrawRules, International, Precedence, Promotion, RuleSet, Rules, Variant};
use crate::board::{Board8Mirrored, Geometry};

/// Italian draughts, PDN game type 22.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Italian;

impl Rules for Italian {
    type Geometry = Board8Mirrored;
    const VARIANT: Variant = Variant::Italian;
    const SPEC: RuleSet = RuleSet {
        // Art. 2.3, 2.4: a dark square in the bottom right corner; numbers from the top left.
        shape: Board8Mirrored::SHAPE,
        // Art. 3.4.
        starts: Color::White,
        men_rows: 3,
        // Art. 5.3a, 5.3b: men capture forwards, and never a king.
        men_capture_backward: false,
        men_capture_kings: false,
        // Art. 4.7, 5.3c, 5.3d: kings move and capture one step.
        flying_kings: false,
        promotion: Promotion::EndsMove,
        // Art. 6.6 to 6.10; several kings are compared one after the other.
        precedence: Precedence::Italian,
        // Art. 9.3b1 and 10.4, as cited by the rule tests of dctl.
        draws: DrawRules { repetitions: 4, quiet_plies: Some(80), ..DrawRules::REPETITION },
        ..International::SPEC
    };
}
