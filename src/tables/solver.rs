//! Solves a slice by retrograde analysis.
//!
//! 1. Initialise every position. Ended games, compulsory captures and winning promotions get a value. For every other
//!    position, count the moves inside the slice that may avoid a loss.
//! 2. Visit the positions by their distance from the end of the game, and retract the quiet moves that lead to them. A
//!    predecessor of a lost position is won. A predecessor of a won position loses one of its saving moves; if no
//!    saving move is left, it is lost after its longest defence.
//! 3. The remaining positions are drawn.
//!
//! A position with a winning promotion has a value from the start. If a shorter win is found before the solver reaches
//! the distance of this value, the value is lowered.

use super::board::{downcast_either, each_retraction};
use super::index::Cursor;
use super::main_road::longest_on_main_road;
use super::probe::MoveProber;
use super::value::is_win;
use super::{Counts, Index, MaterialTable, Slice, SliceTable, TableValue, Tables};
use crate::pool::{Pool, PoolError};
use crate::position::Pieces;
use crate::rules::{Color, Objective, Word};
use crate::stop::Stop;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

const CHUNK: usize = 4096;

/// Marks a position with a move that leaves the slice and does not lose. The mark exceeds any possible number of moves.
const ENDLESS: u8 = u8::MAX;

/// Why a slice cannot be solved.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// The solver was stopped.
    #[error("interrupted")]
    Stopped,
    /// A slice on which this slice depends is missing.
    #[error("{0} depends on slices that are missing")]
    Missing(Slice),
    /// Some games last longer than [`TableValue::MAX_PLIES`].
    #[error("{0} has games longer than {most} plies", most = TableValue::MAX_PLIES)]
    TooLong(Slice),
    /// A worker thread failed.
    #[error(transparent)]
    Pool(#[from] PoolError),
}

/// Solves slices of one variant.
pub struct Solver<'a, W: Word> {
    /// The slices that have been solved so far.
    pub tables: &'a Tables<W>,
    /// Number of worker threads.
    pub threads: NonZeroUsize,
    /// Callback that returns whether the solver should stop. It is called frequently.
    pub is_stopped: &'a (dyn Fn() -> bool + Sync),
    /// Progress counter. Its final value is [`Tables::work`].
    pub done: &'a AtomicU64,
}

struct SideTable<W: Word> {
    index: Index<W>,
    values: Vec<AtomicU8>,
    /// For each position, the number of remaining moves that may avoid a loss.
    saving: Vec<AtomicU8>,
    /// For each chunk, a bit set of the values that occur in it.
    present: Vec<[AtomicU64; 4]>,
}

impl<W: Word> SideTable<W> {
    fn new(index: Index<W>) -> Self {
        let length = index.size() as usize;
        let zeros = || std::iter::repeat_with(|| AtomicU8::new(0)).take(length).collect();
        let present = std::iter::repeat_with(Default::default).take(length.div_ceil(CHUNK)).collect();
        Self { values: zeros(), saving: zeros(), present, index }
    }

    fn set(&self, number: usize, value: TableValue) {
        self.values[number].store(value.byte(), Relaxed);
        self.note(number, value);
    }

    fn note(&self, number: usize, value: TableValue) {
        let byte = value.byte();
        self.present[number / CHUNK][usize::from(byte / 64)].fetch_or(1 << (byte % 64), Relaxed);
    }

    fn has(&self, chunk: usize, value: TableValue) -> bool {
        let byte = value.byte();
        self.present[chunk][usize::from(byte / 64)].load(Relaxed) >> (byte % 64) & 1 == 1
    }

    fn numbers(&self, chunk: usize) -> std::ops::Range<usize> {
        chunk * CHUNK..((chunk + 1) * CHUNK).min(self.values.len())
    }
}

#[derive(Default)]
struct Leaving {
    win: Option<TableValue>,
    draws: bool,
    loss: Option<TableValue>,
}

struct SliceSolver<'a, W: Word> {
    solver: &'a Solver<'a, W>,
    slice: Slice,
    objective: Objective,
    compulsory: bool,
    /// One table for each material of the slice. A move that stays in the slice leads to the other table, or to the
    /// same one if the slice has only one.
    sides: Vec<SideTable<W>>,
    before_crowning: W,
    highest: AtomicU8,
}

impl<W: Word> Tables<W> {
    /// Returns the number of work steps that a [`Solver`] needs for `slice`. This is also its memory use in bytes,
    /// excluding other tables.
    pub fn work(&self, slice: Slice) -> u64 {
        self.size(slice).saturating_mul(2)
    }
}

