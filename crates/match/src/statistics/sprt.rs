//! The generalised sequential probability ratio test. The likelihood of a hypothesis is the maximum likelihood of the
//! results over all distributions that satisfy the hypothesis.

use super::ScoreSample;
use super::elo::{PER_DEVIATION, score_of_elo};
use super::likelihood::{log_ratio, with_deviations, with_mean};
use anyhow::{Error, Result, ensure};
use derive_more::Display;
use soffio_support::key_value::KeyValue;
use std::str::FromStr;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EloModel {
    /// Elo, which is computed from the expected score.
    Logistic,
    /// Normalized Elo, in units of the standard deviation of a game's score. The expected length of a test then does
    /// not depend on the draw rate.
    Normalized,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// Elo difference under H0.
    pub elo0: f64,
    /// Elo difference under H1.
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
const MOST_ELO: f64 = 3000.0;

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
        ensure!(is_apart, "elo0 must be less than elo1, by at most 1000");
        let is_possible = |elo: f64| elo.abs() <= MOST_ELO;
        ensure!(
            is_possible(sprt.elo0) && is_possible(sprt.elo1),
            "elo0 and elo1 must be from -{MOST_ELO} to {MOST_ELO}"
        );
        ensure!(is_error(sprt.alpha) && is_error(sprt.beta), "alpha and beta must be between 0 and 0.5");
        Ok(sprt)
    }
}
