//! Strength from results: Elo with its error, likelihood of superiority, and the sequential test.
//!
//! Both games of a pair begin with the same opening, and their results depend on each other. So the unit of counting is
//! the pair (the "pentanomial" of five possible pair scores) as soon as there is one, and the game before.

mod elo;
mod likelihood;
mod sprt;

pub use elo::{Elo, elo_of_score, score_of_elo};
pub use sprt::{Decision, Sprt};

use derive_more::Display;
use std::ops::AddAssign;

/// The result of a game for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Loss = 0,
    Draw = 1,
    Win = 2,
}

impl Outcome {
    /// Returns the result for the other side.
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
#[derive(Clone, Copy, Debug, Default, Display, PartialEq, Eq)]
#[display("+{} ={} -{}", games[2], games[1], games[0])]
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

    /// Returns the same results as the other side sees them.
    pub fn opposite(mut self) -> Self {
        self.games.reverse();
        self.pairs.reverse();
        self
    }

    pub fn count(&self) -> u64 {
        self.games.iter().sum()
    }

    /// Returns the points of all games in percent.
    pub fn percent(&self) -> f64 {
        let [_, draws, wins] = self.games;
        100.0 * (wins as f64 + draws as f64 / 2.0) / self.count().max(1) as f64
    }

    /// Returns the distribution of scores per pair, or per game as long as there is no pair.
    pub fn sample(&self) -> Sample {
        if self.pairs.iter().sum::<u64>() > 0 { Sample::new(&self.pairs, 2) } else { Sample::new(&self.games, 1) }
    }
}

/// How often each score from 0 to 1 was reached, by units of one game or a pair of games.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Scores, evenly spaced from 0 to 1, and how often each was seen.
    counts: Vec<(f64, f64)>,
    pub games_per_unit: f64,
}

impl Sample {
    /// Takes `counts` of units of `games_per_unit` games, by score: the first is a score of 0, the last of 1.
    pub fn new(counts: &[u64], games_per_unit: u32) -> Self {
        let top = counts.len().saturating_sub(1).max(1) as f64;
        let counts = counts.iter().enumerate().map(|(index, &count)| (index as f64 / top, count as f64));
        Self { counts: counts.collect(), games_per_unit: f64::from(games_per_unit) }
    }

    pub fn units(&self) -> f64 {
        self.counts.iter().map(|(_, count)| count).sum()
    }

    /// Returns the mean score of a unit. There must be one.
    pub fn mean(&self) -> f64 {
        self.counts.iter().map(|(score, count)| score * count).sum::<f64>() / self.units()
    }

    pub fn variance(&self) -> f64 {
        let mean = self.mean();
        self.counts.iter().map(|(score, count)| (score - mean).powi(2) * count).sum::<f64>() / self.units()
    }

    /// Returns the frequencies by score. A score that was never seen counts a little, so that its logarithm exists: this is the
    /// regularisation that fishtest uses.
    pub(super) fn frequencies(&self) -> Vec<(f64, f64)> {
        let regularised = self.counts.iter().map(|&(score, count)| (score, count.max(1e-3)));
        let total: f64 = regularised.clone().map(|(_, count)| count).sum();
        regularised.map(|(score, count)| (score, count / total)).collect()
    }
}
