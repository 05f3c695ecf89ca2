//! Finds the capture sequences of one side with a depth-first search over bitboards.
//!
//! If captured pieces are removed only at the end of the move ([`Removal::AtEnd`]), they block the line and cannot be
//! captured twice. The origin square counts as empty during the capture.

use super::pieces::Side;
use super::{CaptureOrder, Move, MoveList, Pieces};
use crate::board::{Bits, Direction, Lines, Square, each_direction};
use crate::rules::{Color, Family, Landing, Precedence, Promotion, Removal, RuleSet, Word};

/// Returns the smallest number of captured pieces for which two different routes can give the same move: the same
/// start, the same end and the same captured pieces.
///
/// If captures are diagonal and captured pieces stay on the board until the end of the move, two routes that capture
/// the same two or three pieces always differ in their start or end square. This also holds for a man that is promoted
/// during the capture, because a king could take the same routes.
const fn min_captures_with_two_routes(spec: &RuleSet) -> u32 {
    match (spec.captures, spec.removal) {
        (Lines::Diagonal, Removal::AtEnd) => 4,
        _ => 2,
    }
}

pub(super) trait Sink<W: Word> {
    fn clear(&mut self);

    /// Adds a capture. If `may_be_duplicate` is true, a capture that has already been added is not added again.
    fn add(&mut self, mv: Move<W>, may_be_duplicate: bool);
}

impl<W: Word> Sink<W> for &mut MoveList<W> {
    #[inline(always)]
    fn clear(&mut self) {
        MoveList::clear(self);
    }

    #[inline(always)]
    fn add(&mut self, mv: Move<W>, may_be_duplicate: bool) {
        if !(may_be_duplicate && self.contains(&mv)) {
            self.push(mv);
        }
    }
}

/// Counts captures and stores only the captures that could be found again by a different route. This makes perft about
/// 5 % faster than storing all captures.
pub(super) struct CaptureCount<'a, W: Word> {
    pub(super) total: u64,
    pub(super) long: &'a mut MoveList<W>,
}

impl<W: Word> Sink<W> for CaptureCount<'_, W> {
    #[inline(always)]
    fn clear(&mut self) {
        self.total = 0;
        // A capture of the same pieces in a better order is the same move, but ranks higher and must be counted again.
        self.long.clear();
    }

    #[inline(always)]
    fn add(&mut self, mv: Move<W>, may_be_duplicate: bool) {
        if may_be_duplicate {
            if self.long.contains(&mv) {
                return;
            }
            self.long.push(mv);
        }
        self.total += 1;
    }
}

/// The state that all capture sequences of one piece share. The code for jumps is compiled once per side to move, but
/// the code for king flights is compiled only once, for both sides.
pub(super) struct Captures<'a, F: Family, S> {
    pieces: &'a Pieces<F::Word>,
    spec: &'static RuleSet,
    pub(super) sink: S,
    best: u32,
    from: Square,
    targets: F::Word,
    /// Empty squares, including the origin of the moving piece.
    free: F::Word,
    far_row: F::Word,
    is_crowned: bool,
    order: CaptureOrder,
}

#[derive(Clone, Copy)]
struct CaptureSet<W> {
    pieces: W,
    count: u16,
    /// Direction of the last jump if the rules forbid turning back, otherwise `None`.
    last: Option<Direction>,
    rank: u32,
}

const fn captures_towards<F: Family, const WHITE: bool, const MAN: bool>(direction: Direction) -> bool {
    if MAN {
        F::RULES.man_captures(Color::from_is_white(WHITE), direction)
    } else {
        F::RULES.captures.contains(direction)
    }
}

impl<'a, F: Family, S: Sink<F::Word>> Captures<'a, F, S> {
    /// Finds all captures that `side` can make. `sink` must be empty.
    #[inline(always)]
    pub(super) fn find<const WHITE: bool>(side: Side<'a, F, WHITE>, sink: S, order: CaptureOrder) -> Self {
        let empty = F::Word::EMPTY;
        let far_row = Self::far_row::<WHITE>();
        let Side { pieces, spec } = side;
        let (best, from, is_crowned) = (0, Square::new(0), false);
        let mut walk = Self { pieces, spec, sink, best, from, targets: empty, free: empty, far_row, is_crowned, order };
        walk.walk(side);
        walk
    }

