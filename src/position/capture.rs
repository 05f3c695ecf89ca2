//! Capture sequences of the fast generator.
//!
//! A depth-first walk over bit sets. Where captured pieces stay on the board until the move is over, they block the way
//! and cannot be taken twice, while the square that the moving piece left is free.

use super::{CaptureOrder, Move, MoveList, Pieces};
use crate::board::{Bits, Direction, Geometry, Lines, Square, each_direction};
use crate::rules::{BitsOf, Color, Landing, Promotion, Removal, RuleSet, Rules};

/// Two ways of one piece around the same pieces take at least this many of them. On diagonals, and with pieces that stay
/// on the board, fewer in another order would start or end on another square; a man that is crowned on its way goes no
/// way that a king could not go.
const fn fewest_pieces_of_two_ways(spec: &RuleSet) -> u32 {
    match (spec.captures, spec.removal) {
        (Lines::Diagonal, Removal::AtEnd) => 4,
        _ => 2,
    }
}

/// Where finished captures go.
pub(super) trait Sink<R: Rules> {
    /// Forgets what it has: a capture of a higher rank was found.
    fn clear(&mut self);

    /// Takes one more capture. If it `may_come_twice`, it is ignored if it is already there by another way.
    fn add(&mut self, mv: Move<R>, may_come_twice: bool);
}

impl<R: Rules> Sink<R> for &mut MoveList<R> {
    #[inline(always)]
    fn clear(&mut self) {
        MoveList::clear(self);
    }

    #[inline(always)]
    fn add(&mut self, mv: Move<R>, may_come_twice: bool) {
        if !(may_come_twice && self.contains(&mv)) {
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
    fn add(&mut self, mv: Move<R>, may_come_twice: bool) {
        if may_come_twice {
            if self.long.contains(&mv) {
                return;
            }
            self.long.push(mv);
        }
        self.total += 1;
    }
}

/// The walk, with what stays the same during the sequences of one piece.
pub(super) struct Captures<'a, R: Rules, S, const WHITE: bool> {
    pieces: &'a Pieces<R>,
    pub(super) sink: S,
    /// Highest rank seen so far; captures of a lower one are not legal.
    best: u32,
    from: Square,
    /// What the piece under way may take.
    prey: BitsOf<R>,
    /// Empty squares, and the one the piece has left.
    free: BitsOf<R>,
    /// Whether the man under way has been crowned.
    is_crowned: bool,
    /// Whether captures that differ only in their way are one.
    order: CaptureOrder,
}

/// What has been taken on the way so far.
#[derive(Clone, Copy)]
struct Taken<R: Rules> {
    pieces: BitsOf<R>,
    count: u16,
    /// The direction of the last jump, if there was one and turning back is barred.
    last: Option<Direction>,
    rank: u32,
}

impl<'a, R: Rules, S: Sink<R>, const WHITE: bool> Captures<'a, R, S, WHITE> {
    /// A walk that ends in `sink`, which must be empty.
    #[inline(always)]
    pub(super) fn new(pieces: &'a Pieces<R>, sink: S, order: CaptureOrder) -> Self {
        let none = BitsOf::<R>::EMPTY;
        Self { pieces, sink, best: 0, from: Square::new(0), prey: none, free: none, is_crowned: false, order }
    }

    /// Finds all captures of the side to move.
    #[inline(always)]
    pub(super) fn generate(&mut self) {
        let kings = self.pieces.kings(Color::of(WHITE));
        if !kings.is_empty() {
            self.prey = self.pieces.of(Color::of(!WHITE));
            for king in kings.squares() {
                let (at, taken) = self.lift(king, true);
                if R::SPEC.flying_kings {
                    self.fly_everywhere(at, taken);
                } else {
                    self.jump::<false>(at, taken);
                }
            }
        }
        self.prey = self.pieces.prey_of_men::<WHITE>();
        let men = self.pieces.men(Color::of(WHITE));
        let empty = self.pieces.empty();
        each_direction!(DIRECTION => {
            if Self::captures_towards::<true>(DIRECTION) {
                // All men that have a first jump in this direction are found at once.
                let able = Pieces::<R>::jump_off(self.prey, empty, DIRECTION) & men;
                for man in able.squares() {
                    let (at, taken) = self.lift(man, false);
                    self.jump_towards::<true>(at, DIRECTION, taken);
                }
            }
        });
    }

