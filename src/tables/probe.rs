//! Probes endgame tables.

use super::caches::Caches;
use super::collection::TableSource;
use super::wld::Wld;
use super::{Material, TableOutcome, TableValue, Tables};
use crate::pool::{Pool, PoolError};
use crate::position::{Move, MoveList, Pieces, Position};
use crate::rules::{Color, Objective, Word};
use derive_more::Display;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A table result that takes the draw rules into account.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
pub enum Verdict {
    /// The game ends with this outcome.
    Sure(TableOutcome),
    /// A draw rule may end the game before this outcome is reached: a rule that counts moves, in the current ending or
    /// a later one, or a repetition.
    #[display("{_0} late")]
    Cursed(TableOutcome),
}

impl Verdict {
    /// Returns the outcome if no draw rule can interfere, otherwise `None`.
    pub fn sure(self) -> Option<TableOutcome> {
        if let Self::Sure(outcome) = self { Some(outcome) } else { None }
    }

    /// Returns the outcome if no draw rule can interfere, or if this is very unlikely: the outcome has no distance, and
    /// many plies are `left` before the first draw rule applies. In that case the length of the game is unknown, but
    /// few games last that long.
    pub fn likely(self, left: Option<u16>) -> Option<TableOutcome> {
        match self {
            Self::Cursed(outcome) if outcome.has_no_distance() && left.is_none_or(|left| left >= MIN_PLIES_TO_DRAW) => {
                Some(outcome)
            }
            _ => self.sure(),
        }
    }

    /// Returns the verdict for the position before the last move.
    pub fn before(self) -> Self {
        match self {
            Self::Sure(outcome) => Self::Sure(outcome.before()),
            Self::Cursed(outcome) => Self::Cursed(outcome.before()),
        }
    }
}

/// A win without a distance is likely if at least this many plies remain before a draw by count.
const MIN_PLIES_TO_DRAW: u16 = 30;

/// Probes tables. Each thread needs its own prober.
#[derive(Debug)]
pub struct Prober<'a, W: Word> {
    /// The tables to probe.
    pub tables: &'a Tables<W>,
    lists: Vec<MoveList<W>>,
    caches: Caches,
}

/// What a probe returns for the side to move: a value, or an outcome that may have no distance.
pub(super) trait TableAnswer: Copy {
    fn from_value(value: TableValue, objective: Objective) -> Self;

    /// Returns the answer before the last move, for the side that made this move. Returns `None` if it cannot be
    /// represented.
    fn before(self) -> Option<Self>;

    /// Returns the better of two answers for the side to move.
    fn or_better(self, other: Self, objective: Objective) -> Self;

    /// Returns whether no other answer can be better.
    fn is_best(self) -> bool {
        false
    }

    /// Returns the answer that the tables contain for `pieces`, with White to move.
    fn stored<W: Word>(prober: &mut Prober<'_, W>, pieces: &Pieces<W>) -> Option<Self>;
}

impl TableAnswer for TableValue {
    fn from_value(value: TableValue, _: Objective) -> Self {
        value
    }

    #[inline]
    fn before(self) -> Option<Self> {
        self.before()
    }

    #[inline]
    fn or_better(self, other: Self, objective: Objective) -> Self {
        if other.rank(objective) > self.rank(objective) { other } else { self }
    }

    #[inline]
    fn stored<W: Word>(prober: &mut Prober<'_, W>, pieces: &Pieces<W>) -> Option<Self> {
        match prober.tables.source(Material::from_pieces(pieces))? {
            TableSource::Memory(table) => table.value(pieces),
            TableSource::File(index, file, table) => {
                Self::from_byte(prober.caches.values.byte(file, *table, index.number(pieces))?)
            }
        }
    }
}

impl TableAnswer for TableOutcome {
    fn from_value(value: TableValue, objective: Objective) -> Self {
        value.outcome(objective)
    }

    fn before(self) -> Option<Self> {
        Some(self.before())
    }

    fn or_better(self, other: Self, _: Objective) -> Self {
        self.or_better(other)
    }

