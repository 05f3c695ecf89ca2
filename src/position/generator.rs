//! Generates and counts (perft) the moves of one side. The code is compiled for each rule family and colour.

use super::capture::{CaptureCount, Captures};
use super::pieces::Side;
use super::{CaptureOrder, Move, MoveList, Pieces};
use crate::board::{Bits, Direction, Square, each_direction};
use crate::rules::{Color, Family, Objective, RuleSet};

#[inline(always)]
fn next_square<F: Family>(square: Square, direction: Direction) -> Square {
    Square::new((square.index() as i8 + F::SHAPE.shift(direction)) as u8)
}

impl<F: Family, const WHITE: bool> Side<'_, F, WHITE> {
    #[inline(always)]
    fn is_won_by_king(&self) -> bool {
        !self.pieces.kings.is_empty() && matches!(self.spec.objective, Objective::FirstKing)
    }

    #[inline(always)]
    fn capturing_men(&self) -> F::Word {
        let (targets, empty) = (self.capturable_by_men(), self.empty());
        let mut able = F::Word::EMPTY;
        each_direction!(DIRECTION => {
            if const { F::RULES.man_captures(Color::from_is_white(WHITE), DIRECTION) } {
                able |= Self::jump_off(targets, empty, DIRECTION);
            }
        });
        able & self.pieces.men(Color::from_is_white(WHITE))
    }

    #[inline(always)]
    fn kings_can_capture(&self) -> bool {
        let kings = self.pieces.kings(Color::from_is_white(WHITE));
        if kings.is_empty() {
            return false;
        }
        let targets = self.pieces.side(Color::from_is_white(!WHITE));
        let empty = self.empty();
        each_direction!(DIRECTION => {
            if const { F::RULES.captures.contains(DIRECTION) } {
                // All kings fly at once. Each step removes the kings that have reached an occupied square.
                let target = targets & F::step(empty, DIRECTION.opposite());
                let mut flying = F::step(kings, DIRECTION);
                loop {
                    if !(flying & target).is_empty() {
                        return true;
                    }
                    flying &= empty;
                    if !F::RULES.flying_kings || flying.is_empty() {
                        break;
                    }
                    flying = F::step(flying, DIRECTION);
                }
            }
        });
        false
    }

    #[inline(always)]
    pub(super) fn has_capture(&self) -> bool {
        !self.capturing_men().is_empty() || self.kings_can_capture()
    }

    #[inline]
    pub(super) fn moves(&self, order: CaptureOrder, list: &mut MoveList<F::Word>) {
        list.clear();
        if self.is_won_by_king() {
            return;
        }
        if self.has_capture() {
            self.add_captures(order, list);
            if self.spec.compulsory {
                return;
            }
        }
        self.visit_quiet_moves(|mv| list.push(mv));
    }

    #[inline]
    pub(super) fn captures(&self, list: &mut MoveList<F::Word>) {
        list.clear();
        if !self.is_won_by_king() {
            self.add_captures(CaptureOrder::Merged, list);
        }
    }

    /// Adds all captures to `list`. Inlining this function makes English perft 2 % faster.
    #[inline]
    fn add_captures(&self, order: CaptureOrder, list: &mut MoveList<F::Word>) {
        Captures::find(*self, list, order);
    }

    /// Adds all quiet moves to `list`. This function is not inlined, so that the search and perft share one copy of it.
    #[inline(never)]
    pub(super) fn add_quiet_moves(&self, list: &mut MoveList<F::Word>) {
        if !self.is_won_by_king() {
            self.visit_quiet_moves(|mv| list.push(mv));
        }
    }

    /// Calls `visit` for every legal move. All captures are generated into `scratch` before the first one is visited.
    #[inline(always)]
    pub(super) fn visit_moves(
        &self,
        order: CaptureOrder,
        scratch: &mut MoveList<F::Word>,
        mut visit: impl FnMut(Move<F::Word>),
    ) {
        if self.is_won_by_king() {
            return;
        }
        if self.has_capture() {
            scratch.clear();
            self.add_captures(order, scratch);
            scratch.iter().copied().for_each(&mut visit);
            if self.spec.compulsory {
                return;
            }
        }
        self.visit_quiet_moves(visit);
    }

    /// Counts the legal moves. `scratch` stores the captures that could be found twice.
    #[inline]
    pub(super) fn count_moves(&self, order: CaptureOrder, scratch: &mut MoveList<F::Word>) -> u64 {
        if self.is_won_by_king() {
            return 0;
        }
        let mut total = 0;
        if self.has_capture() {
            scratch.clear();
            let count = CaptureCount { total: 0, long: scratch };
            total = Captures::find(*self, count, order).sink.total;
            if self.spec.compulsory {
                return total;
            }
        }
        total + u64::from(self.count_quiet_moves())
    }

    #[inline]
    pub(super) fn has_move(&self) -> bool {
        if self.is_won_by_king() {
            return false;
        }
        let empty = self.empty();
        let men = self.pieces.men(Color::from_is_white(WHITE));
        let kings = self.pieces.kings(Color::from_is_white(WHITE));
        let mut reached = F::Word::EMPTY;
        each_direction!(DIRECTION => {
            if const { F::RULES.man_moves(Color::from_is_white(WHITE), DIRECTION) } {
                reached |= F::step(men, DIRECTION);
            }
            if const { F::RULES.moves.contains(DIRECTION) } {
                reached |= F::step(kings, DIRECTION);
            }
        });
        !(reached & empty).is_empty() || self.has_capture()
    }

    #[inline(always)]
    fn visit_quiet_moves(&self, mut visit: impl FnMut(Move<F::Word>)) {
        let empty = self.empty();
        let men = self.pieces.men(Color::from_is_white(WHITE));
        each_direction!(DIRECTION => {
            if const { F::RULES.man_moves(Color::from_is_white(WHITE), DIRECTION) } {
                for to in (F::step(men, DIRECTION) & empty).squares() {
                    visit(Move::quiet(next_square::<F>(to, DIRECTION.opposite()), to));
                }
            }
        });
        let kings = self.pieces.kings(Color::from_is_white(WHITE));
        if kings.is_empty() {
            return;
        }
        // This loop is not unrolled, because there are few kings and the code for four directions would displace the
        // code for men.
        for direction in Direction::ALL {
            if !F::RULES.moves.contains(direction) {
                continue;
            }
            if const { F::RULES.flying_kings } {
                for from in kings.squares() {
                    let mut to = F::step(F::Word::from_square(from), direction) & empty;
                    while !to.is_empty() {
                        visit(Move::quiet(from, to.first()));
                        to = F::step(to, direction) & empty;
                    }
                }
            } else {
                for to in (F::step(kings, direction) & empty).squares() {
                    visit(Move::quiet(next_square::<F>(to, direction.opposite()), to));
                }
            }
        }
    }

    #[inline(always)]
    fn count_quiet_moves(&self) -> u32 {
        let empty = self.empty();
        let men = self.pieces.men(Color::from_is_white(WHITE));
        let mut count = 0;
        each_direction!(DIRECTION => {
            if const { F::RULES.man_moves(Color::from_is_white(WHITE), DIRECTION) } {
                count += (F::step(men, DIRECTION) & empty).count();
            }
        });
        let kings = self.pieces.kings(Color::from_is_white(WHITE));
        if kings.is_empty() {
            return count;
        }
        for direction in Direction::ALL {
            if !F::RULES.moves.contains(direction) {
                continue;
            }
            // Each iteration counts one more step of every king. Two kings never reach the same square in the same
            // iteration.
            let mut flying = F::step(kings, direction) & empty;
            count += flying.count();
            while F::RULES.flying_kings && !flying.is_empty() {
                flying = F::step(flying, direction) & empty;
                count += flying.count();
            }
        }
        count
    }

    #[inline(always)]
    pub(super) fn after(&self, mv: Move<F::Word>) -> Pieces<F::Word> {
        let far_row = F::row(F::RULES.far_row(Color::from_is_white(WHITE)));
        let mv = Move { crowned_in_passing: F::RULES.crowns_in_passing() && mv.crowned_in_passing, ..mv };
        self.pieces.after(Color::from_is_white(WHITE), mv, far_row)
    }
}

