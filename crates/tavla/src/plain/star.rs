//! Star1 and Star2: pruning at chance nodes (Ballard, The *-minimax search procedure for trees containing chance nodes, 1983).
//!
//! A chance node is the sum of its rolls. As long as some of them are not known, each lies between a least and a greatest value; when
//! even the most that the sum can become is not above the lower bound that is asked for, or the least not below the upper bound, the
//! rest does not matter. For the same reason each roll needs to be searched only within bounds that follow from those of the
//! others. Star2 first looks at one good play of each roll: the side that chooses can have at least that.

use super::expectiminimax::Expectiminimax;
use super::table::Bounds;
use crate::rules::{Board, Plays, Roll, WAYS};

/// A search with pruning. Values are exact between the bounds that are asked for; others are bounds themselves.
pub(super) struct Star<'a> {
    pub search: &'a mut Expectiminimax,
    /// Whether one play of each roll is looked at first.
    pub probes: bool,
}

/// One roll at a chance node, seen by the side that rolls.
struct Side {
    roll: Roll,
    bounds: Bounds,
    is_done: bool,
}

/// What is asked about a roll.
#[derive(Clone, Copy)]
struct Asked {
    /// Chance nodes from here on, with this one.
    chances: u8,
    /// The number of the memory for plays.
    level: usize,
    /// Values below `low` or above `high` need not be told apart.
    needed: Bounds,
    /// Whether one good play is enough.
    is_probe: bool,
}

impl Star<'_> {
    /// The value for the side that has moved, with as many chance nodes below.
    pub fn after_play(&mut self, after: &Board, chances: u8, level: usize, low: i64, high: i64) -> i64 {
        if chances == 0 {
            self.search.nodes += 1;
            return self.search.leaf(after);
        }
        if let Some(end) = self.search.end(after) {
            self.search.nodes += 1;
            return end * i64::from(WAYS).pow(chances.into());
        }
        -self.chance(&after.turned(), chances, level, -high, -low)
    }

    /// The sum over all rolls for the side that rolls.
    fn chance(&mut self, board: &Board, chances: u8, level: usize, low: i64, high: i64) -> i64 {
        let known = if self.probes && chances > 0 { self.search.table.get(board, chances) } else { None };
        if let Some(Bounds { low: least, high: most }) = known {
            if least >= high || least == most {
                return least;
            }
            if most <= low {
                return most;
            }
        }
        let most = self.search.most_below(chances - 1);
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
                // What this roll would have to be worth for the sum to leave the bounds, whatever the others are.
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
            self.search.table.put(board, chances, known.map_or(sum, |known| narrower(&known, &sum)));
        }
        // Where the bounds have not met, the sum lies outside of those that were asked for.
        if sum.high <= low { sum.high } else { sum.low }
    }

    /// The bounds of what a roll is worth for the side that rolls.
    fn roll(&mut self, board: &Board, side: &Side, asked: Asked) -> Bounds {
        let mut plays = std::mem::take(&mut self.search.plays[asked.level]);
        let found = self.best(board, side, asked, &mut plays);
        self.search.plays[asked.level] = plays;
        found
    }

    /// The inside of `roll`, with its memory for plays.
    fn best(&mut self, board: &Board, side: &Side, asked: Asked, plays: &mut Plays) -> Bounds {
        let Asked { chances, level, needed, is_probe } = asked;
        let legal = plays.find(board, side.roll, self.search.rules().hit_and_run);
        let mut low = side.bounds.low;
        let limit = if is_probe { 1 } else { legal.len() };
        let mut order: Vec<(i64, usize)> = Vec::new();
        if chances > 1 {
            order.extend(legal.iter().zip(0..).map(|(legal, place)| (-self.search.leaf(&legal.after), place)));
            order.sort_unstable();
            self.search.nodes += order.len() as u64;
        } else {
            order.extend((0..legal.len()).map(|place| (0, place)));
        }
        for &(_, place) in order.iter().take(limit) {
            let after = &legal[place].after;
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
