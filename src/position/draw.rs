//! Draw reasons, and the ply counters that the draw rules use.

use super::{EndingAges, Pieces};
use crate::rules::{Color, DrawRules, Ending, KingsLimit, RuleSet, StrongSide, Word};
use derive_more::Display;

/// Why a game is drawn.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
pub enum DrawReason {
    /// The position has occurred this many times.
    #[display("repetition")]
    Repetition(u8),
    /// Each side has made this many moves without a capture or an advance of a man.
    #[display("{_0}-move rule")]
    Quiet(u16),
    /// Each side has made this many moves in an ending for which the rules set a move limit.
    #[display("{_0}-move rule")]
    Ending(u16),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct PlyEffect {
    pub(super) is_quiet: bool,
    pub(super) changes_balance: bool,
}

/// Ply counters for the limits in [`DrawRules`](crate::rules::DrawRules). Several limits can be active at the same
/// time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counters {
    /// Number of plies since the last capture or advance of a man.
    pub(super) quiet: u16,
    /// Three counts: for an ending of several pieces against one, for the lone king's stay on the main road, and for an
    /// ending with kings on both sides.
    endings: [Count; 3],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Count {
    /// Index of the active limit in the list of limits, counted from 1, or 0 if no limit is active.
    limit: u8,
    /// Number of plies until the draw, or [`NEVER`] if there is no limit.
    left: u8,
}

const NEVER: u8 = u8::MAX;

const NO_ENDINGS: [Count; 3] = [Count::UNLIMITED; 3];

impl Count {
    const UNLIMITED: Self = Self { limit: 0, left: NEVER };

    /// Returns the count after a ply. `new` is a fresh count for the ending that is now on the board. The count
    /// restarts from `new` if the ending has changed.
    #[inline(always)]
    const fn after(self, new: Self) -> Self {
        let continues = new.limit != 0 && new.limit == self.limit;
        Self { limit: new.limit, left: if continues { self.left.saturating_sub(1) } else { new.left } }
    }

    fn aged_by(self, plies: u8) -> Self {
        if self.limit == 0 { self } else { Self { left: self.left.saturating_sub(plies), ..self } }
    }

    fn age(self, new: Self) -> u8 {
        new.left - self.left.min(new.left)
    }

    fn first<L>(limits: &[L], holds: impl Fn(&L) -> bool, plies: impl Fn(&L) -> u8) -> Self {
        let found = (1..).zip(limits).find(|(_, limit)| holds(limit));
        found.map_or(Self::UNLIMITED, |(limit, found)| Self { limit, left: plies(found) })
    }
}

/// The draw rules of a variant, prepared for bitboards.
pub(super) struct DrawLimits<W: Word> {
    draws: &'static DrawRules,
    /// The long diagonal, or an empty set if the variant has no main-road rule.
    main_road: W,
    /// Number of plies without progress after which the game is drawn, or `u16::MAX` if there is no limit.
    quiet: u16,
    limits_endings: bool,
}

impl<W: Word> DrawLimits<W> {
    pub(super) fn for_rules(spec: &'static RuleSet) -> Self {
        let draws = &spec.draws;
        Self {
            draws,
            main_road: W::from_mask(if draws.main_road.is_some() { spec.shape.main_road() } else { 0 }),
            quiet: draws.quiet_plies.unwrap_or(u16::MAX),
            limits_endings: draws.limits_endings(),
        }
    }

    /// Returns the number of plies that the ending with `pieces` can last before the game is drawn, or `None` if the
    /// rules have no limit for these pieces. Limits that depend on squares are ignored.
    pub(super) fn ending_limit(&self, pieces: &Pieces<W>) -> Option<u8> {
        let [ending, _, balance] = endings_on_board(self, pieces);
        Some(ending.left.min(balance.left)).filter(|&left| left < NEVER)
    }

