//! Estimates strength from results: Elo with its error, likelihood of superiority, and the sequential probability ratio
//! test.
//!
//! The games of a pair have the same opening, so their results are not independent. As soon as a pair is finished,
//! results are therefore counted in pairs with five possible scores ("pentanomial"). Until then, they are counted in
//! games.

mod elo;
mod likelihood;
mod sprt;

pub use elo::{Elo, elo_of_score, score_of_elo};
pub use sprt::{Decision, Sprt};

use derive_more::Display;
use std::ops::AddAssign;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameScore {
    Loss = 0,
    Draw = 1,
    Win = 2,
}

impl GameScore {
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

#[derive(Clone, Copy, Debug, Default, Display, PartialEq, Eq)]
#[display("+{} ={} -{}", games[2], games[1], games[0])]
pub struct Tally {
    /// Numbers of losses, draws and wins, indexed by [`GameScore`].
    pub games: [u64; 3],
    /// Numbers of pairs of games with the same opening, indexed by the half points of the pair from 0 to 4.
    pub pairs: [u64; 5],
}

impl Tally {
    pub fn add_game(&mut self, outcome: GameScore) {
        if let Some(count) = self.games.get_mut(outcome as usize) {
            *count += 1;
        }
    }

    /// Counts a pair. Its two games are counted separately by [`Tally::add_game`].
    pub fn add_pair(&mut self, one: GameScore, other: GameScore) {
        if let Some(count) = self.pairs.get_mut(one as usize + other as usize) {
            *count += 1;
        }
    }

    pub fn opposite(mut self) -> Self {
        self.games.reverse();
        self.pairs.reverse();
        self
    }

    pub fn count(&self) -> u64 {
        self.games.iter().sum()
    }

    pub fn percent(&self) -> f64 {
        let [_, draws, wins] = self.games;
        100.0 * (wins as f64 + draws as f64 / 2.0) / self.count().max(1) as f64
    }

    pub fn sample(&self) -> ScoreSample {
        if self.pairs.iter().sum::<u64>() > 0 {
            ScoreSample::new(&self.pairs, 2)
        } else {
            ScoreSample::new(&self.games, 1)
        }
    }
}

/// A distribution of scores. A unit is either a game or a pair of games.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreSample {
    /// The possible scores, evenly spaced from 0 to 1, each with the number of units that have this score.
    counts: Vec<(f64, f64)>,
    pub games_per_unit: f64,
}

impl ScoreSample {
    pub fn new(counts: &[u64], games_per_unit: u32) -> Self {
        let top = counts.len().saturating_sub(1).max(1) as f64;
        let counts = counts.iter().enumerate().map(|(index, &count)| (index as f64 / top, count as f64));
        Self { counts: counts.collect(), games_per_unit: f64::from(games_per_unit) }
    }

    pub fn units(&self) -> f64 {
        self.counts.iter().map(|(_, count)| count).sum()
    }

    pub fn mean(&self) -> f64 {
        self.counts.iter().map(|(score, count)| score * count).sum::<f64>() / self.units()
    }

    pub fn variance(&self) -> f64 {
        let mean = self.mean();
        self.counts.iter().map(|(score, count)| (score - mean).powi(2) * count).sum::<f64>() / self.units()
    }

    /// Returns the relative frequencies. A score that was never observed counts a little, so that its logarithm exists.
    /// Fishtest uses the same regularisation.
    pub(super) fn frequencies(&self) -> Vec<(f64, f64)> {
        let regularised = self.counts.iter().map(|&(score, count)| (score, count.max(1e-3)));
        let total: f64 = regularised.clone().map(|(_, count)| count).sum();
        regularised.map(|(score, count)| (score, count / total)).collect()
    }
}