    #[inline(always)]
    fn walk<const WHITE: bool>(&mut self, side: Side<'a, F, WHITE>) {
        let kings = self.pieces.kings(Color::from_is_white(WHITE));
        if !kings.is_empty() {
            self.targets = self.pieces.side(Color::from_is_white(!WHITE));
            for king in kings.squares() {
                let (at, taken) = self.lift(king, true);
                if const { F::RULES.flying_kings } {
                    self.fly_everywhere(at, taken);
                } else {
                    self.jump::<WHITE, false>(at, taken);
                }
            }
        }
        self.targets = side.capturable_by_men();
        let men = self.pieces.men(Color::from_is_white(WHITE));
        let empty = side.empty();
        each_direction!(DIRECTION => {
            if const { captures_towards::<F, WHITE, true>(DIRECTION) } {
                // All men that can jump in this direction are found in a single operation.
                let able = Side::<F, WHITE>::jump_off(self.targets, empty, DIRECTION) & men;
                for man in able.squares() {
                    let (at, taken) = self.lift(man, false);
                    self.jump_towards::<WHITE, true>(at, DIRECTION, taken);
                }
            }
        });
    }

    #[inline(always)]
    fn precedence(&self) -> Precedence {
        F::PRECEDENCE.unwrap_or(self.spec.precedence)
    }

    #[inline(always)]
    fn lift(&mut self, square: Square, by_king: bool) -> (F::Word, CaptureSet<F::Word>) {
        let at = F::Word::from_square(square);
        self.from = square;
        self.free = (F::all() & !self.pieces.all()) | at;
        let rank = self.precedence().start(by_king);
        (at, CaptureSet { pieces: F::Word::EMPTY, count: 0, last: None, rank })
    }

    #[inline(always)]
    fn take(&self, taken: CaptureSet<F::Word>, target: F::Word, direction: Direction) -> CaptureSet<F::Word> {
        let king = !(target & self.pieces.kings).is_empty();
        let bars_reversal = matches!(F::RULES.removal, Removal::AtOnce) && !F::RULES.may_reverse;
        CaptureSet {
            pieces: taken.pieces | target,
            count: taken.count + 1,
            last: if bars_reversal { Some(direction) } else { None },
            rank: self.precedence().add(taken.rank, taken.count.into(), king),
        }
    }

    #[inline(always)]
    fn free(&self, taken: CaptureSet<F::Word>) -> F::Word {
        match F::RULES.removal {
            Removal::AtEnd => self.free,
            Removal::AtOnce => self.free | taken.pieces,
        }
    }

    #[inline(always)]
    fn is_barred(taken: CaptureSet<F::Word>, direction: Direction) -> bool {
        taken.last.is_some_and(|last| last.opposite() == direction)
    }

    fn jump<const WHITE: bool, const MAN: bool>(&mut self, at: F::Word, taken: CaptureSet<F::Word>) {
        each_direction!(DIRECTION => {
            if const { captures_towards::<F, WHITE, MAN>(DIRECTION) } {
                self.jump_towards::<WHITE, MAN>(at, DIRECTION, taken);
            }
        });
    }

    #[inline(always)]
    fn jump_towards<const WHITE: bool, const MAN: bool>(
        &mut self,
        at: F::Word,
        direction: Direction,
        taken: CaptureSet<F::Word>,
    ) {
        if Self::is_barred(taken, direction) {
            return;
        }
        let target = F::step(at, direction) & self.targets & !taken.pieces;
        let landing = F::step(target, direction) & self.free(taken);
        if landing.is_empty() {
            return;
        }
        let taken = self.take(taken, target, direction);
        if const { MAN && F::RULES.regicide } && !(target & self.pieces.kings).is_empty() {
            self.jump_on_as_king::<WHITE>(landing, taken);
        } else if const { MAN && !matches!(F::RULES.promotion, Promotion::AtRest) }
            && !(landing & Self::far_row::<WHITE>()).is_empty()
        {
            // A man that is crowned in passing continues as a king here. `Pieces::after` promotes it when the move is
            // played.
            let continues = if const { matches!(F::RULES.promotion, Promotion::Passing) } {
                self.fly_on_as_king(landing, taken)
            } else {
                false
            };
            if !continues {
                self.finish(landing.first(), taken);
            }
        } else if self.can_jump::<WHITE, MAN>(landing, taken) {
            self.jump::<WHITE, MAN>(landing, taken);
        } else {
            self.finish(landing.first(), taken);
        }
    }

    /// Returns whether a piece on `at` can jump again. Usually it cannot, so the landing squares of all directions are
    /// combined without an early exit.
    #[inline(always)]
    fn can_jump<const WHITE: bool, const MAN: bool>(&self, at: F::Word, taken: CaptureSet<F::Word>) -> bool {
        let targets = self.targets & !taken.pieces;
        let mut landings = F::Word::EMPTY;
        each_direction!(DIRECTION => {
            if const { captures_towards::<F, WHITE, MAN>(DIRECTION) } && !Self::is_barred(taken, DIRECTION) {
                landings |= F::step(F::step(at, DIRECTION) & targets, DIRECTION);
            }
        });
        !(landings & self.free(taken)).is_empty()
    }

