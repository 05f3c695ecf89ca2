//! Expectiminimax to a fixed depth.
//!
//! Depth 1 evaluates the positions after one's own play, depth 2 after each of the 21 rolls and the best play of the other side,
//! depth 3 after one's own next one. A chance node has the sum of its rolls, each as often as it falls in 36 ways, so that all values
//! are whole numbers: a value below `n` chance nodes is counted in units of 1/36 to the power of `n`. That makes it possible to say
//! that two searches find exactly the same.

use super::evaluation::PlainEvaluation;
use super::star::Star;
use super::table::Table;
use crate::rules::{Board, CHECKERS, Legal, Plays, Roll, Rules, WAYS};

/// The greatest depth.
pub const MAX_DEPTH: u8 = 3;

/// Whether parts of the tree that cannot matter are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pruning {
    /// Every position is looked at.
    None,
    /// As soon as the bounds of a chance node show that it does not matter, it is left (Ballard's Star1).
    Star1,
    /// Before that one play of every roll is looked at, which narrows the bounds (Star2), and a table remembers chance nodes.
    Star2,
}

impl Pruning {
    /// All of them with their names.
    pub const NAMED: [(&str, Self); 3] = [("none", Self::None), ("star1", Self::Star1), ("star2", Self::Star2)];
}

/// What a search has found.
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

/// A search with an evaluation.
pub struct Expectiminimax {
    evaluation: PlainEvaluation,
    pruning: Pruning,
    rules: Rules,
    mib: usize,
    /// Plays by level, so that the memory is used again.
    pub(super) plays: Vec<Plays>,
    pub(super) table: Table,
    pub(super) nodes: u64,
}

impl Expectiminimax {
    /// A search by `evaluation`. Star2 has a table of `mib` MiB.
    pub fn new(evaluation: PlainEvaluation, pruning: Pruning, rules: Rules, mib: usize) -> Self {
        let plays = vec![Plays::default(); usize::from(MAX_DEPTH)];
        Self { evaluation, pruning, rules, mib, plays, table: Table::new(), nodes: 0 }
    }

    /// The best of the `legal` plays, the first of equal ones. `goes_on` is asked now and then; when it says no, there is no
    /// answer. Nor is there without a play.
    pub fn search(&mut self, legal: &[Legal], depth: u8, goes_on: &mut dyn FnMut() -> bool) -> Option<Answer> {
        let depth = depth.clamp(1, MAX_DEPTH);
        self.nodes = 0;
        self.table.begin();
        // Down to depth 2 no chance node is met twice.
        if self.pruning == Pruning::Star2 && depth > 2 {
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
            let after = &legal[place].after;
            let value = match (self.pruning, best) {
                (Pruning::None, _) => self.full(after, depth - 1, 0),
                // One less than the best lets a later play of the same value be seen, so that the first of equal plays is
                // chosen whatever the order.
                (pruning, best) => {
                    let low = best.map_or(-most, |(_, value)| value - 1);
                    Star { search: self, probes: pruning == Pruning::Star2 }.after_play(after, depth - 1, 0, low, most)
                }
            };
            if best.is_none_or(|(known, least)| value > least || (value == least && place < known)) {
                best = Some((place, value));
            }
        }
        let (best, value) = best?;
        let unit = f64::from(self.evaluation.unit()) * f64::from(WAYS).powi(i32::from(depth) - 1);
        Some(Answer { best, value, mean: value as f64 / unit, nodes: self.nodes })
    }

    /// The greatest value above as many chance nodes.
    pub(super) fn most_below(&self, chances: u8) -> i64 {
        let points = if self.rules.mars { 2 } else { 1 };
        points * i64::from(self.evaluation.most()) * i64::from(WAYS).pow(chances.into())
    }

    pub(super) fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The value of a position for the side that has moved, if the game is over.
    pub(super) fn end(&self, after: &Board) -> Option<i64> {
        let is_mars = self.rules.mars && after.other.off() == 0;
        let points = if is_mars { 2 } else { 1 };
        (after.own.off() == CHECKERS).then(|| points * i64::from(self.evaluation.most()))
    }

