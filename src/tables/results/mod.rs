//! Solves a slice for wins, draws and losses, without distances. The solver processes a whole word of positions at a
//! time.
//!
//! The positions of a material form a matrix: the rows are the placements of White, who is to move, and the columns are
//! the placements of Black. A quiet move changes the row and keeps the column, so the solver handles a word of 64
//! positions by reading the same word of each row to which a move leads. The results of a material are therefore stored
//! as the transposed matrix, with a row for each placement of the opponent, who moves next.
//!
//! 1. Initialise every position. Ended games, compulsory captures and promotions that win get a result. The other
//!    positions are *open*. An open position may be lost if no promotion saves it.
//! 2. Work in rounds. A round visits one material, and decides either which open positions are won (a move leads to a
//!    lost position) or which are lost (all moves lead to won positions). Only rows from which a move leads to a
//!    changed row are visited.
//! 3. The remaining positions are drawn.
//!
//! A round does not read what it writes. The number of rounds is therefore an upper bound for the number of plies in
//! the slice, and it does not depend on the number of threads. If this bound exceeds the limit of a draw rule that an
//! advance of a man resets, additional rounds count only the plies between such advances ([`runs`]).

mod begin;
mod bit_matrix;
mod finish;
mod placements;
mod runs;

use super::board::downcast_either;
use super::wld::SliceResults;
use super::{Slice, SolveError, Solver, Tables};
use crate::rules::Word;
use bit_matrix::{BITS, BitMatrix, RowSet, ones, transpose};
use placements::{Placements, QuietStep};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Number of words of a row that are visited together, so that they stay in the cache.
const WORDS: usize = 64;

/// The positions of one material.
struct SideMatrix<W: Word> {
    /// The placements of the side to move, which are the rows.
    own: Arc<Placements<W>>,
    /// The placements of the other side, which are the columns.
    other: Arc<Placements<W>>,
    /// For each place, the columns that leave it free.
    free: BitMatrix,
    /// The undecided positions, except those with a compulsory capture.
    open: BitMatrix,
    /// The rows with moves to other slices, in ascending order.
    exits: Vec<usize>,
    /// For each row in `exits`, the positions that a move to another slice saves from a loss.
    safe: BitMatrix,
    /// The results after a quiet move: whether the opponent, who is then to move, has lost or won.
    after: ByResult<BitMatrix>,
    /// The rows in which positions with this result may be found.
    waiting: ByResult<RowSet>,
    /// The rows of `after` that changed in the last round.
    changed: ByResult<RowSet>,
}

/// A result that is not a draw.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Decisive {
    Loss,
    Win,
}

impl Decisive {
    const BOTH: [Self; 2] = [Self::Win, Self::Loss];

    fn opposite(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Win => Self::Loss,
        }
    }
}

struct ByResult<T> {
    loss: T,
    win: T,
}

impl<T> ByResult<T> {
    fn new(new: impl Fn() -> T) -> Self {
        Self { loss: new(), win: new() }
    }

    fn get(&self, result: Decisive) -> &T {
        match result {
            Decisive::Loss => &self.loss,
            Decisive::Win => &self.win,
        }
    }
}

/// Which quiet moves inside the slice a round considers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum QuietMoves {
    All,
    OnlyAdvances,
    WithoutAdvances,
}

/// An area of a matrix, which one thread processes at a time: a block of [`BITS`] rows, and at most [`WORDS`] words of
/// each row.
#[derive(Clone, Copy)]
struct Area {
    /// Index of a block of [`BITS`] rows. In the transposed matrix, each row contains this block as one word.
    block: usize,
    first_word: usize,
}

impl Area {
    fn rows(self) -> Range<usize> {
        self.block * BITS..(self.block + 1) * BITS
    }
}

impl<W: Word> SideMatrix<W> {
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
    /// The positions of each material of the slice.
    sides: Vec<SideMatrix<W>>,
    /// The quiet moves that the current rounds consider.
    moves: QuietMoves,
}

impl<W: Word> Tables<W> {
    /// Returns the memory in bytes that [`Solver::solve_results`] needs for `slice`, excluding other tables.
    pub fn memory_for_results(&self, slice: Slice) -> u64 {
        let material = slice.material();
        let [own, other] = [material.own, material.other].map(|pieces| Placements::count(&self.board, pieces));
        let matrix = |rows: u64, columns: u64| rows.saturating_mul(columns) / 8;
        let (open, safe) = match slice.materials().count() {
            1 => (matrix(own.all, own.all), matrix(own.with_exit, own.all)),
            _ => {
                let safe = matrix(own.with_exit, other.all).saturating_add(matrix(other.with_exit, own.all));
                (matrix(own.all, other.all).saturating_mul(2), safe)
            }
        };
        let results = open.saturating_mul(2);
        // After solving, only the results are kept during the conversion.
        let most = open.saturating_add(safe).max(self.size(slice) / 4).saturating_add(results);
        let placements = own.all.saturating_add(other.all).saturating_mul(Placements::<W>::BYTES);
        most.saturating_add(placements)
    }
}

