//! Verifies tables against the rules of the game.

use super::board::of_width;
use super::index::Cursor;
use super::main_road::longest_on_main_road;
use super::probe::{MoveProber, Prober, StoredResult, TableAnswer};
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
        of_width::<Check<W>>(&NARROW, &WIDE)(self, slice)
    }

    fn check_slice(&self, slice: Slice) -> Result<TableFaults, PoolError> {
        let mut faults = TableFaults::default();
        for material in slice.materials() {
            if self.tables.has(slice) {
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
        let (mut batch, mut successors) = (Vec::new(), Vec::new());
        for start in numbers.clone().step_by(BATCH) {
            successors.clear();
            for number in (start..numbers.end).take(BATCH) {
                let Some(pieces) = cursor.pieces(number) else { continue };
                let found = index.number(&pieces);
                if found != number {
                    let material = index.material();
                    faults.add(format!("position {number} of {material} encodes to number {found}"));
                } else if let Some(position) = self.find::<A>(tools, number, &pieces, &mut successors) {
                    batch.push(position);
                }
            }
            for position in batch.drain(..) {
                let successors = successors.get(position.moves.clone()).unwrap_or_default();
                if let Err(fault) = self.check_position::<A>(&mut tools.prober, &position, successors, &mut counts) {
                    faults.add(format!("position {} of {} {fault}", position.number, index.material()));
                }
            }
        }
        (faults, counts)
    }

    /// Finds a position and its successors in the tables. Returns `None` if nothing is stored for the position.
    fn find<'a, A: Checked>(
        &self,
        tools: &mut MoveProber<'a, W>,
        number: u64,
        pieces: &Pieces<W>,
        successors: &mut Vec<Place<'a, W>>,
    ) -> Option<Found<'a, W>> {
        let rules = self.tables.rules();
        let MoveProber { prober, moves } = tools;
        let can_capture = rules.has_capture(pieces, Color::White);
        let must_capture = can_capture && rules.compulsory();
        let first = successors.len();
        if must_capture {
            // The result is neither stored nor counted. A value is computed from the captures, and is only counted.
            A::HAS_DISTANCES.then_some(())?;
        } else {
            rules.fill_moves(pieces, Color::White, can_capture, moves);
            successors.extend(moves.iter().map(|&mv| A::place(prober, self.tables.board.after(pieces, mv))));
        }
        let place = A::place(prober, *pieces);
        Some(Found { number, place, can_capture, must_capture, moves: first..successors.len() })
    }

    /// Counts the stored answer of a position, and compares it with the answers after its moves.
    fn check_position<A: Checked>(
        &self,
        prober: &mut Prober<'_, W>,
        position: &Found<'_, W>,
        successors: &[Place<'_, W>],
        counts: &mut Counts,
    ) -> Result<(), String> {
        let objective = self.tables.rules().spec().objective;
        let missing = || "has no value or leads to a position without one";
        let stored = A::at(prober, &position.place).ok_or_else(missing)?;
        counts.add(position.number, stored.outcome(objective), position.can_capture);
        if position.must_capture {
            return Ok(());
        }
        let mut best: Option<A> = None;
        for successor in successors {
            let answer = A::at(prober, successor).and_then(A::before).ok_or_else(missing)?;
            best = Some(best.map_or(answer, |best| best.or_better(answer, objective)));
            if answer.is_best() {
                break;
            }
        }
        let found = best.unwrap_or_else(|| A::of_value(TableValue::END, objective));
        if found == stored {
            return Ok(());
        }
        let [stored, found] = [stored, found].map(Checked::text);
        Err(format!("has value {stored}, but its moves give {found}"))
    }
}

/// Number of positions whose successors are looked up together. Their places are far apart in memory, so all of them
/// are prefetched before the first is read.
const BATCH: usize = 8;

/// A position, with White to move, and where its result is stored if it follows from nothing else.
struct Place<'a, W: Word> {
    pieces: Pieces<W>,
    stored: Option<StoredResult<'a, W>>,
}

/// A position to check.
struct Found<'a, W: Word> {
    number: u64,
    place: Place<'a, W>,
    can_capture: bool,
    must_capture: bool,
    /// The positions after its moves, as a range of the successors of the batch.
    moves: Range<usize>,
}

/// An answer that tables store.
trait Checked: TableAnswer + Eq {
    const HAS_DISTANCES: bool;

    fn outcome(self, objective: Objective) -> TableOutcome;

    fn place<'a, W: Word>(prober: &Prober<'a, W>, pieces: Pieces<W>) -> Place<'a, W>;

    fn at<W: Word>(prober: &mut Prober<'_, W>, place: &Place<'_, W>) -> Option<Self>;

    /// Returns the answer as text for a message.
    fn text(self) -> String;
}

impl Checked for TableValue {
    const HAS_DISTANCES: bool = true;

    fn outcome(self, objective: Objective) -> TableOutcome {
        self.outcome(objective)
    }

    fn place<'a, W: Word>(_: &Prober<'a, W>, pieces: Pieces<W>) -> Place<'a, W> {
        Place { pieces, stored: None }
    }

    fn at<W: Word>(prober: &mut Prober<'_, W>, place: &Place<'_, W>) -> Option<Self> {
        prober.answer_of(&place.pieces, 0)
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

    fn place<'a, W: Word>(prober: &Prober<'a, W>, pieces: Pieces<W>) -> Place<'a, W> {
        Place { pieces, stored: prober.prefetch(&pieces) }
    }

    fn at<W: Word>(prober: &mut Prober<'_, W>, place: &Place<'_, W>) -> Option<Self> {
        match place.stored {
            Some(stored) => prober.result_at(stored),
            None => prober.answer_of(&place.pieces, 0),
        }
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
