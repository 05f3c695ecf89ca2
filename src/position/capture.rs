//! Capture sequences of the fast generator.
//!
//! A depth-first walk over bit sets. Captured pieces stay on the board until the move is over: they block the way and
//! cannot be taken twice, while the square that the moving piece left is free.

use super::pieces::color_of;
use super::{Move, MoveList, Pieces};
use crate::board::{Bits, Direction, Geometry, Square};
use crate::rules::{BitsOf, Promotion, Rules};

/// Two ways of one king around the same pieces need at least this many of them: with fewer, each order of capture
/// starts or ends on another square.
const FEWEST_PIECES_OF_TWO_WAYS: u32 = 4;

/// The walk, with what stays the same during the sequences of one piece.
pub(super) struct Captures<'a, R: Rules, const WHITE: bool, const MERGE: bool> {
    pieces: &'a Pieces<R>,
    list: &'a mut MoveList<R>,
    /// Highest rank seen so far; captures of a lower one are not legal.
    best: u32,
    from: Square,
    /// What the piece under way may take.
    prey: BitsOf<R>,
    /// Empty squares, and the one the piece has left.
    free: BitsOf<R>,
}

/// What has been taken on the way so far.
#[derive(Clone, Copy)]
struct Taken<R: Rules> {
    pieces: BitsOf<R>,
    count: u32,
    rank: u32,
}

impl<'a, R: Rules, const WHITE: bool, const MERGE: bool> Captures<'a, R, WHITE, MERGE> {
    /// A walk that appends to `list`, which must be empty.
    #[inline(always)]
    pub(super) fn new(pieces: &'a Pieces<R>, list: &'a mut MoveList<R>) -> Self {
        let none = BitsOf::<R>::EMPTY;
        Self { pieces, list, best: 0, from: Square::new(0), prey: none, free: none }
    }

    /// Lists the captures of `men`, all of which can capture, and of `kings`.
    #[inline(always)]
    pub(super) fn generate(mut self, men: BitsOf<R>, kings: BitsOf<R>) {
        self.prey = self.pieces.of(color_of(!WHITE));
        for king in kings.squares() {
            let (at, taken) = self.lift(king, true);
            if R::SPEC.flying_kings {
                for direction in Direction::ALL {
                    self.fly(at, direction, taken);
                }
            } else {
                self.jump(at, taken, &Direction::ALL, false);
            }
        }
        self.prey = self.pieces.prey_of_men::<WHITE>();
        for man in men.squares() {
            let (at, taken) = self.lift(man, false);
            self.jump(at, taken, Pieces::<R>::man_directions::<WHITE>(), true);
        }
    }

    /// Takes the piece on `square` from the board for the time of its sequences.
    #[inline(always)]
    fn lift(&mut self, square: Square, by_king: bool) -> (BitsOf<R>, Taken<R>) {
        let at = BitsOf::<R>::of(square);
        self.from = square;
        self.free = self.pieces.empty() | at;
        (at, Taken { pieces: BitsOf::<R>::EMPTY, count: 0, rank: R::SPEC.precedence.start(by_king) })
    }

    #[inline(always)]
    fn take(&self, taken: Taken<R>, prey: BitsOf<R>) -> Taken<R> {
        let king = !(prey & self.pieces.kings).is_empty();
        Taken {
            pieces: taken.pieces | prey,
            count: taken.count + 1,
            rank: R::SPEC.precedence.add(taken.rank, taken.count, king),
        }
    }

    /// Goes on from `at` with short jumps, and lists the sequence where it cannot go on.
    fn jump(&mut self, at: BitsOf<R>, taken: Taken<R>, directions: &[Direction], by_man: bool) {
        let mut goes_on = false;
        let prey_left = self.prey & !taken.pieces;
        for &direction in directions {
            let prey = R::Geometry::step(at, direction) & prey_left;
            let landing = R::Geometry::step(prey, direction) & self.free;
            if landing.is_empty() {
                continue;
            }
            goes_on = true;
            let taken = self.take(taken, prey);
            if by_man && self.is_crowned_at(landing) {
                self.list_move(landing.first(), taken);
            } else {
                self.jump(landing, taken, directions, by_man);
            }
        }
        if !goes_on && taken.count > 0 {
            self.list_move(at.first(), taken);
        }
    }

    #[inline(always)]
    fn is_crowned_at(&self, landing: BitsOf<R>) -> bool {
        R::SPEC.promotion == Promotion::EndsMove
            && !(landing & R::Geometry::row(R::SPEC.promotion_row(color_of(WHITE)))).is_empty()
    }

    /// Flies from `at` in `direction` to the first piece; if that can be taken, takes it and goes on from every square
    /// behind it. Returns whether it could.
    fn fly(&mut self, at: BitsOf<R>, direction: Direction, taken: Taken<R>) -> bool {
        let mut next = R::Geometry::step(at, direction);
        while !(next & self.free).is_empty() {
            next = R::Geometry::step(next, direction);
        }
        let prey = next & self.prey & !taken.pieces;
        let mut landing = R::Geometry::step(prey, direction) & self.free;
        if landing.is_empty() {
            return false;
        }
        let taken = self.take(taken, prey);
        let mut landings = BitsOf::<R>::EMPTY;
        let mut goes_on = false;
        let mut last = landing;
        while !landing.is_empty() {
            landings |= landing;
            last = landing;
            for turn in direction.turns() {
                goes_on |= self.fly(landing, turn, taken);
            }
            landing = R::Geometry::step(landing, direction) & self.free;
        }
        // Straight on is one way, wherever in between the king is thought to stop.
        goes_on |= self.fly(last, direction, taken);
        if !goes_on {
            for to in landings.squares() {
                self.list_move(to, taken);
            }
        }
        true
    }

    #[inline(always)]
    fn list_move(&mut self, to: Square, taken: Taken<R>) {
        if taken.rank < self.best {
            return;
        }
        if taken.rank > self.best {
            self.best = taken.rank;
            self.list.clear();
        }
        let mv = Move { captured: taken.pieces, from: self.from, to };
        if MERGE && taken.count >= FEWEST_PIECES_OF_TWO_WAYS && self.list.contains(&mv) {
            return;
        }
        self.list.push(mv);
    }
}