    /// Returns the number of plies after which the game is drawn if the lone king stays on the main road. Returns
    /// `None` if there is no lone king on the main road or the rules have no limit for it.
    pub(super) fn main_road_limit(&self, pieces: &Pieces<W>) -> Option<u8> {
        let [_, road, _] = endings_on_board(self, pieces);
        Some(road.left).filter(|&left| left < NEVER)
    }
}

impl Counters {
    /// Creates the counters of a setup position in which `quiet` plies have passed since the last capture or advance
    /// of a man.
    pub(super) fn new<W: Word>(limits: &DrawLimits<W>, pieces: &Pieces<W>, quiet: u16, ages: EndingAges) -> Self {
        let mut endings = endings_on_board(limits, pieces);
        // Only a capture or an advance of a man can change the material, so the endings have lasted at least this long.
        // The time on the main road cannot be derived, because the earlier squares of the lone king are unknown.
        let least = u8::try_from(quiet).unwrap_or(u8::MAX);
        for (ending, age) in endings.iter_mut().zip([ages.ending.max(least), ages.road, ages.balance.max(least)]) {
            *ending = ending.aged_by(age);
        }
        Self { quiet, endings }
    }

    /// Returns the ages from which [`Counters::new`] reconstructs these counters. An age is 0 if it can be derived from
    /// `quiet`.
    pub(super) fn ages<W: Word>(self, limits: &DrawLimits<W>, pieces: &Pieces<W>) -> EndingAges {
        let [new, usual] = [0, self.quiet].map(|quiet| Self::new(limits, pieces, quiet, EndingAges::default()).endings);
        let age = |kind: usize| {
            if self.endings[kind] == usual[kind] { 0 } else { self.endings[kind].age(new[kind]) }
        };
        EndingAges { ending: age(0), road: age(1), balance: age(2) }
    }

    #[inline(always)]
    pub(super) fn after<W: Word>(self, ply: PlyEffect, limits: &DrawLimits<W>, pieces: &Pieces<W>) -> Self {
        let quiet = if ply.is_quiet { self.quiet.saturating_add(1) } else { 0 };
        if limits.limits_endings && can_be_ending(pieces) {
            Self { quiet, endings: self.endings_after(ply, limits, &{ *pieces }) }
        } else {
            Self { quiet, endings: NO_ENDINGS }
        }
    }

    #[inline(never)]
    fn endings_after<W: Word>(self, ply: PlyEffect, limits: &DrawLimits<W>, pieces: &Pieces<W>) -> [Count; 3] {
        let [ending, road, balance] = endings_on_board(limits, pieces);
        let endings = limits.draws.endings;
        let restarts = |limit: u8| (1..).zip(endings).any(|(index, ending)| index == limit && ending.restarts);
        let [old_ending, old_road, old_balance] = self.endings;
        [
            if ply.changes_balance && restarts(ending.limit) { ending } else { old_ending.after(ending) },
            old_road.after(road),
            if ply.changes_balance { balance } else { old_balance.after(balance) },
        ]
    }

    #[inline(always)]
    pub(super) fn draw<W: Word>(self, limits: &DrawLimits<W>) -> Option<DrawReason> {
        if self.quiet >= limits.quiet {
            Some(DrawReason::Quiet(limits.quiet / 2))
        } else if self.endings_left() == 0 {
            self.ending_draw(limits.draws)
        } else {
            None
        }
    }

    #[inline(always)]
    fn endings_left(self) -> u8 {
        let [ending, road, balance] = self.endings;
        ending.left.min(road.left).min(balance.left)
    }

    #[cold]
    fn ending_draw(self, draws: &DrawRules) -> Option<DrawReason> {
        let index = |count: Count| usize::from(count.limit).checked_sub(1).filter(|_| count.left == 0);
        let [ending, road, balance] = self.endings.map(index);
        let ending = ending.and_then(|index| Some(draws.endings.get(index)?.plies));
        let road = road.and_then(|_| Some(draws.main_road?.plies));
        let balance = balance.and_then(|index| Some(draws.kings_limits.get(index)?.plies));
        ending.or(road).or(balance).map(|plies| DrawReason::Ending(u16::from(plies) / 2))
    }