    #[inline(always)]
    fn far_row<const WHITE: bool>() -> F::Word {
        F::row(F::RULES.far_row(Color::from_is_white(WHITE)))
    }

    #[inline(never)]
    fn jump_on_as_king<const WHITE: bool>(&mut self, at: F::Word, taken: CaptureSet<F::Word>) {
        self.is_crowned = true;
        if self.can_jump::<WHITE, false>(at, taken) {
            self.jump::<WHITE, false>(at, taken);
        } else {
            self.finish(at.first(), taken);
        }
        self.is_crowned = false;
    }

    /// Continues the capture as a flying king from the promotion square. Returns whether another piece could be
    /// captured.
    #[inline(never)]
    fn fly_on_as_king(&mut self, at: F::Word, taken: CaptureSet<F::Word>) -> bool {
        self.is_crowned = true;
        let continues = self.fly_everywhere(at, taken);
        self.is_crowned = false;
        continues
    }

    fn fly_everywhere(&mut self, at: F::Word, taken: CaptureSet<F::Word>) -> bool {
        let mut continues = false;
        each_direction!(DIRECTION => {
            if const { F::RULES.captures.contains(DIRECTION) } {
                continues |= self.fly::<{ DIRECTION as u8 }>(at, taken);
            }
        });
        continues
    }

    /// Flies in direction `D` up to the first piece and captures this piece if possible. Returns whether it was
    /// captured.
    #[inline(always)]
    fn fly<const D: u8>(&mut self, at: F::Word, taken: CaptureSet<F::Word>) -> bool {
        let direction = const { Direction::ALL[D as usize] };
        if Self::is_barred(taken, direction) {
            return false;
        }
        let free = self.free(taken);
        let mut next = F::step(at, direction);
        while !(next & free).is_empty() {
            next = F::step(next, direction);
        }
        let target = next & self.targets & !taken.pieces;
        let first = F::step(target, direction) & free;
        if first.is_empty() {
            return false;
        }
        self.take_in_flight::<D>(target, first, taken);
        true
    }

    /// Captures `target` with a flying king; `first` is the nearest landing square. This function is not inlined,
    /// because most flights do not reach a piece that can be captured.
    #[inline(never)]
    fn take_in_flight<const D: u8>(&mut self, target: F::Word, first: F::Word, taken: CaptureSet<F::Word>) {
        let direction = const { Direction::ALL[D as usize] };
        let taken = self.take(taken, target, direction);
        if const { matches!(F::RULES.landing, Landing::Behind) } {
            if !self.fly_everywhere(first, taken) {
                self.finish(first.first(), taken);
            }
            return;
        }
        let free = self.free(taken);
        let mut landings = F::Word::EMPTY;
        let mut continues = false;
        let (mut landing, mut last) = (first, first);
        while !landing.is_empty() {
            landings |= landing;
            last = landing;
            each_direction!(TURN => {
                if const { TURN.is_turn_from(Direction::ALL[D as usize]) && F::RULES.captures.contains(TURN) } {
                    continues |= self.fly::<{ TURN as u8 }>(landing, taken);
                }
            });
            landing = F::step(landing, direction) & free;
        }
        // Continuing straight on is a single route, so only the last landing square is tried.
        continues |= self.fly::<D>(last, taken);
        if !continues {
            let stops_behind =
                !(target & self.pieces.kings).is_empty() && matches!(self.spec.landing, Landing::BehindLastKing);
            for to in (if stops_behind { first } else { landings }).squares() {
                self.finish(to, taken);
            }
        }
    }

    #[inline(always)]
    fn finish(&mut self, to: Square, taken: CaptureSet<F::Word>) {
        if taken.rank < self.best {
            return;
        }
        if taken.rank > self.best {
            self.best = taken.rank;
            self.sink.clear();
        }
        let crowned_in_passing =
            F::RULES.crowns_in_passing() && self.is_crowned && (F::Word::from_square(to) & self.far_row).is_empty();
        let mv = Move { captured: taken.pieces, from: self.from, to, crowned_in_passing };
        let may_be_duplicate = u32::from(taken.count) >= const { min_captures_with_two_routes(&F::RULES) }
            && self.order == CaptureOrder::Merged;
        self.sink.add(mv, may_be_duplicate);
    }
}