    /// Takes the piece on `square` from the board for the time of its sequences.
    #[inline(always)]
    fn lift(&mut self, square: Square, by_king: bool) -> (BitsOf<R>, Taken<R>) {
        let at = BitsOf::<R>::of(square);
        self.from = square;
        self.free = self.pieces.empty() | at;
        let rank = R::SPEC.precedence.start(by_king);
        (at, Taken { pieces: BitsOf::<R>::EMPTY, count: 0, last: None, rank })
    }

    #[inline(always)]
    fn take(&self, taken: Taken<R>, prey: BitsOf<R>, direction: Direction) -> Taken<R> {
        let king = !(prey & self.pieces.kings).is_empty();
        let bars_reversal = matches!(R::SPEC.removal, Removal::AtOnce) && !R::SPEC.may_reverse;
        Taken {
            pieces: taken.pieces | prey,
            count: taken.count + 1,
            last: if bars_reversal { Some(direction) } else { None },
            rank: R::SPEC.precedence.add(taken.rank, taken.count.into(), king),
        }
    }

    /// Whether a man, or a king that is not a flying one, captures in `direction`.
    #[inline(always)]
    fn captures_towards<const MAN: bool>(direction: Direction) -> bool {
        if MAN { R::SPEC.man_captures(Color::of(WHITE), direction) } else { R::SPEC.captures.contain(direction) }
    }

    /// The squares that are empty after `taken`.
    #[inline(always)]
    fn free(&self, taken: Taken<R>) -> BitsOf<R> {
        match R::SPEC.removal {
            Removal::AtEnd => self.free,
            Removal::AtOnce => self.free | taken.pieces,
        }
    }

    /// Whether the rules forbid to turn to `direction` after `taken`.
    #[inline(always)]
    fn is_barred(taken: Taken<R>, direction: Direction) -> bool {
        taken.last.is_some_and(|last| last.opposite() == direction)
    }

    /// Goes on from `at` with short jumps in every direction.
    fn jump<const MAN: bool>(&mut self, at: BitsOf<R>, taken: Taken<R>) {
        each_direction!(DIRECTION => { self.jump_towards::<MAN>(at, DIRECTION, taken) });
    }

    /// Jumps from `at` in `direction`, if that is possible, and goes on until the sequence is complete.
    #[inline(always)]
    fn jump_towards<const MAN: bool>(&mut self, at: BitsOf<R>, direction: Direction, taken: Taken<R>) {
        if !Self::captures_towards::<MAN>(direction) || Self::is_barred(taken, direction) {
            return;
        }
        let prey = R::Geometry::step(at, direction) & self.prey & !taken.pieces;
        let landing = R::Geometry::step(prey, direction) & self.free(taken);
        if landing.is_empty() {
            return;
        }
        let taken = self.take(taken, prey, direction);
        if MAN && R::SPEC.regicide && !(prey & self.pieces.kings).is_empty() {
            self.jump_on_as_king(landing, taken);
        } else if MAN && !matches!(R::SPEC.promotion, Promotion::AtRest) && Self::is_on_far_row(landing) {
            let goes_on = matches!(R::SPEC.promotion, Promotion::Passing) && self.go_on_as_king(landing, taken);
            if !goes_on {
                self.finish(landing.first(), taken);
            }
        } else if self.can_jump::<MAN>(landing, taken) {
            self.jump::<MAN>(landing, taken);
        } else {
            self.finish(landing.first(), taken);
        }
    }

    /// Whether a piece on `at` can jump on after `taken`. Without a branch: most captures end here.
    #[inline(always)]
    fn can_jump<const MAN: bool>(&self, at: BitsOf<R>, taken: Taken<R>) -> bool {
        let prey = self.prey & !taken.pieces;
        let mut landings = BitsOf::<R>::EMPTY;
        each_direction!(DIRECTION => {
            if Self::captures_towards::<MAN>(DIRECTION) && !Self::is_barred(taken, DIRECTION) {
                landings |= R::Geometry::step(R::Geometry::step(at, DIRECTION) & prey, DIRECTION);
            }
        });
        !(landings & self.free(taken)).is_empty()
    }

