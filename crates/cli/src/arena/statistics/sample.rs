//! A distribution of scores.

/// How often each score from 0 to 1 was reached, by units of one game or a pair of games.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Scores, evenly spaced from 0 to 1, and how often each was seen.
    counts: Vec<(f64, f64)>,
    /// Games in a unit.
    games_per_unit: f64,
}

impl Sample {
    /// `counts` of units of `games_per_unit` games, by score: the first is a score of 0, the last of 1.
    pub fn new(counts: &[u64], games_per_unit: u32) -> Self {
        let top = counts.len().saturating_sub(1).max(1) as f64;
        let counts = counts.iter().enumerate().map(|(index, &count)| (index as f64 / top, count as f64));
        Self { counts: counts.collect(), games_per_unit: f64::from(games_per_unit) }
    }

    /// Number of units.
    pub fn units(&self) -> f64 {
        self.counts.iter().map(|(_, count)| count).sum()
    }

    /// Games in a unit.
    pub fn games_per_unit(&self) -> f64 {
        self.games_per_unit
    }

    /// Mean score of a unit. There must be one.
    pub fn mean(&self) -> f64 {
        self.counts.iter().map(|(score, count)| score * count).sum::<f64>() / self.units()
    }

    /// Variance of the score of a unit.
    pub fn variance(&self) -> f64 {
        let mean = self.mean();
        self.counts.iter().map(|(score, count)| (score - mean).powi(2) * count).sum::<f64>() / self.units()
    }

    /// Standard error of the mean.
    pub fn standard_error(&self) -> f64 {
        (self.variance() / self.units()).sqrt()
    }

    /// The frequencies by score. A score that was never seen counts a little, so that its logarithm exists: this is the
    /// regularisation that fishtest uses.
    pub(super) fn frequencies(&self) -> Vec<(f64, f64)> {
        let regularised = self.counts.iter().map(|&(score, count)| (score, count.max(1e-3)));
        let total: f64 = regularised.clone().map(|(_, count)| count).sum();
        regularised.map(|(score, count)| (score, count / total)).collect()
    }
}
