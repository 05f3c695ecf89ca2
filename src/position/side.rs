//! The pieces from the point of view of one side.
//!
//! The code is compiled for each rule family and colour. The side to move is a constant, so that directions become
//! constant shifts.

use super::Pieces;
use crate::board::Direction;
use crate::rules::{Color, Family, RuleSet};

#[derive(Clone, Copy)]
pub(super) struct Side<'a, F: Family, const WHITE: bool> {
    pub(super) pieces: &'a Pieces<F::Word>,
    pub(super) spec: &'static RuleSet,
}

impl<F: Family, const WHITE: bool> Side<'_, F, WHITE> {
    #[inline(always)]
    pub(super) fn empty(&self) -> F::Word {
        F::all() & !self.pieces.all()
    }

    #[inline(always)]
    pub(super) fn prey_of_men(&self) -> F::Word {
        let opponent = self.pieces.of(Color::of(!WHITE));
        if F::RULES.men_capture_kings { opponent } else { opponent & !self.pieces.kings }
    }

    /// Returns the squares from which a piece can jump over an adjacent piece of `prey` in `direction`.
    #[inline(always)]
    pub(super) fn jump_off(prey: F::Word, empty: F::Word, direction: Direction) -> F::Word {
        let back = direction.opposite();
        F::step(prey & F::step(empty, back), back)
    }
}
