//! The expectiminimax player described in a student report, with its integer evaluations. Each evaluation is the value
//! of one side minus the value of the other.
#![allow(clippy::indexing_slicing, reason = "points index arrays of the board")]

mod expectiminimax;

pub use expectiminimax::{Expectiminimax, MAX_DEPTH, PlainAnswer};

use crate::rules::{BAR, CHECKERS, Checkers, HOME, TavlaBoard, facing};
use strum::{Display, EnumIter, EnumString, VariantNames};

#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, EnumIter, EnumString, VariantNames)]
#[strum(serialize_all = "lowercase", ascii_case_insensitive)]
pub enum PlainEvaluation {
    /// Difference in pip counts. The report does not define its plain evaluation, so the simplest choice is used here.
    Plain,
    First,
    /// Value in quarters of the unit that the report uses. Each made point counts 3 times its position in its run of
    /// consecutive made points. Each blot costs a quarter for every enemy checker to which it is exposed. Each anchor
    /// (a made point in the enemy home) adds 5 for every enemy checker on the bar and for every enemy blot.
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

    /// Returns the value of winning one point, which no position exceeds in absolute value.
    pub fn most(self) -> i32 {
        let checkers = i32::from(CHECKERS);
        match self {
            Self::Plain => checkers * BAR as i32,
            Self::First => 2 * 5 * checkers,
            // A side has at most seven consecutive points, blots exposed to 15 checkers, and six anchors against 15
            // checkers. These maxima cannot occur at the same time.
            Self::Second => 4 * (3 * 28 + 5 * 6 * checkers) + checkers * checkers,
        }
    }

    /// Returns the number of units of this evaluation that make one unit of the report.
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

/// Returns the number of opposing checkers that have not yet passed the point and could therefore hit there.
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
        // One more made point is worth 4. The run of the 5 and 6 points counts 3 + 6 instead of 3; the value of the 8
        // point does not change.
        assert_eq!(after("31", "8/5,6/5"), [4, 4, 4 * 6]);
        // The side that has moved has three made points and three blots, the opponent four made points. The two blots
        // in the opponent's home board are exposed to all 15 checkers, the third blot to two. The opponent has an
        // anchor and three blots to shoot at.
        assert_eq!(after("21", "24/23,13/11"), [3, 3 - 16, (36 - 15 - 15 - 2) - (48 + 60)]);
    }
}
