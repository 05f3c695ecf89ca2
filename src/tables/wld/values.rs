//! The values to be compressed.

use super::order::Order;
use super::{BLOCK, Wld};
use crate::rules::{Color, Word};
use crate::stop::Stop;
use crate::tables::file::{FileError, in_order};
use crate::tables::index::Cursor;
use crate::tables::{MaterialTable, TableOutcome, TableValue};
use std::num::NonZeroUsize;

/// Marks a number that is never looked up: it is invalid, or the position has a compulsory capture.
pub(super) const ARBITRARY: u8 = 3;

/// Returns the values of `table`, as the number of a [`Wld`] or [`ARBITRARY`]. They are in the order of the index.
pub(super) fn values<W: Word>(
    table: &MaterialTable<W>,
    threads: NonZeroUsize,
    stop: &Stop,
) -> Result<Vec<u8>, FileError> {
    const CHUNK: usize = 1 << 16;
    let mut values = vec![ARBITRARY; table.values.len()];
    let chunks = values.chunks_mut(CHUNK).zip(table.values.chunks(CHUNK)).zip((0..).step_by(CHUNK));
    in_order(chunks, threads, stop, |((chunk, distances), start)| {
        let rules = table.index.board.rules;
        let mut cursor = Cursor::new(&table.index);
        for ((value, &distance), number) in chunk.iter_mut().zip(distances).zip(start..) {
            let is_arbitrary = |pieces| rules.compulsory() && rules.has_capture(&pieces, Color::White);
            if cursor.pieces(number).is_some_and(|pieces| !is_arbitrary(pieces))
                && let Some(distance) = TableValue::from_byte(distance)
            {
                *value = Wld::of(distance.outcome(rules.spec().objective)) as u8;
            }
        }
    })?;
    Ok(values)
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
    pub const fn of(outcome: TableOutcome) -> Self {
        match outcome {
            TableOutcome::Draw => Self::Draw,
            TableOutcome::Win(_) => Self::Win,
            TableOutcome::Loss(_) => Self::Loss,
        }
    }
}

/// Returns `count` values from number `start` of `order`.
pub(super) fn in_new_order(values: &[u8], order: &Order, start: u64, count: usize) -> Vec<u16> {
    let value = |number: u64| values.get(number as usize).copied().unwrap_or(ARBITRARY).into();
    order.index_numbers(start).take(count).map(value).collect()
}

/// Replaces each arbitrary value by the previous value, because longer runs compress better. Arbitrary values at the
/// start repeat the first other value.
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

/// Returns blocks of values in the given order, from all over the table: every block if there are at most `most`.
pub(super) fn sample(values: &[u8], order: &Order, most: usize) -> Vec<Vec<u16>> {
    let blocks = values.len().div_ceil(BLOCK);
    let taken = blocks.min(most);
    // Fixed random numbers avoid a regular distance, which could match the structure of the index.
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

/// Returns the order in which the values form the smallest number of runs.
pub(super) fn best_order(values: &[u8], sets: [u64; 4]) -> Option<Order> {
    const BLOCKS: usize = 256;
    let runs = |order: &Order| -> usize {
        let changes =
            |block: &Vec<u16>| block.iter().zip(block.iter().skip(1)).filter(|(one, other)| one != other).count();
        sample(values, order, BLOCKS).iter().map(changes).sum()
    };
    Order::all(sets).into_iter().min_by_key(runs)
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
        let values: Vec<u8> = (0..10 * 9 * 8 * 7).map(|number| (number / 56 % 9 % 3) as u8).collect();
        assert_eq!(best_order(&values, sets).map(|order| order.digits()[0]), Some(1));
    }
}
