//! The terms of the men.

use super::danger::Danger;
use super::term::Features;
use super::{Term, masks};
use crate::board::{Bits, Direction, Geometry};
use crate::position::Pieces;
use crate::rules::{Color, Family};

/// Counts the terms of the men of the side.
#[inline(always)]
pub(super) fn count<F: Family, const WHITE: bool>(pieces: &Pieces<F::Word>, features: &mut Features) {
    let men = pieces.men(Color::of(WHITE));
    let within = |mask: u128| (men & F::Word::from_mask(mask)).count() as i32;
    features[Term::Man] = men.count() as i32;
    features[Term::Advance] = within(const { masks::advance_bit(&F::RULES, WHITE, 0) })
        + 2 * within(const { masks::advance_bit(&F::RULES, WHITE, 1) })
        + 4 * within(const { masks::advance_bit(&F::RULES, WHITE, 2) })
        + 8 * within(const { masks::advance_bit(&F::RULES, WHITE, 3) });
    features[Term::Front] = within(const { masks::rows_before_far(&F::RULES, WHITE, 1, 2) });
    features[Term::HomeRow] = within(const { masks::home_row(&F::RULES, WHITE) });
    let bridge = F::Word::from_mask(const { masks::bridge(&F::RULES, WHITE) });
    features[Term::Bridge] = i32::from(men & bridge == bridge);
    features[Term::Centre] = within(const { masks::centre(F::RULES.shape) });
    features[Term::Edge] = within(const { masks::sides(F::RULES.shape) });
    features[Term::Imbalance] = (2 * within(const { masks::left_half(F::RULES.shape) }) - features[Term::Man]).abs();
    let [left, right] = Color::of(WHITE).forward().map(|direction| F::Geometry::step(men, direction) & men);
    features[Term::Support] = (left.count() + right.count()) as i32;
    let half = F::Word::from_mask(const { masks::rows_before_far(&F::RULES, WHITE, 1, F::RULES.shape.height / 2 - 1) });
    features[Term::Outpost] = ((left | right) & half).count() as i32;
    count_moves::<F, WHITE>(pieces, men, features);
    count_runaways::<F, WHITE>(pieces, men, features);
}

#[inline(always)]
fn count_moves<F: Family, const WHITE: bool>(pieces: &Pieces<F::Word>, men: F::Word, features: &mut Features) {
    let danger = Danger::<F>::new::<WHITE>(pieces, false);
    let empty = F::Geometry::all() & !pieces.all();
    let mut moves = 0;
    let mut movable = F::Word::EMPTY;
    for direction in Color::of(WHITE).forward() {
        let safe = danger.safe(F::Geometry::step(men, direction) & empty, direction);
        moves += safe.count();
        movable |= F::Geometry::step(safe, direction.opposite());
    }
    features[Term::SafeMoves] = moves as i32;
    features[Term::TrappedMen] = (men & !movable).count() as i32;
}

#[inline(always)]
fn count_runaways<F: Family, const WHITE: bool>(pieces: &Pieces<F::Word>, men: F::Word, features: &mut Features) {
    let enemy = pieces.of(Color::of(!WHITE));
    let next = F::Word::from_mask(const { masks::rows_before_far(&F::RULES, WHITE, 1, 1) });
    let later =
        F::Word::from_mask(const { masks::rows_before_far(&F::RULES, WHITE, 2, F::RULES.shape.height / 2 - 1) });
    let sides = F::Word::from_mask(const { masks::sides(F::RULES.shape) });
    let mut facing = spread::<F, WHITE>(enemy);
    features[Term::DogHole] = (men & next & sides & facing).count() as i32;
    for _ in 2..F::RULES.shape.height / 2 {
        facing |= spread::<F, WHITE>(facing);
    }
    features[Term::RunawayNear] = (men & next & !facing).count() as i32;
    // A flying king can come from anywhere.
    if !F::RULES.flying_kings || pieces.kings(Color::of(!WHITE)).is_empty() {
        features[Term::RunawayFar] = (men & later & !facing).count() as i32;
    }
}

/// The squares from which a man of the side reaches one of `squares` in one step.
#[inline(always)]
fn spread<F: Family, const WHITE: bool>(squares: F::Word) -> F::Word {
    let [left, right] = Color::of(WHITE).forward().map(Direction::opposite);
    (F::Geometry::step(squares, left) | F::Geometry::step(squares, right)) & F::Geometry::all()
}
