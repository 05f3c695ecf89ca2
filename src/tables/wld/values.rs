//! The values to be compressed.

use super::order::SetOrder;
use super::{BLOCK, Wld};
use crate::rules::{Color, Word};
use crate::stop::Stop;
use crate::tables::board::downcast_either;
use crate::tables::file::{FileError, in_order};
use crate::tables::index::Cursor;
use crate::tables::{Counts, Index, MaterialTable, Slice, SliceTable, TableOutcome, TableValue};
use std::num::NonZeroUsize;

/// Marks a number that is never looked up: it is invalid, or the position has a compulsory capture.
pub(in crate::tables) const ARBITRARY: u8 = 3;

/// Number of values in a word.
pub(in crate::tables) const VALUES_PER_WORD: usize = 32;

/// Values of two bits: the number of a [`Wld`] or [`ARBITRARY`]. The first value of a word is in its lowest bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::tables) struct Values {
    words: Vec<u64>,
    length: usize,
}

impl Values {
    /// Creates `length` values from `words`, which must contain at least that many.
    pub(in crate::tables) fn new(words: Vec<u64>, length: usize) -> Self {
        Self { words, length }
    }

    pub(super) fn len(&self) -> usize {
        self.length
    }

    /// Returns the value at index `number`, or [`ARBITRARY`] if there is no such value.
    #[inline]
    pub(super) fn get(&self, number: usize) -> u8 {
        let word = self.words.get(number / VALUES_PER_WORD).filter(|_| number < self.length);
        word.map_or(ARBITRARY, |word| (word >> (2 * (number % VALUES_PER_WORD)) & 3) as u8)
    }
}

impl FromIterator<u8> for Values {
    fn from_iter<I: IntoIterator<Item = u8>>(values: I) -> Self {
        let (mut words, mut length) = (Vec::new(), 0);
        for value in values {
            if length % VALUES_PER_WORD == 0 {
                words.push(0);
            }
            if let Some(word) = words.last_mut() {
                *word |= u64::from(value) << (2 * (length % VALUES_PER_WORD));
            }
            length += 1;
        }
        Self { words, length }
    }
}

/// The results of the positions of one material.
#[derive(Clone, Debug)]
pub struct MaterialResults<W: Word> {
    /// The index that numbers the positions.
    pub index: Index<W>,
    pub(in crate::tables) values: Values,
    /// The result statistics of the material.
    pub counts: Counts,
}

/// The results of the positions of a slice.
#[derive(Clone, Debug)]
pub struct SliceResults<W: Word> {
    /// The slice to which the positions belong.
    pub slice: Slice,
    /// The results of each of [`Slice::materials`], in the same order.
    pub tables: Vec<MaterialResults<W>>,
}

impl<W: Word> SliceResults<W> {
    /// Returns the results of a slice whose distances are known, using `threads` threads.
    ///
    /// # Errors
    ///
    /// Returns an error if `stop` is set.
    pub fn from_table(slice: &SliceTable<W>, threads: NonZeroUsize, stop: &Stop) -> Result<Self, FileError> {
        type Convert<W> = fn(&SliceTable<W>, NonZeroUsize, &Stop) -> Result<SliceResults<W>, FileError>;
        static NARROW: Convert<u64> = results_of_width;
        static WIDE: Convert<u128> = results_of_width;
        downcast_either::<Convert<W>>(&NARROW, &WIDE)(slice, threads, stop)
    }
}

fn results_of_width<W: Word>(
    slice: &SliceTable<W>,
    threads: NonZeroUsize,
    stop: &Stop,
) -> Result<SliceResults<W>, FileError> {
    let results = |table: &MaterialTable<W>| -> Result<_, FileError> {
        let (index, counts) = (table.index.clone(), table.counts);
        Ok(MaterialResults { index, values: values(table, threads, stop)?, counts })
    };
    Ok(SliceResults { slice: slice.slice, tables: slice.tables.iter().map(results).collect::<Result<_, _>>()? })
}

