//! Pieces as bitboards, and the moves and move lists of the fast generator.

use crate::board::{Direction, Square};
use crate::rules::{Color, Family, RuleSet, Word};
use derive_more::{Deref, DerefMut};

/// The pieces of both sides, as three bitboards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pieces<W> {
    /// White's men and kings.
    pub white: W,
    /// Black's men and kings.
    pub black: W,
    /// Kings of both sides.
    pub kings: W,
}

impl<W: Word> Pieces<W> {
    /// Returns the men and kings of `color`.
    #[inline(always)]
    pub fn side(&self, color: Color) -> W {
        match color {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }

    /// Returns the men of `color`.
    #[inline(always)]
    pub fn men(&self, color: Color) -> W {
        self.side(color) & !self.kings
    }

    /// Returns the kings of `color`.
    #[inline(always)]
    pub fn kings(&self, color: Color) -> W {
        self.side(color) & self.kings
    }

    /// Returns the men and kings of both sides.
    #[inline(always)]
    pub fn all(&self) -> W {
        self.white | self.black
    }

    #[inline(always)]
    pub(super) fn after(&self, color: Color, mv: Move<W>, far_row: W) -> Self {
        let from = W::from_square(mv.from);
        let to = W::from_square(mv.to);
        // A capture can end where it began. In this case `moved` is empty and the piece stays in its place.
        let moved = from ^ to;
        let by_king = !(self.kings & from).is_empty();
        let mut after = *self;
        match color {
            Color::White => {
                after.white ^= moved;
                after.black &= !mv.captured;
            }
            Color::Black => {
                after.black ^= moved;
                after.white &= !mv.captured;
            }
        }
        after.kings &= !mv.captured;
        if by_king {
            after.kings ^= moved;
        } else {
            after.kings |= if mv.crowned_in_passing { to } else { to & far_row };
        }
        after
    }
}

/// A legal move. Captures that differ only in their route are the same move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move<W> {
    /// The captured pieces, or an empty set for a quiet move.
    pub captured: W,
    /// Origin square.
    pub from: Square,
    /// Destination square. It is equal to `from` if a capture ends where it began.
    pub to: Square,
    /// Whether a man was crowned during the move but did not end the move on the far row.
    pub crowned_in_passing: bool,
}

impl<W: Word> Move<W> {
    /// Creates a move without captures.
    #[inline(always)]
    pub fn quiet(from: Square, to: Square) -> Self {
        Self { captured: W::EMPTY, from, to, crowned_in_passing: false }
    }

    /// Returns whether the move captures a piece.
    #[inline(always)]
    pub fn is_capture(self) -> bool {
        !self.captured.is_empty()
    }

    /// Returns the move with its captured pieces as a `u128`, which is wide enough for every board.
    #[inline]
    pub fn widened(self) -> Move<u128> {
        let Self { captured, from, to, crowned_in_passing } = self;
        Move { captured: captured.mask(), from, to, crowned_in_passing }
    }

    /// Packs the move into 16 bits for the transposition table: both squares and a 2-bit hash of the captured pieces.
    /// The code 0 means that there is no move.
    #[inline(always)]
    pub fn code(self) -> u16 {
        let taken = self.captured.fold().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 62;
        self.from.index() as u16 | (self.to.index() as u16) << 7 | (taken as u16) << 14
    }
}

impl Move<u128> {
    /// Converts a move that was returned by [`Move::widened`] back to a move for bitboards of type `W`.
    pub fn narrowed<W: Word>(self) -> Move<W> {
        let Self { captured, from, to, crowned_in_passing } = self;
        Move { captured: W::from_mask(captured), from, to, crowned_in_passing }
    }
}

/// How captures of the same pieces by different routes are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptureOrder {
    /// They count as a single move, as in a real game.
    Merged,
    /// They count as different moves.
    Counted,
}

/// A reusable list of moves. Refilling the list rarely allocates memory.
#[derive(Clone, Debug, Default, Deref, DerefMut)]
pub struct MoveList<W>(
    #[deref(forward)]
    #[deref_mut(forward)]
    Vec<Move<W>>,
);

impl<W: Word> MoveList<W> {
    /// Initial capacity, which suffices for ordinary positions. Composed positions can have more moves.
    const INITIAL_CAPACITY: usize = 64;

    /// Creates an empty list with capacity for an ordinary position.
    pub fn new() -> Self {
        Self(Vec::with_capacity(Self::INITIAL_CAPACITY))
    }

    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.0.clear();
        // A list that was left behind by `mem::take` has no capacity.
        if self.0.capacity() == 0 {
            self.0.reserve_exact(Self::INITIAL_CAPACITY);
        }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, mv: Move<W>) {
        self.0.push(mv);
    }

    /// Keeps the moves for which `wanted` returns true.
    pub fn retain(&mut self, wanted: impl FnMut(&Move<W>) -> bool) {
        self.0.retain(wanted);
    }
}

/// The pieces from the point of view of one side. The code is compiled for each rule family and colour.
///
/// The side to move is a constant, so that directions become constant shifts.
#[derive(Clone, Copy)]
pub(super) struct Side<'a, F: Family, const WHITE: bool> {
    pub(super) pieces: &'a Pieces<F::Word>,
    pub(super) spec: &'static RuleSet,
}

impl<F: Family, const WHITE: bool> Side<'_, F, WHITE> {
    #[inline(always)]
    pub(super) fn empty(&self) -> F::Word {
        F::all() & !self.pieces.all()
    }

    #[inline(always)]
    pub(super) fn capturable_by_men(&self) -> F::Word {
        let opponent = self.pieces.side(Color::from_is_white(!WHITE));
        if F::RULES.men_capture_kings { opponent } else { opponent & !self.pieces.kings }
    }

    /// Returns the squares from which a piece can jump over an adjacent piece of `targets` in `direction`.
    #[inline(always)]
    pub(super) fn jump_off(targets: F::Word, empty: F::Word, direction: Direction) -> F::Word {
        let back = direction.opposite();
        F::step(targets & F::step(empty, back), back)
    }
}
