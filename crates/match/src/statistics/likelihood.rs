//! Maximum-likelihood score distributions under a constraint, and confidence intervals for the mean score.
//!
//! The likelihood of a hypothesis is the maximum likelihood of the results over all multinomial distributions that
//! satisfy the hypothesis (M. Van den Bergh, "The generalized sequential probability ratio test for testing Elo
//! differences", 2016, as used by fishtest). Scores that were never observed can still have a positive probability, so
//! a small number of results is compatible with a wide range of means.

use super::ScoreSample;
use libm::erfc;
use std::f64::consts::SQRT_2;

/// Quantile of the normal distribution for a 95 % interval.
pub(super) const QUANTILE_95: f64 = 1.959_963_984_540_054;

/// Number of bisection steps, which exceeds the number of bits in an `f64`.
const HALVINGS: usize = 100;

/// Maximum number of iterations. The results of a match need only a few iterations.
const MAX_STEPS: usize = 100;

impl ScoreSample {
    /// Returns the 95 % profile likelihood interval of the mean score. It contains the means under which the results
    /// are not much less likely than under the observed mean. The sample must contain at least one unit.
    pub fn interval(&self) -> (f64, f64) {
        let frequencies = self.frequencies();
        let allowed = QUANTILE_95.powi(2) / 2.0 / self.units();
        let mirrored: Vec<_> = frequencies.iter().map(|(score, p)| (1.0 - score, *p)).collect();
        (min_mean(&frequencies, allowed), 1.0 - min_mean(&mirrored, allowed))
    }

    /// Returns the probability that the true mean score exceeds 1/2, computed from the same likelihood as
    /// [`ScoreSample::interval`].
    pub fn superiority(&self) -> f64 {
        let frequencies = self.frequencies();
        let ratio =
            self.units() * log_ratio(&frequencies, &frequencies_of(&frequencies), &with_mean(&frequencies, 0.5));
        let deviations = (2.0 * ratio.max(0.0)).sqrt();
        let above = 0.5 * erfc(-deviations / SQRT_2);
        if self.mean() < 0.5 { 1.0 - above } else { above }
    }
}

fn frequencies_of(frequencies: &[(f64, f64)]) -> Vec<f64> {
    frequencies.iter().map(|(_, p)| *p).collect()
}

/// Returns the log-likelihood ratio per unit of `one` against `other`, given the observed frequencies.
pub(super) fn log_ratio(frequencies: &[(f64, f64)], one: &[f64], other: &[f64]) -> f64 {
    frequencies.iter().zip(one.iter().zip(other)).map(|((_, seen), (one, other))| seen * (one / other).ln()).sum()
}

/// Narrows the interval from `low` to `high` around the point at which `is_below` changes from true to false.
fn bisect(mut low: f64, mut high: f64, is_below: impl Fn(f64) -> bool) -> (f64, f64) {
    for _ in 0..HALVINGS {
        let middle = (low + high) / 2.0;
        *(if is_below(middle) { &mut low } else { &mut high }) = middle;
    }
    (low, high)
}

/// Returns the smallest mean that is compatible with the frequencies: the log-likelihood per unit of its distribution
/// is at most `allowed` below that of the frequencies themselves. A candidate distribution consists of the normalised
/// values of `p / (1 + tilt * score)`. A larger tilt lowers both its mean and its likelihood.
fn min_mean(frequencies: &[(f64, f64)], allowed: f64) -> f64 {
    let normalizer = |tilt: f64| frequencies.iter().map(|(score, p)| p / (1.0 + tilt * score)).sum::<f64>();
    let cost = |tilt: f64| {
        normalizer(tilt).ln() + frequencies.iter().map(|(score, p)| p * (1.0 + tilt * score).ln()).sum::<f64>()
    };
    // With tilt = part / (1 - part), the bisection covers all tilts from 0 upwards.
    let (low, high) = bisect(0.0, 1.0, |part| part < 1.0 && cost(part / (1.0 - part)) <= allowed);
    if high == 1.0 {
        // All observed scores are 0.
        return 0.0;
    }
    let tilt = low / (1.0 - low);
    frequencies.iter().map(|(score, p)| score * p / (1.0 + tilt * score)).sum::<f64>() / normalizer(tilt)
}

/// Returns the most likely distribution with the given mean, in the order of `frequencies`. Its probabilities are
/// `p / (1 + x (score - mean))`, where `x` is chosen so that the distribution has this mean.
pub(super) fn with_mean(frequencies: &[(f64, f64)], mean: f64) -> Vec<f64> {
    let centred: Vec<_> = frequencies.iter().map(|&(score, p)| (score - mean, p)).collect();
    tilted(&centred)
}

