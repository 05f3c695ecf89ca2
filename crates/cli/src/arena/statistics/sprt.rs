//! Elo with its error, and the sequential probability ratio test.
//!
//! The generalised test for a multinomial distribution of scores (M. Van den Bergh, "The generalized sequential
//! probability ratio test for testing Elo differences", 2016, as used by fishtest): the likelihood of each hypothesis is
//! that of the distribution that fits the results best among all whose mean is the one that the hypothesis says.

use super::Sample;
use crate::key_value::KeyValue;
use anyhow::{Error, Result, ensure};
use derive_more::Display;
use std::cmp::Ordering;
use std::f64::consts::{LN_10, SQRT_2};
use std::str::FromStr;

/// The units in which the hypotheses are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// Elo, that is, expected score.
    Logistic,
    /// Elo in units of the deviation of a game's score: the expected length of a test does not depend on how many games
    /// are drawn.
    Normalized,
}

/// The hypotheses of a test and the errors that are allowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The difference that is too little.
    pub elo0: f64,
    /// The difference that is hoped for.
    pub elo1: f64,
    /// Greatest probability to accept `elo1` where `elo0` is true.
    pub alpha: f64,
    /// Greatest probability to accept `elo0` where `elo1` is true.
    pub beta: f64,
    pub model: Model,
}

/// The decision of a test so far.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
pub enum Decision {
    /// Not decided: play on.
    #[display("open")]
    Open,
    /// The difference is no more than `elo0`.
    #[display("H0 accepted")]
    Elo0,
    /// The difference is `elo1` or more.
    #[display("H1 accepted")]
    Elo1,
}

impl Sprt {
    /// Returns the bounds of the log-likelihood ratio between which the test goes on (A. Wald, 1945).
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// Returns the log-likelihood ratio of `elo1` against `elo0`; 0 without results.
    pub fn ratio(&self, sample: &Sample) -> f64 {
        if sample.units() < 1.0 {
            return 0.0;
        }
        let frequencies = sample.frequencies();
        let fit = |elo: f64| match self.model {
            Model::Logistic => with_mean(&frequencies, score_of_elo(elo)),
            Model::Normalized => with_deviations(&frequencies, elo / PER_DEVIATION * sample.games_per_unit.sqrt()),
        };
        let (fit0, fit1) = (fit(self.elo0), fit(self.elo1));
        let terms = frequencies.iter().zip(fit0.iter().zip(&fit1));
        sample.units() * terms.map(|((_, seen), (p0, p1))| seen * (p1 / p0).ln()).sum::<f64>()
    }

    /// Decides by `sample`, as far as it says enough.
    pub fn decide(&self, sample: &Sample) -> Decision {
        let (lower, upper) = self.bounds();
        match self.ratio(sample) {
            ratio if ratio >= upper => Decision::Elo1,
            ratio if ratio <= lower => Decision::Elo0,
            _ => Decision::Open,
        }
    }
}

/// Returns the probabilities, in the order of `frequencies`, of the distribution with the given mean under which these
/// frequencies are most likely: `p / (1 + x (score - mean))`, with the `x` for which the mean is right.
fn with_mean(frequencies: &[(f64, f64)], mean: f64) -> Vec<f64> {
    let centred: Vec<_> = frequencies.iter().map(|&(score, p)| (score - mean, p)).collect();
    tilted(&centred)
}

/// Returns the probabilities, in the order of `frequencies`, of the distribution whose mean is `deviations` of its own standard
/// deviations above 1/2, and under which these frequencies are most likely. The condition on the mean is made linear
/// around the last approximation, until nothing changes any more.
fn with_deviations(frequencies: &[(f64, f64)], deviations: f64) -> Vec<f64> {
    let mut fit: Vec<_> = frequencies.iter().map(|_| 1.0 / frequencies.len() as f64).collect();
    for _ in 0..MOST_STEPS {
        let weighted = || frequencies.iter().zip(&fit).map(|((score, _), p)| (score, p));
        let mean: f64 = weighted().map(|(score, p)| score * p).sum();
        let deviation = weighted().map(|(score, p)| (score - mean).powi(2) * p).sum::<f64>().sqrt();
        let slope = |score: f64| (1.0 + ((mean - score) / deviation).powi(2)) / 2.0;
        let condition = |score: f64| score - 0.5 - deviations * deviation * slope(score);
        let values: Vec<_> = frequencies.iter().map(|&(score, p)| (condition(score), p)).collect();
        let next = tilted(&values);
        let change = next.iter().zip(&fit).map(|(one, other)| (one - other).abs()).fold(0.0, f64::max);
        fit = next;
        if change < 1e-12 {
            break;
        }
    }
    fit
}

/// Most approximations; a handful is enough for the results of a match.
const MOST_STEPS: usize = 50;

