//! Expectiminimax to a fixed depth.
//!
//! Depth 1 evaluates the positions after one's own play, depth 2 after each of the 21 rolls and the best play of the other side,
//! depth 3 after one's own next one. A chance node has the sum of its rolls, each as often as it falls in 36 ways, so that all values
//! are whole numbers: a value below `n` chance nodes is counted in units of 1/36 to the power of `n`. That makes it possible to say
//! that two searches find exactly the same.
//!
//! Chance nodes are pruned (Ballard, The *-minimax search procedure for trees containing chance nodes, 1983). As long as some rolls
//! are not known, each lies between a least and a greatest value; when even the most that the sum can become is not above the lower
//! bound that is asked for, or the least not below the upper bound, the rest does not matter. For the same reason each roll needs to
//! be searched only within bounds that follow from those of the others (Star1). At depth 3 one good play of each roll is looked at
//! before that (Star2): the side that chooses can have at least that. At depth 2 this saves positions and loses time.

use super::PlainEvaluation;
use crate::rules::{Board, CHECKERS, Legal, Plays, Roll, Rules, WAYS};

/// The greatest depth.
pub const MAX_DEPTH: u8 = 3;

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// The number of the best of the legal plays.
    pub best: usize,
    /// Its value, in the units of the depth.
    pub value: i64,
    /// The value in the units of the evaluation.
    pub mean: f64,
    /// Positions that were evaluated, be it to find the order of plays.
    pub nodes: u64,
}

/// A search with an evaluation. Values are exact between the bounds that are asked for; others are bounds themselves.
pub struct Expectiminimax {
    evaluation: PlainEvaluation,
    rules: Rules,
    mib: usize,
    /// True if one play of each roll is looked at first.
    probes: bool,
    /// Plays by level, so that the memory is used again.
    plays: Vec<Plays>,
    table: Table,
    nodes: u64,
}

/// One roll at a chance node, seen by the side that rolls.
struct Side {
    roll: Roll,
    bounds: Bounds,
    is_done: bool,
}

/// The question about a roll.
#[derive(Clone, Copy)]
struct Asked {
    /// Chance nodes from here on, with this one.
    chances: u8,
    /// The number of the memory for plays.
    level: usize,
    /// Values below `low` or above `high` need not be told apart.
    needed: Bounds,
    /// True if one good play is enough.
    is_probe: bool,
}

impl Expectiminimax {
    /// A search by `evaluation`, with a table of `mib` MiB at depth 3.
    pub fn new(evaluation: PlainEvaluation, rules: Rules, mib: usize) -> Self {
        let plays = vec![Plays::default(); usize::from(MAX_DEPTH)];
        Self { evaluation, rules, mib, probes: false, plays, table: Table::default(), nodes: 0 }
    }

    /// The best of the `legal` plays, the first of equal ones. `goes_on` is asked now and then; when it says no, there is no
    /// answer. Nor is there without a play.
    pub fn search(&mut self, legal: &[Legal], depth: u8, goes_on: &mut dyn FnMut() -> bool) -> Option<Answer> {
        let depth = depth.clamp(1, MAX_DEPTH);
        self.nodes = 0;
        self.probes = depth > 2;
        self.table.age += 1;
        // Down to depth 2 no chance node is met twice.
        if self.probes {
            self.table.make_room(self.mib);
        }
        let most = self.most_below(depth - 1);
        // The most promising plays first, which narrows the bounds for the others.
        let mut order: Vec<_> = (0..legal.len()).map(|place| (-self.leaf(&legal[place].after), place)).collect();
        order.sort_unstable();
        let mut best: Option<(usize, i64)> = None;
        for (_, place) in order {
            if !goes_on() {
                return None;
            }
            // One less than the best lets a later play of the same value be seen, so that the first of equal plays is chosen
            // whatever the order.
            let low = best.map_or(-most, |(_, value)| value - 1);
            let value = self.after_play(&legal[place].after, depth - 1, 0, low, most);
            if best.is_none_or(|(known, least)| value > least || (value == least && place < known)) {
                best = Some((place, value));
            }
        }
        let (best, value) = best?;
        let unit = f64::from(self.evaluation.unit()) * f64::from(WAYS).powi(i32::from(depth) - 1);
        Some(Answer { best, value, mean: value as f64 / unit, nodes: self.nodes })
    }

    /// The greatest value above as many chance nodes.
    fn most_below(&self, chances: u8) -> i64 {
        let points = if self.rules.mars { 2 } else { 1 };
        points * i64::from(self.evaluation.most()) * i64::from(WAYS).pow(chances.into())
    }

    /// The value of a position for the side that has moved, if the game is over.
    fn end(&self, after: &Board) -> Option<i64> {
        let is_mars = self.rules.mars && after.other.off() == 0;
        let points = if is_mars { 2 } else { 1 };
        (after.own.off() == CHECKERS).then(|| points * i64::from(self.evaluation.most()))
    }

