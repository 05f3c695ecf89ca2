//! What has been learned.

use super::{FIRST_UNITS, SECOND_UNITS};

/// The weights of a network, layer by layer: those of the first layer with its bias in units of 1/[`FIRST_ONE`], those of the second one
/// in 1/[`SECOND_WEIGHT_ONE`] with its bias in 1/[`SECOND_ONE`], the values in 1/[`VALUE_ONE`] of 1/100 man.
///
/// [`FIRST_ONE`]: super::FIRST_ONE
/// [`SECOND_WEIGHT_ONE`]: super::SECOND_WEIGHT_ONE
/// [`SECOND_ONE`]: super::SECOND_ONE
/// [`VALUE_ONE`]: super::VALUE_ONE
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// Of the first layer: for each input those of all units.
    pub first: Vec<[i16; FIRST_UNITS]>,
    /// The bias of each unit of the first layer.
    pub first_bias: [i16; FIRST_UNITS],
    /// Of the second layer: for each unit those of all units of the first.
    pub second: [[i16; FIRST_UNITS]; SECOND_UNITS],
    /// The bias of each unit of the second layer.
    pub second_bias: [i32; SECOND_UNITS],
    /// What each unit of the second layer is worth.
    pub last: [i32; SECOND_UNITS],
    /// What is added to that.
    pub last_bias: i32,
}

impl Weights {
    /// Weights of a network with so many inputs by which every position is worth 0.
    pub fn zero(inputs: usize) -> Self {
        Self {
            first: vec![[0; FIRST_UNITS]; inputs],
            first_bias: [0; FIRST_UNITS],
            second: [[0; FIRST_UNITS]; SECOND_UNITS],
            second_bias: [0; SECOND_UNITS],
            last: [0; SECOND_UNITS],
            last_bias: 0,
        }
    }

    /// Weights by which positions have all kinds of values.
    #[cfg(test)]
    pub(super) fn random(inputs: usize, random: &mut fastrand::Rng) -> Self {
        let mut weights = Self::zero(inputs);
        let Self { first, first_bias, second, second_bias, last, last_bias } = &mut weights;
        first.iter_mut().flatten().for_each(|weight| *weight = random.i16(-200..200));
        first_bias.fill_with(|| random.i16(-300..300));
        second.iter_mut().flatten().for_each(|weight| *weight = random.i16(-300..300));
        second_bias.fill_with(|| random.i32(-30_000..30_000));
        last.fill_with(|| 8 * random.i32(-30_000..30_000));
        *last_bias = random.i32(-10_000..10_000);
        weights
    }

    /// A number that tells these weights from others.
    pub fn salt(&self) -> u64 {
        let bytes = self.to_bytes();
        let mut reversed = crc32fast::Hasher::new();
        bytes.rchunks(1 << 10).for_each(|part| reversed.update(part));
        u64::from(crc32fast::hash(&bytes)) << 32 | u64::from(reversed.finalize())
    }

    /// Bytes of the weights of a network with so many inputs.
    pub(super) fn size(inputs: usize) -> usize {
        2 * (inputs * FIRST_UNITS + FIRST_UNITS + SECOND_UNITS * FIRST_UNITS) + 4 * (SECOND_UNITS + SECOND_UNITS + 1)
    }

    /// The bytes of all weights, little-endian, in the order of the fields.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let short = self.first.iter().chain([&self.first_bias]).chain(&self.second).flatten();
        let long = self.second_bias.iter().chain(&self.last).chain([&self.last_bias]);
        short.flat_map(|weight| weight.to_le_bytes()).chain(long.flat_map(|weight| weight.to_le_bytes())).collect()
    }

    /// The weights of [`Weights::to_bytes`] for a network with so many inputs, if there are as many bytes as that has.
    pub(super) fn from_bytes(inputs: usize, bytes: &[u8]) -> Option<Self> {
        if bytes.len() != Self::size(inputs) {
            return None;
        }
        let (short, long) = bytes.split_at_checked(bytes.len() - 4 * (SECOND_UNITS + SECOND_UNITS + 1))?;
        let mut short = short.as_chunks().0.iter().map(|bytes| i16::from_le_bytes(*bytes));
        let mut long = long.as_chunks().0.iter().map(|bytes| i32::from_le_bytes(*bytes));
        let mut weights = Self::zero(inputs);
        let Self { first, first_bias, second, second_bias, last, last_bias } = &mut weights;
        let of_short = first.iter_mut().chain([first_bias]).chain(second).flatten();
        of_short.zip(&mut short).for_each(|(weight, read)| *weight = read);
        let of_long = second_bias.iter_mut().chain(last).chain([last_bias]);
        of_long.zip(&mut long).for_each(|(weight, read)| *weight = read);
        Some(weights)
    }
}