impl<W: Word> Solver<'_, W> {
    /// Computes the results of all positions in `slice`, without distances.
    pub fn solve_results(&self, slice: Slice) -> Result<SliceResults<W>, SolveError> {
        type Solve<W> = fn(&Solver<'_, W>, Slice, Option<u16>) -> Result<SliceResults<W>, SolveError>;
        static NARROW: Solve<u64> = |solver, slice, limit| solver.solve_results_of_width(slice, limit);
        static WIDE: Solve<u128> = |solver, slice, limit| solver.solve_results_of_width(slice, limit);
        downcast_either::<Solve<W>>(&NARROW, &WIDE)(self, slice, self.tables.rules().spec().draws.quiet_plies)
    }

    /// Computes the results. Runs are counted separately if the plies in the slice exceed `limit`.
    pub(super) fn solve_results_of_width(
        &self,
        slice: Slice,
        limit: Option<u16>,
    ) -> Result<SliceResults<W>, SolveError> {
        let material = slice.material();
        let placements = |pieces| Arc::new(Placements::new(&self.tables.board, pieces));
        let own = placements(material.own);
        let other = if material.own == material.other { Arc::clone(&own) } else { placements(material.other) };
        let side = |own: &Arc<Placements<W>>, other: &Arc<Placements<W>>| {
            let exits: Vec<_> = (0..own.len()).filter(|&number| own.has_exit(number)).collect();
            SideMatrix {
                free: other.free(),
                open: BitMatrix::new(own.len(), other.len()),
                safe: BitMatrix::new(exits.len(), other.len()),
                exits,
                after: ByResult::new(|| BitMatrix::new(own.len(), other.len())),
                waiting: ByResult::new(|| RowSet::new(own.len())),
                changed: ByResult::new(|| RowSet::new(own.len())),
                own: Arc::clone(own),
                other: Arc::clone(other),
            }
        };
        let mut sides = vec![side(&own, &other)];
        if slice.materials().count() > 1 {
            sides.push(side(&other, &own));
        }
        let mut work = ResultSolver { solver: self, slice, sides, moves: QuietMoves::All };
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
        work.mark()?;
        let stay = work.solve()?;
        let run = if limit.is_some_and(|limit| stay >= limit.into()) { work.longest_run()? } else { stay };
        for side in &mut work.sides {
            (side.open, side.safe) = (BitMatrix::new(0, 0), BitMatrix::new(0, 0));
        }
        work.finish(stay, run)
    }
}