    #[inline]
    fn stored<W: Word>(prober: &mut Prober<'_, W>, pieces: &Pieces<W>) -> Option<Self> {
        let material = Material::from_pieces(pieces);
        if prober.tables.source(material).is_some() {
            return Some(TableValue::stored(prober, pieces)?.outcome(prober.objective()));
        }
        let source = prober.tables.result_source(material)?;
        source.result(&mut prober.caches.results, pieces).map(Self::from)
    }
}

impl TableAnswer for Wld {
    fn from_value(value: TableValue, objective: Objective) -> Self {
        Self::from_outcome(value.outcome(objective))
    }

    fn before(self) -> Option<Self> {
        Some(match self {
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
            Self::Loss => Self::Win,
        })
    }

    fn or_better(self, other: Self, _: Objective) -> Self {
        match (self, other) {
            (Self::Win, _) | (_, Self::Win) => Self::Win,
            (Self::Draw, _) | (_, Self::Draw) => Self::Draw,
            (Self::Loss, Self::Loss) => Self::Loss,
        }
    }

    fn is_best(self) -> bool {
        self == Self::Win
    }

    fn stored<W: Word>(prober: &mut Prober<'_, W>, pieces: &Pieces<W>) -> Option<Self> {
        match prober.tables.result_source(Material::from_pieces(pieces)) {
            Some(source) => source.result(&mut prober.caches.results, pieces),
            None => TableValue::stored(prober, pieces).map(|value| Self::from_value(value, prober.objective())),
        }
    }
}

impl<'a, W: Word> Prober<'a, W> {
    /// Creates a prober for `tables`.
    pub fn new(tables: &'a Tables<W>) -> Self {
        Self { tables, lists: Vec::new(), caches: tables.caches.take() }
    }

    fn objective(&self) -> Objective {
        self.tables.rules().spec().objective
    }

    /// Returns whether `position` has no more pieces than the largest table.
    #[inline(always)]
    pub fn covers(&self, position: &Position<W>) -> bool {
        position.pieces().all().count() <= u32::from(self.tables.max_pieces())
    }

    /// Returns the value of `position`, or `None` if it is not in the tables with distances. The value does not depend
    /// on the game history.
    #[inline]
    pub fn value(&mut self, position: &Position<W>) -> Option<TableValue> {
        self.answer(position)
    }

    /// Returns the outcome of `position`, or `None` if it is not in the tables. The outcome does not depend on the game
    /// history. It has no distance if only the tables without distances contain the position or one of its captures.
    #[inline]
    pub fn outcome(&mut self, position: &Position<W>) -> Option<TableOutcome> {
        self.answer(position)
    }

    #[inline]
    fn answer<A: TableAnswer>(&mut self, position: &Position<W>) -> Option<A> {
        let pieces = position.pieces();
        if !self.covers(position) {
            return None;
        }
        match position.side() {
            Color::White => self.answer_of(pieces, 0),
            Color::Black => self.answer_of(&self.tables.board.flipped(pieces), 0),
        }
    }

    /// Returns how a game that begins with `position` ends, or `None` if the position is not in the tables. Wins and
    /// losses are sure only if they come before any draw rule that counts moves can apply. Without a distance, this
    /// must hold for all games with the same pieces and for the games that follow.
    #[inline]
    pub fn verdict(&mut self, position: &Position<W>) -> Option<Verdict> {
        let outcome = self.outcome(position)?;
        let (TableOutcome::Win(plies) | TableOutcome::Loss(plies)) = outcome else {
            return Some(Verdict::Sure(outcome));
        };
        let (left, material) = (position.plies_to_draw(), Material::from_pieces(position.pieces()));
        let limits = self.tables.draw_rule_limits();
        let comes_in_time = match plies {
            Some(plies) => left.is_none_or(|left| u16::from(plies) <= left) && limits.allow(material, plies),
            None => limits.allow_unknown(material, left),
        };
        Some(if comes_in_time { Verdict::Sure(outcome) } else { Verdict::Cursed(outcome) })
    }

    /// Like [`Self::answer_of`], but returns a value.
    pub(super) fn value_of(&mut self, pieces: &Pieces<W>, depth: usize) -> Option<TableValue> {
        self.answer_of(pieces, depth)
    }

