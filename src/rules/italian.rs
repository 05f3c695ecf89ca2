//! Italian draughts, by the technical rules of the Federazione Italiana Dama (FID).

use super::{DrawRules, Precedence, RuleSet};
use crate::board::Shape;

/// Italian draughts, PDN game type 22.
pub(super) const ITALIAN: RuleSet = RuleSet {
    // Art. 2.3, 2.4: a dark square in the bottom right corner; numbers from the top left.
    shape: Shape::BOARD8_MIRRORED,
    // Art. 5.3a, 5.3b: men capture forwards, and never a king.
    men_capture_kings: false,
    // Art. 6.6 to 6.10; several kings are compared one after the other.
    precedence: Precedence::Italian,
    // Art. 9.3b1 and 10.4, as cited by the rule tests of dctl.
    draws: DrawRules { repetitions: 4, quiet_plies: Some(80), ..DrawRules::REPETITION },
    ..RuleSet::PLAIN
};
