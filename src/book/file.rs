//! Memory-mapped book files.

use super::header::Layout;
use super::{BookError, BookMove, Header};
use crate::checksummed_file::{ChecksumError, map, replace};
use std::fmt;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

const BLOCK: usize = 64;

type RecordBytes = [u8; BookMove::SIZE];

/// An opening book. The checksums of its records are verified when the records are read.
pub struct Book {
    header: Header,
    bytes: Box<dyn AsRef<[u8]> + Send + Sync>,
    layout: Layout,
    start: usize,
    is_damaged: AtomicBool,
}

impl fmt::Debug for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Book").field("header", &self.header).field("layout", &self.layout).finish_non_exhaustive()
    }
}

impl Book {
    /// Opens the book at `path` without verifying its records.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        Self::of(map(&File::open(path)?)?)
    }

    /// Creates a book from the bytes of a book file.
    pub fn of(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<Self, BookError> {
        let (header, layout, start) = Header::parse(bytes.as_ref())?;
        let length = |records: usize| records.checked_mul(BookMove::SIZE)?.checked_add(4 * records.div_ceil(BLOCK));
        let declared =
            length(layout.records).and_then(|length| length.checked_add(start)).ok_or(BookError::Head("records"))?;
        let found = bytes.as_ref().len();
        if declared != found {
            return Err(ChecksumError::Length { declared: declared as u64, found: found as u64 }.into());
        }
        let book = Self { header, bytes: Box::new(bytes), layout, start, is_damaged: AtomicBool::new(false) };
        if crc32fast::hash(book.checksums().as_flattened()) != layout.checksum {
            return Err(BookError::Checksums);
        }
        Ok(book)
    }

    /// Returns the header of the book.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the number of records in the book.
    pub fn len(&self) -> usize {
        self.layout.records
    }

    /// Returns whether the book has no records.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn parts(&self) -> (&[u8], &[u8]) {
        let rest = (*self.bytes).as_ref().get(self.start..).unwrap_or_default();
        rest.split_at_checked(self.layout.records * BookMove::SIZE).unwrap_or_default()
    }

    fn records(&self) -> &[RecordBytes] {
        self.parts().0.as_chunks().0
    }

    fn checksums(&self) -> &[[u8; 4]] {
        self.parts().1.as_chunks().0
    }

    fn is_whole(&self, block: usize) -> bool {
        let records = self.records().chunks(BLOCK).nth(block);
        let checksum = |records: &[RecordBytes]| crc32fast::hash(records.as_flattened()).to_be_bytes();
        records.is_some_and(|records| self.checksums().get(block) == Some(&checksum(records)))
    }

    /// Returns the index of the first record whose key is not below `key`. The search gallops from the interpolated
    /// position, because each of the first steps of a plain binary search would touch a new page.
    fn first(&self, key: u64) -> usize {
        let (records, length) = (self.records(), self.len());
        let is_below = |record: &RecordBytes| BookMove::of_bytes(*record).0 < key;
        let below_at = |place: usize| records.get(place).is_some_and(is_below);
        let middle = ((u128::from(key) * length as u128) >> 64) as usize;
        let (mut low, mut high, mut step) = (middle, middle, BLOCK);
        while low > 0 && !below_at(low) {
            low = low.saturating_sub(step);
            step *= 2;
        }
        while high < length && below_at(high) {
            high = (high + step).min(length);
            step *= 2;
        }
        low + records.get(low..high).unwrap_or_default().partition_point(is_below)
    }

    /// Returns the moves of the position that has this `key`, ordered by index. Returns no moves if the book does not
    /// contain the position or its records are damaged. Damage is logged.
    pub fn moves(&self, key: u64) -> Vec<BookMove> {
        let first = self.first(key);
        let own = self.records().get(first..).unwrap_or_default().iter().map(|record| BookMove::of_bytes(*record));
        let moves: Vec<_> = own.take_while(|(known, _)| *known == key).map(|(_, mv)| mv).collect();
        // The neighbouring records must be intact too, because they show that there are no more moves with this key.
        let last = (first + moves.len()).min(self.len().saturating_sub(1));
        let mut blocks = first.saturating_sub(1) / BLOCK..=last / BLOCK;
        if moves.is_empty() || blocks.all(|block| self.is_whole(block)) {
            return moves;
        }
        if !self.is_damaged.swap(true, Relaxed) {
            log::error!("opening book for {}: {}", self.header.identity.variant, BookError::Records(first));
        }
        Vec::new()
    }

    /// Verifies all records and returns them with their keys, in the order of the file.
    pub fn all_moves(&self) -> Result<impl Iterator<Item = (u64, BookMove)> + '_, BookError> {
        let blocks = self.len().div_ceil(BLOCK);
        if let Some(block) = (0..blocks).find(|&block| !self.is_whole(block)) {
            return Err(BookError::Records(block * BLOCK));
        }
        // The sort key, which is the position key and the move index, is at the beginning of a record.
        let sorted_by = |record: &RecordBytes| record.first_chunk::<10>().copied();
        let records = self.records();
        if let Some(wrong) = records.windows(2).position(|pair| matches!(pair, [a, b] if sorted_by(a) >= sorted_by(b)))
        {
            return Err(BookError::Order(wrong + 1));
        }
        Ok(records.iter().map(|record| BookMove::of_bytes(*record)))
    }
}

/// Returns the bytes of a book file. Duplicate moves are removed.
fn sealed(header: &Header, mut moves: Vec<(u64, BookMove)>) -> Vec<u8> {
    moves.sort_unstable_by_key(|(key, mv)| (*key, mv.index));
    moves.dedup_by_key(|(key, mv)| (*key, mv.index));
    let records: Vec<RecordBytes> = moves.iter().map(|(key, mv)| mv.to_bytes(*key)).collect();
    let checksum = |block: &[RecordBytes]| crc32fast::hash(block.as_flattened()).to_be_bytes();
    let checksums: Vec<_> = records.chunks(BLOCK).map(checksum).collect();
    let layout = Layout { records: records.len(), checksum: crc32fast::hash(checksums.as_flattened()) };
    [&*header.to_bytes(layout), records.as_flattened(), checksums.as_flattened()].concat()
}

/// Writes a book to `path` atomically. Each move is given with the key of its position.
pub fn write(path: &Path, header: &Header, moves: Vec<(u64, BookMove)>) -> Result<(), BookError> {
    // The name contains the process ID, so that other processes that build the same book do not use this file.
    let temporary = path.with_extension(format!("{}.part", std::process::id()));
    let write = || {
        let mut file = File::create(&temporary)?;
        file.write_all(&sealed(header, moves))?;
        Ok(file)
    };
    Ok(replace(path, &temporary, write)?)
}

#[cfg(test)]
mod tests;
