//! The first two network layers, computed with vectors of 16 numbers.

use super::network::{
    ACCUMULATOR_SHIFT, CLIPPED_ONE, FIRST_UNITS, LANES, OUTPUT_BUCKETS, SECOND_UNITS, VECTORS, Weights,
};
use wide::{i16x16, i32x8};

pub(super) type Vector = i16x16;

fn row(numbers: &[i16; FIRST_UNITS]) -> [Vector; VECTORS] {
    let (numbers, _) = numbers.as_chunks::<LANES>();
    std::array::from_fn(|vector| i16x16::new(numbers[vector]))
}

#[derive(Clone, Debug)]
pub(super) struct Layers {
    /// One row of units for each input.
    pub(super) first: Vec<[Vector; VECTORS]>,
    first_bias: [Vector; VECTORS],
    /// One row of first-layer units for each second-layer unit.
    second: [[[Vector; VECTORS]; SECOND_UNITS]; OUTPUT_BUCKETS],
}

impl Layers {
    pub(super) fn new(weights: &Weights) -> Self {
        Self {
            first: weights.first.iter().map(row).collect(),
            first_bias: row(&weights.first_bias),
            second: weights.buckets.each_ref().map(|bucket| bucket.second.each_ref().map(row)),
        }
    }

    #[inline(always)]
    pub(super) fn second_sums(&self, bucket: usize, first: &[Vector; VECTORS]) -> impl Iterator<Item = i32> {
        let (zero, one) = (i16x16::splat(0), i16x16::splat(CLIPPED_ONE as i16));
        let mut units = *first;
        for (unit, bias) in units.iter_mut().zip(&self.first_bias) {
            let shifted: i16x16 = (*unit + *bias) >> ACCUMULATOR_SHIFT;
            *unit = shifted.max(zero).min(one);
        }
        self.second[bucket].iter().map(move |weights| {
            let products = units.iter().zip(weights).map(|(unit, weights)| unit.dot(*weights));
            products.fold(i32x8::splat(0), |sum, products| sum + products).reduce_add()
        })
    }
}
