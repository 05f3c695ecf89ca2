//! The terms of the kings.

use super::danger::Danger;
use super::term::Features;
use super::{Term, color_of, masks};
use crate::board::{Bits, Direction, Geometry};
use crate::position::Pieces;
use crate::rules::{BitsOf, Rules};

/// Counts the terms of the kings of the side, which has at least one.
#[inline(always)]
pub(super) fn count<R: Rules, const WHITE: bool>(pieces: &Pieces<R>, features: &mut Features) {
    let kings = pieces.kings(color_of(WHITE));
    let within = |mask: u128| (kings & BitsOf::<R>::from_mask(mask)).count() as i32;
    features[Term::King] = kings.count() as i32;
    features[Term::FirstKing] = 1;
    features[Term::KingCentre] = within(const { masks::centre(R::SPEC.shape) });
    features[Term::KingEdge] = within(const { masks::edge(R::SPEC.shape) });
    let is_weaker = pieces.of(color_of(WHITE)).count() < pieces.of(color_of(!WHITE)).count();
    features[Term::Refuge] = i32::from(is_weaker && within(const { masks::refuge(&R::SPEC) }) > 0);
    count_moves::<R, WHITE>(pieces, kings, features);
}

#[inline(always)]
fn count_moves<R: Rules, const WHITE: bool>(pieces: &Pieces<R>, kings: BitsOf<R>, features: &mut Features) {
    let danger = Danger::<R>::new::<WHITE>(pieces, true);
    let empty = pieces.empty();
    let mut moves = 0;
    let mut movable = BitsOf::<R>::EMPTY;
    for direction in Direction::ALL {
        let mut to = R::Geometry::step(kings, direction) & empty;
        let safe = danger.safe(to, direction);
        movable |= R::Geometry::step(safe, direction.opposite());
        moves += safe.count();
        while R::SPEC.flying_kings && !to.is_empty() {
            to = R::Geometry::step(to, direction) & empty;
            moves += danger.safe(to, direction).count();
        }
    }
    features[Term::KingMoves] = moves as i32;
    features[Term::TrappedKing] = (kings & !movable).count() as i32;
}
