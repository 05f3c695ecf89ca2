//! Canonical Huffman codes of symbols.
//!
//! Codes are assigned in the order of their lengths; codes of the same length are assigned in the order of the symbols.
//! A code consists of at most [`MAX_CODE_BITS`] bits, and the first bit of a code is the most significant.

use super::bits::BitWriter;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Maximum length of a code in bits.
pub(super) const MAX_CODE_BITS: u8 = 15;

/// Number of bits that are looked up at once.
const LOOKUP_BITS: u32 = 11;

/// Returns the length in bits of each symbol's code. `counts` contains how often each symbol occurs; a symbol that does
/// not occur gets length 0.
pub(super) fn code_lengths(counts: &[u64]) -> Vec<u8> {
    let mut counts = counts.to_vec();
    loop {
        let lengths = huffman_lengths(&counts);
        if lengths.iter().all(|&length| length <= usize::from(MAX_CODE_BITS)) {
            return lengths.into_iter().map(|length| length as u8).collect();
        }
        // Flatter counts shorten the longest codes.
        counts.iter_mut().for_each(|count| *count = count.div_ceil(4));
    }
}

fn huffman_lengths(counts: &[u64]) -> Vec<usize> {
    let occurring = counts.iter().enumerate().filter(|&(_, &count)| count > 0);
    let mut heap: BinaryHeap<_> = occurring.map(|(symbol, &count)| Reverse((count, symbol))).collect();
    let mut parents = vec![0; counts.len()];
    if heap.len() == 1 {
        return counts.iter().map(|&count| usize::from(count > 0)).collect();
    }
    while let Some(Reverse((one, first))) = heap.pop() {
        let Some(Reverse((other, second))) = heap.pop() else { break };
        let parent = parents.len();
        parents.push(0);
        for child in [first, second] {
            if let Some(place) = parents.get_mut(child) {
                *place = parent;
            }
        }
        heap.push(Reverse((one + other, parent)));
    }
    // Parents come after their children, so depths are computed from the end. Only the root has no parent.
    let mut depths = vec![0_usize; parents.len()];
    for node in (0..parents.len()).rev() {
        let parent = parents.get(node).copied().unwrap_or(0);
        let depth = depths.get(parent).map_or(0, |&depth| depth + 1);
        if let Some(place) = depths.get_mut(node) {
            *place = if parent == 0 { 0 } else { depth };
        }
    }
    depths.truncate(counts.len());
    depths
}

/// Returns the symbols that have a code, in the order of their codes.
fn in_code_order(lengths: &[u8]) -> Vec<(u8, u16)> {
    let mut symbols: Vec<_> = lengths.iter().copied().zip(0..).filter(|&(length, _)| length > 0).collect();
    symbols.sort_unstable();
    symbols
}

pub(super) struct Encoder {
    codes: Vec<(u16, u8)>,
}

impl Encoder {
    /// Creates an encoder for codes of these lengths.
    pub(super) fn new(lengths: &[u8]) -> Self {
        let mut codes = vec![(0, 0); lengths.len()];
        let mut next = 0_u32;
        for (length, symbol) in in_code_order(lengths) {
            if let Some(code) = codes.get_mut(usize::from(symbol)) {
                *code = ((next >> (u32::from(MAX_CODE_BITS) - u32::from(length))) as u16, length);
            }
            next += 1 << (MAX_CODE_BITS - length);
        }
        Self { codes }
    }