/// Returns the results of `table` in the order of the index.
fn values<W: Word>(table: &MaterialTable<W>, threads: NonZeroUsize, stop: &Stop) -> Result<Values, FileError> {
    const CHUNK: usize = 1 << 16;
    let mut words = vec![0; table.values.len().div_ceil(VALUES_PER_WORD)];
    let chunks = words.chunks_mut(CHUNK / VALUES_PER_WORD).zip(table.values.chunks(CHUNK)).zip((0..).step_by(CHUNK));
    in_order(chunks, threads, stop, |((words, distances), start)| {
        let rules = table.index.board.rules;
        let mut cursor = Cursor::new(&table.index);
        let mut result = |number: u64, distance: u8| {
            let pieces = cursor.pieces(number)?;
            let is_arbitrary = rules.compulsory() && rules.has_capture(&pieces, Color::White);
            let distance = TableValue::from_byte(distance).filter(|_| !is_arbitrary)?;
            Some(Wld::from_outcome(distance.outcome(rules.spec().objective)) as u8)
        };
        for (word, (distances, start)) in
            words.iter_mut().zip(distances.chunks(VALUES_PER_WORD).zip((start..).step_by(VALUES_PER_WORD)))
        {
            for (&distance, at) in distances.iter().zip(0..) {
                let value = result(start + at, distance).unwrap_or(ARBITRARY);
                *word |= u64::from(value) << (2 * at);
            }
        }
    })?;
    Ok(Values { words, length: table.values.len() })
}

impl From<Wld> for TableOutcome {
    fn from(result: Wld) -> Self {
        match result {
            Wld::Draw => Self::Draw,
            Wld::Win => Self::Win(None),
            Wld::Loss => Self::Loss(None),
        }
    }
}

impl Wld {
    /// Returns the result without the distance.
    pub const fn from_outcome(outcome: TableOutcome) -> Self {
        match outcome {
            TableOutcome::Draw => Self::Draw,
            TableOutcome::Win(_) => Self::Win,
            TableOutcome::Loss(_) => Self::Loss,
        }
    }
}

/// Returns `count` values in the given order, starting with number `start`.
pub(super) fn in_new_order(values: &Values, order: &SetOrder, start: u64, count: usize) -> Vec<u16> {
    let value = |number: u64| values.get(number as usize).into();
    order.index_numbers(start).take(count).map(value).collect()
}

/// Replaces each arbitrary value with the previous value, because longer runs compress better. Arbitrary values at the
/// start take the first value that is not arbitrary.
pub(super) fn replace_arbitrary(values: &mut [u16]) {
    let is_known = |value: &u16| *value != ARBITRARY.into();
    let mut last = values.iter().copied().find(is_known).unwrap_or(0);
    for value in values {
        if is_known(value) {
            last = *value;
        }
        *value = last;
    }
}

/// Returns up to `max_blocks` blocks of values in the given order. If the table has more blocks, they are chosen from
/// the whole table.
pub(super) fn sample(values: &Values, order: &SetOrder, max_blocks: usize) -> Vec<Vec<u16>> {
    let blocks = values.len().div_ceil(BLOCK);
    let taken = blocks.min(max_blocks);
    // Blocks at random offsets avoid a regular stride, which could match the structure of the index. The seed depends
    // only on the number of blocks, so that the output is reproducible.
    let mut random = fastrand::Rng::with_seed(blocks as u64);
    let block = |number: usize| {
        let (from, to) = (number * blocks / taken, (number + 1) * blocks / taken);
        let start = random.usize(from..to) * BLOCK;
        let mut block = in_new_order(values, order, start as u64, BLOCK);
        replace_arbitrary(&mut block);
        block
    };
    (0..taken).map(block).collect()
}

/// Returns the order with the fewest runs of equal values in a sample of the blocks.
pub(super) fn best_order(values: &Values, sets: [u64; 4]) -> Option<SetOrder> {
    const BLOCKS: usize = 256;
    let runs = |order: &SetOrder| -> usize {
        let changes =
            |block: &Vec<u16>| block.iter().zip(block.iter().skip(1)).filter(|(one, other)| one != other).count();
        sample(values, order, BLOCKS).iter().map(changes).sum()
    };
    SetOrder::all(sets).into_iter().min_by_key(runs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arbitrary_values_continue_runs() {
        let replaced = |values: &[u16]| {
            let mut values = values.to_vec();
            replace_arbitrary(&mut values);
            values
        };
        assert_eq!(replaced(&[3, 3, 1, 3, 2, 3, 3, 0, 3]), [1, 1, 1, 1, 2, 2, 2, 0, 0]);
        assert_eq!(replaced(&[3, 3]), [0, 0]);
    }

    #[test]
    fn the_order_with_the_longest_runs_is_chosen() {
        // The value depends only on set 1.
        let sets = [10, 9, 8, 7];
        let values: Values = (0..10 * 9 * 8 * 7).map(|number| (number / 56 % 9 % 3) as u8).collect();
        assert_eq!(best_order(&values, sets).map(|order| order.digits()[0]), Some(1));
    }
}