/// Returns `p / (1 + x v)` for all `(v, p)`, with the `x` for which the sum of `p v / (1 + x v)` is 0 and all denominators are
/// positive. The sum falls with `x`, so halving finds it.
fn tilted(values: &[(f64, f64)]) -> Vec<f64> {
    let least = values.iter().map(|(value, _)| *value).fold(f64::INFINITY, f64::min);
    let most = values.iter().map(|(value, _)| *value).fold(f64::NEG_INFINITY, f64::max);
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    // More halvings than a number has bits.
    for _ in 0..100 {
        let x = (low + high) / 2.0;
        let sum: f64 = values.iter().map(|(value, p)| p * value / (1.0 + x * value)).sum();
        if sum > 0.0 {
            low = x;
        } else {
            high = x;
        }
    }
    let x = (low + high) / 2.0;
    values.iter().map(|(value, p)| p / (1.0 + x * value)).collect()
}

const KEYS: &str = "elo0=,elo1=,alpha=,beta=,model=";

impl FromStr for Sprt {
    type Err = Error;

    /// Reads `elo0=0,elo1=10` with `alpha=0.05`, `beta=0.05` and `model=logistic` if they differ from this.
    fn from_str(text: &str) -> Result<Self> {
        let mut sprt = Self { elo0: f64::NAN, elo1: f64::NAN, alpha: 0.05, beta: 0.05, model: Model::Logistic };
        for pair in KeyValue::list(text, KEYS) {
            let pair = pair?;
            let slot = match pair.key {
                "elo0" => &mut sprt.elo0,
                "elo1" => &mut sprt.elo1,
                "alpha" => &mut sprt.alpha,
                "beta" => &mut sprt.beta,
                "model" => {
                    sprt.model = match pair.value {
                        "logistic" => Model::Logistic,
                        "normalized" => Model::Normalized,
                        _ => return Err(pair.wrong("logistic or normalized")),
                    };
                    continue;
                }
                _ => return Err(pair.unknown(KEYS)),
            };
            *slot = pair.parse("a number", |number: &f64| number.is_finite())?;
        }
        let is_error = |number: f64| number > 0.0 && number < 0.5;
        ensure!(!sprt.elo0.is_nan() && !sprt.elo1.is_nan(), "elo0 and elo1 must be given");
        let is_apart = sprt.elo0 < sprt.elo1 && sprt.elo1 - sprt.elo0 <= 1000.0;
        ensure!(is_apart, "elo0 must be less than elo1, by no more than 1000");
        ensure!(is_error(sprt.alpha) && is_error(sprt.beta), "alpha and beta must be between 0 and 0.5");
        Ok(sprt)
    }
}

/// Quantile of the normal distribution for an interval of 95 %.
const QUANTILE_95: f64 = 1.959_963_984_540_054;

/// Returns the Elo difference at which a score from 0 to 1 is expected, by the logistic model.
pub fn elo_of_score(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// Returns the score from 0 to 1 that is expected at an Elo difference, by the logistic model.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Normalized Elo for a mean score one standard deviation of a game's score above 1/2: with this factor it is nearly
/// Elo where no game is drawn.
const PER_DEVIATION: f64 = 800.0 / LN_10;

/// An estimate of a difference in strength.
#[derive(Clone, Copy, Debug, Display, PartialEq)]
#[display("{difference:+.1} +/- {:.1}", if error.is_finite() { *error } else { f64::INFINITY })]
pub struct Elo {
    /// The difference; infinite for a score of 0 or 1.
    pub difference: f64,
    /// Half the width of its interval of 95 %.
    pub error: f64,
    /// The difference in units of the deviation of a game's score, on a scale that agrees with Elo for games without
    /// draws ("normalized Elo").
    pub normalized: f64,
    /// Half the width of its interval of 95 %.
    pub normalized_error: f64,
    /// The probability that the true difference is above 0.
    pub superiority: f64,
}

impl Elo {
    /// Estimates the difference from `sample`, if it has any game.
    pub fn estimate(sample: &Sample) -> Option<Self> {
        if sample.units() < 1.0 {
            return None;
        }
        let (mean, error) = (sample.mean(), sample.standard_error());
        let bound = |sign: f64| elo_of_score((mean + sign * QUANTILE_95 * error).clamp(0.0, 1.0));
        let deviation_of_game = (sample.variance() * sample.games_per_unit).sqrt();
        // Games that all ended alike have no deviation: a difference is then infinite, unless it is 0.
        let in_deviations = |score: f64| if score == 0.0 { 0.0 } else { PER_DEVIATION * score / deviation_of_game };
        let superiority = match mean.total_cmp(&0.5) {
            // The distribution function of the standard normal distribution.
            _ if error > 0.0 => 0.5 * libm::erfc((0.5 - mean) / error / SQRT_2),
            // All games ended alike.
            Ordering::Less => 0.0,
            Ordering::Equal => 0.5,
            Ordering::Greater => 1.0,
        };
        Some(Self {
            difference: elo_of_score(mean),
            error: (bound(1.0) - bound(-1.0)) / 2.0,
            normalized: in_deviations(mean - 0.5),
            normalized_error: in_deviations(QUANTILE_95 * error),
            superiority,
        })
    }
}
