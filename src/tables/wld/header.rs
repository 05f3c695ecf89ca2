//! The header of a win/loss/draw file.

use super::code::Code;
use super::order::SetOrder;
use super::pairs::{MAX_SYMBOLS, Pairs, VALUES};
use super::{BLOCK, BLOCKS_PER_GROUP};
use crate::checksummed_file::{Format, Reader};
use crate::rules::Identity;
use crate::tables::file::{FileError, parse_counts, parse_start_of_header, start_of_header, write_counts};
use crate::tables::{Counts, Slice};

const FORMAT: Format = Format { magic: b"SOFFTWLD", version: 2, name: "a win/loss/draw table file" };

/// The header of a win/loss/draw file.
#[derive(Clone, Debug)]
pub struct WldHeader {
    /// The variant and the rules for which the tables were built.
    pub identity: Identity,
    /// The slice that the file contains.
    pub slice: Slice,
    /// The properties of the table of each material.
    pub tables: Vec<WldTable>,
}

/// The properties of the table of one material.
#[derive(Clone, Debug)]
pub struct WldTable {
    /// Number of possible sets of squares for White's men, Black's men, White's kings and Black's kings.
    pub sets: [u64; 4],
    /// The result statistics of the material.
    pub counts: Counts,
    pub(super) order: SetOrder,
    pub(super) pairs: Pairs,
    /// The lengths of the Huffman codes of all symbols.
    pub(super) lengths: Vec<u8>,
}

impl WldTable {
    /// Returns the number of indices.
    pub fn size(&self) -> u64 {
        self.order.size()
    }

    pub(super) fn groups(&self) -> Option<usize> {
        usize::try_from(self.size().div_ceil((BLOCK * BLOCKS_PER_GROUP) as u64)).ok()
    }

    fn write(&self, body: &mut Vec<u8>) {
        self.sets.iter().for_each(|size| body.extend(size.to_le_bytes()));
        body.extend(self.order.digits());
        write_counts(&self.counts, body);
        body.push(self.counts.longest_run);
        body.extend((self.pairs.len() as u16).to_le_bytes());
        for &(first, second) in &self.pairs {
            let [b0, b1, b2, _] = (u32::from(first) | u32::from(second) << 12).to_le_bytes();
            body.extend([b0, b1, b2]);
        }
        let nibbles = self.lengths.chunks(2).map(|pair| pair.iter().rev().fold(0, |byte, length| byte << 4 | length));
        body.extend(nibbles);
    }

    fn parse(bytes: &mut Reader<'_>) -> Option<Self> {
        let mut number = || bytes.number().map(u64::from_le_bytes);
        let sets = [number()?, number()?, number()?, number()?];
        let digits = bytes.number()?;
        let mut counts = parse_counts(bytes)?;
        [counts.longest_run] = bytes.number()?;
        let count = usize::from(u16::from_le_bytes(bytes.number()?));
        if count > MAX_SYMBOLS - VALUES {
            return None;
        }
        let mut pair = || {
            let [b0, b1, b2] = bytes.number()?;
            let [first, second] = [u16::from_le_bytes([b0, b1 & 15]), u16::from(b1) >> 4 | u16::from(b2) << 4];
            Some((first, second))
        };
        let pairs: Pairs = (0..count).map(|_| pair()).collect::<Option<_>>()?;
        let symbols = VALUES + count;
        let mut lengths = Vec::with_capacity(symbols + 1);
        for _ in 0..symbols.div_ceil(2) {
            let [byte] = bytes.number()?;
            lengths.extend([byte & 15, byte >> 4]);
        }
        // If the number of symbols is odd, the upper half of the last byte is unused and must be 0.
        let is_right = lengths.get(symbols..)?.iter().all(|&length| length == 0);
        lengths.truncate(symbols);
        is_right.then_some(Self { sets, counts, order: SetOrder::new(digits, sets)?, pairs, lengths })
    }
}

impl WldHeader {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut body = start_of_header(&self.identity, self.slice);
        self.tables.iter().for_each(|table| table.write(&mut body));
        FORMAT.seal_head(&body)
    }

    /// Parses the header at the start of a file. Also returns the codes of the tables and the offset of the directory.
    pub(super) fn parse(bytes: &[u8]) -> Result<(Self, Vec<Code>, usize), FileError> {
        let (body, end) = FORMAT.open_head(bytes)?;
        let header = Self::parse_body(Reader::new(body)).ok_or(FileError::Header)?;
        let codes = header.tables.iter().map(|table| Code::new(&table.pairs, &table.lengths));
        let codes = codes.collect::<Option<_>>().ok_or(FileError::Header)?;
        Ok((header, codes, end))
    }

    fn parse_body(mut bytes: Reader<'_>) -> Option<Self> {
        let (identity, slice) = parse_start_of_header(&mut bytes)?;
        let tables = slice.materials().map(|_| WldTable::parse(&mut bytes)).collect::<Option<_>>()?;
        bytes.is_empty().then_some(Self { identity, slice, tables })
    }
}
