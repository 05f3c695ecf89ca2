//! Network layers for targets without vector instructions, such as WebAssembly in old browsers. A 64-bit word holds
//! four numbers of the first layer or two sums of the second layer, and zeros are skipped. The results are the same as
//! with vector instructions.

use super::network::{
    ACCUMULATOR_SHIFT, FIRST_UNITS, LANES, OUTPUT_BUCKETS, OutputBucket, QA, SECOND_UNITS, VECTORS, Weights,
};
use std::ops::{Add, AddAssign, SubAssign};

const EACH: u64 = 0x0001_0001_0001_0001;

const SIGNS: u64 = 0x8000 * EACH;

/// Four signed 16-bit numbers in one word. The word is the sum of the numbers, each multiplied by its own power of
/// 2^16. A negative number therefore borrows from the next number, and adding two words adds all four pairs of numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Quad(u64);

impl Quad {
    #[inline(always)]
    pub(super) fn new(numbers: [i16; 4]) -> Self {
        let word = u64::from_le_bytes(bytemuck::cast(numbers.map(i16::to_le)));
        Self(word.wrapping_sub((word & SIGNS) << 1))
    }

    /// Calls `visit` with the index and the value of each positive number. None of the numbers may be `i16::MIN`.
    #[inline(always)]
    fn for_each_positive(self, mut visit: impl FnMut(usize, u64)) {
        let word = self.0.wrapping_add(SIGNS);
        let mut positive = word & SIGNS;
        while positive != 0 {
            let shift = positive.trailing_zeros() & 0b11_0000;
            positive &= positive - 1;
            visit(shift as usize / 16, word >> shift & 0x7fff);
        }
    }
}

impl Add for Quad {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl AddAssign for Quad {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Quad {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        self.0 = self.0.wrapping_sub(other.0);
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Vector([Quad; LANES / 4]);

impl AddAssign for Vector {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(quad, other)| *quad += other);
    }
}

impl SubAssign for Vector {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(quad, other)| *quad -= other);
    }
}

fn row(numbers: &[i16; FIRST_UNITS]) -> [Vector; VECTORS] {
    let (vectors, _) = numbers.as_chunks::<LANES>();
    std::array::from_fn(|vector| {
        let (numbers, _) = vectors[vector].as_chunks();
        Vector(std::array::from_fn(|place| Quad::new(numbers[place])))
    })
}

#[derive(Clone, Debug)]
pub(super) struct Layers {
    /// One row of units for each input.
    pub(super) first: Vec<[Vector; VECTORS]>,
    first_bias: [Vector; VECTORS],
    second: [Second; OUTPUT_BUCKETS],
}

/// Second-layer weights, with one row for each first-layer unit and two weights in each word.
type Second = [[[u64; SECOND_UNITS / 2]; LANES]; VECTORS];

impl Layers {
    pub(super) fn new(weights: &Weights) -> Self {
        let second = |bucket: &OutputBucket| -> Second {
            let (pairs, _) = bucket.second.as_chunks::<2>();
            let pair = |unit: usize, pair: &[[i16; FIRST_UNITS]; 2]| {
                let [low, high] = [pair[0][unit], pair[1][unit]].map(i64::from);
                low.wrapping_add(high << 32) as u64
            };
            std::array::from_fn(|vector| {
                std::array::from_fn(|unit| std::array::from_fn(|place| pair(LANES * vector + unit, &pairs[place])))
            })
        };
        Self {
            first: weights.first.iter().map(row).collect(),
            first_bias: row(&weights.first_bias),
            second: weights.buckets.each_ref().map(second),
        }
    }

    #[inline(always)]
    pub(super) fn second_sums(&self, bucket: usize, first: &[Vector; VECTORS]) -> impl Iterator<Item = i32> {
        let mut words = [0_u64; SECOND_UNITS / 2];
        let quads = |vectors: [Vector; VECTORS]| vectors.into_iter().flat_map(|vector| vector.0);
        let weights = self.second[bucket].as_flattened().as_chunks::<4>().0;
        for ((sums, bias), weights) in quads(*first).zip(quads(self.first_bias)).zip(weights) {
            (sums + bias).for_each_positive(|place, value| {
                let unit = value.min(QA as u64) >> ACCUMULATOR_SHIFT;
                for (word, pair) in words.iter_mut().zip(weights[place]) {
                    *word = word.wrapping_add(unit.wrapping_mul(pair));
                }
            });
        }
        words.into_iter().flat_map(|word| {
            let low = word as i32;
            [low, (word.wrapping_sub(i64::from(low) as u64) >> 32) as i32]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_sums_match_single_sums() {
        let mut random = fastrand::Rng::with_seed(7);
        for most in [40, 600, 8000] {
            let mut draw = |most: i16| -> [i16; FIRST_UNITS] { std::array::from_fn(|_| random.i16(-most..=most)) };
            let mut weights = Weights::zero(3);
            weights.first.fill_with(|| draw(most));
            weights.first_bias = draw(most);
            for bucket in &mut weights.buckets {
                bucket.second = [(); SECOND_UNITS].map(|()| draw(i16::MAX));
            }
            let packed = Layers::new(&weights);
            let mut sums = [Vector::default(); VECTORS];
            for row in &packed.first[..2] {
                sums.iter_mut().zip(row).for_each(|(sum, row)| *sum += *row);
            }
            sums.iter_mut().zip(&packed.first[2]).for_each(|(sum, row)| *sum -= *row);
            let Weights { first, first_bias, buckets, .. } = &weights;
            let unit = |place: usize| {
                let [bias, plus, also, minus] =
                    [first_bias, &first[0], &first[1], &first[2]].map(|row| i32::from(row[place]));
                (bias + plus + also - minus).clamp(0, QA) >> ACCUMULATOR_SHIFT
            };
            for (bucket, OutputBucket { second, .. }) in buckets.iter().enumerate() {
                let expected = second
                    .each_ref()
                    .map(|weights| (0..FIRST_UNITS).map(|place| unit(place) * i32::from(weights[place])).sum::<i32>());
                assert!(packed.second_sums(bucket, &sums).eq(expected));
            }
        }
    }
}
