//! Solves a slice for wins, draws and losses, without distances, on whole words of positions at a time.
//!
//! The positions of a material form a matrix: the rows are the placements of White, who is to move, and the columns are
//! the placements of Black. A quiet move replaces the row and keeps the column, so a word of 64 positions is solved by
//! reading the same word in the row after each move. The results of a material are therefore stored by the placement
//! that its opponent moves next: as the transposed matrix.
//!
//! 1. Initialise every position. Ended games, compulsory captures and promotions that win get a result. The other
//!    positions are *open*. Those that no promotion saves may be lost.
//! 2. Work in rounds. A round visits one material of the slice. An open position is won if a move leads to a lost
//!    position, and lost if all moves lead to won positions. Only rows from which a move leads to a changed row are
//!    visited.
//! 3. The remaining positions are drawn.
//!
//! A position that is decided in a round has no effect before the next round. The number of rounds therefore limits the
//! length of a game, and does not depend on the number of threads.

mod begin;
mod finish;
mod placements;
mod plane;

use super::board::of_width;
use super::wld::SliceResults;
use super::{Slice, SolveError, Solver, Tables};
use crate::rules::Word;
use placements::{Placements, Step};
use plane::{BITS, Plane, Rows, ones, transpose};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Number of words of a row that are visited together, so that they stay in the cache.
const WORDS: usize = 64;

/// The positions of one material.
struct Side<W: Word> {
    /// The placements of the side to move, which are the rows.
    own: Arc<Placements<W>>,
    /// The placements of the other side, which are the columns.
    other: Arc<Placements<W>>,
    /// The columns that leave each place free.
    free: Plane,
    /// The undecided positions, except those with a compulsory capture.
    open: Plane,
    /// The open positions that no move to another slice saves.
    may_lose: Plane,
    /// The results after a quiet move: whether the opponent, who is then to move, has won or lost.
    after: Results,
    /// The rows that have to be visited.
    waiting: Rows,
    /// The rows of `after` that changed in the last round.
    changed: Rows,
}

struct Results {
    won: Plane,
    lost: Plane,
}

impl Results {
    fn new(rows: usize, columns: usize) -> Self {
        Self { won: Plane::new(rows, columns), lost: Plane::new(rows, columns) }
    }
}

/// A part of a matrix that a thread works on: a block of rows, and at most [`WORDS`] words of each row.
#[derive(Clone, Copy)]
struct Area {
    /// The block has [`BITS`] rows, which are a word of the transposed matrix.
    block: usize,
    first_word: usize,
}

impl Area {
    fn rows(self) -> Range<usize> {
        self.block * BITS..(self.block + 1) * BITS
    }
}

impl<W: Word> Side<W> {
    fn areas(&self) -> Vec<Area> {
        let words = (0..self.open.row_words()).step_by(WORDS);
        let blocks = 0..self.own.len().div_ceil(BITS);
        blocks.flat_map(|block| words.clone().map(move |first_word| Area { block, first_word })).collect()
    }

    /// Returns how many words of each row belong to an area.
    fn words(&self, area: Area) -> usize {
        WORDS.min(self.open.row_words() - area.first_word)
    }
}

struct ResultSolver<'a, W: Word> {
    solver: &'a Solver<'a, W>,
    slice: Slice,
    /// The squares from which men are crowned.
    before_crowning: W,
    /// One for each material of the slice.
    sides: Vec<Side<W>>,
    /// If the slice has a single material, the results of this round. They become visible when the round ends.
    next: Option<Results>,
}

impl<W: Word> Tables<W> {
    /// Returns the memory in bytes that [`Solver::solve_results`] needs for `slice`, excluding other tables.
    pub fn memory_for_results(&self, slice: Slice) -> u64 {
        let material = slice.material();
        let count = |pieces| Placements::<W>::count(self.board.squares.len(), self.board.row_length, pieces);
        let bits = count(material.own).saturating_mul(count(material.other));
        // A material has four matrices, or six if it is the only one. The results take two bits for each position.
        let matrices = if slice.materials().count() == 1 { bits / 8 * 6 } else { bits };
        matrices.saturating_add(self.size(slice) / 4)
    }
}

impl<W: Word> Solver<'_, W> {
    /// Computes the results of all positions in `slice`, without distances.
    pub fn solve_results(&self, slice: Slice) -> Result<SliceResults<W>, SolveError> {
        type Solve<W> = fn(&Solver<'_, W>, Slice) -> Result<SliceResults<W>, SolveError>;
        static NARROW: Solve<u64> = |solver, slice| solver.solve_results_of_width(slice);
        static WIDE: Solve<u128> = |solver, slice| solver.solve_results_of_width(slice);
        of_width::<Solve<W>>(&NARROW, &WIDE)(self, slice)
    }

    fn solve_results_of_width(&self, slice: Slice) -> Result<SliceResults<W>, SolveError> {
        let material = slice.material();
        let placements = |pieces| Arc::new(Placements::new(&self.tables.board, pieces));
        let own = placements(material.own);
        let other = if material.own == material.other { Arc::clone(&own) } else { placements(material.other) };
        let side = |own: &Arc<Placements<W>>, other: &Arc<Placements<W>>| {
            let plane = || Plane::new(own.len(), other.len());
            Side {
                free: other.free(),
                open: plane(),
                may_lose: plane(),
                after: Results::new(own.len(), other.len()),
                waiting: Rows::new(own.len()),
                changed: Rows::new(own.len()),
                own: Arc::clone(own),
                other: Arc::clone(other),
            }
        };
        let is_single = slice.materials().count() == 1;
        let mut sides = vec![side(&own, &other)];
        if !is_single {
            sides.push(side(&other, &own));
        }
        let next = is_single.then(|| Results::new(own.len(), own.len()));
        let before_crowning = self.tables.board.before_crowning();
        let work = ResultSolver { solver: self, slice, before_crowning, sides, next };
        for (number, (side, material)) in work.sides.iter().zip(slice.materials()).enumerate() {
            let areas = side.areas();
            let size = self.tables.index(material).size();
            let progress = AtomicU64::new(0);
            let share = |done: u64| (u128::from(size) * u128::from(done) / areas.len() as u128) as u64;
            self.run(&areas, |tools, &area| {
                work.begin(tools, number, area)?;
                let before = progress.fetch_add(1, Relaxed);
                self.done.fetch_add(share(before + 1) - share(before), Relaxed);
                Ok(())
            })?;
        }
        work.publish()?;
        let (mut round, mut rounds, mut quiet) = (0, 0, 0);
        while quiet < work.sides.len() {
            let side = round % work.sides.len();
            round += 1;
            if work.round(side)? {
                (rounds, quiet) = (round, 0);
                work.publish()?;
            } else {
                quiet += 1;
            }
        }
        work.finish(rounds)
    }
}

