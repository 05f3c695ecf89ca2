//! Endings that are hard to win despite a material advantage.

use crate::board::{Bits, Lines};
use crate::rules::{Landing, Objective, RuleSet};

/// The denominator of [`kept_parts`].
pub const KEPT_PARTS: i32 = 8;

/// Fewer pieces than this seldom catch a king that flies.
const FEW: u32 = 4;

/// Whether a lone king can hold out against more pieces: where kings fly on diagonals and land where they like.
pub(super) const fn is_hard_to_win(spec: &RuleSet) -> bool {
    spec.flying_kings
        && matches!(spec.captures, Lines::Diagonal)
        && matches!(spec.landing, Landing::Anywhere)
        && matches!(spec.objective, Objective::Normal)
}

/// How many of the [`KEPT_PARTS`] of a score are kept where a lone king can hold out; `white_leads` says which
/// side is ahead. A lone king holds out against three pieces, and with equal kings one extra man is worth little.
#[inline(always)]
pub fn kept_parts<B: Bits>(white: B, black: B, kings: B, white_leads: bool) -> i32 {
    if kings.is_empty() {
        return KEPT_PARTS;
    }
    let (leader, defender) = if white_leads { (white, black) } else { (black, white) };
    if !(defender & kings).is_empty() && leader.count() < FEW {
        return 1;
    }
    let men_ahead = (leader & !kings).count().abs_diff((defender & !kings).count());
    if (leader & kings).count() == (defender & kings).count() && men_ahead <= 1 { KEPT_PARTS / 2 } else { KEPT_PARTS }
}
