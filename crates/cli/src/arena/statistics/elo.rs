//! Elo differences.

use super::Sample;
use std::cmp::Ordering;
use std::f64::consts::{LN_10, SQRT_2};
use std::fmt;

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

/// Returns how many standard deviations of a game's score its mean is above 1/2 at a difference in normalized Elo.
pub(super) fn deviations_of_elo(normalized: f64) -> f64 {
    normalized / PER_DEVIATION
}

/// An estimate of a difference in strength.
#[derive(Clone, Copy, Debug, PartialEq)]
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
        let deviation_of_game = (sample.variance() * sample.games_per_unit()).sqrt();
        // Games that all ended alike have no deviation: a difference is then infinite, unless it is 0.
        let in_deviations = |score: f64| if score == 0.0 { 0.0 } else { PER_DEVIATION * score / deviation_of_game };
        let superiority = match mean.total_cmp(&0.5) {
            _ if error > 0.0 => normal_distribution((mean - 0.5) / error),
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

impl fmt::Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.error.is_finite() {
            write!(f, "{:+.1} +/- {:.1}", self.difference, self.error)
        } else {
            write!(f, "{:+.1} +/- inf", self.difference)
        }
    }
}

/// Returns the distribution function of the standard normal distribution.
fn normal_distribution(x: f64) -> f64 {
    0.5 * libm::erfc(-x / SQRT_2)
}
