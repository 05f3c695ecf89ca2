//! Bit matrices and row sets that several threads may change concurrently.

use crate::memory::on_huge_pages;
use std::iter::repeat_with;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Number of bits in a word.
pub(super) const BITS: usize = u64::BITS as usize;

/// A matrix of bits. The rows are padded to whole words.
pub(super) struct BitMatrix {
    words: Vec<AtomicU64>,
    row_words: usize,
}

impl BitMatrix {
    /// Creates a matrix of zeros.
    pub(super) fn new(rows: usize, columns: usize) -> Self {
        let row_words = columns.div_ceil(BITS);
        Self { words: on_huge_pages(rows * row_words, AtomicU64::default), row_words }
    }

    pub(super) fn row(&self, row: usize) -> &[AtomicU64] {
        &self.words[row * self.row_words..(row + 1) * self.row_words]
    }

    pub(super) fn row_words(&self) -> usize {
        self.row_words
    }

    #[inline]
    pub(super) fn has(&self, row: usize, column: usize) -> bool {
        self.words[row * self.row_words + column / BITS].load(Relaxed) >> (column % BITS) & 1 == 1
    }

    /// Clears the `bits` of a word. No other thread may change the word at the same time.
    #[inline]
    pub(super) fn remove(&self, row: usize, word: usize, bits: u64) {
        let place = &self.words[row * self.row_words + word];
        place.store(place.load(Relaxed) & !bits, Relaxed);
    }

    /// Sets the `bits` of a word. No other thread may change the word at the same time.
    #[inline]
    pub(super) fn add(&self, row: usize, word: usize, bits: u64) {
        let place = &self.words[row * self.row_words + word];
        place.store(place.load(Relaxed) | bits, Relaxed);
    }
}

pub(super) struct RowSet(Vec<AtomicU64>);

impl RowSet {
    pub(super) fn new(rows: usize) -> Self {
        Self(repeat_with(AtomicU64::default).take(rows.div_ceil(BITS)).collect())
    }

    #[inline]
    pub(super) fn add(&self, row: usize) {
        let (word, bit) = (&self.0[row / BITS], 1 << (row % BITS));
        if word.load(Relaxed) & bit == 0 {
            word.fetch_or(bit, Relaxed);
        }
    }

    /// Returns the rows of a block of [`BITS`] rows as bits.
    pub(super) fn block(&self, block: usize) -> u64 {
        self.0[block].load(Relaxed)
    }

    pub(super) fn clear(&self) {
        self.0.iter().for_each(|word| word.store(0, Relaxed));
    }
}

/// Returns the positions of the bits that are set.
pub(super) fn ones(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
        bits &= bits - 1;
        Some(bit)
    })
}

/// Transposes a square matrix that has one row in each word. Each step swaps blocks of half the previous size (Warren,
/// Hacker's Delight, section 7-3).
pub(super) fn transpose(matrix: &mut [u64; BITS]) {
    let (mut width, mut mask) = (BITS / 2, u64::MAX >> (BITS / 2));
    while width > 0 {
        let mut row = 0;
        while row < BITS {
            let moved = (matrix[row] >> width ^ matrix[row + width]) & mask;
            matrix[row] ^= moved << width;
            matrix[row + width] ^= moved;
            row = (row + width + 1) & !width;
        }
        width /= 2;
        mask ^= mask << width;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_columns_are_swapped() {
        let mut random = fastrand::Rng::with_seed(5);
        let matrix: [u64; BITS] = std::array::from_fn(|_| random.u64(..));
        let mut swapped = matrix;
        transpose(&mut swapped);
        for (row, word) in matrix.iter().enumerate() {
            assert!((0..BITS).all(|column| word >> column & 1 == swapped[column] >> row & 1), "row {row}");
        }
    }

    #[test]
    fn sets_of_rows_are_read_in_blocks() {
        let rows = RowSet::new(130);
        [0, 63, 64, 129, 64].iter().for_each(|&row| rows.add(row));
        assert_eq!([0, 1, 2].map(|block| rows.block(block)), [1 | 1 << 63, 1, 2]);
        rows.clear();
        assert_eq!(rows.block(0), 0);
        assert_eq!(ones(1 | 1 << 63).collect::<Vec<_>>(), [0, 63]);
    }
}