/// Callback that returns `true` when a perft count should stop.
pub type IsStopped<'a> = &'a dyn Fn() -> bool;

/// Minimum remaining depth at which the stop signal is polled. At this depth, it is polled every few milliseconds.
const STOP_CHECK_DEPTH: u8 = 4;

/// The error for a perft count that was stopped, with the number of sequences counted so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("perft stopped after {0} sequences")]
pub struct PartialPerft(pub u64);

#[derive(Clone, Copy)]
pub(super) struct PerftTask<'a> {
    pub(super) depth: u8,
    pub(super) order: CaptureOrder,
    pub(super) is_stopped: IsStopped<'a>,
}

/// Counts the sequences of legal moves. The rule family and the side to move are constants; `OTHER` is always `!WHITE`.
pub(super) fn count<F: Family, const WHITE: bool, const OTHER: bool>(
    pieces: &Pieces<F::Word>,
    spec: &'static RuleSet,
    task: PerftTask<'_>,
    lists: &mut [MoveList<F::Word>],
) -> Result<u64, PartialPerft> {
    let PerftTask { depth, order, is_stopped } = task;
    let Some((list, rest)) = lists.split_first_mut() else { return Ok(1) };
    let side = Side::<F, WHITE> { pieces, spec };
    if depth == 0 {
        return Ok(1);
    }
    if depth == 1 {
        return Ok(side.count_moves(order, list));
    }
    if depth >= STOP_CHECK_DEPTH && is_stopped() {
        return Err(PartialPerft(0));
    }
    if depth == 2 {
        let mut total = 0;
        side.visit_moves(order, list, |mv| {
            let after = side.after(mv);
            total += Side::<F, OTHER> { pieces: &after, spec }.count_moves(order, &mut rest[0]);
        });
        return Ok(total);
    }
    side.moves(order, list);
    let mut total = 0;
    for &mv in list.iter() {
        match count::<F, OTHER, WHITE>(&side.after(mv), spec, PerftTask { depth: depth - 1, ..task }, rest) {
            Ok(count) => total += count,
            Err(PartialPerft(count)) => return Err(PartialPerft(total + count)),
        }
    }
    Ok(total)
}