    /// Returns how many plies without progress are left before the first move-count rule draws the game, or `None` if
    /// no such rule is active.
    #[inline(always)]
    pub(super) fn plies_left<W: Word>(self, limits: &DrawLimits<W>) -> Option<u16> {
        let quiet = if limits.quiet == u16::MAX { u16::MAX } else { limits.quiet.saturating_sub(self.quiet) };
        let plies = match self.endings_left() {
            NEVER => quiet,
            left => quiet.min(left.into()),
        };
        (plies < u16::MAX).then_some(plies)
    }
}

/// Returns whether an ending limit can apply. Every limit requires a king or a lone piece, so this check excludes most
/// positions quickly.
#[inline(always)]
fn can_be_ending<W: Word>(pieces: &Pieces<W>) -> bool {
    !pieces.kings.is_empty() || pieces.white.is_single() || pieces.black.is_single()
}

fn endings_on_board<W: Word>(limits: &DrawLimits<W>, pieces: &Pieces<W>) -> [Count; 3] {
    if !limits.limits_endings || !can_be_ending(pieces) {
        return NO_ENDINGS;
    }
    let draws = limits.draws;
    [ending_on_board(draws, pieces), road_on_board(limits, pieces), balance_on_board(draws, pieces)]
}

fn ending_on_board<W: Word>(draws: &DrawRules, pieces: &Pieces<W>) -> Count {
    let is_there = |ending: &Ending| [Color::White, Color::Black].iter().any(|&weak| is_on_board(ending, pieces, weak));
    Count::first(draws.endings, is_there, |ending| ending.plies)
}

fn road_on_board<W: Word>(limits: &DrawLimits<W>, pieces: &Pieces<W>) -> Count {
    let on_road = |weak: Color| !(pieces.side(weak) & limits.main_road).is_empty();
    let is_there = |ending: &Ending| {
        [Color::White, Color::Black].iter().any(|&weak| on_road(weak) && is_on_board(ending, pieces, weak))
    };
    Count::first(limits.draws.main_road.as_slice(), is_there, |ending| ending.plies)
}

fn is_on_board<W: Word>(ending: &Ending, pieces: &Pieces<W>, weak: Color) -> bool {
    if !pieces.side(weak).is_single() {
        return false;
    }
    let strong = weak.opponent();
    let fits = match ending.force {
        StrongSide::Kings => !pieces.kings(weak).is_empty() && pieces.men(strong).is_empty(),
        StrongSide::WithKing => !pieces.kings(weak).is_empty() && !pieces.kings(strong).is_empty(),
        StrongSide::Pieces => true,
    };
    let count = pieces.side(strong).count() as u8;
    fits && ending.pieces.0 <= count && count <= ending.pieces.1
}

fn balance_on_board<W: Word>(draws: &DrawRules, pieces: &Pieces<W>) -> Count {
    if draws.kings_limits.is_empty() || pieces.kings(Color::White).is_empty() || pieces.kings(Color::Black).is_empty() {
        return Count::UNLIMITED;
    }
    let count = pieces.all().count() as u8;
    let is_there = |balance: &KingsLimit| balance.pieces.0 <= count && count <= balance.pieces.1;
    Count::first(draws.kings_limits, is_there, |balance| balance.plies)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Number, Square};
    use crate::position::{GameRules, Piece, Position, Setup};
    use crate::rules::Variant;

    const QUIET: PlyEffect = PlyEffect { is_quiet: true, changes_balance: false };
    const MAN: PlyEffect = PlyEffect { is_quiet: false, changes_balance: false };
    const CROWNED: PlyEffect = PlyEffect { is_quiet: false, changes_balance: true };

