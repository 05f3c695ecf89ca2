//! Verifies tables against the rules of the game.

use super::board::downcast_either;
use super::index::Cursor;
use super::main_road::longest_on_main_road;
use super::probe::{MoveProber, TableAnswer};
use super::wld::Wld;
use super::{Counts, Index, Material, Slice, TableFaults, TableOutcome, TableValue, Tables};
use crate::pool::{Pool, PoolError};
use crate::position::Pieces;
use crate::rules::{Color, Objective, Word};
use crate::stop::Stop;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::AtomicU64;

/// Verifies tables on several threads.
#[derive(Debug)]
pub struct Checker<'a, W: Word> {
    /// The tables to verify.
    pub tables: &'a Tables<W>,
    /// Number of worker threads.
    pub threads: NonZeroUsize,
    /// Signal that ends the verification early, with a partial result.
    pub stop: &'a Stop,
    /// Progress counter. Its final value is the [`Tables::size`] of the slice.
    pub done: &'a AtomicU64,
}

impl<W: Word> Checker<'_, W> {
    /// Verifies that every value in `slice` matches the values after its moves, that every number decodes to its
    /// position, and that the counts match. If the slice has no distances, verifies the results in the same way.
    pub fn check(&self, slice: Slice) -> Result<TableFaults, PoolError> {
        type Check<W> = fn(&Checker<'_, W>, Slice) -> Result<TableFaults, PoolError>;
        static NARROW: Check<u64> = |checker, slice| checker.check_slice(slice);
        static WIDE: Check<u128> = |checker, slice| checker.check_slice(slice);
        downcast_either::<Check<W>>(&NARROW, &WIDE)(self, slice)
    }

    fn check_slice(&self, slice: Slice) -> Result<TableFaults, PoolError> {
        let mut faults = TableFaults::default();
        for material in slice.materials() {
            if self.tables.contains(slice) {
                self.check_material::<TableValue>(material, &mut faults)?;
            } else {
                self.check_material::<Wld>(material, &mut faults)?;
            }
        }
        Ok(faults)
    }

    fn check_material<A: Checked>(&self, material: Material, faults: &mut TableFaults) -> Result<(), PoolError> {
        let index = self.tables.index(material);
        let mut counts = Counts::default();
        let pool = Pool { name: "verify", threads: self.threads, stop: self.stop };
        let check = |tools: &mut MoveProber<'_, W>, numbers| self.check_part::<A>(tools, &index, numbers);
        for (part, part_counts) in self.tables.in_parts(pool, index.size(), self.done, check)? {
            counts.merge(&part_counts);
            faults.count += part.count;
            faults.first = faults.first.take().or(part.first);
        }
        if A::HAS_DISTANCES {
            counts.longest_on_main_road = longest_on_main_road(self.tables, &index, &|| self.stop.is_stopped());
        } else if let Some(declared) = self.tables.counts(material) {
            // Only the numbers of wins, draws and losses follow from the results.
            counts = Counts { wins: counts.wins, draws: counts.draws, losses: counts.losses, ..declared };
        }
        if !self.stop.is_stopped() && self.tables.counts(material) != Some(counts) {
            faults.add(format!("the counts of {material} do not match its values"));
        }
        Ok(())
    }

    fn check_part<A: Checked>(
        &self,
        tools: &mut MoveProber<'_, W>,
        index: &Index<W>,
        numbers: Range<u64>,
    ) -> (TableFaults, Counts) {
        let (mut faults, mut counts) = (TableFaults::default(), Counts::default());
        let mut cursor = Cursor::new(index);
        for number in numbers {
            let Some(pieces) = cursor.pieces(number) else { continue };
            if let Err(fault) = self.check_position::<A>(tools, index, number, &pieces, &mut counts) {
                faults.add(fault);
            }
        }
        (faults, counts)
    }

    fn check_position<A: Checked>(
        &self,
        tools: &mut MoveProber<'_, W>,
        index: &Index<W>,
        number: u64,
        pieces: &Pieces<W>,
        counts: &mut Counts,
    ) -> Result<(), String> {
        let material = index.material();
        let found = index.number(pieces);
        if found != number {
            return Err(format!("position {number} of {material} encodes to number {found}"));
        }
        let (rules, board) = (self.tables.rules(), &self.tables.board);
        let MoveProber { prober, moves } = tools;
        let missing = || format!("position {number} of {material} has no value or leads to a position without one");
        let objective = rules.spec().objective;
        let can_capture = rules.has_capture(pieces, Color::White);
        let must_capture = can_capture && rules.compulsory();
        if must_capture && !A::HAS_DISTANCES {
            // The result is neither stored nor counted.
            return Ok(());
        }
        let stored = if must_capture { prober.answer_of(pieces, 0) } else { A::stored(prober, pieces) };
        let stored = stored.ok_or_else(missing)?;
        counts.add(number, stored.outcome(objective), can_capture);
        if must_capture {
            // The value is not stored. It has just been computed from the captures.
            return Ok(());
        }
        rules.fill_moves(pieces, Color::White, can_capture, moves);
        let mut best: Option<A> = None;
        for &mv in moves.iter() {
            let after = board.after(pieces, mv);
            let answer = prober.answer_of(&after, 0).and_then(A::before).ok_or_else(missing)?;
            best = Some(best.map_or(answer, |best| best.or_better(answer, objective)));
            if answer.is_best() {
                break;
            }
        }
        let found = best.unwrap_or_else(|| A::from_value(TableValue::END, objective));
        if found == stored {
            return Ok(());
        }
        let [stored, found] = [stored, found].map(Checked::text);
        Err(format!("position {number} of {material} has value {stored}, but its moves give {found}"))
    }
}

/// An answer that tables store.
trait Checked: TableAnswer + Eq {
    const HAS_DISTANCES: bool;

    fn outcome(self, objective: Objective) -> TableOutcome;

    /// Returns the answer as text for a message.
    fn text(self) -> String;
}

impl Checked for TableValue {
    const HAS_DISTANCES: bool = true;

    fn outcome(self, objective: Objective) -> TableOutcome {
        self.outcome(objective)
    }

    fn text(self) -> String {
        self.byte().to_string()
    }
}

impl Checked for Wld {
    const HAS_DISTANCES: bool = false;

    fn outcome(self, _: Objective) -> TableOutcome {
        self.into()
    }

    fn text(self) -> String {
        match self {
            Self::Draw => "draw",
            Self::Win => "win",
            Self::Loss => "loss",
        }
        .to_owned()
    }
}
