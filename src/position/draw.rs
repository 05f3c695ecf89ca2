//! The counters of the draw rules, as part of a position.

use super::Pieces;
use crate::board::Bits;
use crate::rules::{Balance, BitsOf, Color, Ending, Force, Rules};
use std::fmt;

/// Why a game is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawReason {
    /// The position has occurred this many times.
    Repetition(u8),
    /// So many moves by each side without a capture or a man's move.
    Quiet(u16),
    /// So many moves by each side in an ending with a limit of its own.
    Ending(u16),
}

impl fmt::Display for DrawReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Repetition(_) => f.write_str("repetition"),
            Self::Quiet(moves) | Self::Ending(moves) => write!(f, "{moves}-move rule"),
        }
    }
}

/// What a ply did that counters look at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    /// A king moved without a capture.
    pub(super) is_quiet: bool,
    /// A piece was captured or crowned.
    pub(super) changes_balance: bool,
}

/// Counters of plies, all limits of which are in [`DrawRules`](crate::rules::DrawRules).
///
/// Several limits can count at the same time, each from another moment. A counter that a variant has no rule for stays
/// at 0 and costs nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counters {
    /// Plies since the last capture or man's move.
    pub(super) quiet: u16,
    /// The one of `endings` that is on the board.
    ending: Count,
    /// Whether the lone king stands on the main road.
    road: Count,
    /// The one of `balances` that is on the board.
    balance: Count,
}

/// Plies that the same limit has been counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Count {
    /// Which of a list of limits, counted from 1; 0 is none.
    limit: u8,
    plies: u8,
}

impl Count {
    #[inline(always)]
    const fn from_now(limit: u8) -> Self {
        Self { limit, plies: 0 }
    }

    /// The count after one more ply, which led to `limit`.
    #[inline(always)]
    const fn after(self, limit: u8) -> Self {
        let goes_on = limit != 0 && limit == self.limit;
        Self { limit, plies: if goes_on { self.plies.saturating_add(1) } else { 0 } }
    }

    /// The limit, and the plies that are left of it, if something is counted; `plies` gives the limit by its index.
    #[inline(always)]
    fn left(self, plies: impl Fn(usize) -> u8) -> Option<(u8, u8)> {
        let limit = plies(usize::from(self.limit).checked_sub(1)?);
        Some((limit, limit.saturating_sub(self.plies)))
    }
}

impl Counters {
    /// The counters of a position that was set up with `quiet` plies on its clock.
    pub(super) fn new<R: Rules>(pieces: &Pieces<R>, quiet: u16) -> Self {
        Self {
            quiet,
            ending: Count::from_now(ending_on_board(pieces)),
            road: Count::from_now(road_on_board(pieces)),
            balance: Count::from_now(balance_on_board(pieces)),
        }
    }

    /// The counters after one more ply, which led to `pieces`.
    #[inline(always)]
    pub(super) fn after<R: Rules>(self, ply: Progress, pieces: &Pieces<R>) -> Self {
        let balance = balance_on_board(pieces);
        Self {
            quiet: if ply.is_quiet { self.quiet.saturating_add(1) } else { 0 },
            ending: self.ending.after(ending_on_board(pieces)),
            road: self.road.after(road_on_board(pieces)),
            balance: if ply.changes_balance { Count::from_now(balance) } else { self.balance.after(balance) },
        }
    }

    /// The draw rule that has run out, if one has.
    #[inline(always)]
    pub(super) fn draw<R: Rules>(self) -> Option<DrawReason> {
        if let Some(limit) = R::SPEC.draws.quiet_plies
            && self.quiet >= limit
        {
            return Some(DrawReason::Quiet(limit / 2));
        }
        let run_out = self.endings_left::<R>().into_iter().flatten().find(|&(_, left)| left == 0);
        run_out.map(|(limit, _)| DrawReason::Ending(u16::from(limit) / 2))
    }

    /// Plies that are left until the first draw rule runs out, if the game goes on as it does.
    #[inline(always)]
    pub(super) fn plies_left<R: Rules>(self) -> Option<u16> {
        let quiet = R::SPEC.draws.quiet_plies.map(|limit| limit.saturating_sub(self.quiet));
        let endings = self.endings_left::<R>().into_iter().flatten().map(|(_, left)| u16::from(left));
        quiet.into_iter().chain(endings).min()
    }

    /// The limits of the endings on the board, with the plies that are left of them.
    #[inline(always)]
    fn endings_left<R: Rules>(self) -> [Option<(u8, u8)>; 3] {
        let draws = &R::SPEC.draws;
        [
            if draws.endings.is_empty() { None } else { self.ending.left(|index| draws.endings[index].plies) },
            draws.main_road.and_then(|road| self.road.left(|_| road.plies)),
            if draws.balances.is_empty() { None } else { self.balance.left(|index| draws.balances[index].plies) },
        ]
    }
}

/// Which of the endings of the draw rules is on the board, counted from 1; 0 is none.
#[inline(always)]
fn ending_on_board<R: Rules>(pieces: &Pieces<R>) -> u8 {
    let endings = R::SPEC.draws.endings;
    if endings.is_empty() || !(pieces.white.is_single() || pieces.black.is_single()) {
        return 0;
    }
    let is_there = |ending: &Ending| [Color::White, Color::Black].iter().any(|&weak| is_on_board(ending, pieces, weak));
    endings.iter().position(is_there).map_or(0, |index| index as u8 + 1)
}