    #[inline(always)]
    fn is_on_far_row(squares: BitsOf<R>) -> bool {
        !(squares & R::Geometry::row(R::SPEC.promotion_row(Color::of(WHITE)))).is_empty()
    }

    /// Goes on with the short jumps of a king where a man has become one by taking one.
    #[inline(never)]
    fn jump_on_as_king(&mut self, at: BitsOf<R>, taken: Taken<R>) {
        self.is_crowned = true;
        if self.can_jump::<false>(at, taken) {
            self.jump::<false>(at, taken);
        } else {
            self.finish(at.first(), taken);
        }
        self.is_crowned = false;
    }

    /// Goes on as a flying king from the square where a man was crowned. Returns whether it could.
    #[inline(never)]
    fn go_on_as_king(&mut self, at: BitsOf<R>, taken: Taken<R>) -> bool {
        self.is_crowned = true;
        let goes_on = self.fly_everywhere(at, taken);
        self.is_crowned = false;
        goes_on
    }

    /// Flies from `at` in every direction. Returns whether something could be taken.
    fn fly_everywhere(&mut self, at: BitsOf<R>, taken: Taken<R>) -> bool {
        let mut goes_on = false;
        each_direction!(DIRECTION => { goes_on |= self.fly::<{ DIRECTION as u8 }>(at, taken) });
        goes_on
    }

    /// Flies from `at` in the direction with the number `D` to the first piece; if that can be taken, takes it and goes
    /// on from every square behind it. Returns whether it could.
    #[inline(always)]
    fn fly<const D: u8>(&mut self, at: BitsOf<R>, taken: Taken<R>) -> bool {
        let direction = const { Direction::ALL[D as usize] };
        if !R::SPEC.captures.contain(direction) || Self::is_barred(taken, direction) {
            return false;
        }
        let free = self.free(taken);
        let mut next = R::Geometry::step(at, direction);
        while !(next & free).is_empty() {
            next = R::Geometry::step(next, direction);
        }
        let prey = next & self.prey & !taken.pieces;
        let first = R::Geometry::step(prey, direction) & free;
        if first.is_empty() {
            return false;
        }
        self.take_in_flight::<D>(prey, first, taken);
        true
    }

    /// Takes `prey` in the direction with the number `D` and goes on from every square behind it, of which `first` is the
    /// nearest. Not inlined: most flights meet nothing that can be taken.
    #[inline(never)]
    fn take_in_flight<const D: u8>(&mut self, prey: BitsOf<R>, first: BitsOf<R>, taken: Taken<R>) {
        let direction = const { Direction::ALL[D as usize] };
        let taken = self.take(taken, prey, direction);
        if matches!(R::SPEC.landing, Landing::Behind) {
            if !self.fly_everywhere(first, taken) {
                self.finish(first.first(), taken);
            }
            return;
        }
        let free = self.free(taken);
        let mut landings = BitsOf::<R>::EMPTY;
        let mut goes_on = false;
        let (mut landing, mut last) = (first, first);
        while !landing.is_empty() {
            landings |= landing;
            last = landing;
            each_direction!(TURN => {
                if TURN.is_turn_from(direction) {
                    goes_on |= self.fly::<{ TURN as u8 }>(landing, taken);
                }
            });
            landing = R::Geometry::step(landing, direction) & free;
        }
        // Straight on is one way, wherever in between the king is thought to stop.
        goes_on |= self.fly::<D>(last, taken);
        if !goes_on {
            let stops_behind =
                matches!(R::SPEC.landing, Landing::BehindLastKing) && !(prey & self.pieces.kings).is_empty();
            for to in (if stops_behind { first } else { landings }).squares() {
                self.finish(to, taken);
            }
        }
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
        let crowned_in_passing =
            R::SPEC.crowns_in_passing() && self.is_crowned && !Self::is_on_far_row(BitsOf::<R>::of(to));
        let mv = Move { captured: taken.pieces, from: self.from, to, crowned_in_passing };
        let may_come_twice = u32::from(taken.count) >= const { fewest_pieces_of_two_ways(&R::SPEC) }
            && self.order == CaptureOrder::Merged;
        self.sink.add(mv, may_come_twice);
    }
}
