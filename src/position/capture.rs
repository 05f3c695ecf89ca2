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

/// Where finished captures go.
pub(super) trait Sink<R: Rules> {
    /// Forgets what it has: a capture of a higher rank was found.
    fn clear(&mut self);

    /// Takes one more capture of `count` pieces. With `MERGE`, one that it already has by another way is ignored.
    fn add<const MERGE: bool>(&mut self, mv: Move<R>, count: u32);
}

impl<R: Rules> Sink<R> for &mut MoveList<R> {
    #[inline(always)]
    fn clear(&mut self) {
        MoveList::clear(self);
    }

    #[inline(always)]
    fn add<const MERGE: bool>(&mut self, mv: Move<R>, count: u32) {
        if !(MERGE && count >= FEWEST_PIECES_OF_TWO_WAYS && self.contains(&mv)) {
            self.push(mv);
        }
    }
}

/// Counts captures, and keeps only those that could come by two ways.
pub(super) struct CaptureCount<'a, R: Rules> {
    pub(super) total: u64,
    pub(super) long: &'a mut MoveList<R>,
}

impl<R: Rules> Sink<R> for CaptureCount<'_, R> {
    #[inline(always)]
    fn clear(&mut self) {
        self.total = 0;
        // The same pieces in a better order are the same move of a higher rank.
        self.long.clear();
    }

    #[inline(always)]
    fn add<const MERGE: bool>(&mut self, mv: Move<R>, count: u32) {
        if MERGE && count >= FEWEST_PIECES_OF_TWO_WAYS {
            if self.long.contains(&mv) {
                return;
            }
            self.long.push(mv);
        }
        self.total += 1;
    }
}

/// The walk, with what stays the same during the sequences of one piece.
pub(super) struct Captures<'a, R: Rules, S, const WHITE: bool, const MERGE: bool> {
    pieces: &'a Pieces<R>,
    pub(super) sink: S,
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

impl<'a, R: Rules, S: Sink<R>, const WHITE: bool, const MERGE: bool> Captures<'a, R, S, WHITE, MERGE> {
    /// A walk that ends in `sink`, which must be empty.
    #[inline(always)]
    pub(super) fn new(pieces: &'a Pieces<R>, sink: S) -> Self {
        let none = BitsOf::<R>::EMPTY;
        Self { pieces, sink, best: 0, from: Square::new(0), prey: none, free: none }
    }

    /// Finds all captures of the side to move.
    #[inline(always)]
    pub(super) fn generate(&mut self) {
        let kings = self.pieces.kings(color_of(WHITE));
        if !kings.is_empty() {
            self.prey = self.pieces.of(color_of(!WHITE));
            for king in kings.squares() {
                let (at, taken) = self.lift(king, true);
                if R::SPEC.flying_kings {
                    for direction in Direction::ALL {
                        self.fly(at, direction, taken);
                    }
                } else {
                    self.jump::<false>(at, taken);
                }
            }
        }
        self.prey = self.pieces.prey_of_men::<WHITE>();
        let men = self.pieces.men(color_of(WHITE));
        let empty = self.pieces.empty();
        // Written out, as in `jump`.
        self.start_men(Direction::UpLeft, men, empty);
        self.start_men(Direction::UpRight, men, empty);
        self.start_men(Direction::DownLeft, men, empty);
        self.start_men(Direction::DownRight, men, empty);
    }

    /// Finds the captures of those `men` that begin in `direction`.
    #[inline(always)]
    fn start_men(&mut self, direction: Direction, men: BitsOf<R>, empty: BitsOf<R>) {
        if !Self::captures_towards::<true>(direction) {
            return;
        }
        let back = direction.opposite();
        let able = R::Geometry::step(self.prey & R::Geometry::step(empty, back), back) & men;
        for man in able.squares() {
            let (at, taken) = self.lift(man, false);
            self.jump_towards::<true>(at, direction, taken);
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

    /// Whether a man, or a king that is not a flying one, captures in `direction`.
    #[inline(always)]
    fn captures_towards<const MAN: bool>(direction: Direction) -> bool {
        !MAN || R::SPEC.men_capture_backward || (direction.rows() < 0) == WHITE
    }

    /// Goes on from `at` with short jumps in every direction.
    fn jump<const MAN: bool>(&mut self, at: BitsOf<R>, taken: Taken<R>) {
        // Written out so that every direction is a constant: a third fewer instructions in perft than a loop.
        self.jump_towards::<MAN>(at, Direction::UpLeft, taken);
        self.jump_towards::<MAN>(at, Direction::UpRight, taken);
        self.jump_towards::<MAN>(at, Direction::DownLeft, taken);
        self.jump_towards::<MAN>(at, Direction::DownRight, taken);
    }

    /// Jumps from `at` in `direction`, if that is possible, and goes on until the sequence is complete.
    #[inline(always)]
    fn jump_towards<const MAN: bool>(&mut self, at: BitsOf<R>, direction: Direction, taken: Taken<R>) {
        if !Self::captures_towards::<MAN>(direction) {
            return;
        }
        let prey = R::Geometry::step(at, direction) & self.prey & !taken.pieces;
        let landing = R::Geometry::step(prey, direction) & self.free;
        if landing.is_empty() {
            return;
        }
        let taken = self.take(taken, prey);
        let is_complete = (MAN && Self::is_crowned_at(landing)) || !self.can_jump::<MAN>(landing, taken.pieces);
        if is_complete {
            self.finish(landing.first(), taken);
        } else {
            self.jump::<MAN>(landing, taken);
        }
    }

    /// Whether a piece on `at` that has taken `taken` can jump on. Without a branch: most captures end here.
    #[inline(always)]
    fn can_jump<const MAN: bool>(&self, at: BitsOf<R>, taken: BitsOf<R>) -> bool {
        let prey = self.prey & !taken;
        let landing = |direction| {
            if Self::captures_towards::<MAN>(direction) {
                R::Geometry::step(R::Geometry::step(at, direction) & prey, direction)
            } else {
                BitsOf::<R>::EMPTY
            }
        };
        let up = landing(Direction::UpLeft) | landing(Direction::UpRight);
        let down = landing(Direction::DownLeft) | landing(Direction::DownRight);
        !((up | down) & self.free).is_empty()
    }

    #[inline(always)]
    fn is_crowned_at(landing: BitsOf<R>) -> bool {
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
                self.finish(to, taken);
            }
        }
        true
    }

    #[inline(always)]
    fn finish(&mut self, to: Square, taken: Taken<R>) {
        if taken.rank < self.best {
            return;
        }
        if taken.rank > self.best {
            self.best = taken.rank;
            self.sink.clear();
        }
        self.sink.add::<MERGE>(Move { captured: taken.pieces, from: self.from, to }, taken.count);
    }
}
