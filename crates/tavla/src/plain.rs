//! The expectiminimax player described in a student report, with its integer evaluations. Each evaluation is the value
//! of one side minus the value of the other.
#![allow(clippy::indexing_slicing, reason = "points are valid indices of the board's arrays")]

use crate::rules::{BAR, CHECKERS, Checkers, HOME, LegalPlay, ORDERED_ROLLS, Plays, Roll, Rules, TavlaBoard, facing};
use strum::{Display, EnumIter, EnumString, VariantNames};

#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, EnumIter, EnumString, VariantNames)]
#[strum(serialize_all = "lowercase", ascii_case_insensitive)]
pub enum PlainEvaluation {
    /// Difference in pip counts. The report does not define its plain evaluation, so the simplest choice is used here.
    Plain,
    First,
    /// The value is in quarters of the report's unit. In the report's unit, the n-th point of a run of consecutive made
    /// points scores 3n. A blot costs 1/4 for every enemy checker that could still hit it. Each anchor (a made point in
    /// the enemy home) scores 5 for every enemy checker on the bar and every enemy blot.
    Second,
}

impl PlainEvaluation {
    /// Returns the value for the side to roll.
    pub fn value(self, board: &TavlaBoard) -> i32 {
        let TavlaBoard { own, other } = board;
        match self {
            Self::Plain => other.pips() as i32 - own.pips() as i32,
            Self::First => first(own) - first(other),
            Self::Second => second(own, other) - second(other, own),
        }
    }

    /// Returns the value of a one-point win. The absolute value of a position never exceeds it.
    pub fn win_value(self) -> i32 {
        let checkers = i32::from(CHECKERS);
        match self {
            Self::Plain => checkers * BAR as i32,
            Self::First => 2 * 5 * checkers,
            // A side has at most seven consecutive points, blots exposed to 15 checkers, and six anchors against 15
            // checkers. These maxima cannot occur at the same time.
            Self::Second => 4 * (3 * 28 + 5 * 6 * checkers) + checkers * checkers,
        }
    }

    /// Returns how many units of this evaluation equal one unit of the report.
    pub fn unit(self) -> i32 {
        if self == Self::Second { 4 } else { 1 }
    }
}

fn first(side: &Checkers) -> i32 {
    let points: i32 = side.counts()[1..BAR]
        .iter()
        .map(|&count| match count {
            0 => 0,
            1 => -3,
            _ => 4,
        })
        .sum();
    points - 4 * i32::from(side.bar()) + 5 * i32::from(side.off())
}

fn second(own: &Checkers, other: &Checkers) -> i32 {
    let (mut sum, mut run, mut anchors) = (0, 0, 0);
    for number in 1..BAR {
        match own.count_at(number) {
            0 => run = 0,
            1 => {
                run = 0;
                sum -= exposure(number, other);
            }
            _ => {
                run += 1;
                sum += 4 * 3 * run;
                anchors += i32::from(number >= facing(HOME));
            }
        }
    }
    let blots = other.counts()[1..BAR].iter().filter(|&&count| count == 1).count() as i32;
    sum + 4 * 5 * anchors * (i32::from(other.bar()) + blots)
}

/// Returns the number of opposing checkers that have not yet passed the point and could therefore hit there.
fn exposure(number: usize, other: &Checkers) -> i32 {
    other.counts().iter().skip(facing(number) + 1).map(|&count| i32::from(count)).sum()
}

pub const MAX_DEPTH: u8 = 3;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlainAnswer {
    pub best: usize,
    pub value: i64,
    /// Mean value in units of the student report.
    pub mean: f64,
    pub nodes: u64,
}

