//! A network of three layers, in integers.

use super::{Inputs, Weights};
use crate::board::Bits;

/// Units of the first layer.
pub const UNITS: usize = 128;

/// Units of the second layer.
pub const HIDDEN: usize = 8;

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

/// The network of a game.
///
/// The first layer has [`UNITS`] units, each the sum of a bias and the weights of the inputs that there are, cut to 0 to 1; the second
/// one [`HIDDEN`] units, each such a sum over the first layer, cut as well; the value is a sum over these. (Clipped linear units
/// and layers in integers as in Stockfish's network, Yu Nasu 2018; here the inputs are few enough to add them all up anew.)
#[derive(Clone, Debug)]
pub(super) struct Network {
    inputs: Inputs,
    first: Vec<[i16; UNITS]>,
    first_bias: [i16; UNITS],
    second: [[i16; UNITS]; HIDDEN],
    second_bias: [i32; HIDDEN],
    last: [i32; HIDDEN],
    last_bias: i32,
}

impl Network {
    /// The network with these weights, or `None` if they are not made for the inputs, or a sum could overflow.
    pub(super) fn new(inputs: Inputs, weights: &Weights) -> Option<Self> {
        let (first, []) = weights.first.as_chunks::<UNITS>() else { return None };
        let (second, []) = weights.second.as_chunks::<UNITS>() else { return None };
        let first_bias = weights.first_bias.as_slice().try_into().ok()?;
        let is_small = |bias: &i32| bias.unsigned_abs() <= MOST_SECOND_BIAS.unsigned_abs();
        if first.len() != inputs.count()
            || !are_sums_small(first, &first_bias)
            || !weights.second_bias.iter().all(is_small)
        {
            return None;
        }
        Some(Self {
            inputs,
            first: first.to_vec(),
            first_bias,
            second: second.try_into().ok()?,
            second_bias: weights.second_bias.as_slice().try_into().ok()?,
            last: weights.last.as_slice().try_into().ok()?,
            last_bias: weights.last_bias,
        })
    }

    /// The value in 1/100 man for the side to move.
    #[inline]
    pub(super) fn value<B: Bits>(&self, white: B, black: B, kings: B, white_to_move: bool) -> i32 {
        let mut sums = self.first_bias;
        self.inputs.for_each(white, black, kings, white_to_move, |input| {
            for (sum, weight) in sums.iter_mut().zip(&self.first[input]) {
                *sum = sum.wrapping_add(*weight);
            }
        });
        for sum in &mut sums {
            *sum = (*sum >> SHORTENED).clamp(0, SHORT_ONE as i16);
        }
        let mut value = i64::from(self.last_bias) * i64::from(SECOND_ONE);
        for ((weights, bias), last) in self.second.iter().zip(self.second_bias).zip(self.last) {
            let products = sums.iter().zip(weights).map(|(&unit, &weight)| i32::from(unit) * i32::from(weight));
            let unit = (bias + products.sum::<i32>()).clamp(0, SECOND_ONE);
            value += i64::from(unit) * i64::from(last);
        }
        (value / (i64::from(SECOND_ONE) * i64::from(VALUE_ONE))) as i32
    }
}

/// Whether no sum of the first layer leaves 16 bits, whatever stands on the squares.
fn are_sums_small(first: &[[i16; UNITS]], bias: &[i16; UNITS]) -> bool {
    let squares = first.len() / 4;
    (0..UNITS).all(|unit| {
        let greatest = |square: usize| (0..4).map(|kind| first[kind * squares + square][unit].unsigned_abs()).max();
        let sum: u32 = (0..squares).filter_map(greatest).map(u32::from).sum();
        sum + u32::from(bias[unit].unsigned_abs()) <= u32::from(MOST_OF_A_SUM.unsigned_abs())
    })
}
