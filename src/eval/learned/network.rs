//! A network of three layers, in integers.

use super::{Inputs, Weights, WeightsError};
use crate::board::Bits;

/// Units of the first layer.
pub const FIRST_UNITS: usize = 128;

/// Units of the second layer.
pub const SECOND_UNITS: usize = 8;

/// What a unit of the first layer counts as 1: its sum is cut to 0 to 1.
pub const FIRST_ONE: i32 = 508;

/// By how many bits the sums of the first layer are shortened, so that 1 is 127.
const SHORTENED: u32 = 2;

/// What the units of the first layer count as 1 in the second one.
const SHORT_ONE: i32 = FIRST_ONE >> SHORTENED;

/// What a weight of the second layer counts as 1.
pub const SECOND_WEIGHT_ONE: i32 = 512;

/// What a unit of the second layer counts as 1: its sum is cut to 0 to 1, too.
pub const SECOND_ONE: i32 = SHORT_ONE * SECOND_WEIGHT_ONE;

/// Units of the value in 1/100 man, before it is divided by [`SECOND_ONE`].
pub const VALUE_ONE: i32 = 256;

/// The largest sum of the first layer, and of the sizes of all that may be added up to one.
pub const MOST_OF_A_SUM: i16 = i16::MAX;

/// The largest bias of the second layer: with it no sum leaves 32 bits.
pub const MOST_SECOND_BIAS: i32 = 1 << 30;

const _: () = assert!(SHORT_ONE << SHORTENED == FIRST_ONE && SHORT_ONE <= i16::MAX as i32);
const _: () =
    assert!(FIRST_UNITS as i64 * SHORT_ONE as i64 * -(i16::MIN as i64) + MOST_SECOND_BIAS as i64 <= i32::MAX as i64);

/// The network of a game.
///
/// The first layer has [`FIRST_UNITS`] units, each the sum of a bias and the weights of the inputs that there are, cut to 0 to 1; the
/// second one [`SECOND_UNITS`] units, each such a sum over the first layer, cut as well; the value is a sum over these. (Clipped linear
/// units and layers in integers as in Stockfish's network, Yu Nasu 2018; here the inputs are few enough to add them all up anew.)
#[derive(Clone, Debug)]
pub(super) struct Network {
    inputs: Inputs,
    weights: Weights,
}

impl Network {
    /// The network with these weights.
    ///
    /// # Errors
    /// When they are not made for the inputs, or a sum could overflow.
    pub(super) fn new(inputs: Inputs, weights: Weights) -> Result<Self, WeightsError> {
        if weights.first.len() != inputs.count() {
            return Err(WeightsError::Board);
        }
        let is_small = |bias: &i32| bias.unsigned_abs() <= MOST_SECOND_BIAS.unsigned_abs();
        let most = u32::from(MOST_OF_A_SUM.unsigned_abs());
        if (0..FIRST_UNITS).any(|unit| greatest_sum(&weights, unit) > most) || !weights.second_bias.iter().all(is_small)
        {
            return Err(WeightsError::Sums);
        }
        Ok(Self { inputs, weights })
    }

    /// The value in 1/100 man for the side to move.
    #[inline]
    pub(super) fn value<B: Bits>(&self, white: B, black: B, kings: B, white_to_move: bool) -> i32 {
        let Weights { first, first_bias, second, second_bias, last, last_bias } = &self.weights;
        let mut sums = *first_bias;
        self.inputs.for_each(white, black, kings, white_to_move, |input| {
            for (sum, weight) in sums.iter_mut().zip(&first[input]) {
                *sum = sum.wrapping_add(*weight);
            }
        });
        for sum in &mut sums {
            *sum = (*sum >> SHORTENED).clamp(0, SHORT_ONE as i16);
        }
        let mut value = i64::from(*last_bias) * i64::from(SECOND_ONE);
        for ((weights, bias), last) in second.iter().zip(second_bias).zip(last) {
            let products = sums.iter().zip(weights).map(|(&unit, &weight)| i32::from(unit) * i32::from(weight));
            let unit = (bias + products.sum::<i32>()).clamp(0, SECOND_ONE);
            value += i64::from(unit) * i64::from(*last);
        }
        (value / (i64::from(SECOND_ONE) * i64::from(VALUE_ONE))) as i32
    }
}

/// The greatest size that the sum of a unit of the first layer can have, whatever stands on the squares.
pub fn greatest_sum(weights: &Weights, unit: usize) -> u32 {
    let squares = weights.first.len() / Inputs::KINDS;
    let of_square = |square: usize| {
        (0..Inputs::KINDS).map(|kind| weights.first[kind * squares + square][unit].unsigned_abs()).max().unwrap_or(0)
    };
    let sum: u32 = (0..squares).map(|square| u32::from(of_square(square))).sum();
    sum + u32::from(weights.first_bias[unit].unsigned_abs())
}