/// Fixed-depth expectiminimax with an evaluation. A value inside the window is exact; a value outside it is a bound.
///
/// Depth 1 evaluates the positions after the side's own play. Depth 2 adds each of the 21 rolls with the best reply to
/// it, and depth 3 adds the side's next play. The value of a chance node is the sum over its rolls, each weighted by
/// its frequency out of 36. All values are therefore integers. A value that is summed over `n` levels of chance nodes
/// is 36 to the power of `n` times the mean evaluation. Searches can thus be compared exactly.
///
/// Chance nodes are pruned (Ballard, The *-minimax search procedure for trees containing chance nodes, 1983). Rolls
/// that have not been searched are bounded, and the search of a node ends as soon as the bounds of its sum leave the
/// window. Each roll is searched with the window that follows from the bounds of the other rolls (Star1). At depth 3,
/// one good play per roll is probed first to obtain lower bounds (Star2). At depth 2, Star2 would reduce the number of
/// positions but take more time.
pub struct Expectiminimax {
    evaluation: PlainEvaluation,
    rules: Rules,
    mib: usize,
    /// Whether to probe one play per roll first (Star2).
    probes: bool,
    plays: Vec<Plays>,
    table: Table,
    nodes: u64,
}

/// Called with the number of nodes so far; returns whether the search may go on.
type MayContinue<'a> = &'a mut dyn FnMut(u64) -> bool;

struct RollBounds {
    roll: Roll,
    bounds: Bounds,
    is_done: bool,
}

#[derive(Clone, Copy)]
struct RollQuery {
    chances: u8,
    level: usize,
    needed: Bounds,
    is_probe: bool,
}

impl Expectiminimax {
    /// Creates a search with a transposition table of `mib` MiB. The table is used only at depth 3.
    pub fn new(evaluation: PlainEvaluation, rules: Rules, mib: usize) -> Self {
        let plays = vec![Plays::default(); usize::from(MAX_DEPTH)];
        Self { evaluation, rules, mib, probes: false, plays, table: Table::default(), nodes: 0 }
    }

    /// Returns the best play, or the first one if several plays are equally good. Returns `None` if there are no legal
    /// plays or if `may_continue`, which is called with the number of nodes so far, returns false.
    pub fn search(&mut self, legal: &[LegalPlay], depth: u8, may_continue: MayContinue<'_>) -> Option<PlainAnswer> {
        let depth = depth.clamp(1, MAX_DEPTH);
        self.nodes = 0;
        self.probes = depth > 2;
        self.table.age += 1;
        // At lower depths, a chance node never occurs twice.
        if self.probes {
            self.table.resize(self.mib);
        }
        let most = self.max_below(depth - 1);
        // Promising plays come first to narrow the window for the other plays.
        let mut order: Vec<_> = (0..legal.len()).map(|place| (-self.leaf(&legal[place].after), place)).collect();
        order.sort_unstable();
        let mut best: Option<(usize, i64)> = None;
        for (_, place) in order {
            // The lower end of the window is one below the best value, so that equally good plays are recognised. The
            // play with the lowest index is then chosen, regardless of the search order.
            let low = best.map_or(-most, |(_, value)| value - 1);
            let value = self.after_play(&legal[place].after, depth - 1, 0, (low, most), may_continue)?;
            if best.is_none_or(|(known, least)| value > least || (value == least && place < known)) {
                best = Some((place, value));
            }
        }
        let (best, value) = best?;
        let unit = f64::from(self.evaluation.unit()) * f64::from(ORDERED_ROLLS).powi(i32::from(depth) - 1);
        Some(PlainAnswer { best, value, mean: value as f64 / unit, nodes: self.nodes })
    }

    fn max_below(&self, chances: u8) -> i64 {
        let points = if self.rules.mars { 2 } else { 1 };
        points * i64::from(self.evaluation.win_value()) * i64::from(ORDERED_ROLLS).pow(chances.into())
    }

    fn end(&self, after: &TavlaBoard) -> Option<i64> {
        let is_mars = self.rules.mars && after.other.off() == 0;
        let points = if is_mars { 2 } else { 1 };
        (after.own.off() == CHECKERS).then(|| points * i64::from(self.evaluation.win_value()))
    }

    fn leaf(&self, after: &TavlaBoard) -> i64 {
        self.end(after).unwrap_or_else(|| i64::from(self.evaluation.value(after)))
    }

