//! Converts the results of a solved slice to the order of the index, and counts them.

use super::placements::SidePlacement;
use super::{ResultSolver, SideMatrix};
use crate::memory::on_huge_pages;
use crate::position::Pieces;
use crate::rules::{Color, Word};
use crate::tables::index::Cursor;
use crate::tables::main_road::may_be_limited;
use crate::tables::wld::{ARBITRARY, MaterialResults, SliceResults, VALUES_PER_WORD, Values, Wld};
use crate::tables::{Counts, Index, SolveError};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// Number of words of values that a thread converts at once.
const CHUNK: usize = 1 << 11;

impl<W: Word> ResultSolver<'_, W> {
    /// Returns the results. `stay` and `run` are the limits that [`Self::solve`] and [`Self::longest_run`] return.
    pub(super) fn finish(&self, stay: usize, run: usize) -> Result<SliceResults<W>, SolveError> {
        let tables = self.solver.tables;
        // `stay` and `run` do not include the move that leaves the slice or ends the run, but the counts do.
        let [longest_stay, longest_run] = [stay, run].map(|plies| u8::try_from(plies + 1).unwrap_or(u8::MAX));
        let mut results = Vec::new();
        for (number, material) in self.slice.materials().enumerate() {
            let index = tables.index(material);
            let (values, counts) = self.values(number, &index)?;
            // Without distances, the time on the main road is unknown.
            let longest_on_main_road = if may_be_limited(tables, &index) { u8::MAX } else { 0 };
            let counts = Counts { longest_stay, longest_run, longest_on_main_road, ..counts };
            results.push(MaterialResults { index, values, counts });
        }
        Ok(SliceResults { slice: self.slice, tables: results })
    }

    fn values(&self, side: usize, index: &Index<W>) -> Result<(Values, Counts), SolveError> {
        let length = index.size() as usize;
        let words = on_huge_pages(length.div_ceil(VALUES_PER_WORD), AtomicU64::default);
        let counts = Mutex::new(Counts::default());
        let chunks: Vec<_> = (0..words.len()).step_by(CHUNK).collect();
        self.solver.run(&chunks, |_, &first| {
            let mut cursor = Cursor::new(index);
            let mut found = Counts::default();
            for (word, first) in (first..words.len()).take(CHUNK).map(|word| (&words[word], word * VALUES_PER_WORD)) {
                let numbers = first..(first + VALUES_PER_WORD).min(length);
                let mut value = |number: usize| {
                    let pieces = cursor.pieces(number as u64);
                    pieces.map_or(ARBITRARY, |pieces| self.value(side, number, &pieces, &mut found))
                };
                let values = numbers.zip(0..).map(|(number, at)| u64::from(value(number)) << (2 * at));
                word.store(values.fold(0, |word, value| word | value), Relaxed);
            }
            let count = (first * VALUES_PER_WORD..length).take(CHUNK * VALUES_PER_WORD).len();
            self.solver.done.fetch_add(count as u64, Relaxed);
            counts.lock().unwrap_or_else(PoisonError::into_inner).merge(&found);
            Ok(())
        })?;
        let words = words.into_iter().map(AtomicU64::into_inner).collect();
        Ok((Values::new(words, length), counts.into_inner().unwrap_or_else(PoisonError::into_inner)))
    }

    fn value(&self, side: usize, number: usize, pieces: &Pieces<W>, counts: &mut Counts) -> u8 {
        let rules = self.solver.tables.rules();
        let can_capture = rules.has_capture(pieces, Color::White);
        if can_capture && rules.compulsory() {
            return ARBITRARY;
        }
        let result = self.result(side, pieces);
        counts.add(number as u64, result.into(), can_capture);
        result as u8
    }

    fn result(&self, side: usize, pieces: &Pieces<W>) -> Wld {
        let of_white =
            |pieces: &Pieces<W>| SidePlacement { men: pieces.men(Color::White), kings: pieces.kings(Color::White) };
        let flipped = self.solver.tables.board.flipped(pieces);
        let SideMatrix { own, other, .. } = &self.sides[side];
        let (column, row) = (own.number(of_white(pieces)), other.number(of_white(&flipped)));
        let results = &self.opposite(side).after;
        if results.win.has(row, column) {
            Wld::Win
        } else if results.loss.has(row, column) {
            Wld::Loss
        } else {
            Wld::Draw
        }
    }
}