    fn limits() -> &'static DrawLimits<u64> {
        &russian().draw_limits
    }

    fn russian() -> &'static GameRules<u64> {
        GameRules::for_variant(Variant::Russian).expect("the board has 32 squares")
    }

    fn square(number: u8) -> Square {
        Number::new(number).and_then(|number| russian().spec().shape.numbered(number)).expect("a number of the board")
    }

    fn pieces(white: &[(u8, bool)], black: &[(u8, bool)]) -> Pieces<u64> {
        let mut setup = Setup { pieces: [].into(), ..Setup::start(russian().spec()) };
        for (color, list) in [(Color::White, white), (Color::Black, black)] {
            setup.pieces.extend(list.iter().map(|&(number, king)| (square(number), Piece { color, king })));
        }
        *Position::from_setup(russian(), &setup).expect("a legal position").pieces()
    }

    fn set_up(pieces: &Pieces<u64>) -> Counters {
        Counters::new(limits(), pieces, 0, EndingAges::default())
    }

    fn after(mut counters: Counters, plies: usize, ply: PlyEffect, pieces: &Pieces<u64>) -> Counters {
        for _ in 0..plies {
            counters = counters.after(ply, limits(), pieces);
        }
        counters
    }

    #[test]
    fn a_balance_counts_across_mens_moves_until_a_capture_or_promotion() {
        let four = pieces(&[(29, true), (21, false)], &[(1, true), (12, false)]);
        let start = set_up(&four);
        let last = after(start, 59, MAN, &four);
        assert_eq!((last.draw(limits()), last.plies_left(limits())), (None, Some(1)));
        assert_eq!(after(last, 1, MAN, &four).draw(limits()), Some(DrawReason::Ending(30)));
        assert_eq!(after(after(last, 1, CROWNED, &four), 59, MAN, &four).draw(limits()), None);
        let six = pieces(&[(29, true), (21, false), (22, false)], &[(1, true), (12, false), (11, false)]);
        let last = after(set_up(&six), 119, MAN, &six);
        assert_eq!((last.draw(limits()), last.plies_left(limits())), (None, Some(1)));
        assert_eq!(after(last, 1, MAN, &six).draw(limits()), Some(DrawReason::Ending(60)));
        let eight = pieces(
            &[(29, true), (21, false), (22, false), (23, false)],
            &[(1, true), (12, false), (11, false), (10, false)],
        );
        assert_eq!(after(set_up(&eight), 255, MAN, &eight).plies_left(limits()), Some(30));
    }

    #[test]
    fn the_count_of_three_kings_continues_while_the_lone_king_leaves_the_main_road() {
        let strong = [(30, true), (31, true), (32, true)];
        let [on, off] = [pieces(&strong, &[(4, true)]), pieces(&strong, &[(1, true)])];
        let away = after(set_up(&off), 12, MAN, &off);
        let back = after(away, 1, MAN, &on);
        assert_eq!(back.plies_left(limits()), Some(10), "the road counts from now");
        let off_road = after(after(back, 9, MAN, &on), 1, MAN, &off);
        assert_eq!(off_road.plies_left(limits()), Some(30 - 23));
        assert_eq!(after(back, 10, QUIET, &on).draw(limits()), Some(DrawReason::Ending(5)));
    }

    #[test]
    fn three_of_four_kings_have_all_their_moves() {
        let four = pieces(&[(29, true), (30, true), (31, true), (32, true)], &[(1, true)]);
        let three = pieces(&[(29, true), (30, true), (31, true)], &[(1, true)]);
        let late = after(set_up(&four), 28, MAN, &four);
        assert_eq!(late.plies_left(limits()), Some(2));
        let captured = after(late, 1, CROWNED, &three);
        assert_eq!(captured.plies_left(limits()), Some(30));
        assert_eq!(after(late, 1, QUIET, &four).plies_left(limits()), Some(1));
    }

    #[test]
    fn counters_are_restored_from_the_clock_and_the_ages() {
        let kings = pieces(&[(29, true), (30, true), (31, true)], &[(4, true)]);
        for (mens, quiet) in [(0, 0), (0, 7), (5, 0), (5, 3), (30, 4)] {
            let counters = after(after(set_up(&kings), mens, MAN, &kings), quiet, QUIET, &kings);
            let ages = counters.ages(limits(), &kings);
            assert_eq!(ages.ending == 0, mens == 0, "{ages:?}");
            assert_eq!(Counters::new(limits(), &kings, counters.quiet, ages), counters);
        }
    }
}