    fn after_play(
        &mut self,
        after: &TavlaBoard,
        chances: u8,
        level: usize,
        (low, high): (i64, i64),
        may_continue: MayContinue<'_>,
    ) -> Option<i64> {
        if chances == 0 {
            self.nodes += 1;
            return Some(self.leaf(after));
        }
        if let Some(end) = self.end(after) {
            self.nodes += 1;
            return Some(end * i64::from(ORDERED_ROLLS).pow(chances.into()));
        }
        self.chance(&after.turned(), chances, level, (-high, -low), may_continue).map(i64::wrapping_neg)
    }

    fn chance(
        &mut self,
        board: &TavlaBoard,
        chances: u8,
        level: usize,
        (low, high): (i64, i64),
        may_continue: MayContinue<'_>,
    ) -> Option<i64> {
        if !may_continue(self.nodes) {
            return None;
        }
        let known = if self.probes { self.table.get(board, chances) } else { None };
        if let Some(Bounds { low: least, high: most }) = known {
            if least >= high || least == most {
                return Some(least);
            }
            if most <= low {
                return Some(most);
            }
        }
        let most = self.max_below(chances - 1);
        let unknown = Bounds { low: -most, high: most };
        let mut sides = Roll::ALL.map(|roll| RollBounds { roll, bounds: unknown, is_done: false });
        let mut sum = Bounds { low: -most * i64::from(ORDERED_ROLLS), high: most * i64::from(ORDERED_ROLLS) };
        let passes: &[bool] = if self.probes { &[true, false] } else { &[false] };
        'all: for &is_probe in passes {
            for side in &mut sides {
                if side.is_done {
                    continue;
                }
                let frequency = i64::from(side.roll.frequency());
                // Values of this roll at which the sum leaves the window, regardless of the values of the other rolls.
                let others = Bounds {
                    low: sum.low - frequency * side.bounds.low,
                    high: sum.high - frequency * side.bounds.high,
                };
                let needed = Bounds {
                    low: (low - others.high).div_euclid(frequency).max(side.bounds.low),
                    high: (high - others.low + frequency - 1).div_euclid(frequency).min(side.bounds.high),
                };
                let found = self.roll(board, side, RollQuery { chances, level, needed, is_probe }, may_continue)?;
                side.is_done = !is_probe || found.low == found.high;
                sum.low += frequency * (found.low - side.bounds.low);
                sum.high += frequency * (found.high - side.bounds.high);
                side.bounds = found;
                if sum.low >= high || sum.high <= low {
                    break 'all;
                }
            }
        }
        if self.probes {
            self.table.put(board, chances, known.map_or(sum, |known| narrower(&known, &sum)));
        }
        // If the bounds differ, the sum is outside the window.
        Some(if sum.high <= low { sum.high } else { sum.low })
    }

    fn roll(
        &mut self,
        board: &TavlaBoard,
        side: &RollBounds,
        query: RollQuery,
        may_continue: MayContinue<'_>,
    ) -> Option<Bounds> {
        let mut plays = std::mem::take(&mut self.plays[query.level]);
        let found = self.best(board, side, query, &mut plays, may_continue);
        self.plays[query.level] = plays;
        found
    }

    fn best(
        &mut self,
        board: &TavlaBoard,
        side: &RollBounds,
        query: RollQuery,
        plays: &mut Plays,
        may_continue: MayContinue<'_>,
    ) -> Option<Bounds> {
        let RollQuery { chances, level, needed, is_probe } = query;
        let legal = plays.find(board, side.roll, self.rules.hit_and_run);
        let mut low = side.bounds.low;
        let limit = if is_probe { legal.len().min(1) } else { legal.len() };
        let mut order: Vec<(i64, usize)> = Vec::new();
        if chances > 1 {
            order.extend(legal.iter().zip(0..).map(|(legal, place)| (-self.leaf(&legal.after), place)));
            order.sort_unstable();
            self.nodes += order.len() as u64;
        }
        for number in 0..limit {
            let after = &legal[order.get(number).map_or(number, |&(_, place)| place)].after;
            let window = (low.max(needed.low), needed.high);
            low = low.max(self.after_play(after, chances - 1, level + 1, window, may_continue)?);
            if low >= needed.high {
                return Some(Bounds { low, high: side.bounds.high });
            }
        }
        Some(if is_probe && legal.len() > 1 {
            Bounds { low, high: side.bounds.high }
        } else if low <= needed.low {
            Bounds { low: side.bounds.low, high: low.max(needed.low) }
        } else {
            Bounds { low, high: low }
        })
    }
}