/// 1 if the ending of the main road is on the board and the lone king on the road.
#[inline(always)]
fn road_on_board<R: Rules>(pieces: &Pieces<R>) -> u8 {
    let Some(ending) = R::SPEC.draws.main_road else { return 0 };
    let road = BitsOf::<R>::from_mask(const { R::SPEC.shape.main_road() });
    let stands_there = |weak: Color| !(pieces.of(weak) & road).is_empty() && is_on_board(&ending, pieces, weak);
    u8::from(stands_there(Color::White) || stands_there(Color::Black))
}

/// Whether `weak` has the one piece of `ending` and its opponent the others.
#[inline(always)]
fn is_on_board<R: Rules>(ending: &Ending, pieces: &Pieces<R>, weak: Color) -> bool {
    if !pieces.of(weak).is_single() {
        return false;
    }
    let strong = weak.opponent();
    let fits = match ending.force {
        Force::Kings => !pieces.kings(weak).is_empty() && pieces.men(strong).is_empty(),
        Force::WithKing => !pieces.kings(weak).is_empty() && !pieces.kings(strong).is_empty(),
        Force::Pieces => true,
    };
    let count = pieces.of(strong).count() as u8;
    fits && ending.pieces.0 <= count && count <= ending.pieces.1
}

/// Which of the balances of the draw rules is on the board, counted from 1; 0 is none.
#[inline(always)]
fn balance_on_board<R: Rules>(pieces: &Pieces<R>) -> u8 {
    let balances = R::SPEC.draws.balances;
    if balances.is_empty() || pieces.kings(Color::White).is_empty() || pieces.kings(Color::Black).is_empty() {
        return 0;
    }
    let count = (pieces.white | pieces.black).count() as u8;
    let is_there = |balance: &Balance| balance.pieces.0 <= count && count <= balance.pieces.1;
    balances.iter().position(is_there).map_or(0, |index| index as u8 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Number, Square};
    use crate::position::{Piece, Position, Setup};
    use crate::rules::Russian;

    const QUIET: Progress = Progress { is_quiet: true, changes_balance: false };
    const MAN: Progress = Progress { is_quiet: false, changes_balance: false };
    const CROWNED: Progress = Progress { is_quiet: false, changes_balance: true };

    fn square(number: u8) -> Square {
        Number::new(number).and_then(|number| Russian::SPEC.shape.numbered(number)).expect("a number of the board")
    }

    /// Squares and whether a king stands there.
    fn pieces(white: &[(u8, bool)], black: &[(u8, bool)]) -> Pieces<Russian> {
        let mut setup = Setup { pieces: [].into(), ..Setup::start(&Russian::SPEC) };
        for (color, list) in [(Color::White, white), (Color::Black, black)] {
            setup.pieces.extend(list.iter().map(|&(number, king)| (square(number), Piece { color, king })));
        }
        *Position::from_setup(&setup).expect("a legal set-up").pieces()
    }

    fn after(mut counters: Counters, plies: usize, ply: Progress, pieces: &Pieces<Russian>) -> Counters {
        for _ in 0..plies {
            counters = counters.after(ply, pieces);
        }
        counters
    }

    #[test]
    fn a_balance_counts_over_mens_moves_to_a_capture_or_promotion() {
        let four = pieces(&[(29, true), (21, false)], &[(1, true), (12, false)]);
        let start = Counters::new(&four, 0);
        let last = after(start, 59, MAN, &four);
        assert_eq!((last.draw::<Russian>(), last.plies_left::<Russian>()), (None, Some(1)));
        assert_eq!(after(last, 1, MAN, &four).draw::<Russian>(), Some(DrawReason::Ending(30)));
        assert_eq!(after(after(last, 1, CROWNED, &four), 59, MAN, &four).draw::<Russian>(), None);
        let six = pieces(&[(29, true), (21, false), (22, false)], &[(1, true), (12, false), (11, false)]);
        let last = after(Counters::new(&six, 0), 119, MAN, &six);
        assert_eq!((last.draw::<Russian>(), last.plies_left::<Russian>()), (None, Some(1)));
        assert_eq!(after(last, 1, MAN, &six).draw::<Russian>(), Some(DrawReason::Ending(60)));
        let eight = pieces(
            &[(29, true), (21, false), (22, false), (23, false)],
            &[(1, true), (12, false), (11, false), (10, false)],
        );
        assert_eq!(after(Counters::new(&eight, 0), 255, MAN, &eight).plies_left::<Russian>(), Some(30));
    }

    #[test]
    fn the_count_of_three_kings_goes_on_while_the_lone_one_leaves_the_main_road() {
        let strong = [(30, true), (31, true), (32, true)];
        let [on, off] = [pieces(&strong, &[(4, true)]), pieces(&strong, &[(1, true)])];
        let away = after(Counters::new(&off, 0), 12, MAN, &off);
        let back = after(away, 1, MAN, &on);
        assert_eq!(back.plies_left::<Russian>(), Some(10), "the road counts from now");
        let gone = after(back, 9, MAN, &on).after(MAN, &off);
        assert_eq!(gone.plies_left::<Russian>(), Some(30 - 23));
        assert_eq!(after(back, 10, QUIET, &on).draw::<Russian>(), Some(DrawReason::Ending(5)));
    }
}
