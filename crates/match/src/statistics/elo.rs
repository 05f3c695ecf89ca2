//! Elo differences with their error.

use super::Sample;
use super::likelihood::QUANTILE_95;
use std::f64::consts::LN_10;
use std::fmt;

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
pub(super) const PER_DEVIATION: f64 = 800.0 / LN_10;

/// Units whose deviation is near the true one.
const ENOUGH: f64 = 30.0;

/// An estimate of a difference in strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The difference; infinite for a score of 0 or 1.
    pub difference: f64,
    /// The bounds of its interval of 95 %; one is infinite for a score of 0 or 1.
    pub interval: (f64, f64),
    /// The difference in units of the deviation of a game's score, on a scale that agrees with Elo for games without draws
    /// ("normalized Elo"), and half the width of its interval of 95 %, as fastchess computes it. That takes the deviation as known: `None`
    /// for a few units, and if all have the same score.
    pub normalized: Option<(f64, f64)>,
    /// The probability that the true difference is above 0.
    pub superiority: f64,
}

impl Elo {
    /// Estimates the difference from `sample`, if it has any game.
    pub fn estimate(sample: &Sample) -> Option<Self> {
        if sample.units() < 1.0 {
            return None;
        }
        let (mean, (low, high)) = (sample.mean(), sample.interval());
        let deviation_of_game = (sample.variance() * sample.games_per_unit).sqrt();
        let games = sample.units() * sample.games_per_unit;
        let normalized = PER_DEVIATION * (mean - 0.5) / deviation_of_game;
        let is_known = deviation_of_game > 0.0 && sample.units() >= ENOUGH;
        Some(Self {
            difference: elo_of_score(mean),
            interval: (elo_of_score(low), elo_of_score(high)),
            normalized: is_known.then(|| (normalized, PER_DEVIATION * QUANTILE_95 / games.sqrt())),
            superiority: sample.superiority(),
        })
    }

    /// Returns half the width of the interval of 95 %.
    pub fn error(&self) -> f64 {
        (self.interval.1 - self.interval.0) / 2.0
    }
}

impl fmt::Display for Elo {
    /// Prints the difference with its error, or the only bound that is known.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = self.interval;
        match self.difference {
            f64::INFINITY => write!(f, "above {low:+.1}"),
            f64::NEG_INFINITY => write!(f, "below {high:+.1}"),
            difference => write!(f, "{difference:+.1} +/- {:.1}", self.error()),
        }
    }
}