impl<W: Word> Solver<'_, W> {
    /// Computes the values of all positions in `slice`.
    pub fn solve(&self, slice: Slice) -> Result<SliceTable<W>, SolveError> {
        type Solve<W> = fn(&Solver<'_, W>, Slice) -> Result<SliceTable<W>, SolveError>;
        static NARROW: Solve<u64> = |solver, slice| solver.solve_slice(slice);
        static WIDE: Solve<u128> = |solver, slice| solver.solve_slice(slice);
        downcast_either::<Solve<W>>(&NARROW, &WIDE)(self, slice)
    }

    fn solve_slice(&self, slice: Slice) -> Result<SliceTable<W>, SolveError> {
        let board = &self.tables.board;
        let work = SliceSolver {
            solver: self,
            slice,
            objective: board.rules.spec().objective,
            compulsory: board.rules.compulsory(),
            sides: slice.materials().map(|material| SideTable::new(self.tables.index(material))).collect(),
            before_crowning: board.before_crowning(),
            highest: AtomicU8::new(0),
        };
        work.in_all_chunks(|_, _| true, |tools, side, chunk| work.begin_chunk(tools, side, chunk))?;
        let mut byte = TableValue::END.byte();
        while byte <= work.highest.load(Relaxed) {
            let value = TableValue::from_solver_byte(byte);
            work.in_all_chunks(
                |side, chunk| side.has(chunk, value),
                |tools, side, chunk| work.retract_chunk(tools, side, chunk, value),
            )?;
            byte += 1;
        }
        work.finish()
    }
}

impl<W: Word> Solver<'_, W> {
    /// Runs `task` for each of the `chunks` on the threads of the solver, until it is stopped.
    pub(super) fn run<C: Sync>(
        &self,
        chunks: &[C],
        task: impl Fn(&mut MoveProber<'_, W>, &C) -> Result<(), SolveError> + Sync,
    ) -> Result<(), SolveError> {
        let tools = || MoveProber::new(self.tables);
        let run = |tools: &mut MoveProber<'_, W>, chunk: &C| {
            if (self.is_stopped)() { Err(SolveError::Stopped) } else { task(tools, chunk) }
        };
        let threads = self.threads.min(NonZeroUsize::new(chunks.len()).unwrap_or(NonZeroUsize::MIN));
        if threads.get() == 1 {
            let mut tools = tools();
            return chunks.iter().try_for_each(|chunk| run(&mut tools, chunk));
        }
        // Each worker fetches its own chunks, because chunks are small and numerous.
        let (next, pool_stop) = (AtomicUsize::new(0), Stop::new());
        let worker = || {
            let (mut tools, next, run) = (tools(), &next, &run);
            move |()| {
                let mut left = std::iter::from_fn(|| chunks.get(next.fetch_add(1, Relaxed)));
                left.try_for_each(|chunk| run(&mut tools, chunk))
            }
        };
        let pool = Pool { name: "tables", threads, stop: &pool_stop };
        pool.try_run(std::iter::repeat_n((), threads.get()), worker, |()| Ok(ControlFlow::Continue(())))
    }
}

