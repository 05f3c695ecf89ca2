//! The sequential probability ratio test: is an engine better by `elo1`, or only by `elo0`?
//!
//! The generalised test for a multinomial distribution of scores (M. Van den Bergh, "The generalized sequential
//! probability ratio test for testing Elo differences", 2016, as used by fishtest): the likelihood of each hypothesis is
//! that of the distribution that fits the results best among all whose mean is the one that the hypothesis says.

use super::elo::deviations_of_elo;
use super::{Sample, score_of_elo};
use crate::pairs::Pair;
use anyhow::{Error, Result, ensure};
use std::fmt;
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Not decided: play on.
    Open,
    /// The difference is no more than `elo0`.
    Elo0,
    /// The difference is `elo1` or more.
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
            Model::Normalized => with_deviations(&frequencies, deviations_of_elo(elo) * sample.games_per_unit().sqrt()),
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
    let x = root(&centred);
    centred.iter().map(|(value, p)| p / (1.0 + x * value)).collect()
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
        let x = root(&values);
        let next: Vec<_> = values.iter().map(|(value, p)| p / (1.0 + x * value)).collect();
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

/// Returns the `x` for which the sum of `p v / (1 + x v)` over all `(v, p)` is 0 and all denominators are positive. The sum falls
/// with `x`, so halving finds it.
fn root(values: &[(f64, f64)]) -> f64 {
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
    (low + high) / 2.0
}

/// The keys of a test.
const KEYS: &str = "elo0=,elo1=,alpha=,beta=,model=";

impl FromStr for Sprt {
    type Err = Error;

    /// Reads `elo0=0,elo1=10` with `alpha=0.05`, `beta=0.05` and `model=logistic` if they differ from this.
    fn from_str(text: &str) -> Result<Self> {
        let mut sprt = Self { elo0: f64::NAN, elo1: f64::NAN, alpha: 0.05, beta: 0.05, model: Model::Logistic };
        for pair in Pair::list(text, KEYS) {
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

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Open => "open",
            Self::Elo0 => "H0 accepted",
            Self::Elo1 => "H1 accepted",
        })
    }
}
