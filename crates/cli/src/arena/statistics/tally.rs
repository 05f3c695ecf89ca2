//! Counting results.

use super::Sample;
use std::ops::AddAssign;

/// The result of a game for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// 0 points.
    Loss = 0,
    /// Half a point.
    Draw = 1,
    /// A point.
    Win = 2,
}

impl Outcome {
    /// The result for the other side.
    pub fn opposite(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.games.iter_mut().zip(other.games).for_each(|(sum, count)| *sum += count);
        self.pairs.iter_mut().zip(other.pairs).for_each(|(sum, count)| *sum += count);
    }
}

/// The results of one side against another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games by [`Outcome`]: lost, drawn, won.
    pub games: [u64; 3],
    /// Pairs of games with the same opening, by the half points of both games, from 0 to 4.
    pub pairs: [u64; 5],
}

impl Tally {
    /// Counts a game.
    pub fn add_game(&mut self, outcome: Outcome) {
        if let Some(count) = self.games.get_mut(outcome as usize) {
            *count += 1;
        }
    }

    /// Counts both games of a pair as a pair; they have been counted as games already.
    pub fn add_pair(&mut self, one: Outcome, other: Outcome) {
        if let Some(count) = self.pairs.get_mut(one as usize + other as usize) {
            *count += 1;
        }
    }

    /// The same results as the other side sees them.
    pub fn opposite(mut self) -> Self {
        self.games.reverse();
        self.pairs.reverse();
        self
    }

    /// Number of games.
    pub fn count(&self) -> u64 {
        self.games.iter().sum()
    }

    /// The distribution of scores per pair, or per game as long as there is no pair.
    pub fn sample(&self) -> Sample {
        if self.pairs.iter().sum::<u64>() > 0 { Sample::new(&self.pairs, 2) } else { Sample::new(&self.games, 1) }
    }
}
