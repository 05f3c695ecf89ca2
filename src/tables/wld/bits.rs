//! Reads and writes single bits. The first bit of a byte is the most significant.

/// Packs bits into bytes.
#[derive(Default)]
pub(super) struct BitWriter {
    bytes: Vec<u8>,
    /// Bits that do not yet fill a byte.
    pending: u64,
    /// Number of pending bits, which is less than 8.
    count: u32,
}

impl BitWriter {
    /// Appends `bits` as `count` bits. `bits` must be less than 2^`count`, and `count` must be at most 32.
    pub(super) fn write(&mut self, bits: u64, count: u32) {
        self.pending = self.pending << count | bits;
        self.count += count;
        while self.count >= 8 {
            self.count -= 8;
            self.bytes.push((self.pending >> self.count) as u8);
        }
        self.pending &= (1 << self.count) - 1;
    }

    /// Returns the number of bits that have been written.
    pub(super) fn len(&self) -> usize {
        8 * self.bytes.len() + self.count as usize
    }

    /// Returns the bits. The unused bits of the last byte are 0.
    pub(super) fn into_bytes(mut self) -> Vec<u8> {
        if self.count > 0 {
            self.write(0, 8 - self.count);
        }
        self.bytes
    }
}

/// Minimum number of valid bits that [`bits_at`] returns.
pub(super) const VALID_BITS: u32 = 57;

/// Returns the bits of `bytes` from bit `at`, starting with the most significant bit. At least [`VALID_BITS`] bits are
/// valid. After the end, all bits are 0.
#[inline]
pub(super) fn bits_at(bytes: &[u8], at: usize) -> u64 {
    let rest = bytes.get(at / 8..).unwrap_or_default();
    let word = rest.first_chunk().map_or_else(|| last_bits(rest), |&bytes| u64::from_be_bytes(bytes));
    word << (at % 8)
}

#[cold]
fn last_bits(rest: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    bytes.iter_mut().zip(rest).for_each(|(byte, &rest)| *byte = rest);
    u64::from_be_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_read_back() {
        let mut random = fastrand::Rng::with_seed(4);
        let written: Vec<(u64, u32)> = (0..500)
            .map(|_| (random.u64(..), random.u32(0..=32)))
            .map(|(bits, count)| (bits & ((1 << count) - 1), count))
            .collect();
        let mut writer = BitWriter::default();
        written.iter().for_each(|&(bits, count)| writer.write(bits, count));
        let (length, bytes) = (writer.len(), writer.into_bytes());
        assert_eq!(length.div_ceil(8), bytes.len());
        let mut at = 0;
        for (bits, count) in written {
            assert_eq!(bits_at(&bytes, at).checked_shr(64 - count).unwrap_or(0), bits);
            at += count as usize;
        }
        assert_eq!((at, bits_at(&bytes, length), bits_at(&bytes, length + 999)), (length, 0, 0));
    }
}