    /// The value of a position for the side that has moved, at the end of the depth.
    fn leaf(&self, after: &Board) -> i64 {
        self.end(after).unwrap_or_else(|| i64::from(self.evaluation.value(after)))
    }

    /// The value for the side that has moved, with as many chance nodes below.
    fn after_play(&mut self, after: &Board, chances: u8, level: usize, low: i64, high: i64) -> i64 {
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

    /// The sum over all rolls for the side that rolls.
    fn chance(&mut self, board: &Board, chances: u8, level: usize, low: i64, high: i64) -> i64 {
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
        let mut sides = Roll::ALL.map(|roll| Side { roll, bounds: unknown, is_done: false });
        let mut sum = Bounds { low: -most * i64::from(WAYS), high: most * i64::from(WAYS) };
        let passes: &[bool] = if self.probes { &[true, false] } else { &[false] };
        'all: for &is_probe in passes {
            for side in &mut sides {
                if side.is_done {
                    continue;
                }
                let ways = i64::from(side.roll.ways());
                // The value of this roll for which the sum leaves the bounds, whatever the others are.
                let others = Bounds { low: sum.low - ways * side.bounds.low, high: sum.high - ways * side.bounds.high };
                let needed = Bounds {
                    low: (low - others.high).div_euclid(ways).max(side.bounds.low),
                    high: (high - others.low + ways - 1).div_euclid(ways).min(side.bounds.high),
                };
                let found = self.roll(board, side, Asked { chances, level, needed, is_probe });
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
        // Where the bounds have not met, the sum lies outside of those that were asked for.
        if sum.high <= low { sum.high } else { sum.low }
    }

    /// The bounds of what a roll is worth for the side that rolls.
    fn roll(&mut self, board: &Board, side: &Side, asked: Asked) -> Bounds {
        let mut plays = std::mem::take(&mut self.plays[asked.level]);
        let found = self.best(board, side, asked, &mut plays);
        self.plays[asked.level] = plays;
        found
    }

    /// The inside of `roll`, with its memory for plays.
    fn best(&mut self, board: &Board, side: &Side, asked: Asked, plays: &mut Plays) -> Bounds {
        let Asked { chances, level, needed, is_probe } = asked;
        let legal = plays.find(board, side.roll, self.rules.hit_and_run);
        let mut low = side.bounds.low;
        let limit = if is_probe { legal.len().min(1) } else { legal.len() };
        // Where plays have to be searched, the most promising ones come first.
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
                // At least that much; how much more does not matter.
                return Bounds { low, high: side.bounds.high };
            }
        }
        if is_probe && legal.len() > 1 {
            return Bounds { low, high: side.bounds.high };
        }
        // A value that is not above what is needed is only an upper bound.
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

/// Bounds of the sum that a chance node has, found at this depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bounds {
    /// The sum is at least this.
    low: i64,
    /// The sum is at most this.
    high: i64,
}

#[derive(Clone, Copy)]
struct Entry {
    board: Board,
    depth: u8,
    bounds: Bounds,
    /// The search that it belongs to.
    age: u32,
}

/// A transposition table: for each chance node one place, where the last one stays, if there is room at all. The whole position is
/// kept, so that two are never mistaken for each other.
#[derive(Default)]
struct Table {
    entries: Vec<Option<Entry>>,
    /// The number of the search, whose evaluation may be another one than before.
    age: u32,
}

impl Table {
    /// Makes room for about as many MiB.
    fn make_room(&mut self, mib: usize) {
        self.entries.resize((mib << 20) / size_of::<Option<Entry>>(), None);
    }

    fn place(&self, board: &Board, depth: u8) -> usize {
        let mut key = u64::from(depth) + 1;
        for counts in [board.own.counts(), board.other.counts()] {
            for eight in counts.chunks(8) {
                let word = eight.iter().fold(0_u64, |word, &count| word << 8 | u64::from(count));
                key = (key ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
            }
        }
        ((u128::from(key) * self.entries.len() as u128) >> 64) as usize
    }

    /// The bounds of a chance node at exactly this depth.
    fn get(&self, board: &Board, depth: u8) -> Option<Bounds> {
        let entry = self.entries.get(self.place(board, depth))?.as_ref()?;
        (entry.age == self.age && entry.depth == depth && entry.board == *board).then_some(entry.bounds)
    }

    /// Stores bounds that are at least as narrow as those before.
    fn put(&mut self, board: &Board, depth: u8, bounds: Bounds) {
        let place = self.place(board, depth);
        if let Some(entry) = self.entries.get_mut(place) {
            *entry = Some(Entry { board: *board, depth, bounds, age: self.age });
        }
    }
}
