//! Decodes the blocks of a win/loss/draw file.

use super::BLOCK;
use super::bits::{VALID_BITS, bits_at};
use super::huffman::{Decoder, MAX_CODE_BITS};
use super::pairs::{MAX_DEPTH, MAX_SYMBOLS, Pairs, VALUES};

/// Number of values in a word, which has two bits for each value. The first value is in the lowest bits.
const VALUES_PER_WORD: usize = 32;

/// Number of words in which a symbol stores its values directly.
const DIRECT: usize = 4;

/// Maximum number of values that a symbol stores directly.
const DIRECT_VALUES: usize = DIRECT * VALUES_PER_WORD;

/// Number of bytes of an unpacked block.
pub(super) const UNPACKED: usize = BLOCK / 4;

/// Number of words of an unpacked block, with additional words for values that extend beyond its end.
const WORDS: usize = BLOCK / VALUES_PER_WORD + DIRECT;

/// The code of a table: the values of each symbol, and a Huffman code of the symbols.
#[derive(Clone, Debug)]
pub(super) struct Code {
    symbols: Vec<Symbol>,
    decoder: Decoder,
}

#[derive(Clone, Copy, Debug)]
struct Symbol {
    /// The values, if there are at most [`DIRECT_VALUES`].
    values: [u64; DIRECT],
    /// Number of values, at most [`BLOCK`].
    length: u16,
    /// The pair of symbols that this symbol stands for, if there are more values.
    pair: (u16, u16),
    /// Nesting depth of the pairs.
    depth: u8,
}

impl Symbol {
    fn value(value: u64) -> Self {
        let mut values = [0; DIRECT];
        add(&mut values, 0, &[value; 1]);
        Self { values, length: 1, pair: (0, 0), depth: 0 }
    }

    fn of_pair(first: Self, second: Self, pair: (u16, u16)) -> Self {
        let length = first.length.saturating_add(second.length);
        let mut values = first.values;
        if usize::from(length) <= DIRECT_VALUES {
            add(&mut values, first.length.into(), &second.values);
        }
        Self { values, length, pair, depth: 1 + first.depth.max(second.depth) }
    }
}

/// Writes the `added` values to `words`, starting at value `at`. The words must be 0 from there on. Values after the
/// last word are dropped.
#[inline]
fn add<const N: usize>(words: &mut [u64], at: usize, added: &[u64; N]) {
    let shift = 2 * (at % VALUES_PER_WORD) as u32;
    let mut carry = 0;
    let mut places = words.get_mut(at / VALUES_PER_WORD..).unwrap_or_default().iter_mut();
    // `added` comes first, because `zip` drops the item of the first iterator when the second one ends.
    for (word, place) in added.iter().zip(places.by_ref()) {
        *place |= word << shift | carry;
        carry = word >> 1 >> (u64::BITS - 1 - shift);
    }
    if let Some(place) = places.next() {
        *place |= carry;
    }
}

impl Code {
    /// Creates the code with these pairs of symbols and these lengths of Huffman codes. Returns `None` if the pairs or
    /// the lengths are invalid.
    pub(super) fn new(pairs: &Pairs, lengths: &[u8]) -> Option<Self> {
        let mut symbols: Vec<_> = (0..VALUES as u64).map(Symbol::value).collect();
        for &(first, second) in pairs {
            let symbol = |symbol: u16| symbols.get(usize::from(symbol)).copied();
            let symbol = Symbol::of_pair(symbol(first)?, symbol(second)?, (first, second));
            if symbol.depth > MAX_DEPTH || usize::from(symbol.length) > BLOCK {
                return None;
            }
            symbols.push(symbol);
        }
        let is_right = symbols.len() == lengths.len() && symbols.len() <= MAX_SYMBOLS;
        let decoder = Decoder::new(lengths)?;
        is_right.then_some(Self { symbols, decoder })
    }