impl<W: Word> SliceSolver<'_, W> {
    fn in_all_chunks(
        &self,
        wanted: impl Fn(&SideTable<W>, usize) -> bool,
        task: impl Fn(&mut MoveProber<'_, W>, usize, usize) -> Result<(), SolveError> + Sync,
    ) -> Result<(), SolveError> {
        let chunks: Vec<_> = (0..self.sides.len())
            .flat_map(|side| (0..self.sides[side].present.len()).map(move |chunk| (side, chunk)))
            .filter(|&(side, chunk)| wanted(&self.sides[side], chunk))
            .collect();
        self.solver.run(&chunks, |tools, &(side, chunk)| task(tools, side, chunk))
    }

    fn begin_chunk(&self, tools: &mut MoveProber<'_, W>, side: usize, chunk: usize) -> Result<(), SolveError> {
        let side = &self.sides[side];
        let mut cursor = Cursor::new(&side.index);
        let numbers = side.numbers(chunk);
        let count = numbers.len();
        for number in numbers {
            match cursor.pieces(number as u64) {
                Some(pieces) => {
                    let (value, saving) = self.begin(tools, &pieces)?;
                    side.set(number, value);
                    side.saving[number].store(saving, Relaxed);
                    if value != TableValue::UNKNOWN {
                        self.highest.fetch_max(value.byte(), Relaxed);
                    }
                }
                None => side.set(number, TableValue::NONE),
            }
        }
        self.solver.done.fetch_add(count as u64, Relaxed);
        Ok(())
    }

    /// Returns the initial value of `pieces`, and the number of moves inside the slice that may avoid a loss.
    fn begin(&self, tools: &mut MoveProber<'_, W>, pieces: &Pieces<W>) -> Result<(TableValue, u8), SolveError> {
        let rules = self.solver.tables.rules();
        let can_capture = rules.has_capture(pieces, Color::White);
        if can_capture && self.compulsory {
            let value = tools.prober.best_capture(pieces, 0).ok_or(SolveError::Missing(self.slice))?;
            return Ok((value, 0));
        }
        let leaving = self.leaving(tools, pieces, can_capture)?;
        let inside = tools.moves.len() as u8;
        if let Some(win) = leaving.win {
            return Ok((win, ENDLESS));
        }
        if leaving.draws {
            return Ok((TableValue::UNKNOWN, ENDLESS));
        }
        Ok(match leaving.loss {
            _ if inside > 0 => (TableValue::UNKNOWN, inside),
            Some(loss) => (loss, 0),
            None => (TableValue::END, 0),
        })
    }

    /// Evaluates the moves that leave the slice. Only the moves inside the slice remain in `tools`.
    fn leaving(
        &self,
        tools: &mut MoveProber<'_, W>,
        pieces: &Pieces<W>,
        can_capture: bool,
    ) -> Result<Leaving, SolveError> {
        let board = &self.solver.tables.board;
        let rules = board.rules;
        let MoveProber { prober, moves } = tools;
        rules.fill_moves(pieces, Color::White, can_capture, moves);
        let mut leaving = Leaving::default();
        let mut result = Ok(());
        moves.retain(|mv| {
            let is_man = pieces.men(Color::White).contains(mv.from);
            let is_crowned = is_man && board.rules.far_row(Color::White).contains(mv.to);
            if !mv.is_capture() && !is_crowned {
                return true;
            }
            let after = board.after(pieces, *mv);
            match prober.value_of(&after, 0).and_then(TableValue::before) {
                Some(value) => leaving.add(value, self.objective),
                None => result = Err(SolveError::Missing(self.slice)),
            }
            false
        });
        result.map(|()| leaving)
    }

    fn retract_chunk(
        &self,
        tools: &mut MoveProber<'_, W>,
        side: usize,
        chunk: usize,
        value: TableValue,
    ) -> Result<(), SolveError> {
        let board = &*self.solver.tables.board;
        // Predecessors belong to the other material of the slice, or to the same material if it is symmetric.
        let (here, before) = (&self.sides[side], &self.sides[self.sides.len() - 1 - side]);
        let is_won = value.plies().is_some_and(|plies| is_win(plies, self.objective));
        let mut cursor = Cursor::new(&here.index);
        let mut visited = 0;
        let mut result = Ok(());
        for number in here.numbers(chunk) {
            if here.values[number].load(Relaxed) != value.byte() {
                continue;
            }
            visited += 1;
            let Some(pieces) = cursor.pieces(number as u64) else { continue };
            each_retraction(board, &board.flipped(&pieces), |earlier| {
                if self.compulsory && board.rules.has_capture(earlier, Color::White) {
                    return;
                }
                let number = before.index.number(earlier) as usize;
                if is_won {
                    if self.remove_saving_move(before, number) {
                        result = self.lose(tools, before, number, earlier, value);
                    }
                } else {
                    match value.before() {
                        Some(win) => self.win(before, number, win),
                        None => result = Err(SolveError::TooLong(self.slice)),
                    }
                }
            });
            if result.is_err() {
                break;
            }
        }
        self.solver.done.fetch_add(visited, Relaxed);
        result
    }

    /// Removes one saving move from a position. Returns whether it was the last saving move.
    fn remove_saving_move(&self, side: &SideTable<W>, number: usize) -> bool {
        let saving = &side.saving[number];
        saving.load(Relaxed) != ENDLESS && saving.fetch_sub(1, Relaxed) == 1
    }

    /// Marks a position as lost, because all of its moves lose. `value` is the value after the last refuted move inside
    /// the slice.
    fn lose(
        &self,
        tools: &mut MoveProber<'_, W>,
        side: &SideTable<W>,
        number: usize,
        pieces: &Pieces<W>,
        value: TableValue,
    ) -> Result<(), SolveError> {
        let mut loss = value.before().ok_or(SolveError::TooLong(self.slice))?;
        let leaves = !self.compulsory || !(pieces.men(Color::White) & self.before_crowning).is_empty();
        if leaves {
            let can_capture = !self.compulsory && self.solver.tables.rules().has_capture(pieces, Color::White);
            if let Some(longer) = self.leaving(tools, pieces, can_capture)?.loss
                && longer.byte() > loss.byte()
            {
                loss = longer;
            }
        }
        side.set(number, loss);
        self.highest.fetch_max(loss.byte(), Relaxed);
        Ok(())
    }

    fn win(&self, side: &SideTable<W>, number: usize, win: TableValue) {
        if side.values[number].fetch_min(win.byte(), Relaxed) > win.byte() {
            side.note(number, win);
            self.highest.fetch_max(win.byte(), Relaxed);
        }
    }

    fn finish(mut self) -> Result<SliceTable<W>, SolveError> {
        for side in &mut self.sides {
            side.saving = Vec::new();
        }
        let counts: Vec<_> = self.sides.iter().map(|_| Mutex::new(Counts::default())).collect();
        self.in_all_chunks(
            |_, _| true,
            |_, side, chunk| {
                let found = self.finish_chunk(&self.sides[side], chunk);
                counts[side].lock().unwrap_or_else(PoisonError::into_inner).merge(&found);
                Ok(())
            },
        )?;
        let tables = self.sides.into_iter().zip(counts).map(|(side, counts)| {
            let values = side.values.into_iter().map(AtomicU8::into_inner).collect();
            let counts = counts.into_inner().unwrap_or_else(PoisonError::into_inner);
            MaterialTable { index: side.index, values, counts }
        });
        let mut solved = SliceTable { slice: self.slice, tables: tables.collect() };
        if self.solver.tables.rules().spec().draws.main_road.is_some() {
            let mut tables = self.solver.tables.clone();
            tables.add(solved.clone());
            for table in &mut solved.tables {
                table.counts.longest_on_main_road = longest_on_main_road(&tables, &table.index, self.solver.is_stopped);
            }
            if (self.solver.is_stopped)() {
                return Err(SolveError::Stopped);
            }
        }
        Ok(solved)
    }

    fn finish_chunk(&self, side: &SideTable<W>, chunk: usize) -> Counts {
        let rules = self.solver.tables.rules();
        let mut counts = Counts::default();
        let mut cursor = Cursor::new(&side.index);
        let numbers = side.numbers(chunk);
        let store = |number: usize, value: TableValue| side.values[number].store(value.byte(), Relaxed);
        // The last value that can be probed. Positions whose value is never probed repeat it, because this compresses
        // best.
        let mut neighbour = None;
        let mut unvisited = 0;
        for number in numbers.clone() {
            let value = TableValue::from_solver_byte(side.values[number].load(Relaxed));
            let pieces = cursor.pieces(number as u64);
            unvisited += u64::from(value == TableValue::UNKNOWN || pieces.is_none());
            let value = if value == TableValue::UNKNOWN { TableValue::DRAW } else { value };
            let can_capture = pieces.is_some_and(|pieces| {
                let can_capture = rules.has_capture(&pieces, Color::White);
                counts.add(number as u64, value.outcome(self.objective), can_capture);
                can_capture
            });
            let has_own = pieces.is_some() && !(can_capture && self.compulsory);
            if has_own && neighbour.is_none() {
                (numbers.start..number).for_each(|earlier| store(earlier, value));
            }
            if has_own {
                neighbour = Some(value);
            }
            store(number, neighbour.unwrap_or(TableValue::DRAW));
        }
        self.solver.done.fetch_add(unvisited, Relaxed);
        counts
    }
}

impl Leaving {
    fn add(&mut self, value: TableValue, objective: Objective) {
        let Some(plies) = value.plies() else {
            self.draws = true;
            return;
        };
        let shorter = |one: TableValue, other: TableValue| if one.byte() <= other.byte() { one } else { other };
        let longer = |one: TableValue, other: TableValue| if one.byte() >= other.byte() { one } else { other };
        if is_win(plies, objective) {
            self.win = Some(self.win.map_or(value, |win| shorter(win, value)));
        } else {
            self.loss = Some(self.loss.map_or(value, |loss| longer(loss, value)));
        }
    }
}