    /// Writes the code of `symbol`. A symbol without a code is skipped.
    pub(super) fn write(&self, symbol: u16, bits: &mut BitWriter) {
        if let Some(&(code, length)) = self.codes.get(usize::from(symbol)) {
            bits.write(code.into(), length.into());
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Decoder {
    /// For each value of the next [`LOOKUP_BITS`] bits, the symbol (12 bits) and the length of its code (4 bits), or 0
    /// if the code is longer.
    short: Vec<u16>,
    /// The codes longer than [`LOOKUP_BITS`] bits: the exclusive upper bound of the next [`MAX_CODE_BITS`] bits, and
    /// the entry.
    long: Vec<(u16, u16)>,
}

impl Decoder {
    /// Creates a decoder for codes of these lengths. Returns `None` if the lengths do not form a complete code. No code
    /// at all, or a single code of length 1, is also accepted.
    pub(super) fn new(lengths: &[u8]) -> Option<Self> {
        let symbols = in_code_order(lengths);
        let (mut short, mut long) = (vec![0; 1 << LOOKUP_BITS], Vec::new());
        let mut next = 0_u32;
        for &(length, symbol) in &symbols {
            if length > MAX_CODE_BITS || symbol >> 12 != 0 {
                return None;
            }
            let (start, entry) = (next, symbol | u16::from(length) << 12);
            next += 1 << (MAX_CODE_BITS - length);
            if u32::from(length) > LOOKUP_BITS {
                long.push((u16::try_from(next).ok()?, entry));
            } else {
                let shift = u32::from(MAX_CODE_BITS) - LOOKUP_BITS;
                short.get_mut((start >> shift) as usize..(next >> shift) as usize)?.fill(entry);
            }
        }
        let is_complete =
            next == 1 << MAX_CODE_BITS || (symbols.len() <= 1 && symbols.iter().all(|&(length, _)| length == 1));
        is_complete.then_some(Self { short, long })
    }

    /// Returns the symbol whose code starts at the most significant bit of `bits`, and the length of the code. Returns
    /// `None` if there is no such code.
    #[inline]
    pub(super) fn symbol(&self, bits: u64) -> Option<(u16, u32)> {
        let mut entry = *self.short.get((bits >> (u64::BITS - LOOKUP_BITS)) as usize)?;
        if entry == 0 {
            let next = (bits >> (u64::BITS - u32::from(MAX_CODE_BITS))) as u16;
            let place = self.long.partition_point(|&(bound, _)| bound <= next);
            entry = self.long.get(place)?.1;
        }
        Some((entry & 0xfff, u32::from(entry >> 12)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::wld::bits::bits_at;

    fn cost(counts: &[u64], lengths: &[u8]) -> u64 {
        counts.iter().zip(lengths).map(|(&count, &length)| count * u64::from(length)).sum()
    }

    #[test]
    fn symbols_are_decoded() {
        let mut random = fastrand::Rng::with_seed(1);
        for count in [1, 2, 3, 50, 4096] {
            let skew = random.u32(1..30);
            let mut random_count = || {
                let bits = random.u32(0..=skew);
                random.u64(..1 << bits)
            };
            let counts: Vec<u64> = (0..count).map(|_| random_count()).collect();
            let lengths = code_lengths(&counts);
            assert!(lengths.iter().zip(&counts).all(|(&length, &count)| (length > 0) == (count > 0)));
            let used: Vec<u16> =
                (0..).zip(&counts).filter(|&(_, &count)| count > 0).map(|(symbol, _)| symbol).collect();
            let (encoder, decoder) = (Encoder::new(&lengths), Decoder::new(&lengths).unwrap());
            let written: Vec<u16> = (0..2000).filter_map(|_| random.choice(&used).copied()).collect();
            let mut bits = BitWriter::default();
            written.iter().for_each(|&symbol| encoder.write(symbol, &mut bits));
            let bytes = bits.into_bytes();
            let mut at = 0;
            for &symbol in &written {
                let (found, length) = decoder.symbol(bits_at(&bytes, at)).unwrap();
                assert_eq!(found, symbol);
                at += length as usize;
            }
        }
    }

    #[test]
    fn codes_are_short_and_limited() {
        let counts = [5, 1, 1, 2, 0];
        assert_eq!(cost(&counts, &code_lengths(&counts)), 5 + 2 * 2 + 3 + 3);
        let fibonacci: Vec<u64> =
            std::iter::successors(Some((1, 1)), |&(a, b)| Some((b, a + b))).map(|pair| pair.0).take(40).collect();
        let lengths = code_lengths(&fibonacci);
        assert_eq!(lengths.iter().max(), Some(&MAX_CODE_BITS));
        assert!(Decoder::new(&lengths).is_some());
    }

    #[test]
    fn incomplete_codes_are_rejected() {
        assert!(Decoder::new(&[1, 2, 2]).is_some());
        assert!(Decoder::new(&[0, 1, 0]).is_some());
        assert!(Decoder::new(&[]).is_some_and(|decoder| decoder.symbol(0).is_none()));
        for lengths in [&[1, 2][..], &[1, 1, 1], &[2], &[2, 2, 2, 2, 2], &[16], &[15, 15]] {
            assert!(Decoder::new(lengths).is_none(), "{lengths:?}");
        }
    }
}
