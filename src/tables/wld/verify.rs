//! Compares win/loss/draw files with the results that they should contain.

use super::code::UNPACKED;
use super::reader::WldFile;
use super::values::{ARBITRARY, MaterialResults, SliceResults, in_new_order};
use super::{BLOCK, BLOCKS_PER_GROUP};
use crate::rules::Word;
use crate::stop::Stop;
use crate::tables::TableFaults;
use crate::tables::board::downcast_either;
use crate::tables::file::{FileError, in_order};
use std::num::NonZeroUsize;

impl WldFile {
    /// Compares every result in the file with the results of the same slice, and compares the counts. The file is
    /// read by `threads` threads.
    ///
    /// # Errors
    ///
    /// Returns an error if a block is damaged, if `slice` is a different slice, or if `stop` is set.
    pub fn verify<W: Word>(
        &self,
        slice: &SliceResults<W>,
        threads: NonZeroUsize,
        stop: &Stop,
    ) -> Result<TableFaults, FileError> {
        type Verify<W> = fn(&WldFile, &SliceResults<W>, NonZeroUsize, &Stop) -> Result<TableFaults, FileError>;
        static NARROW: Verify<u64> = |file, slice, threads, stop| file.verify_slice(slice, threads, stop);
        static WIDE: Verify<u128> = |file, slice, threads, stop| file.verify_slice(slice, threads, stop);
        downcast_either::<Verify<W>>(&NARROW, &WIDE)(self, slice, threads, stop)
    }

    fn verify_slice<W: Word>(
        &self,
        slice: &SliceResults<W>,
        threads: NonZeroUsize,
        stop: &Stop,
    ) -> Result<TableFaults, FileError> {
        if self.header().slice != slice.slice {
            return Err(FileError::OtherSlice(self.header().slice.to_string()));
        }
        let mut faults = TableFaults::default();
        for (number, table) in slice.tables.iter().enumerate() {
            self.verify_table(number, table, threads, stop, &mut faults)?;
        }
        Ok(faults)
    }

    fn verify_table<W: Word>(
        &self,
        number: usize,
        table: &MaterialResults<W>,
        threads: NonZeroUsize,
        stop: &Stop,
        faults: &mut TableFaults,
    ) -> Result<(), FileError> {
        let properties = self.header().tables.get(number).ok_or(FileError::Header)?;
        if properties.sets != table.index.sets {
            return Err(FileError::Header);
        }
        let (material, expected) = (table.index.material(), &table.values);
        let parts = (0..expected.len()).step_by(BLOCK * BLOCKS_PER_GROUP);
        let compared = in_order(parts, threads, stop, |start| -> Result<_, FileError> {
            let (mut wrong, mut counts) = (Vec::new(), [0_u64; 3]);
            let mut unpacked = [0; UNPACKED];
            let mut wanted =
                in_new_order(expected, &properties.order, start as u64, BLOCK * BLOCKS_PER_GROUP).into_iter();
            for start in (start..expected.len()).step_by(BLOCK).take(BLOCKS_PER_GROUP) {
                self.unpack(number, start / BLOCK, &mut unpacked)?;
                let found = unpacked.iter().flat_map(|byte| [0, 2, 4, 6].map(|shift| u16::from(byte >> shift & 3)));
                for ((found, at), expected) in found.zip(start..).zip(wanted.by_ref()) {
                    if expected == ARBITRARY.into() {
                        continue;
                    }
                    if expected != found {
                        wrong.push((at, expected, found));
                    }
                    if let Some(count) = counts.get_mut(usize::from(found)) {
                        *count += 1;
                    }
                }
            }
            Ok((wrong, counts))
        })?;
        let mut counts = [0; 3];
        let name = |result: u16| ["a draw", "a win", "a loss"].get(usize::from(result)).copied().unwrap_or("invalid");
        for compared in compared {
            let (wrong, found) = compared?;
            counts.iter_mut().zip(found).for_each(|(count, found)| *count += found);
            for (at, expected, found) in wrong {
                let (found, expected) = (name(found), name(expected));
                faults.add(format!("{material}: value {at} of the file is {found} instead of {expected}"));
            }
        }
        let solved = [table.counts.draws, table.counts.wins, table.counts.losses];
        // If captures are optional, positions with a capture are stored, but not counted.
        if properties.counts != table.counts || (table.index.board.rules.compulsory() && counts != solved) {
            faults.add(format!("the counts of {material} do not match its results"));
        }
        Ok(())
    }
}