    /// The value of a position for the side that has moved, at the end of the depth.
    pub(super) fn leaf(&self, after: &Board) -> i64 {
        self.end(after).unwrap_or_else(|| i64::from(self.evaluation.value(after)))
    }

    /// The value for the side that has moved, with as many chance nodes below; everything is looked at.
    fn full(&mut self, after: &Board, chances: u8, level: usize) -> i64 {
        if chances == 0 {
            self.nodes += 1;
            return self.leaf(after);
        }
        if let Some(end) = self.end(after) {
            self.nodes += 1;
            return end * i64::from(WAYS).pow(chances.into());
        }
        let board = after.turned();
        let mut sum = 0;
        for roll in Roll::ALL {
            let mut plays = std::mem::take(&mut self.plays[level]);
            let best = plays
                .find(&board, roll, self.rules.hit_and_run)
                .iter()
                .map(|legal| self.full(&legal.after, chances - 1, level + 1))
                .max();
            self.plays[level] = plays;
            sum -= i64::from(roll.ways()) * best.unwrap_or_default();
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Random;

    fn agree(depth: u8, positions: usize, seed: u64) -> [u64; 3] {
        let mut random = Random::new(seed);
        let mut nodes = [0; 3];
        for number in 0..positions {
            let rules =
                Rules { mars: number.is_multiple_of(2), hit_and_run: !number.is_multiple_of(3), ..Rules::default() };
            let (_, evaluation) = PlainEvaluation::NAMED[number % 3];
            let mut plays = Plays::default();
            let (board, roll) = (random.board(), random.roll());
            let legal = plays.find(&board, roll, rules.hit_and_run);
            let answers = Pruning::NAMED.map(|(_, pruning)| {
                // A small table, in which places are often taken away.
                let mut search = Expectiminimax::new(evaluation, pruning, rules, 1);
                search.search(legal, depth, &mut || true).unwrap()
            });
            for (answer, nodes) in answers.iter().zip(&mut nodes) {
                let Answer { best, value, mean, .. } = *answer;
                assert_eq!(
                    (best, value, mean),
                    (answers[0].best, answers[0].value, answers[0].mean),
                    "{board:?} {roll}"
                );
                *nodes += answer.nodes;
            }
        }
        nodes
    }

    #[test]
    fn pruning_finds_exactly_the_same() {
        agree(1, 200, 1);
        let [full, star1, star2] = agree(2, 60, 2);
        assert!(star1 < full && star2 < full, "{full} {star1} {star2}");
    }

    #[test]
    #[ignore = "minutes; the nodes are quoted in docs/tavla.md"]
    fn pruning_finds_exactly_the_same_at_depth_3() {
        let [full, star1, star2] = agree(3, 24, 3);
        println!("depth 3: {full} nodes, Star1 {star1}, Star2 {star2}");
        assert!(star1 < full && star2 < star1, "{full} {star1} {star2}");
    }

    #[test]
    fn the_chance_node_is_the_mean_of_36_ways() {
        // One checker left on the 6 point, the other side has one on its 1 point: the game is over with the next roll or after it.
        let mut counts = [0; 26];
        (counts[0], counts[2]) = (14, 1);
        let own = crate::rules::Side::new(counts).unwrap();
        (counts[2], counts[6]) = (0, 1);
        let other = crate::rules::Side::new(counts).unwrap();
        let board = Board::new(other, own).unwrap();
        let mut plays = Plays::default();
        // 2-1 leaves the checker on the 3 point; the other side bears off its last one with every roll but 1-1.
        let legal = plays.find(&board, Roll::new(2, 1).unwrap(), true);
        let mut search = Expectiminimax::new(PlainEvaluation::Plain, Pruning::None, Rules::default(), 1);
        let answer = search.search(legal, 2, &mut || true).unwrap();
        assert_eq!(answer.value, -36 * 375, "every roll bears off a checker on the 2 point");
        let depth_1 = search.search(legal, 1, &mut || true).unwrap();
        assert_eq!(depth_1.mean, -1.0);
    }
}
