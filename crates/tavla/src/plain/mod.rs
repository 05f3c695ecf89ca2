//! The expectiminimax player from a student report, with its integer evaluations. Each is the difference between the
//! values of the two sides.
#![allow(clippy::indexing_slicing, reason = "points index arrays of the board")]

mod expectiminimax;

pub use expectiminimax::{Expectiminimax, MAX_DEPTH, PlainAnswer};

use crate::rules::{BAR, CHECKERS, Checkers, HOME, TavlaBoard, facing};
use strum::{Display, EnumIter, EnumString, VariantNames};

#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, EnumIter, EnumString, VariantNames)]
#[strum(serialize_all = "lowercase", ascii_case_insensitive)]
pub enum PlainEvaluation {
    /// Difference of the pip counts. The report does not define its plain evaluation; this is the simplest choice.
    Plain,
    First,
    /// Value in quarters: 3 for each made point times its position in its run, minus a quarter of the exposure of each
    /// blot. In addition, for each anchor (made point in the enemy home), 5 per enemy checker on the bar and per enemy
    /// blot.
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

    /// Returns the value of winning one point, an upper bound of the absolute value of any position.
    pub fn most(self) -> i32 {
        let checkers = i32::from(CHECKERS);
        match self {
            Self::Plain => checkers * BAR as i32,
            Self::First => 2 * 5 * checkers,
            // At most seven consecutive points, exposure to 15 checkers, and six anchors against 15 checkers; more than
            // can occur at once.
            Self::Second => 4 * (3 * 28 + 5 * 6 * checkers) + checkers * checkers,
        }
    }

    /// Returns the scale: this many units make one of the report's.
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
        match own.at(number) {
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

/// Returns the number of opposing checkers that have yet to pass the point and so could hit there.
fn exposure(number: usize, other: &Checkers) -> i32 {
    other.counts().iter().skip(facing(number) + 1).map(|&count| i32::from(count)).sum()
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
                assert!(value.abs() <= evaluation.most(), "{evaluation} {board:?}: {value}");
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
        // One additional made point: 4. The run of 5 and 6 counts 3 + 6 instead of 3; the 8 point is unchanged.
        assert_eq!(after("31", "8/5,6/5"), [4, 4, 4 * 6]);
        // Three made points and three blots against four points. The two blots in the opponent's home board are exposed
        // to all checkers, the third blot to two. The opponent has an anchor and three blots to shoot at.
        assert_eq!(after("21", "24/23,13/11"), [3, 3 - 16, (36 - 15 - 15 - 2) - (48 + 60)]);
    }
}
