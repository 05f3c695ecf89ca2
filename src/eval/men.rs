//! The terms of the men.

use super::danger::Danger;
use super::term::Features;
use super::{Term, masks};
use crate::board::{Bits, Direction, Geometry};
use crate::position::Pieces;
use crate::rules::{BitsOf, Color, Rules};

/// Counts the terms of the men of the side.
#[inline(always)]
pub(super) fn count<R: Rules, const WHITE: bool>(pieces: &Pieces<R>, features: &mut Features) {
    let men = pieces.men(Color::of(WHITE));
    let within = |mask: u128| (men & BitsOf::<R>::from_mask(mask)).count() as i32;
    features[Term::Man] = men.count() as i32;
    features[Term::Advance] = within(const { masks::advance_bit(&R::SPEC, WHITE, 0) })
        + 2 * within(const { masks::advance_bit(&R::SPEC, WHITE, 1) })
        + 4 * within(const { masks::advance_bit(&R::SPEC, WHITE, 2) })
        + 8 * within(const { masks::advance_bit(&R::SPEC, WHITE, 3) });
    features[Term::Front] = within(const { masks::rows_before_far(&R::SPEC, WHITE, 1, 2) });
    features[Term::HomeRow] = within(const { masks::home_row(&R::SPEC, WHITE) });
    let bridge = BitsOf::<R>::from_mask(const { masks::bridge(&R::SPEC, WHITE) });
    features[Term::Bridge] = i32::from(men & bridge == bridge);
    features[Term::Centre] = within(const { masks::centre(R::SPEC.shape) });
    features[Term::Edge] = within(const { masks::sides(R::SPEC.shape) });
    features[Term::Imbalance] = (2 * within(const { masks::left_half(R::SPEC.shape) }) - features[Term::Man]).abs();
    let [left, right] = Color::of(WHITE).forward().map(|direction| R::Geometry::step(men, direction) & men);
    features[Term::Support] = (left.count() + right.count()) as i32;
    let half =
        BitsOf::<R>::from_mask(const { masks::rows_before_far(&R::SPEC, WHITE, 1, R::SPEC.shape.height / 2 - 1) });
    features[Term::Outpost] = ((left | right) & half).count() as i32;
    count_moves::<R, WHITE>(pieces, men, features);
    count_runaways::<R, WHITE>(pieces, men, features);
}

#[inline(always)]
fn count_moves<R: Rules, const WHITE: bool>(pieces: &Pieces<R>, men: BitsOf<R>, features: &mut Features) {
    let danger = Danger::<R>::new::<WHITE>(pieces, false);
    let empty = pieces.empty();
    let mut moves = 0;
    let mut movable = BitsOf::<R>::EMPTY;
    for direction in Color::of(WHITE).forward() {
        let safe = danger.safe(R::Geometry::step(men, direction) & empty, direction);
        moves += safe.count();
        movable |= R::Geometry::step(safe, direction.opposite());
    }
    features[Term::SafeMoves] = moves as i32;
    features[Term::TrappedMen] = (men & !movable).count() as i32;
}

#[inline(always)]
fn count_runaways<R: Rules, const WHITE: bool>(pieces: &Pieces<R>, men: BitsOf<R>, features: &mut Features) {
    let enemy = pieces.of(Color::of(!WHITE));
    let next = BitsOf::<R>::from_mask(const { masks::rows_before_far(&R::SPEC, WHITE, 1, 1) });
    let later =
        BitsOf::<R>::from_mask(const { masks::rows_before_far(&R::SPEC, WHITE, 2, R::SPEC.shape.height / 2 - 1) });
    let sides = BitsOf::<R>::from_mask(const { masks::sides(R::SPEC.shape) });
    let mut facing = spread::<R, WHITE>(enemy);
    features[Term::DogHole] = (men & next & sides & facing).count() as i32;
    for _ in 2..R::SPEC.shape.height / 2 {
        facing |= spread::<R, WHITE>(facing);
    }
    features[Term::RunawayNear] = (men & next & !facing).count() as i32;
    // A king that flies comes from anywhere.
    if !R::SPEC.flying_kings || pieces.kings(Color::of(!WHITE)).is_empty() {
        features[Term::RunawayFar] = (men & later & !facing).count() as i32;
    }
}

/// The squares from which a man of the side reaches one of `squares` in one step.
#[inline(always)]
fn spread<R: Rules, const WHITE: bool>(squares: BitsOf<R>) -> BitsOf<R> {
    let [left, right] = Color::of(WHITE).forward().map(Direction::opposite);
    (R::Geometry::step(squares, left) | R::Geometry::step(squares, right)) & R::Geometry::all()
}