#[derive(Clone, Copy)]
struct ScoreMoments {
    mean: f64,
    deviation: f64,
}

impl ScoreMoments {
    fn from_frequencies(frequencies: impl Iterator<Item = (f64, f64)> + Clone) -> Self {
        let mean: f64 = frequencies.clone().map(|(score, p)| score * p).sum();
        let variance: f64 = frequencies.map(|(score, p)| (score - mean).powi(2) * p).sum();
        Self { mean, deviation: variance.sqrt() }
    }

    fn deviations(self) -> f64 {
        (self.mean - 0.5) / self.deviation
    }
}

/// Returns the most likely distribution whose mean exceeds 1/2 by `deviations` times its own standard deviation. The
/// result is in the order of `frequencies`.
///
/// If `deviations` is between 0 and the value for the frequencies themselves, the likelihood has a single maximum.
/// Otherwise, it can have several. The search is then repeated for each score above 1/2, or below 1/2 if `deviations`
/// is negative. Each search starts from the frequencies shifted towards that score.
pub(super) fn with_deviations(frequencies: &[(f64, f64)], deviations: f64) -> Vec<f64> {
    let own = ScoreMoments::from_frequencies(frequencies.iter().copied());
    if deviations.abs() <= own.deviations().abs() && deviations * own.deviations() >= 0.0 {
        return linearised(frequencies, deviations, own);
    }
    let scores = frequencies.iter().map(|(score, _)| *score).filter(|score| (score - 0.5) * deviations > 0.0);
    let fits = scores.map(|score| linearised(frequencies, deviations, mixed_moments(frequencies, score, deviations)));
    let better = |one: &Vec<f64>, other: &Vec<f64>| log_ratio(frequencies, one, other).total_cmp(&0.0);
    fits.max_by(better).unwrap_or_default()
}

/// Returns the moments of a mixture of the frequencies with the single score `score`. The share of `score` is chosen so
/// that the mean of the mixture is `deviations` standard deviations above 1/2.
fn mixed_moments(frequencies: &[(f64, f64)], score: f64, deviations: f64) -> ScoreMoments {
    let mixed = |share: f64| {
        let rest = frequencies.iter().map(move |(score, p)| (*score, share * p));
        ScoreMoments::from_frequencies(std::iter::once((score, 1.0 - share)).chain(rest))
    };
    let is_above = |share| {
        let ScoreMoments { mean, deviation } = mixed(share);
        (mean - 0.5 - deviations * deviation) * deviations > 0.0
    };
    mixed(bisect(0.0, 1.0, is_above).1)
}

/// Maximises the likelihood for [`with_deviations`]. The condition on the mean is linearised around the latest
/// approximation, which is initially `moments`, until the result no longer changes.
fn linearised(frequencies: &[(f64, f64)], deviations: f64, mut moments: ScoreMoments) -> Vec<f64> {
    let mut fit = frequencies_of(frequencies);
    for _ in 0..MAX_STEPS {
        let ScoreMoments { mean, deviation } = moments;
        let slope = |score: f64| (1.0 + ((mean - score) / deviation).powi(2)) / 2.0;
        let condition = |score: f64| score - 0.5 - deviations * deviation * slope(score);
        let values: Vec<_> = frequencies.iter().map(|&(score, p)| (condition(score), p)).collect();
        let next = tilted(&values);
        let change = next.iter().zip(&fit).map(|(one, other)| (one - other).abs()).fold(0.0, f64::max);
        moments = ScoreMoments::from_frequencies(frequencies.iter().map(|(score, _)| *score).zip(next.iter().copied()));
        fit = next;
        if change < 1e-10 {
            break;
        }
    }
    fit
}

/// Returns `p / (1 + x v)` for all `(v, p)`, where `x` is chosen so that the sum of `p v / (1 + x v)` is 0 and all
/// denominators are positive. The sum decreases as `x` increases, so bisection finds `x`. The values must include both
/// positive and negative ones.
fn tilted(values: &[(f64, f64)]) -> Vec<f64> {
    let least = values.iter().map(|(value, _)| *value).fold(f64::INFINITY, f64::min);
    let most = values.iter().map(|(value, _)| *value).fold(f64::NEG_INFINITY, f64::max);
    let sum = |x: f64| values.iter().map(|(value, p)| p * value / (1.0 + x * value)).sum::<f64>();
    let (low, high) = bisect(-1.0 / most, -1.0 / least, |x| sum(x) > 0.0);
    let x = (low + high) / 2.0;
    values.iter().map(|(value, p)| p / (1.0 + x * value)).collect()
}
