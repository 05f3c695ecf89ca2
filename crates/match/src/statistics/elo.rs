//! Estimates Elo differences and their error.

use super::ScoreSample;
use super::likelihood::QUANTILE_95;
use std::f64::consts::LN_10;
use std::fmt;

/// Returns the Elo difference that corresponds to an expected score from 0 to 1 in the logistic model.
pub fn elo_of_score(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// Returns the expected score that corresponds to an Elo difference. This is the inverse of [`elo_of_score`].
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Normalized Elo of a mean score that exceeds 1/2 by one standard deviation of the score of a single game. With this
/// factor, normalized Elo is close to Elo if no games are drawn.
pub(super) const PER_DEVIATION: f64 = 800.0 / LN_10;

/// Minimum number of units (games or pairs of games) for which the measured deviation counts as the true deviation.
const ENOUGH: f64 = 30.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// Elo difference; infinite for a score of 0 or 1.
    pub difference: f64,
    /// 95 % interval of the Elo difference. One bound is infinite for a score of 0 or 1.
    pub interval: (f64, f64),
    /// Normalized Elo, and half the width of its 95 % interval as computed by fastchess. Normalized Elo measures the
    /// difference in units of the standard deviation of a game's score, and agrees with Elo if no games are drawn. The
    /// interval assumes that the deviation is known. `None` if there are only a few units, or if all units have the
    /// same score.
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
        let is_known = deviation_of_game > 0.0 && sample.units() >= ENOUGH;
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
