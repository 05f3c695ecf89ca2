//! The first two layers, added up in vectors of 16 numbers.

use super::network::{ACCUMULATOR_SHIFT, CLIPPED_ONE, FIRST_UNITS, SECOND_UNITS, Weights};
use wide::{i16x16, i32x8};

/// A number for each unit of the first layer.
pub(super) type Row = [i16x16; FIRST_UNITS / 16];

fn row(numbers: &[i16; FIRST_UNITS]) -> Row {
    let (numbers, _) = numbers.as_chunks();
    std::array::from_fn(|place| i16x16::new(numbers[place]))
}

/// The weights of the first two layers.
#[derive(Clone, Debug)]
pub(super) struct Layers {
    /// Of the first layer: for each input those of all units.
    pub(super) first: Vec<Row>,
    /// The bias of each unit of the first layer.
    first_bias: Row,
    /// Of the second layer: for each unit those of all units of the first.
    second: [Row; SECOND_UNITS],
}

impl Layers {
    /// Those of `weights`.
    pub(super) fn new(weights: &Weights) -> Self {
        Self {
            first: weights.first.iter().map(row).collect(),
            first_bias: row(&weights.first_bias),
            second: weights.second.each_ref().map(row),
        }
    }

    /// The sums of the second layer without its biases, from those of the first one without theirs.
    #[inline(always)]
    pub(super) fn second_sums(&self, first: &Row) -> impl Iterator<Item = i32> {
        let (zero, one) = (i16x16::splat(0), i16x16::splat(CLIPPED_ONE as i16));
        let mut units = *first;
        for (unit, bias) in units.iter_mut().zip(&self.first_bias) {
            let shortened: i16x16 = (*unit + *bias) >> ACCUMULATOR_SHIFT;
            *unit = shortened.max(zero).min(one);
        }
        self.second.iter().map(move |weights| {
            let products = units.iter().zip(weights).map(|(unit, weights)| unit.dot(*weights));
            products.fold(i32x8::splat(0), |sum, products| sum + products).reduce_add()
        })
    }
}
