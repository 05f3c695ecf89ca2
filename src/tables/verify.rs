//! Checking tables against themselves.

use super::cursor::Cursor;
use super::main_road::longest_on_main_road;
use super::slice::Counted;
use super::{Counts, Index, Material, Prober, Slice, TableValue, Tables};
use crate::pool::{Pool, PoolError};
use crate::position::{MoveList, Pieces};
use crate::rules::{Color, Word};
use crate::stop::Stop;
use std::fmt;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Positions that a thread checks at a time.
const PART: u64 = 1 << 14;

/// A fault of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableFault {
    /// The position with a number has another number.
    Number {
        /// The material.
        material: Material,
        /// The number of the position.
        number: u64,
        /// The number that it was found to have.
        found: u64,
    },
    /// There is no value for a position, or for one that a move leads to.
    Missing {
        /// The material.
        material: Material,
        /// The number of the position.
        number: u64,
    },
    /// A value is not the best of those that its moves lead to.
    Value {
        /// The material.
        material: Material,
        /// The number of the position.
        number: u64,
        /// The stored value.
        stored: u8,
        /// The value by its moves.
        found: u8,
    },
    /// There are not as many wins, draws and losses as the table says.
    Counts {
        /// The material.
        material: Material,
    },
}

impl fmt::Display for TableFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number { material, number, found } => {
                write!(f, "position {number} of {material} has the number {found}")
            }
            Self::Missing { material, number } => {
                write!(f, "position {number} of {material} has no value or leads to one without")
            }
            Self::Value { material, number, stored, found } => {
                write!(f, "position {number} of {material} has the value {stored}, its moves make it {found}")
            }
            Self::Counts { material } => write!(f, "the counts of {material} are not those of its values"),
        }
    }
}

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableFaults {
    /// How many faults.
    pub count: u64,
    /// The first of them.
    pub first: Option<TableFault>,
}

impl TableFaults {
    fn add(&mut self, fault: TableFault) {
        self.count += 1;
        self.first.get_or_insert(fault);
    }
}

/// Checks tables, with several threads.
#[derive(Debug)]
pub struct Checker<'a, W: Word> {
    /// The tables.
    pub tables: &'a Tables<W>,
    /// How many threads work.
    pub threads: NonZeroUsize,
    /// Ends the work early, with what was found by then.
    pub stop: &'a Stop,
    /// Is told of numbers that are done: [`Tables::size`] of the slice in all.
    pub done: &'a AtomicU64,
}

/// The buffers of a thread.
struct Tools<'a, W: Word> {
    prober: Prober<'a, W>,
    moves: MoveList<W>,
}

impl<W: Word> Checker<'_, W> {
    /// Compares every stored value of `slice` with the values of the positions that its moves lead to, the numbers of positions
    /// with the positions of numbers, and the counts with the values.
    ///
    /// # Errors
    /// When the threads could not do their work.
    pub fn check(&self, slice: Slice) -> Result<TableFaults, PoolError> {
        (self.tables.board.check)(self, slice)
    }

    pub(super) fn check_slice(&self, slice: Slice) -> Result<TableFaults, PoolError> {
        let mut faults = TableFaults::default();
        for material in slice.materials() {
            self.check_material(material, &mut faults)?;
        }
        Ok(faults)
    }

    fn check_material(&self, material: Material, faults: &mut TableFaults) -> Result<(), PoolError> {
        let index = self.tables.index(material);
        let parts = (0..index.len().div_ceil(PART)).map(|part| part * PART..((part + 1) * PART).min(index.len()));
        let mut counts = Counts::default();
        let mut parts_done = Vec::new();
        let take = |part| {
            parts_done.push(part);
            ControlFlow::Continue(())
        };
        let worker = || {
            let mut tools = Tools { prober: Prober::new(self.tables), moves: MoveList::new() };
            let index = &index;
            move |numbers: Range<u64>| self.check_part(&mut tools, index, numbers)
        };
        let pool = Pool { name: "verify", threads: self.threads, stop: self.stop };
        pool.run(parts, worker, take)?;
        parts_done.sort_by_key(|&(start, ..)| start);
        for (_, part, part_counts) in parts_done {
            counts.merge(&part_counts);
            faults.count += part.count;
            faults.first = faults.first.take().or(part.first);
        }
        counts.longest_on_main_road = longest_on_main_road(self.tables, &index, &|| self.stop.is_stopped());
        if !self.stop.is_stopped() && self.tables.counts(material) != Some(counts) {
            faults.add(TableFault::Counts { material });
        }
        Ok(())
    }

    fn check_part(
        &self,
        tools: &mut Tools<'_, W>,
        index: &Index<W>,
        numbers: Range<u64>,
    ) -> (u64, TableFaults, Counts) {
        let (mut faults, mut counts) = (TableFaults::default(), Counts::default());
        let mut cursor = Cursor::new(index);
        let (start, length) = (numbers.start, numbers.end - numbers.start);
        for number in numbers {
            let Some(pieces) = cursor.pieces(number) else { continue };
            if let Err(fault) = self.check_position(tools, index, (number, &pieces), &mut counts) {
                faults.add(fault);
            }
        }
        self.done.fetch_add(length, Relaxed);
        (start, faults, counts)
    }

    fn check_position(
        &self,
        tools: &mut Tools<'_, W>,
        index: &Index<W>,
        (number, pieces): (u64, &Pieces<W>),
        counts: &mut Counts,
    ) -> Result<(), TableFault> {
        let material = index.material();
        let found = index.number(pieces);
        if found != number {
            return Err(TableFault::Number { material, number, found });
        }
        let (rules, board) = (self.tables.rules(), &self.tables.board);
        let Tools { prober, moves } = tools;
        let missing = || TableFault::Missing { material, number };
        let objective = rules.spec().objective;
        let can_capture = rules.has_capture(pieces, Color::White);
        let stored = prober.value_of(pieces, 0).ok_or_else(missing)?;
        counts.add(Counted { number, outcome: stored.outcome(objective), can_capture });
        if can_capture && rules.compulsory() {
            // Not stored: found from its captures just now.
            return Ok(());
        }
        moves.retain(|_| false);
        if can_capture {
            rules.captures(pieces, Color::White, moves);
        }
        rules.add_quiet_moves(pieces, Color::White, moves);
        let mut best: Option<TableValue> = None;
        for &mv in moves.iter() {
            let after = board.turned(&rules.pieces_after(pieces, Color::White, mv));
            let value = prober.value_of(&after, 0).and_then(TableValue::before).ok_or_else(missing)?;
            if best.is_none_or(|best| value.rank(objective) > best.rank(objective)) {
                best = Some(value);
            }
        }
        let found = best.unwrap_or(TableValue::END);
        if found == stored {
            return Ok(());
        }
        Err(TableFault::Value { material, number, stored: stored.byte(), found: found.byte() })
    }
}
