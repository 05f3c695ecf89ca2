//! The sums of the first layer, which follow the positions that are evaluated.

use super::network::{FIRST_UNITS, Inputs, Weights};
use crate::board::{Bits, Square};
use wide::i16x16;

/// The units of the first layer, as vectors.
pub(super) type Sums = [i16x16; FIRST_UNITS / 16];

/// The numbers of all units as vectors.
#[inline(always)]
pub(super) fn vectors(numbers: &[i16; FIRST_UNITS]) -> impl Iterator<Item = i16x16> {
    numbers.as_chunks().0.iter().map(|numbers| i16x16::new(*numbers))
}

/// The accumulators of a search by one evaluation: for either side to move the sums of the first layer for the position that was
/// evaluated last.
///
/// In a search the next such position is a few moves away, so that few pieces are to be added and taken off.
#[derive(Clone, Debug, Default)]
pub struct Accumulators<B: Bits> {
    white: Accumulator<B>,
    black: Accumulator<B>,
}

impl<B: Bits> Accumulators<B> {
    /// The accumulator of the positions with White or with Black to move.
    #[inline(always)]
    pub(super) fn of_side(&mut self, white_to_move: bool) -> &mut Accumulator<B> {
        if white_to_move { &mut self.white } else { &mut self.black }
    }
}

/// The sums of the first layer, without the biases, for the pieces of a position.
#[derive(Clone, Debug)]
pub(super) struct Accumulator<B: Bits> {
    sums: Sums,
    /// The squares of each kind of piece, in the order of the inputs.
    pieces: [B; Inputs::KINDS],
}

impl<B: Bits> Default for Accumulator<B> {
    fn default() -> Self {
        Self { sums: Sums::default(), pieces: [B::EMPTY; Inputs::KINDS] }
    }
}

impl<B: Bits> Accumulator<B> {
    /// Returns the sums for `pieces`, seen by the side that this accumulator belongs to.
    #[inline(always)]
    pub(super) fn update(
        &mut self,
        pieces: [B; Inputs::KINDS],
        weights: &Weights,
        input: impl Fn(usize, Square) -> usize,
    ) -> &Sums {
        let number_of = |pieces: [B; Inputs::KINDS]| pieces.into_iter().map(Bits::count).sum::<u32>();
        let changed = std::array::from_fn(|kind| self.pieces[kind] ^ pieces[kind]);
        if number_of(changed) > number_of(pieces) {
            *self = Self::default();
        }
        let mut sums = self.sums;
        for (kind, (old, new)) in self.pieces.into_iter().zip(pieces).enumerate() {
            for square in (old & !new).squares() {
                let row = vectors(&weights.first[input(kind, square)]);
                sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum -= weight);
            }
            for square in (new & !old).squares() {
                let row = vectors(&weights.first[input(kind, square)]);
                sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
            }
        }
        *self = Self { sums, pieces };
        &self.sums
    }
}
