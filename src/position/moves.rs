//! A move of the fast generator, and a list of them.

use crate::board::{Bits, Square};
use crate::rules::{BitsOf, Rules};

/// A legal move: where a piece goes and what it takes. Captures that take the same pieces by another way are the same
/// move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move<R: Rules> {
    /// The pieces taken.
    pub captured: BitsOf<R>,
    /// The square that the piece leaves.
    pub from: Square,
    /// The square where it comes to rest; a capture can end where it began.
    pub to: Square,
    /// Whether a man was crowned on its way and does not rest on its promotion row.
    pub crowned_in_passing: bool,
}

impl<R: Rules> Move<R> {
    /// A move that takes nothing.
    #[inline(always)]
    pub fn quiet(from: Square, to: Square) -> Self {
        Self { captured: BitsOf::<R>::EMPTY, from, to, crowned_in_passing: false }
    }

    /// Whether the move takes a piece.
    #[inline(always)]
    pub fn is_capture(self) -> bool {
        !self.captured.is_empty()
    }

    /// The move in 16 bits, for the transposition table: exact for the squares, two bits for what was taken. 0 is no
    /// move.
    #[inline(always)]
    pub fn code(self) -> u16 {
        let taken = self.captured.fold().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 62;
        self.from.index() as u16 | (self.to.index() as u16) << 7 | (taken as u16) << 14
    }
}

/// A reusable list of moves; filling it again allocates nothing.
#[derive(Clone, Debug)]
pub struct MoveList<R: Rules>(Vec<Move<R>>);

impl<R: Rules> MoveList<R> {
    /// Room for the moves of an ordinary position; crafted positions can have more, and the list then grows.
    const USUAL: usize = 64;

    /// An empty list.
    pub fn new() -> Self {
        Self(Vec::with_capacity(Self::USUAL))
    }

    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    #[inline(always)]
    pub(super) fn push(&mut self, mv: Move<R>) {
        self.0.push(mv);
    }

    /// Keeps the moves for which `wanted` returns true.
    pub fn retain(&mut self, wanted: impl FnMut(&Move<R>) -> bool) {
        self.0.retain(wanted);
    }
}

impl<R: Rules> Default for MoveList<R> {
    /// An empty list without room, which costs nothing: what stays behind when a list is taken out of its place.
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<R: Rules> std::ops::Deref for MoveList<R> {
    type Target = [Move<R>];

    #[inline(always)]
    fn deref(&self) -> &[Move<R>] {
        &self.0
    }
}

impl<R: Rules> std::ops::DerefMut for MoveList<R> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [Move<R>] {
        &mut self.0
    }
}
