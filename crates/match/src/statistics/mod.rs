//! Estimates playing strength from match results: Elo with a confidence interval, likelihood of superiority, and the
//! sequential probability ratio test.
//!
//! The two games of a pair share an opening, so their results are not independent. As soon as a pair is finished,
//! results are therefore counted by pair, with five possible scores ("pentanomial"). Until then, they are counted by
//! game.

mod likelihood;

use anyhow::{Error, Result, ensure};
use derive_more::Display;
use likelihood::{QUANTILE_95, log_ratio, with_deviations, with_mean};
use soffio_support::key_value::KeyValue;
use std::f64::consts::LN_10;
use std::fmt;
use std::ops::AddAssign;
use std::str::FromStr;

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
    /// Numbers of game pairs, indexed by the half points (0 to 4) that the player scored in the pair. Both games of a
    /// pair have the same opening.
    pub pairs: [u64; 5],
}

impl Tally {
    pub fn add_game(&mut self, outcome: GameScore) {
        if let Some(count) = self.games.get_mut(outcome as usize) {
            *count += 1;
        }
    }

    /// Counts a game pair. The caller must also count each of its games with [`Tally::add_game`].
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

    /// Returns the relative frequencies. A score that was never observed gets a small frequency, so that its logarithm
    /// exists. Fishtest uses the same regularisation.
    pub(super) fn frequencies(&self) -> Vec<(f64, f64)> {
        let regularised = self.counts.iter().map(|&(score, count)| (score, count.max(1e-3)));
        let total: f64 = regularised.clone().map(|(_, count)| count).sum();
        regularised.map(|(score, count)| (score, count / total)).collect()
    }
}

/// Returns the Elo difference that corresponds to an expected score from 0 to 1 in the logistic model.
pub fn elo_of_score(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// Returns the expected score that corresponds to an Elo difference. This is the inverse of [`elo_of_score`].
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Normalized Elo of a player whose mean score exceeds 1/2 by one standard deviation of a game's score. With this
/// factor, normalized Elo is close to Elo if no games are drawn.
pub(super) const PER_DEVIATION: f64 = 800.0 / LN_10;

/// Minimum number of units (games or pairs of games) at which the measured deviation is treated as the true deviation.
const MIN_UNITS: f64 = 30.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// Elo difference; infinite for a score of 0 or 1.
    pub difference: f64,
    /// 95 % interval of the Elo difference. One bound is infinite for a score of 0 or 1.
    pub interval: (f64, f64),
    /// Normalized Elo, and half the width of its 95 % interval as computed by fastchess. Normalized Elo measures the
    /// difference in units of the standard deviation of a game's score, and agrees with Elo if no games are drawn. The
    /// interval assumes that the deviation is known. `None` if there are fewer than 30 units (games or pairs), or if
    /// all units have the same score.
    pub normalized: Option<(f64, f64)>,
    pub superiority: f64,
}

impl Elo {
    pub fn estimate(sample: &ScoreSample) -> Option<Self> {
        if sample.units() < 1.0 {
            return None;
        }
        let (mean, (low, high)) = (sample.mean(), sample.interval());
        let deviation_of_game = (sample.variance() * sample.games_per_unit).sqrt();
        let games = sample.units() * sample.games_per_unit;
        let normalized = PER_DEVIATION * (mean - 0.5) / deviation_of_game;
        let is_known = deviation_of_game > 0.0 && sample.units() >= MIN_UNITS;
        Some(Self {
            difference: elo_of_score(mean),
            interval: (elo_of_score(low), elo_of_score(high)),
            normalized: is_known.then(|| (normalized, PER_DEVIATION * QUANTILE_95 / games.sqrt())),
            superiority: sample.superiority(),
        })
    }

    pub fn error(&self) -> f64 {
        (self.interval.1 - self.interval.0) / 2.0
    }
}

