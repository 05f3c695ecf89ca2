//! The pieces on the board as bit sets, and the moves they have.
//!
//! Everything that depends on the side to move takes it as a constant, so that directions fold into shifts.

use super::capture::{CaptureCount, Captures};
use super::{Move, MoveList};
use crate::board::{Bits, Direction, Geometry, Square};
use crate::rules::{BitsOf, Color, Rules};

/// The pieces of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pieces<R: Rules> {
    /// Men and kings of White.
    pub white: BitsOf<R>,
    /// Men and kings of Black.
    pub black: BitsOf<R>,
    /// Kings of both sides.
    pub kings: BitsOf<R>,
}

/// The color of the side to move, from the constant.
pub(super) const fn color_of(white: bool) -> Color {
    if white { Color::White } else { Color::Black }
}

/// The square one step from `square` in `direction`, which must be on the board.
#[inline(always)]
pub(super) fn next_square<R: Rules>(square: Square, direction: Direction) -> Square {
    let short = R::SPEC.shape.row_length();
    let index = square.index() as u8;
    Square::new(match direction {
        Direction::UpLeft => index - short - 1,
        Direction::UpRight => index - short,
        Direction::DownLeft => index + short,
        Direction::DownRight => index + short + 1,
    })
}

impl<R: Rules> Pieces<R> {
    /// Men and kings of `color`.
    #[inline(always)]
    pub fn of(&self, color: Color) -> BitsOf<R> {
        match color {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }

    /// Men of `color`.
    #[inline(always)]
    pub fn men(&self, color: Color) -> BitsOf<R> {
        self.of(color) & !self.kings
    }

    /// Kings of `color`.
    #[inline(always)]
    pub fn kings(&self, color: Color) -> BitsOf<R> {
        self.of(color) & self.kings
    }

    /// Empty playable squares.
    #[inline(always)]
    pub fn empty(&self) -> BitsOf<R> {
        R::Geometry::all() & !(self.white | self.black)
    }

    /// What a man of the side to move may capture.
    #[inline(always)]
    pub(super) fn prey_of_men<const WHITE: bool>(&self) -> BitsOf<R> {
        let opponent = self.of(color_of(!WHITE));
        if R::SPEC.men_capture_kings { opponent } else { opponent & !self.kings }
    }

    /// The directions in which a man of the side to move captures.
    #[inline(always)]
    pub(super) fn man_directions<const WHITE: bool>() -> &'static [Direction] {
        const WHITE_FORWARD: &[Direction] = &Color::White.forward();
        const BLACK_FORWARD: &[Direction] = &Color::Black.forward();
        if R::SPEC.men_capture_backward {
            &Direction::ALL
        } else if WHITE {
            WHITE_FORWARD
        } else {
            BLACK_FORWARD
        }
    }

    /// Those of `jumpers` that can take a piece of `prey` right beside them in one of `directions`.
    #[inline(always)]
    fn short_jumpers(jumpers: BitsOf<R>, prey: BitsOf<R>, empty: BitsOf<R>, directions: &[Direction]) -> BitsOf<R> {
        let mut able = BitsOf::<R>::EMPTY;
        for &direction in directions {
            let back = direction.opposite();
            able |= R::Geometry::step(prey & R::Geometry::step(empty, back), back);
        }
        able & jumpers
    }

    /// The men of the side to move that can capture.
    #[inline(always)]
    pub(super) fn capturing_men<const WHITE: bool>(&self) -> BitsOf<R> {
        let men = self.men(color_of(WHITE));
        Self::short_jumpers(men, self.prey_of_men::<WHITE>(), self.empty(), Self::man_directions::<WHITE>())
    }

    /// Whether one of the kings of the side to move can capture.
    #[inline(always)]
    fn kings_can_capture<const WHITE: bool>(&self) -> bool {
        let kings = self.kings(color_of(WHITE));
        if kings.is_empty() {
            return false;
        }
        let prey = self.of(color_of(!WHITE));
        let empty = self.empty();
        if !R::SPEC.flying_kings {
            return !Self::short_jumpers(kings, prey, empty, &Direction::ALL).is_empty();
        }
        Direction::ALL.into_iter().any(|direction| {
            // All kings fly at once; each step drops those that have met something.
            let target = prey & R::Geometry::step(empty, direction.opposite());
            let mut flying = R::Geometry::step(kings, direction);
            loop {
                if !(flying & target).is_empty() {
                    return true;
                }
                flying &= empty;
                if flying.is_empty() {
                    return false;
                }
                flying = R::Geometry::step(flying, direction);
            }
        })
    }

    /// Whether the side to move has a capture, and so must capture.
    #[inline(always)]
    pub fn has_capture<const WHITE: bool>(&self) -> bool {
        !self.capturing_men::<WHITE>().is_empty() || self.kings_can_capture::<WHITE>()
    }

