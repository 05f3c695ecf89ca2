//! The terms of the kings.

use super::danger::Danger;
use super::term::Features;
use super::{Term, masks};
use crate::board::{Bits, Direction, Geometry};
use crate::position::Pieces;
use crate::rules::{Color, Family};

/// Counts the terms of the kings of the side, which has at least one.
#[inline(always)]
pub(super) fn count<F: Family, const WHITE: bool>(pieces: &Pieces<F::Word>, features: &mut Features) {
    let kings = pieces.kings(Color::of(WHITE));
    let within = |mask: u128| (kings & F::Word::from_mask(mask)).count() as i32;
    features[Term::King] = kings.count() as i32;
    features[Term::FirstKing] = 1;
    features[Term::KingCentre] = within(const { masks::centre(F::RULES.shape) });
    features[Term::KingEdge] = within(const { masks::edge(F::RULES.shape) });
    let is_weaker = pieces.of(Color::of(WHITE)).count() < pieces.of(Color::of(!WHITE)).count();
    features[Term::Refuge] = i32::from(is_weaker && within(const { masks::refuge(&F::RULES) }) > 0);
    features[Term::TrappedKing] = trapped::<F, WHITE>(pieces, kings).count() as i32;
}

/// Those of `kings`, which are of the side, that have no safe step.
#[inline(always)]
fn trapped<F: Family, const WHITE: bool>(pieces: &Pieces<F::Word>, kings: F::Word) -> F::Word {
    let danger = Danger::<F>::new::<WHITE>(pieces, true);
    let empty = F::Geometry::all() & !pieces.all();
    let mut movable = F::Word::EMPTY;
    for direction in Direction::DIAGONAL {
        let safe = danger.safe(F::Geometry::step(kings, direction) & empty, direction);
        movable |= F::Geometry::step(safe, direction.opposite());
    }
    kings & !movable
}
