//! Endings that are hard to win in spite of the material.

use crate::board::Bits;
use crate::position::Pieces;
use crate::rules::{Color, Rules};

/// Of how many parts [`keep`] keeps some.
pub(super) const PARTS: i32 = 8;

/// Fewer pieces than this seldom catch a king that flies.
const FEW: u32 = 4;

/// How many of the [`PARTS`] of a score are kept; a positive `score` is one for White.
#[inline(always)]
pub(super) fn keep<R: Rules>(pieces: &Pieces<R>, score: i32) -> i32 {
    if !R::SPEC.flying_kings || pieces.kings.is_empty() {
        return PARTS;
    }
    let leader = if score > 0 { Color::White } else { Color::Black };
    let defender = leader.opponent();
    if !pieces.kings(defender).is_empty() && pieces.of(leader).count() < FEW {
        return 1;
    }
    let men_ahead = pieces.men(leader).count().abs_diff(pieces.men(defender).count());
    if pieces.kings(leader).count() == pieces.kings(defender).count() && men_ahead <= 1 { PARTS / 2 } else { PARTS }
}
