//! What has been learned.

use super::Layout;

/// Units of a weight in 1/100 man.
pub const UNIT: i32 = 8;

/// The value of a feature for the full board, and the one for the empty board, in 1/8 of 1/100 man.
pub type Weight = [i16; 2];

/// The values of all features of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// Which squares the patterns have.
    pub layout: Layout,
    /// The weights in the order of [`super::Features`].
    pub values: Vec<Weight>,
}

impl Weights {
    /// A number that tells these weights from others.
    pub fn salt(&self) -> u64 {
        let bytes = self.to_bytes();
        let [columns, rows, step] = [self.layout.columns, self.layout.rows, self.layout.step];
        let mut reversed = crc32fast::Hasher::new();
        reversed.update(&[step, rows, columns]);
        bytes.rchunks(1 << 10).for_each(|part| reversed.update(part));
        u64::from(crc32fast::hash(&bytes)) << 32 | u64::from(reversed.finalize())
    }

    /// The bytes of all values, little-endian: those for the full board first, so that like stands beside like.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        (0..2).flat_map(|phase| self.values.iter().flat_map(move |value| value[phase].to_le_bytes())).collect()
    }

    /// The weights of [`Weights::to_bytes`], or `None` if the number of bytes is not one that it makes.
    pub(super) fn from_bytes(layout: Layout, bytes: &[u8]) -> Option<Self> {
        let (values, []) = bytes.as_chunks::<2>() else { return None };
        if values.len() % 2 != 0 {
            return None;
        }
        let (full, empty) = values.split_at(values.len() / 2);
        let pair = |(full, empty): (&[u8; 2], &[u8; 2])| [i16::from_le_bytes(*full), i16::from_le_bytes(*empty)];
        Some(Self { layout, values: full.iter().zip(empty).map(pair).collect() })
    }
}
