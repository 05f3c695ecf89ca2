//! The terms of the kings.

use super::danger::Danger;
use super::term::Features;
use super::{Term, masks};
use crate::board::{Bits, Direction, Geometry};
use crate::position::Pieces;
use crate::rules::{BitsOf, Color, Rules};

/// Counts the terms of the kings of the side, which has at least one.
#[inline(always)]
pub(super) fn count<R: Rules, const WHITE: bool>(pieces: &Pieces<R>, features: &mut Features) {
    let kings = pieces.kings(Color::of(WHITE));
    let within = |mask: u128| (kings & BitsOf::<R>::from_mask(mask)).count() as i32;
    features[Term::King] = kings.count() as i32;
    features[Term::FirstKing] = 1;
    features[Term::KingCentre] = within(const { masks::centre(R::SPEC.shape) });
    features[Term::KingEdge] = within(const { masks::edge(R::SPEC.shape) });
    let is_weaker = pieces.of(Color::of(WHITE)).count() < pieces.of(Color::of(!WHITE)).count();
    features[Term::Refuge] = i32::from(is_weaker && within(const { masks::refuge(&R::SPEC) }) > 0);
    features[Term::TrappedKing] = trapped::<R, WHITE>(pieces, kings).count() as i32;
}

/// Those of `kings`, which are of the side, that have no safe step.
#[inline(always)]
fn trapped<R: Rules, const WHITE: bool>(pieces: &Pieces<R>, kings: BitsOf<R>) -> BitsOf<R> {
    let danger = Danger::<R>::new::<WHITE>(pieces, true);
    let empty = pieces.empty();
    let mut movable = BitsOf::<R>::EMPTY;
    for direction in Direction::DIAGONAL {
        let safe = danger.safe(R::Geometry::step(kings, direction) & empty, direction);
        movable |= R::Geometry::step(safe, direction.opposite());
    }
    kings & !movable
}