    /// Fills `list` with the legal moves of the side to move. With `MERGE`, captures that differ only in their way are
    /// listed once.
    #[inline]
    pub fn moves<const WHITE: bool, const MERGE: bool>(&self, list: &mut MoveList<R>) {
        list.clear();
        if self.has_capture::<WHITE>() {
            Captures::<R, _, WHITE, MERGE>::new(self, list).generate();
        } else {
            self.visit_quiet_moves::<WHITE>(|mv| list.push(mv));
        }
    }

    /// Calls `visit` for every legal move of the side to move; `scratch` is for captures, which are all found before
    /// the first one is visited.
    #[inline(always)]
    pub(super) fn visit_moves<const WHITE: bool, const MERGE: bool>(
        &self,
        scratch: &mut MoveList<R>,
        mut visit: impl FnMut(Move<R>),
    ) {
        if self.has_capture::<WHITE>() {
            scratch.clear();
            Captures::<R, _, WHITE, MERGE>::new(self, &mut *scratch).generate();
            scratch.iter().copied().for_each(visit);
        } else {
            self.visit_quiet_moves::<WHITE>(&mut visit);
        }
    }

    /// Number of legal moves of the side to move; `scratch` is for captures that could come by two ways.
    #[inline]
    pub(super) fn count_moves<const WHITE: bool, const MERGE: bool>(&self, scratch: &mut MoveList<R>) -> u64 {
        if self.has_capture::<WHITE>() {
            scratch.clear();
            let count = CaptureCount { total: 0, long: scratch };
            let mut captures = Captures::<R, _, WHITE, MERGE>::new(self, count);
            captures.generate();
            captures.sink.total
        } else {
            u64::from(self.count_quiet_moves::<WHITE>())
        }
    }

    /// Whether the side to move has a legal move.
    #[inline]
    pub fn has_move<const WHITE: bool>(&self) -> bool {
        let empty = self.empty();
        let men = self.men(color_of(WHITE));
        let forward = color_of(WHITE).forward();
        let quiet = forward.iter().any(|&d| !(R::Geometry::step(men, d) & empty).is_empty());
        let kings = self.kings(color_of(WHITE));
        quiet
            || Direction::ALL.iter().any(|&d| !(R::Geometry::step(kings, d) & empty).is_empty())
            || self.has_capture::<WHITE>()
    }

    /// Calls `visit` for every quiet move of the side to move.
    #[inline(always)]
    fn visit_quiet_moves<const WHITE: bool>(&self, mut visit: impl FnMut(Move<R>)) {
        let empty = self.empty();
        let men = self.men(color_of(WHITE));
        for direction in color_of(WHITE).forward() {
            for to in (R::Geometry::step(men, direction) & empty).squares() {
                visit(Move::quiet(next_square::<R>(to, direction.opposite()), to));
            }
        }
        let kings = self.kings(color_of(WHITE));
        if kings.is_empty() {
            return;
        }
        for direction in Direction::ALL {
            if R::SPEC.flying_kings {
                for from in kings.squares() {
                    let mut to = R::Geometry::step(BitsOf::<R>::of(from), direction) & empty;
                    while !to.is_empty() {
                        visit(Move::quiet(from, to.first()));
                        to = R::Geometry::step(to, direction) & empty;
                    }
                }
            } else {
                for to in (R::Geometry::step(kings, direction) & empty).squares() {
                    visit(Move::quiet(next_square::<R>(to, direction.opposite()), to));
                }
            }
        }
    }

    #[inline(always)]
    fn count_quiet_moves<const WHITE: bool>(&self) -> u32 {
        let empty = self.empty();
        let men = self.men(color_of(WHITE));
        let [left, right] = color_of(WHITE).forward();
        let mut count =
            (R::Geometry::step(men, left) & empty).count() + (R::Geometry::step(men, right) & empty).count();
        let kings = self.kings(color_of(WHITE));
        if kings.is_empty() {
            return count;
        }
        for direction in Direction::ALL {
            // Each round counts one more step of every king; two kings never meet on one square of the same line.
            let mut flying = R::Geometry::step(kings, direction) & empty;
            count += flying.count();
            while R::SPEC.flying_kings && !flying.is_empty() {
                flying = R::Geometry::step(flying, direction) & empty;
                count += flying.count();
            }
        }
        count
    }

    /// The pieces after the legal move `mv` of the side to move.
    #[inline(always)]
    pub fn play<const WHITE: bool>(&self, mv: Move<R>) -> Self {
        let from = BitsOf::<R>::of(mv.from);
        let to = BitsOf::<R>::of(mv.to);
        // A capture can end where it began: then this is empty and nothing moves.
        let moved = from ^ to;
        let by_king = !(self.kings & from).is_empty();
        let far_row = R::Geometry::row(R::SPEC.promotion_row(color_of(WHITE)));
        let mut after = *self;
        if WHITE {
            after.white ^= moved;
            after.black &= !mv.captured;
        } else {
            after.black ^= moved;
            after.white &= !mv.captured;
        }
        after.kings &= !mv.captured;
        if by_king {
            after.kings ^= moved;
        } else {
            after.kings |= to & far_row;
        }
        after
    }
}
