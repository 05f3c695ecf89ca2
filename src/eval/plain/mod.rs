//! Plain evaluations: what students' programs count, each by its name.
//!
//! Four published reports on draughts programs describe them in words. [`points`] holds all their numbers, [`regions`] the
//! parts of the board that they refer to; both say what was chosen where a report is not specific. Values are in 1/100 man,
//! whatever unit the report uses.
//!
//! Some reward moves, not positions. That part is counted along the line by [`Plain::of_move`], which only the plain
//! players do: the full search comes to a position by many lines, and sees of it what the position shows.

mod distance;
mod kind;
mod neighbours;
mod points;
mod regions;
#[cfg(test)]
mod tests;

pub use kind::PlainKind;

use super::MAX_EVALUATION;
use crate::position::{Move, Pieces, Position};
use crate::rules::{Color, Objective, RuleSet, Word};
use regions::Regions;

/// A plain evaluation, from one side's point of view: many give different numbers to the own pieces and those of the enemy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plain {
    kind: PlainKind,
    spec: &'static RuleSet,
    regions: Regions,
    /// The random seed; 0 for evaluations without randomness.
    seed: u64,
}

impl Plain {
    /// The evaluation of this kind for the game by the rules `spec`; `seed` only matters to the one that adds chance.
    pub fn new(kind: PlainKind, seed: u64, spec: &'static RuleSet) -> Self {
        let regions = Regions::of(spec);
        // Without randomness all searches can share table entries.
        Self { kind, spec, regions, seed: if matches!(kind, PlainKind::Random) { seed } else { 0 } }
    }

    /// What it counts.
    pub const fn kind(&self) -> PlainKind {
        self.kind
    }

    /// Whether moves count, and not only the position that they lead to.
    pub const fn counts_moves(&self) -> bool {
        matches!(self.kind, PlainKind::Moves | PlainKind::Offensive | PlainKind::Kings)
    }

    /// The value of a position with these `pieces` as `own` sees it. Where the aim is to lose, what is good elsewhere is bad.
    #[inline]
    pub fn of_pieces<W: Word>(&self, pieces: &Pieces<W>, own: Color) -> i32 {
        let value = match self.kind {
            PlainKind::Material | PlainKind::Standard => points::material(pieces, own, points::KING),
            PlainKind::Moves => points::material(pieces, own, points::moves::KING),
            _ => self.of_features(pieces, own),
        };
        self.turned(value)
    }

    #[inline(never)]
    fn of_features<W: Word>(&self, pieces: &Pieces<W>, own: Color) -> i32 {
        let beyond = match self.kind {
            PlainKind::Material | PlainKind::Standard | PlainKind::Moves => 0,
            PlainKind::Advance => points::advance::value(&self.regions, pieces, own),
            PlainKind::Distance => distance::value(self.spec, pieces, own),
            PlainKind::Random => points::random::value(pieces, self.seed ^ own as u64),
            PlainKind::Centrality => points::centrality::value(&self.regions, pieces, own),
            PlainKind::BackRows => points::back_rows::value(&self.regions, pieces, own),
            PlainKind::Complete => points::complete::value(self.spec, &self.regions, pieces, own),
            PlainKind::Offensive => points::offensive::value(&self.regions, pieces, own),
            PlainKind::Defensive => points::defensive::value(self.spec, pieces, own),
            PlainKind::Kings => points::kings::value(self.spec, &self.regions, pieces, own),
        };
        points::material(pieces, own, points::KING) + beyond
    }

    /// The bonus for the move `mv` in `position`, for the side that makes it, on top of the position it leads to.
    #[inline]
    pub fn of_move<W: Word>(&self, position: &Position<W>, mv: Move<W>) -> i32 {
        let by_king = position.pieces().kings.contains(mv.from);
        self.turned(match self.kind {
            PlainKind::Moves if !by_king && !mv.is_capture() && self.changes_row(mv) => points::moves::ADVANCE,
            PlainKind::Offensive if mv.is_capture() => points::offensive::CAPTURE,
            PlainKind::Kings if mv.is_capture() && by_king => points::kings::CAPTURE_BY_KING,
            PlainKind::Kings if mv.is_capture() => points::kings::CAPTURE_BY_MAN,
            _ => 0,
        })
    }

    /// The value, negated where the aim is to lose all pieces.
    #[inline(always)]
    fn turned(&self, value: i32) -> i32 {
        if matches!(self.spec.objective, Objective::Losing) { -value } else { value }
    }

    /// Whether a move of a man goes forward, and not sideways.
    fn changes_row<W: Word>(&self, mv: Move<W>) -> bool {
        self.spec.shape.row(mv.from) != self.spec.shape.row(mv.to)
    }

    /// Half the difference between the views of the side to move and its opponent: antisymmetric, as the full search needs it.
    pub fn evaluate<W: Word>(&self, position: &Position<W>) -> i32 {
        let side = position.side();
        let difference = self.of_pieces(position.pieces(), side) - self.of_pieces(position.pieces(), side.opponent());
        (difference / 2).clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }

    /// The parts of which [`Plain::evaluate`] is the sum.
    pub fn terms<W: Word>(&self, position: &Position<W>) -> Vec<(&'static str, i32)> {
        let material = Self::new(PlainKind::Material, 0, self.spec).evaluate(position);
        vec![("material", material), (self.kind.name(), self.evaluate(position) - material)]
    }

    /// A number that tells this evaluation from others.
    pub fn salt(&self) -> u64 {
        // Any numbers will do, as long as no two kinds and seeds share one.
        (self.kind as u64 + 1).wrapping_mul(0x9e6c_63d0_985b_2d4f) ^ self.seed.rotate_left(17)
    }
}

/// How many pieces of `set` stand in the region `mask`.
#[inline(always)]
fn within<W: Word>(set: W, mask: u128) -> i32 {
    (set & W::from_mask(mask)).count() as i32
}

/// All pieces of `own` and all of its opponent.
#[inline(always)]
fn both<W: Word>(pieces: &Pieces<W>, own: Color) -> (W, W) {
    (pieces.of(own), pieces.of(own.opponent()))
}