fn narrower(first: &Bounds, second: &Bounds) -> Bounds {
    Bounds { low: first.low.max(second.low), high: first.high.min(second.high) }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bounds {
    low: i64,
    high: i64,
}

#[derive(Clone, Copy)]
struct ChanceEntry {
    board: TavlaBoard,
    depth: u8,
    bounds: Bounds,
    age: u32,
}

/// A direct-mapped transposition table for chance nodes. A new entry always replaces the old one. Entries contain the
/// whole position, so positions are never confused.
#[derive(Default)]
struct Table {
    entries: Vec<Option<ChanceEntry>>,
    /// Number of the current search. Entries from earlier searches may have been computed with a different evaluation.
    age: u32,
}

impl Table {
    fn resize(&mut self, mib: usize) {
        self.entries.resize((mib << 20) / size_of::<Option<ChanceEntry>>(), None);
    }

    fn place(&self, board: &TavlaBoard, depth: u8) -> usize {
        let mut key = u64::from(depth) + 1;
        for counts in [board.own.counts(), board.other.counts()] {
            for eight in counts.chunks(8) {
                let word = eight.iter().fold(0_u64, |word, &count| word << 8 | u64::from(count));
                key = (key ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
            }
        }
        ((u128::from(key) * self.entries.len() as u128) >> 64) as usize
    }

    fn get(&self, board: &TavlaBoard, depth: u8) -> Option<Bounds> {
        let entry = self.entries.get(self.place(board, depth))?.as_ref()?;
        (entry.age == self.age && entry.depth == depth && entry.board == *board).then_some(entry.bounds)
    }

    fn put(&mut self, board: &TavlaBoard, depth: u8, bounds: Bounds) {
        let place = self.place(board, depth);
        if let Some(entry) = self.entries.get_mut(place) {
            *entry = Some(ChanceEntry { board: *board, depth, bounds, age: self.age });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use strum::IntoEnumIterator;

    #[test]
    fn the_other_side_sees_the_opposite() {
        let mut random = Random::new(7);
        for _ in 0..3000 {
            let board = random.board();
            for evaluation in PlainEvaluation::iter() {
                let value = evaluation.value(&board);
                assert_eq!(value, -evaluation.value(&board.turned()), "{evaluation} {board:?}");
                assert!(value.abs() <= evaluation.win_value(), "{evaluation} {board:?}: {value}");
            }
        }
    }

    #[test]
    fn values_of_the_start_after_a_play() {
        let board = TavlaBoard::start();
        assert!(PlainEvaluation::iter().all(|evaluation| evaluation.value(&board) == 0));
        let mut plays = crate::rules::Plays::default();
        let mut after = |roll: &str, play: &str| {
            let found = plays.find(&board, roll.parse().unwrap(), true);
            let meant = found.iter().find(|legal| legal.play.ordered().to_string() == play).unwrap();
            PlainEvaluation::iter().map(|evaluation| evaluation.value(&meant.after)).collect::<Vec<_>>()
        };
        // One more made point is worth 4. The run of the 5 and 6 points counts 3 + 6 instead of 3; the value of the 8
        // point does not change.
        assert_eq!(after("31", "8/5,6/5"), [4, 4, 4 * 6]);
        // The side that has moved has three made points and three blots, the opponent four made points. The two blots
        // in the opponent's home board are exposed to all 15 checkers, the third blot to two. The opponent has an
        // anchor and three blots to shoot at.
        assert_eq!(after("21", "24/23,13/11"), [3, 3 - 16, (36 - 15 - 15 - 2) - (48 + 60)]);
    }
}
