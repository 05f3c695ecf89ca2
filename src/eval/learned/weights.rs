//! What has been learned.

use super::{HIDDEN, UNITS};

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
    pub first: Vec<i16>,
    /// The bias of each unit of the first layer.
    pub first_bias: Vec<i16>,
    /// Of the second layer: for each unit those of all units of the first.
    pub second: Vec<i16>,
    /// The bias of each unit of the second layer.
    pub second_bias: Vec<i32>,
    /// What each unit of the second layer is worth.
    pub last: Vec<i32>,
    /// What is added to that.
    pub last_bias: i32,
}

impl Weights {
    /// Weights of a network with so many inputs by which every position is worth 0.
    #[cfg(test)]
    pub(crate) fn zero(inputs: usize) -> Self {
        Self {
            first: vec![0; inputs * UNITS],
            first_bias: vec![0; UNITS],
            second: vec![0; HIDDEN * UNITS],
            second_bias: vec![0; HIDDEN],
            last: vec![0; HIDDEN],
            last_bias: 0,
        }
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
        2 * (inputs * UNITS + UNITS + HIDDEN * UNITS) + 4 * (HIDDEN + HIDDEN + 1)
    }

    /// The bytes of all weights, little-endian, in the order of the fields.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let short =
            self.first.iter().chain(&self.first_bias).chain(&self.second).flat_map(|weight| weight.to_le_bytes());
        let long = self.second_bias.iter().chain(&self.last).chain([&self.last_bias]);
        short.chain(long.flat_map(|weight| weight.to_le_bytes())).collect()
    }

    /// The weights of [`Weights::to_bytes`] for a network with so many inputs, or `None` if it has not as many.
    pub(super) fn from_bytes(inputs: usize, bytes: &[u8]) -> Option<Self> {
        let (short, long) = bytes.split_at_checked(2 * (inputs * UNITS + UNITS + HIDDEN * UNITS))?;
        let short: Vec<i16> = short.as_chunks().0.iter().map(|bytes| i16::from_le_bytes(*bytes)).collect();
        let long: Vec<i32> = long.as_chunks().0.iter().map(|bytes| i32::from_le_bytes(*bytes)).collect();
        let (first, rest) = short.split_at(inputs * UNITS);
        let (first_bias, second) = rest.split_at(UNITS);
        let (second_bias, rest) = long.split_at_checked(HIDDEN)?;
        let (last, &[last_bias]) = rest.split_at_checked(HIDDEN)? else { return None };
        Some(Self {
            first: first.to_vec(),
            first_bias: first_bias.to_vec(),
            second: second.to_vec(),
            second_bias: second_bias.to_vec(),
            last: last.to_vec(),
            last_bias,
        })
    }
}
