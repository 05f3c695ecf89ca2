//! Endings that are hard to win in spite of the material.

use crate::board::Lines;
use crate::position::Pieces;
use crate::rules::{Color, Landing, Objective, RuleSet, Word};

/// Of how many parts [`keep`] keeps some.
pub(super) const PARTS: i32 = 8;

/// Fewer pieces than this seldom catch a king that flies.
const FEW: u32 = 4;

/// Whether a lone king can hold out against more pieces: where kings fly on diagonals and land where they like.
pub(super) const fn is_hard_to_win(spec: &RuleSet) -> bool {
    spec.flying_kings
        && matches!(spec.captures, Lines::Diagonal)
        && matches!(spec.landing, Landing::Anywhere)
        && matches!(spec.objective, Objective::Normal)
}

/// How many of the [`PARTS`] of a score are kept where a lone king [can hold out](is_hard_to_win) and there are kings; a
/// positive `score` is one for White.
pub(super) fn keep<W: Word>(pieces: &Pieces<W>, score: i32) -> i32 {
    let leader = if score > 0 { Color::White } else { Color::Black };
    let defender = leader.opponent();
    if !pieces.kings(defender).is_empty() && pieces.of(leader).count() < FEW {
        return 1;
    }
    let men_ahead = pieces.men(leader).count().abs_diff(pieces.men(defender).count());
    if pieces.kings(leader).count() == pieces.kings(defender).count() && men_ahead <= 1 { PARTS / 2 } else { PARTS }
}
