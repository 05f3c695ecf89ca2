//! Fixed-depth expectiminimax.
//!
//! Depth 1 evaluates the positions after the side's own play. Depth 2 adds each of the 21 rolls with the best reply to
//! it, and depth 3 adds the side's next play. The value of a chance node is the sum over its rolls, each weighted by
//! its frequency out of 36. Values are therefore integers: below `n` chance nodes, their unit is 36 to the power of -n.
//! This makes it possible to compare searches exactly.
//!
//! Chance nodes are pruned (Ballard, The *-minimax search procedure for trees containing chance nodes, 1983). Rolls
//! that have not been searched are bounded, and the search of a node ends as soon as the bounds of its sum leave the
//! window. Each roll is searched with the window that follows from the bounds of the other rolls (Star1). At depth 3,
//! one good play per roll is probed first to obtain lower bounds (Star2). At depth 2, Star2 would reduce the number of
//! positions but take more time.

use super::PlainEvaluation;
use crate::rules::{CHECKERS, Legal, Plays, Roll, Rules, TavlaBoard, WAYS};

pub const MAX_DEPTH: u8 = 3;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlainAnswer {
    pub best: usize,
    pub value: i64,
    /// Mean value in units of the student report.
    pub mean: f64,
    pub nodes: u64,
}

/// Expectiminimax search with an evaluation. A value inside the window is exact; a value outside it is a bound.
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
    /// plays or if `may_continue` returns false.
    pub fn search(
        &mut self,
        legal: &[Legal],
        depth: u8,
        may_continue: &mut dyn FnMut() -> bool,
    ) -> Option<PlainAnswer> {
        let depth = depth.clamp(1, MAX_DEPTH);
        self.nodes = 0;
        self.probes = depth > 2;
        self.table.age += 1;
        // At lower depths, a chance node never occurs twice.
        if self.probes {
            self.table.make_room(self.mib);
        }
        let most = self.most_below(depth - 1);
        // Promising plays come first to narrow the window for the other plays.
        let mut order: Vec<_> = (0..legal.len()).map(|place| (-self.leaf(&legal[place].after), place)).collect();
        order.sort_unstable();
        let mut best: Option<(usize, i64)> = None;
        for (_, place) in order {
            if !may_continue() {
                return None;
            }
            // The lower end of the window is one below the best value, so that equally good plays are recognised. The
            // play with the lowest index is then chosen, whatever the search order.
            let low = best.map_or(-most, |(_, value)| value - 1);
            let value = self.after_play(&legal[place].after, depth - 1, 0, low, most);
            if best.is_none_or(|(known, least)| value > least || (value == least && place < known)) {
                best = Some((place, value));
            }
        }
        let (best, value) = best?;
        let unit = f64::from(self.evaluation.unit()) * f64::from(WAYS).powi(i32::from(depth) - 1);
        Some(PlainAnswer { best, value, mean: value as f64 / unit, nodes: self.nodes })
    }

    fn most_below(&self, chances: u8) -> i64 {
        let points = if self.rules.mars { 2 } else { 1 };
        points * i64::from(self.evaluation.most()) * i64::from(WAYS).pow(chances.into())
    }

    fn end(&self, after: &TavlaBoard) -> Option<i64> {
        let is_mars = self.rules.mars && after.other.off() == 0;
        let points = if is_mars { 2 } else { 1 };
        (after.own.off() == CHECKERS).then(|| points * i64::from(self.evaluation.most()))
    }

    fn leaf(&self, after: &TavlaBoard) -> i64 {
        self.end(after).unwrap_or_else(|| i64::from(self.evaluation.value(after)))
    }

    fn after_play(&mut self, after: &TavlaBoard, chances: u8, level: usize, low: i64, high: i64) -> i64 {
        if chances == 0 {
            self.nodes += 1;
            return self.leaf(after);
        }
        if let Some(end) = self.end(after) {
            self.nodes += 1;
            return end * i64::from(WAYS).pow(chances.into());
        }
        -self.chance(&after.turned(), chances, level, -high, -low)
    }

    fn chance(&mut self, board: &TavlaBoard, chances: u8, level: usize, low: i64, high: i64) -> i64 {
        let known = if self.probes { self.table.get(board, chances) } else { None };
        if let Some(Bounds { low: least, high: most }) = known {
            if least >= high || least == most {
                return least;
            }
            if most <= low {
                return most;
            }
        }
        let most = self.most_below(chances - 1);
        let unknown = Bounds { low: -most, high: most };
        let mut sides = Roll::ALL.map(|roll| RollBounds { roll, bounds: unknown, is_done: false });
        let mut sum = Bounds { low: -most * i64::from(WAYS), high: most * i64::from(WAYS) };
        let passes: &[bool] = if self.probes { &[true, false] } else { &[false] };
        'all: for &is_probe in passes {
            for side in &mut sides {
                if side.is_done {
                    continue;
                }
                let ways = i64::from(side.roll.ways());
                // Values of this roll at which the sum leaves the window, whatever the values of the other rolls are.
                let others = Bounds { low: sum.low - ways * side.bounds.low, high: sum.high - ways * side.bounds.high };
                let needed = Bounds {
                    low: (low - others.high).div_euclid(ways).max(side.bounds.low),
                    high: (high - others.low + ways - 1).div_euclid(ways).min(side.bounds.high),
                };
                let found = self.roll(board, side, RollQuery { chances, level, needed, is_probe });
                side.is_done = !is_probe || found.low == found.high;
                sum.low += ways * (found.low - side.bounds.low);
                sum.high += ways * (found.high - side.bounds.high);
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
        if sum.high <= low { sum.high } else { sum.low }
    }

    fn roll(&mut self, board: &TavlaBoard, side: &RollBounds, query: RollQuery) -> Bounds {
        let mut plays = std::mem::take(&mut self.plays[query.level]);
        let found = self.best(board, side, query, &mut plays);
        self.plays[query.level] = plays;
        found
    }

    fn best(&mut self, board: &TavlaBoard, side: &RollBounds, query: RollQuery, plays: &mut Plays) -> Bounds {
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
            let value = self.after_play(after, chances - 1, level + 1, low.max(needed.low), needed.high);
            low = low.max(value);
            if low >= needed.high {
                return Bounds { low, high: side.bounds.high };
            }
        }
        if is_probe && legal.len() > 1 {
            return Bounds { low, high: side.bounds.high };
        }
        if low <= needed.low {
            Bounds { low: side.bounds.low, high: low.max(needed.low) }
        } else {
            Bounds { low, high: low }
        }
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
struct Entry {
    board: TavlaBoard,
    depth: u8,
    bounds: Bounds,
    age: u32,
}

/// A direct-mapped transposition table for chance nodes. A new entry always replaces the old one. Entries contain the
/// whole position, so positions are never confused.
#[derive(Default)]
struct Table {
    entries: Vec<Option<Entry>>,
    /// Number of the current search. Entries from earlier searches may have been computed with a different evaluation.
    age: u32,
}

impl Table {
    fn make_room(&mut self, mib: usize) {
        self.entries.resize((mib << 20) / size_of::<Option<Entry>>(), None);
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
            *entry = Some(Entry { board: *board, depth, bounds, age: self.age });
        }
    }
}