impl<W: Word> ResultSolver<'_, W> {
    fn opposite(&self, side: usize) -> &SideMatrix<W> {
        &self.sides[self.sides.len() - 1 - side]
    }

    /// Decides all positions that are not drawn. Returns an upper bound for the number of plies from such a position to
    /// the last position in the slice. While runs are counted, it returns an upper bound for the plies to the last
    /// position of a run.
    fn solve(&self) -> Result<usize, SolveError> {
        // The results found for one material are written to the matrix of the other. If the slice has only one
        // material, a round for both results would read what it writes, so wins and losses take turns.
        let turns: &[(usize, &[Decisive])] = match self.sides.len() {
            1 => &[(0, &[Decisive::Win]), (0, &[Decisive::Loss])],
            _ => &[(0, &Decisive::BOTH), (1, &Decisive::BOTH)],
        };
        let (mut last, mut plies, mut idle): (usize, usize, usize) = (0, 0, 0);
        for &(side, wanted) in turns.iter().cycle() {
            let mut changes = false;
            for &wanted in wanted {
                changes |= self.round(side, wanted)?;
            }
            plies += 1;
            if changes {
                (last, idle) = (plies, 0);
                self.mark()?;
            } else {
                idle += 1;
            }
            if idle == turns.len() {
                break;
            }
        }
        Ok(last)
    }

    /// Visits the waiting rows of a side. Returns whether a position was decided.
    fn round(&self, number: usize, wanted: Decisive) -> Result<bool, SolveError> {
        let side = &self.sides[number];
        let changes = AtomicBool::new(false);
        self.solver.run(&side.areas(), |_, &area| {
            if self.visit(number, area, wanted) {
                changes.store(true, Relaxed);
            }
            Ok(())
        })?;
        side.waiting.get(wanted).clear();
        Ok(changes.into_inner())
    }

    /// Visits the waiting rows of an area. Returns whether a position was decided.
    fn visit(&self, number: usize, area: Area, wanted: Decisive) -> bool {
        let side = &self.sides[number];
        let waiting = side.waiting.get(wanted).block(area.block);
        if waiting == 0 {
            return false;
        }
        let mut tile = Tile::new(side.words(area));
        let mut steps = Vec::new();
        for bit in ones(waiting) {
            tile.visit(side, self.moves, area, bit, wanted, &mut steps);
        }
        self.store(tile, number, area, wanted)
    }

    /// Stores the new results of an area of a side. Returns whether there are any.
    fn store(&self, mut tile: Tile, side: usize, area: Area, result: Decisive) -> bool {
        let target = self.opposite(side);
        let (results, changed) = (target.after.get(result), target.changed.get(result));
        let mut changes = false;
        for (matrix, word) in tile.0.iter_mut().zip(area.first_word..) {
            if matrix.iter().all(|&bits| bits == 0) {
                continue;
            }
            changes = true;
            transpose(matrix);
            for (&bits, row) in matrix.iter().zip(word * BITS..).filter(|&(&bits, _)| bits != 0) {
                results.add(row, area.block, bits);
                changed.add(row);
            }
        }
        changes
    }

    /// Marks the rows in which the results of the last round may decide positions.
    fn mark(&self) -> Result<(), SolveError> {
        for side in &self.sides {
            let blocks: Vec<_> = (0..side.own.len().div_ceil(BITS)).collect();
            for result in Decisive::BOTH {
                let (changed, waiting) = (side.changed.get(result), side.waiting.get(result.opposite()));
                self.solver.run(&blocks, |_, &block| {
                    for bit in ones(changed.block(block)) {
                        side.own.for_each_predecessor(block * BITS + bit, |earlier| waiting.add(earlier));
                    }
                    Ok(())
                })?;
                changed.clear();
            }
        }
        Ok(())
    }
}

/// New results of an area: for each word of a row, its bits in each row of the block.
struct Tile(Vec<[u64; BITS]>);

impl Tile {
    fn new(words: usize) -> Self {
        Self(vec![[0; BITS]; words])
    }

    /// Decides open positions in the row `bit` of an area.
    fn visit<W: Word>(
        &mut self,
        side: &SideMatrix<W>,
        moves: QuietMoves,
        area: Area,
        bit: usize,
        wanted: Decisive,
        steps: &mut Vec<QuietStep>,
    ) {
        let row = area.block * BITS + bit;
        let words = area.first_word..area.first_word + self.0.len();
        let open = &side.open.row(row)[words.clone()];
        if open.iter().all(|word| word.load(Relaxed) == 0) {
            return;
        }
        steps.clear();
        side.own.steps(row, steps);
        match moves {
            QuietMoves::All => {}
            QuietMoves::OnlyAdvances => steps.retain(|step| step.is_advance),
            QuietMoves::WithoutAdvances => steps.retain(|step| !step.is_advance),
        }
        let after = side.after.get(wanted.opposite());
        // A move to a lost position wins. A move to a position that is not won saves the side from a loss.
        let inverted = if wanted == Decisive::Win { 0 } else { u64::MAX };
        let (mut found, mut legal) = ([0; WORDS], [0; WORDS]);
        for step in steps {
            let (free, after) = (&side.free.row(step.place)[words.clone()], &after.row(step.after)[words.clone()]);
            if step.is_first {
                legal = [u64::MAX; WORDS];
            }
            for ((found, legal), (free, after)) in found.iter_mut().zip(&mut legal).zip(free.iter().zip(after)) {
                *legal &= free.load(Relaxed);
                *found |= *legal & (after.load(Relaxed) ^ inverted);
            }
        }
        let can_be_saved = wanted == Decisive::Loss && moves == QuietMoves::All;
        let exit = side.exits.binary_search(&row).ok().filter(|_| can_be_saved);
        let safe = exit.map(|exit| &side.safe.row(exit)[words]);
        for (word, (open, found)) in open.iter().zip(found).enumerate() {
            let safe = safe.map_or(0, |safe| safe[word].load(Relaxed));
            let decided = open.load(Relaxed) & (found ^ inverted) & !safe;
            self.0[word][bit] = decided;
            open.store(open.load(Relaxed) & !decided, Relaxed);
        }
    }
}