impl<W: Word> ResultSolver<'_, W> {
    fn opposite(&self, side: usize) -> &Side<W> {
        &self.sides[self.sides.len() - 1 - side]
    }

    /// Visits the waiting rows of a side. Returns whether a position was decided.
    fn round(&self, number: usize) -> Result<bool, SolveError> {
        let side = &self.sides[number];
        let changes = AtomicBool::new(false);
        self.solver.run(&side.areas(), |_, &area| {
            if self.visit(number, area) {
                changes.store(true, Relaxed);
            }
            Ok(())
        })?;
        side.waiting.clear();
        Ok(changes.into_inner())
    }

    /// Visits the waiting rows of an area. Returns whether a position was decided.
    fn visit(&self, number: usize, area: Area) -> bool {
        let side = &self.sides[number];
        let waiting = side.waiting.block(area.block);
        if waiting == 0 {
            return false;
        }
        let mut tile = Tile::new(side.words(area));
        let mut steps = Vec::new();
        for bit in ones(waiting) {
            tile.visit(side, area, bit, &mut steps);
        }
        self.store(tile, number, area)
    }

    /// Stores the new results of an area of a side. Returns whether there are any.
    fn store(&self, mut tile: Tile, side: usize, area: Area) -> bool {
        let target = self.opposite(side);
        let results = self.next.as_ref().unwrap_or(&target.after);
        let mut changes = false;
        for (words, plane) in [(&mut tile.won, &results.won), (&mut tile.lost, &results.lost)] {
            for (matrix, word) in words.iter_mut().zip(area.first_word..) {
                if matrix.iter().all(|&bits| bits == 0) {
                    continue;
                }
                changes = true;
                transpose(matrix);
                for (&bits, row) in matrix.iter().zip(word * BITS..).filter(|&(&bits, _)| bits != 0) {
                    plane.add(row, area.block, bits);
                    target.changed.add(row);
                }
            }
        }
        changes
    }

    /// Makes the results of a round visible, and marks the rows that have to be visited again.
    fn publish(&self) -> Result<(), SolveError> {
        for side in &self.sides {
            let blocks: Vec<_> = (0..side.own.len().div_ceil(BITS)).collect();
            self.solver.run(&blocks, |_, &block| {
                for row in ones(side.changed.block(block)).map(|bit| block * BITS + bit) {
                    if let Some(next) = &self.next {
                        side.after.won.add_row(row, &next.won);
                        side.after.lost.add_row(row, &next.lost);
                    }
                    side.own.each_earlier(row, |earlier| side.waiting.add(earlier));
                }
                Ok(())
            })?;
            side.changed.clear();
        }
        Ok(())
    }
}

/// New results of a block of rows, for some words of each row.
struct Tile {
    /// For each word, its bits in each row of the block.
    won: Vec<[u64; BITS]>,
    lost: Vec<[u64; BITS]>,
}

impl Tile {
    fn new(words: usize) -> Self {
        Self { won: vec![[0; BITS]; words], lost: vec![[0; BITS]; words] }
    }

    /// Decides open positions in the row `bit` of an area.
    fn visit<W: Word>(&mut self, side: &Side<W>, area: Area, bit: usize, steps: &mut Vec<Step>) {
        let row = area.block * BITS + bit;
        let (first, count) = (area.first_word, self.won.len());
        let open = &side.open.row(row)[first..first + count];
        if open.iter().all(|word| word.load(Relaxed) == 0) {
            return;
        }
        steps.clear();
        side.own.steps(row, steps);
        let (mut wins, mut saved, mut legal) = ([0; WORDS], [0; WORDS], [0; WORDS]);
        for step in steps {
            let free = &side.free.row(step.place)[first..first + count];
            let won = &side.after.won.row(step.after)[first..first + count];
            let lost = &side.after.lost.row(step.after)[first..first + count];
            if step.is_first {
                legal = [u64::MAX; WORDS];
            }
            for word in 0..count {
                legal[word] &= free[word].load(Relaxed);
                wins[word] |= legal[word] & lost[word].load(Relaxed);
                saved[word] |= legal[word] & !won[word].load(Relaxed);
            }
        }
        let may_lose = &side.may_lose.row(row)[first..first + count];
        for word in 0..count {
            let (open, may_lose) = (&open[word], &may_lose[word]);
            let won = wins[word] & open.load(Relaxed);
            let lost = may_lose.load(Relaxed) & !saved[word];
            if won | lost != 0 {
                self.won[word][bit] = won;
                self.lost[word][bit] = lost;
                open.store(open.load(Relaxed) & !(won | lost), Relaxed);
                may_lose.store(may_lose.load(Relaxed) & !(won | lost), Relaxed);
            }
        }
    }
}