impl fmt::Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = self.interval;
        match self.difference {
            f64::INFINITY => write!(f, "above {low:+.1}"),
            f64::NEG_INFINITY => write!(f, "below {high:+.1}"),
            difference => write!(f, "{difference:+.1} +/- {:.1}", self.error()),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EloModel {
    /// Elo, which is computed from the expected score.
    Logistic,
    /// Normalized Elo, in units of the standard deviation of a game's score. With this model, the expected length of a
    /// test does not depend on the draw rate.
    Normalized,
}

/// The generalised sequential probability ratio test. The likelihood of a hypothesis is the maximum likelihood of the
/// results over all distributions that satisfy the hypothesis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    pub elo0: f64,
    pub elo1: f64,
    /// Maximum probability of accepting H1 if H0 is true.
    pub alpha: f64,
    /// Maximum probability of accepting H0 if H1 is true.
    pub beta: f64,
    pub model: EloModel,
}

#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
pub enum Decision {
    #[display("open")]
    Open,
    #[display("H0 accepted")]
    Elo0,
    #[display("H1 accepted")]
    Elo1,
}

impl Sprt {
    /// Returns the bounds of the log-likelihood ratio between which the test continues (A. Wald, 1945).
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// Returns the log-likelihood ratio of H1 against H0, or 0 if there are no results.
    pub fn ratio(&self, sample: &ScoreSample) -> f64 {
        if sample.units() < 1.0 {
            return 0.0;
        }
        let frequencies = sample.frequencies();
        let fit = |elo: f64| match self.model {
            EloModel::Logistic => with_mean(&frequencies, score_of_elo(elo)),
            EloModel::Normalized => with_deviations(&frequencies, elo / PER_DEVIATION * sample.games_per_unit.sqrt()),
        };
        sample.units() * log_ratio(&frequencies, &fit(self.elo1), &fit(self.elo0))
    }

    pub fn decide(&self, sample: &ScoreSample) -> Decision {
        let (lower, upper) = self.bounds();
        match self.ratio(sample) {
            ratio if ratio >= upper => Decision::Elo1,
            ratio if ratio <= lower => Decision::Elo0,
            _ => Decision::Open,
        }
    }
}

/// Maximum absolute Elo of a hypothesis. For larger values, the expected score cannot be distinguished from 0 or 1.
const MAX_ELO: f64 = 3000.0;

const KEYS: &str = "elo0=,elo1=,alpha=,beta=,model=";

impl FromStr for Sprt {
    type Err = Error;

    /// Parses a test such as `elo0=0,elo1=10`. The defaults are `alpha=0.05`, `beta=0.05` and `model=logistic`.
    fn from_str(text: &str) -> Result<Self> {
        let mut sprt = Self { elo0: f64::NAN, elo1: f64::NAN, alpha: 0.05, beta: 0.05, model: EloModel::Logistic };
        for pair in KeyValue::list(text, KEYS) {
            let pair = pair?;
            let slot = match pair.key {
                "elo0" => &mut sprt.elo0,
                "elo1" => &mut sprt.elo1,
                "alpha" => &mut sprt.alpha,
                "beta" => &mut sprt.beta,
                "model" => {
                    sprt.model = match pair.value {
                        "logistic" => EloModel::Logistic,
                        "normalized" => EloModel::Normalized,
                        _ => return Err(pair.wrong("logistic or normalized")),
                    };
                    continue;
                }
                _ => return Err(pair.unknown(KEYS)),
            };
            *slot = pair.parse("a number", |number: &f64| number.is_finite())?;
        }
        let is_error = |number: f64| number > 0.0 && number < 0.5;
        ensure!(!sprt.elo0.is_nan() && !sprt.elo1.is_nan(), "elo0 and elo1 are required");
        let is_apart = sprt.elo0 < sprt.elo1 && sprt.elo1 - sprt.elo0 <= 1000.0;
        ensure!(is_apart, "elo0 must be less than elo1, and the difference at most 1000");
        let is_possible = |elo: f64| elo.abs() <= MAX_ELO;
        ensure!(is_possible(sprt.elo0) && is_possible(sprt.elo1), "elo0 and elo1 must be from -{MAX_ELO} to {MAX_ELO}");
        ensure!(is_error(sprt.alpha) && is_error(sprt.beta), "alpha and beta must be between 0 and 0.5");
        Ok(sprt)
    }
}