    /// Returns the answer for `pieces` with White to move. `depth` is the number of captures since the probed position.
    pub(super) fn answer_of<A: TableAnswer>(&mut self, pieces: &Pieces<W>, depth: usize) -> Option<A> {
        if let Some(value) = self.tables.value_of_end(pieces) {
            return Some(A::from_value(value, self.objective()));
        }
        let rules = self.tables.rules();
        if pieces.black.is_empty() {
            // This can happen only in a position that was set up: in a game, Black is to move after losing the last
            // piece.
            let value = TableValue::END;
            let value = if rules.has_move(pieces, Color::White) { value.before()? } else { value };
            return Some(A::from_value(value, self.objective()));
        }
        if rules.compulsory() && rules.has_capture(pieces, Color::White) {
            self.best_capture(pieces, depth)
        } else {
            A::stored(self, pieces)
        }
    }

    /// Returns the answer for `pieces` with White to move, who must capture.
    pub(super) fn best_capture<A: TableAnswer>(&mut self, pieces: &Pieces<W>, depth: usize) -> Option<A> {
        let rules = self.tables.rules();
        if self.lists.len() <= depth {
            self.lists.resize_with(depth + 1, MoveList::new);
        }
        let mut list = std::mem::take(self.lists.get_mut(depth)?);
        rules.captures(pieces, Color::White, &mut list);
        let objective = rules.spec().objective;
        let mut best: Option<A> = None;
        let mut is_known = true;
        for &mv in list.iter() {
            let after = self.tables.board.after(pieces, mv);
            let Some(answer) = self.answer_of::<A>(&after, depth + 1).and_then(A::before) else {
                is_known = false;
                break;
            };
            best = Some(best.map_or(answer, |best| best.or_better(answer, objective)));
            if answer.is_best() {
                break;
            }
        }
        *self.lists.get_mut(depth)? = list;
        best.filter(|_| is_known)
    }
}

impl<W: Word> Drop for Prober<'_, W> {
    fn drop(&mut self) {
        self.tables.caches.give_back(std::mem::take(&mut self.caches));
    }
}

/// Returns a line of best play, in which the winner plays for the shortest game and the loser for the longest.
///
/// The line ends when the game ends or a table is missing. It is empty if the position is drawn.
pub fn best_line<W: Word>(prober: &mut Prober<'_, W>, position: &Position<W>) -> Vec<Move<W>> {
    let mut line = Vec::new();
    let mut position = *position;
    let mut left = prober.value(&position).and_then(TableValue::plies);
    while let Some(plies) = left.filter(|&plies| plies > 0) {
        let leads_on =
            |mv: &&Move<W>| prober.value(&position.play(**mv)).and_then(TableValue::plies) == Some(plies - 1);
        let moves = position.legal_moves();
        let Some(&mv) = moves.iter().find(leads_on) else { break };
        line.push(mv);
        position = position.play(mv);
        left = Some(plies - 1);
    }
    line
}

pub(super) struct MoveProber<'a, W: Word> {
    pub(super) prober: Prober<'a, W>,
    pub(super) moves: MoveList<W>,
}

impl<'a, W: Word> MoveProber<'a, W> {
    pub(super) fn new(tables: &'a Tables<W>) -> Self {
        Self { prober: Prober::new(tables), moves: MoveList::new() }
    }
}

impl<W: Word> Tables<W> {
    /// Runs `task` for consecutive ranges of the numbers below `size`, and adds the length of each finished range to
    /// `done`. Returns the results in the order of the ranges.
    pub(super) fn in_parts<R: Send>(
        &self,
        pool: Pool<'_>,
        size: u64,
        done: &AtomicU64,
        task: impl Fn(&mut MoveProber<'_, W>, Range<u64>) -> R + Sync,
    ) -> Result<Vec<R>, PoolError> {
        const PART: u64 = 1 << 14;
        let parts = (0..size.div_ceil(PART)).map(|part| part * PART..((part + 1) * PART).min(size));
        let worker = || {
            let (mut tools, task) = (MoveProber::new(self), &task);
            move |numbers: Range<u64>| {
                let length = numbers.end - numbers.start;
                let result = task(&mut tools, numbers);
                done.fetch_add(length, Relaxed);
                result
            }
        };
        pool.map(parts, worker)
    }
}