    /// Unpacks the `count` values of a block, whose code consists of the bits `start..end` of `packed`. The first value
    /// is in the lowest bits of the first byte. Returns `None` if the code is invalid.
    pub(super) fn unpack(
        &self,
        packed: &[u8],
        start: usize,
        end: usize,
        count: usize,
        values: &mut [u8],
    ) -> Option<()> {
        let mut words = [0_u64; WORDS];
        let mut waiting = [0_u16; MAX_DEPTH as usize];
        let (mut bit, mut at) = (start, 0);
        let (mut bits, mut left) = (0, 0);
        while at < count {
            if left < u32::from(MAX_CODE_BITS) {
                (bits, left) = (bits_at(packed, bit), VALID_BITS);
            }
            let (symbol, length) = self.decoder.symbol(bits)?;
            bits <<= length;
            left -= length;
            bit += length as usize;
            let mut symbol = self.symbols.get(usize::from(symbol))?;
            if at + usize::from(symbol.length) > count {
                return None;
            }
            let mut top = 0;
            loop {
                while usize::from(symbol.length) > DIRECT_VALUES {
                    *waiting.get_mut(top)? = symbol.pair.1;
                    top += 1;
                    symbol = self.symbols.get(usize::from(symbol.pair.0))?;
                }
                let place = words.get_mut(at / VALUES_PER_WORD..)?.first_chunk_mut::<{ DIRECT + 1 }>()?;
                add(place, at % VALUES_PER_WORD, &symbol.values);
                at += usize::from(symbol.length);
                let Some(next) = top.checked_sub(1) else { break };
                top = next;
                symbol = self.symbols.get(usize::from(*waiting.get(top)?))?;
            }
        }
        let (bytes, _) = values.as_chunks_mut();
        bytes.iter_mut().zip(words).for_each(|(bytes, word)| *bytes = word.to_le_bytes());
        (bit == end).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::wld::bits::BitWriter;
    use crate::tables::wld::huffman::{Encoder, code_lengths};
    use crate::tables::wld::pairs::Parser;

    fn value(values: &[u8], at: usize) -> u16 {
        (values[at / 4] >> (2 * (at % 4)) & 3).into()
    }

    fn blocks(random: &mut fastrand::Rng) -> Vec<Vec<u16>> {
        let longest = random.usize(2..300);
        let mut run = || vec![random.u16(..3); random.usize(1..longest)];
        let mut block = || -> Vec<u16> {
            let mut values: Vec<u16> = std::iter::repeat_with(&mut run).take(BLOCK).flatten().take(BLOCK).collect();
            values.resize(BLOCK, 0);
            values
        };
        (0..20).map(|_| block()).collect()
    }

    fn code(blocks: &[Vec<u16>]) -> (Parser, Encoder, Code) {
        let parser = Parser::train(blocks.to_vec());
        let mut counts = vec![0; VALUES + parser.pairs().len()];
        for block in blocks {
            let mut symbols = block.clone();
            parser.parse(&mut symbols);
            symbols.iter().for_each(|&symbol| counts[usize::from(symbol)] += 1);
        }
        let lengths = code_lengths(&counts);
        let code = Code::new(parser.pairs(), &lengths).unwrap();
        (parser, Encoder::new(&lengths), code)
    }

    #[test]
    fn blocks_are_unpacked() {
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..20 {
            let blocks = blocks(&mut random);
            let (parser, encoder, code) = code(&blocks);
            let mut bits = BitWriter::default();
            let mut starts = Vec::new();
            for block in &blocks {
                starts.push(bits.len());
                let mut symbols = block.clone();
                parser.parse(&mut symbols);
                symbols.iter().for_each(|&symbol| encoder.write(symbol, &mut bits));
            }
            starts.push(bits.len());
            let bytes = bits.into_bytes();
            let mut values = [0; UNPACKED];
            for (block, ends) in blocks.iter().zip(starts.windows(2)) {
                code.unpack(&bytes, ends[0], ends[1], BLOCK, &mut values).unwrap();
                assert!((0..BLOCK).all(|at| value(&values, at) == block[at]));
                assert_eq!(code.unpack(&bytes, ends[0], ends[1], BLOCK - 1, &mut values), None);
                assert_eq!(code.unpack(&bytes, ends[0], ends[1] + 1, BLOCK, &mut values), None);
            }
        }
    }

    #[test]
    fn random_bits_do_not_panic() {
        let mut random = fastrand::Rng::with_seed(8);
        let (_, _, code) = code(&blocks(&mut random));
        for _ in 0..2000 {
            let bytes: Vec<u8> = (0..random.usize(..200)).map(|_| random.u8(..)).collect();
            let (start, end, count) = (random.usize(..2000), random.usize(..2000), random.usize(..=BLOCK));
            let _ = code.unpack(&bytes, start, end, count, &mut [0; UNPACKED]);
        }
    }

    #[test]
    fn invalid_pairs_are_rejected() {
        let lengths = [2, 2, 2, 2];
        assert!(Code::new(&vec![(0, 1)], &lengths).is_some());
        assert!(Code::new(&vec![(0, 3)], &lengths).is_none());
        assert!(Code::new(&vec![(0, 1), (3, 2)], &lengths).is_none());
        let doubled = |count: u16| {
            Code::new(&(0..count).map(|pair| (2 + pair, 2 + pair)).collect(), &{
                let mut lengths = vec![0; VALUES + usize::from(count)];
                lengths[0] = 1;
                lengths
            })
        };
        assert!(doubled(11).is_some() && doubled(12).is_none());
        let chained: Pairs = (0..60).map(|pair| (2 + pair, 0)).collect();
        assert!(Code::new(&chained, &[1; 63]).is_none());
    }
}
