//! The pieces on the board as bit sets, and the moves they have.
//!
//! Everything that depends on the side to move takes it as a constant, so that directions fold into shifts.

use super::capture::{CaptureCount, Captures};
use super::{CaptureOrder, Move, MoveList};
use crate::board::{Bits, Direction, Geometry, Square, each_direction};
use crate::rules::{BitsOf, Color, Objective, Rules};

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

/// The square one step from `square` in `direction`, which must be on the board.
#[inline(always)]
pub(super) fn next_square<R: Rules>(square: Square, direction: Direction) -> Square {
    Square::new((square.index() as i8 + R::SPEC.shape.shift(direction)) as u8)
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
        let opponent = self.of(Color::of(!WHITE));
        if R::SPEC.men_capture_kings { opponent } else { opponent & !self.kings }
    }

    /// The squares from which a piece of `prey` right beside them in `direction` can be jumped.
    #[inline(always)]
    pub(super) fn jump_off(prey: BitsOf<R>, empty: BitsOf<R>, direction: Direction) -> BitsOf<R> {
        let back = direction.opposite();
        R::Geometry::step(prey & R::Geometry::step(empty, back), back)
    }

    /// The men of the side to move that can capture.
    #[inline(always)]
    fn capturing_men<const WHITE: bool>(&self) -> BitsOf<R> {
        let (prey, empty) = (self.prey_of_men::<WHITE>(), self.empty());
        let mut able = BitsOf::<R>::EMPTY;
        each_direction!(DIRECTION => {
            if R::SPEC.man_captures(Color::of(WHITE), DIRECTION) {
                able |= Self::jump_off(prey, empty, DIRECTION);
            }
        });
        able & self.men(Color::of(WHITE))
    }

    /// Whether one of the kings of the side to move can capture.
    #[inline(always)]
    fn kings_can_capture<const WHITE: bool>(&self) -> bool {
        let kings = self.kings(Color::of(WHITE));
        if kings.is_empty() {
            return false;
        }
        let prey = self.of(Color::of(!WHITE));
        let empty = self.empty();
        each_direction!(DIRECTION => {
            if R::SPEC.captures.contain(DIRECTION) {
                // All kings fly at once; each step drops those that have met something.
                let target = prey & R::Geometry::step(empty, DIRECTION.opposite());
                let mut flying = R::Geometry::step(kings, DIRECTION);
                loop {
                    if !(flying & target).is_empty() {
                        return true;
                    }
                    flying &= empty;
                    if !R::SPEC.flying_kings || flying.is_empty() {
                        break;
                    }
                    flying = R::Geometry::step(flying, DIRECTION);
                }
            }
        });
        false
    }

    /// Whether the first king has ended the game, where that is the rule.
    #[inline(always)]
    pub(super) fn is_over_by_king(&self) -> bool {
        matches!(R::SPEC.objective, Objective::FirstKing) && !self.kings.is_empty()
    }

    /// Whether the side to move has a capture, and so must capture where that is compulsory.
    #[inline(always)]
    pub fn has_capture<const WHITE: bool>(&self) -> bool {
        !self.capturing_men::<WHITE>().is_empty() || self.kings_can_capture::<WHITE>()
    }

    /// Fills `list` with the legal moves of the side to move. `order` tells whether captures that
    /// differ only in their way are listed once.
    #[inline]
    pub fn moves<const WHITE: bool>(&self, order: CaptureOrder, list: &mut MoveList<R>) {
        list.clear();
        if self.is_over_by_king() {
            return;
        }
        if self.has_capture::<WHITE>() {
            Captures::<R, _, WHITE>::new(self, &mut *list, order).generate();
            if R::SPEC.compulsory {
                return;
            }
        }
        self.visit_quiet_moves::<WHITE>(|mv| list.push(mv));
    }

    /// Fills `list` with the legal captures of the side to move, each once.
    #[inline]
    pub(super) fn captures<const WHITE: bool>(&self, list: &mut MoveList<R>) {
        list.clear();
        if !self.is_over_by_king() {
            Captures::<R, _, WHITE>::new(self, list, CaptureOrder::Merged).generate();
        }
    }

    /// Calls `visit` for every legal move of the side to move; `scratch` is for captures, which are all found before
    /// the first one is visited.
    #[inline(always)]
    pub(super) fn visit_moves<const WHITE: bool>(
        &self,
        order: CaptureOrder,
        scratch: &mut MoveList<R>,
        mut visit: impl FnMut(Move<R>),
    ) {
        if self.is_over_by_king() {
            return;
        }
        if self.has_capture::<WHITE>() {
            scratch.clear();
            Captures::<R, _, WHITE>::new(self, &mut *scratch, order).generate();
            scratch.iter().copied().for_each(&mut visit);
            if R::SPEC.compulsory {
                return;
            }
        }
        self.visit_quiet_moves::<WHITE>(visit);
    }

    /// Number of legal moves of the side to move; `scratch` is for captures that could come by two ways.
    #[inline]
    pub(super) fn count_moves<const WHITE: bool>(&self, order: CaptureOrder, scratch: &mut MoveList<R>) -> u64 {
        if self.is_over_by_king() {
            return 0;
        }
        let mut total = 0;
        if self.has_capture::<WHITE>() {
            scratch.clear();
            let count = CaptureCount { total: 0, long: scratch };
            let mut captures = Captures::<R, _, WHITE>::new(self, count, order);
            captures.generate();
            total = captures.sink.total;
            if R::SPEC.compulsory {
                return total;
            }
        }
        total + u64::from(self.count_quiet_moves::<WHITE>())
    }

    /// Whether the side to move has a legal move.
    #[inline]
    pub fn has_move<const WHITE: bool>(&self) -> bool {
        if self.is_over_by_king() {
            return false;
        }
        let empty = self.empty();
        let men = self.men(Color::of(WHITE));
        let kings = self.kings(Color::of(WHITE));
        let mut reached = BitsOf::<R>::EMPTY;
        each_direction!(DIRECTION => {
            if R::SPEC.man_moves(Color::of(WHITE), DIRECTION) {
                reached |= R::Geometry::step(men, DIRECTION);
            }
            if R::SPEC.moves.contain(DIRECTION) {
                reached |= R::Geometry::step(kings, DIRECTION);
            }
        });
        !(reached & empty).is_empty() || self.has_capture::<WHITE>()
    }

    /// Calls `visit` for every quiet move of the side to move.
    #[inline(always)]
    fn visit_quiet_moves<const WHITE: bool>(&self, mut visit: impl FnMut(Move<R>)) {
        let empty = self.empty();
        let men = self.men(Color::of(WHITE));
        each_direction!(DIRECTION => {
            if R::SPEC.man_moves(Color::of(WHITE), DIRECTION) {
                for to in (R::Geometry::step(men, DIRECTION) & empty).squares() {
                    visit(Move::quiet(next_square::<R>(to, DIRECTION.opposite()), to));
                }
            }
        });
        let kings = self.kings(Color::of(WHITE));
        if kings.is_empty() {
            return;
        }
        // Not unrolled: kings are few, and the code of four directions would crowd out that of men.
        for direction in Direction::ALL {
            if !R::SPEC.moves.contain(direction) {
                continue;
            }
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
        let men = self.men(Color::of(WHITE));
        let mut count = 0;
        each_direction!(DIRECTION => {
            if R::SPEC.man_moves(Color::of(WHITE), DIRECTION) {
                count += (R::Geometry::step(men, DIRECTION) & empty).count();
            }
        });
        let kings = self.kings(Color::of(WHITE));
        if kings.is_empty() {
            return count;
        }
        for direction in Direction::ALL {
            if !R::SPEC.moves.contain(direction) {
                continue;
            }
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
        let far_row = R::Geometry::row(R::SPEC.promotion_row(Color::of(WHITE)));
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
            let crowned_in_passing = R::SPEC.crowns_in_passing() && mv.crowned_in_passing;
            after.kings |= if crowned_in_passing { to } else { to & far_row };
        }
        after
    }
}
