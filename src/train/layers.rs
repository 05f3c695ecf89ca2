//! The network while it is learned: its weights as real numbers, what it says, and how that depends on them.

use crate::eval::learned::{HIDDEN, UNITS};

/// How far weights of the first layer may lie from 0 at the beginning.
const FIRST_SPREAD: f32 = 0.2;

/// The same for the second layer, times the root of the units of the first.
const SECOND_SPREAD: f32 = 1.7;

/// The same for the value of a unit of the second layer.
const LAST_SPREAD: f32 = 0.5;

/// The bias of every unit at the beginning: all of them are to do something then.
const BIAS: f32 = 0.3;

/// Weights of a network, or a gradient by them.
#[derive(Clone, Debug)]
pub(super) struct Layers {
    /// The weights of the first layer, an input after the other; its bias; those of the second layer, from a unit of the first to
    /// all of the second; its bias; the value of each unit of the second; and what is added to that.
    pub(super) weights: Vec<f32>,
    inputs: usize,
}

/// What the units say in a position.
#[derive(Clone, Debug)]
pub(super) struct Activity {
    /// Sums of the first layer, and what they are cut to.
    first: ([f32; UNITS], [f32; UNITS]),
    /// Those of the second one.
    second: ([f32; HIDDEN], [f32; HIDDEN]),
    /// The value, in logits for the side to move.
    pub(super) value: f32,
}

/// Where the parts of [`Layers`] begin.
struct Places {
    first_bias: usize,
    second: usize,
    second_bias: usize,
    last: usize,
    last_bias: usize,
}

impl Places {
    const fn new(inputs: usize) -> Self {
        let first_bias = inputs * UNITS;
        let second = first_bias + UNITS;
        let second_bias = second + UNITS * HIDDEN;
        let last = second_bias + HIDDEN;
        Self { first_bias, second, second_bias, last, last_bias: last + HIDDEN }
    }
}

/// Whether a sum is one that is not cut.
fn is_open(sum: f32) -> bool {
    sum > 0.0 && sum < 1.0
}

impl Layers {
    /// A gradient of 0, or weights without a value.
    pub(super) fn zero(inputs: usize) -> Self {
        Self { weights: vec![0.0; Places::new(inputs).last_bias + 1], inputs }
    }

    /// How many inputs there are.
    pub(super) fn inputs(&self) -> usize {
        self.inputs
    }

    /// Weights to begin with, as `random` chooses them.
    pub(super) fn random(inputs: usize, random: &mut fastrand::Rng) -> Self {
        let mut layers = Self::zero(inputs);
        let places = Places::new(inputs);
        let mut spread = |range: &mut [f32], most: f32| {
            range.iter_mut().for_each(|weight| *weight = most * (2.0 * random.f32() - 1.0))
        };
        spread(&mut layers.weights[..places.first_bias], FIRST_SPREAD);
        spread(&mut layers.weights[places.second..places.second_bias], SECOND_SPREAD / (UNITS as f32).sqrt());
        spread(&mut layers.weights[places.last..places.last_bias], LAST_SPREAD);
        layers.weights[places.first_bias..places.second].fill(BIAS);
        layers.weights[places.second_bias..places.last].fill(BIAS);
        layers
    }

    /// The weights of the first layer, its bias, the weights of the second one, its bias, the values of its units, and the last bias.
    pub(super) fn parts(&self) -> [&[f32]; 6] {
        let places = Places::new(self.inputs);
        let (first, rest) = self.weights.split_at(places.first_bias);
        let (first_bias, rest) = rest.split_at(UNITS);
        let (second, rest) = rest.split_at(UNITS * HIDDEN);
        let (second_bias, rest) = rest.split_at(HIDDEN);
        let (last, last_bias) = rest.split_at(HIDDEN);
        [first, first_bias, second, second_bias, last, last_bias]
    }

    /// What the units say where these inputs are there.
    pub(super) fn activity(&self, inputs: &[u16]) -> Activity {
        let [first, first_bias, second, second_bias, last, last_bias] = self.parts();
        let mut sums = [0.0; UNITS];
        sums.copy_from_slice(first_bias);
        for &input in inputs {
            let weights = &first[usize::from(input) * UNITS..][..UNITS];
            sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
        }
        let units = sums.map(|sum| sum.clamp(0.0, 1.0));
        let mut second_sums = [0.0; HIDDEN];
        second_sums.copy_from_slice(second_bias);
        for (unit, weights) in units.iter().zip(second.as_chunks::<HIDDEN>().0) {
            second_sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += unit * weight);
        }
        let second_units = second_sums.map(|sum| sum.clamp(0.0, 1.0));
        let value = second_units.iter().zip(last).fold(last_bias[0], |value, (unit, weight)| value + unit * weight);
        Activity { first: (sums, units), second: (second_sums, second_units), value }
    }

    /// Adds to the gradient `self` how the value of `activity`, times `pull`, depends on the weights `of`.
    pub(super) fn add_gradient(&mut self, of: &Self, inputs: &[u16], activity: &Activity, pull: f32) {
        let places = Places::new(self.inputs);
        let [_, _, second, _, last, _] = of.parts();
        self.weights[places.last_bias] += pull;
        let mut second_pulls = [0.0; HIDDEN];
        for unit in 0..HIDDEN {
            self.weights[places.last + unit] += pull * activity.second.1[unit];
            second_pulls[unit] = if is_open(activity.second.0[unit]) { pull * last[unit] } else { 0.0 };
            self.weights[places.second_bias + unit] += second_pulls[unit];
        }
        let mut pulls = [0.0; UNITS];
        let gradients = self.weights[places.second..places.second_bias].as_chunks_mut::<HIDDEN>().0;
        for (unit, (gradient, weights)) in gradients.iter_mut().zip(second.as_chunks::<HIDDEN>().0).enumerate() {
            let mut sum = 0.0;
            for (other, pull) in second_pulls.iter().enumerate() {
                gradient[other] += activity.first.1[unit] * pull;
                sum += weights[other] * pull;
            }
            pulls[unit] = if is_open(activity.first.0[unit]) { sum } else { 0.0 };
        }
        let bias = &mut self.weights[places.first_bias..places.second];
        bias.iter_mut().zip(&pulls).for_each(|(gradient, pull)| *gradient += pull);
        for &input in inputs {
            let gradient = &mut self.weights[usize::from(input) * UNITS..][..UNITS];
            gradient.iter_mut().zip(&pulls).for_each(|(gradient, pull)| *gradient += pull);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gradient_is_how_the_value_changes() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut layers = Layers::random(6, &mut random);
        let inputs = [1, 2, 5];
        let mut gradient = Layers::zero(6);
        gradient.add_gradient(&layers, &inputs, &layers.activity(&inputs), 2.0);
        let mut moving = 0;
        for place in (0..layers.weights.len()).step_by(7) {
            let weight = layers.weights[place];
            let mut value_at = |by: f32| {
                layers.weights[place] = weight + by;
                layers.activity(&inputs).value
            };
            let slope = 2.0 * (value_at(0.002) - value_at(-0.002)) / 0.004;
            layers.weights[place] = weight;
            assert!((slope - gradient.weights[place]).abs() < 0.002, "{place}: {slope} {}", gradient.weights[place]);
            moving += usize::from(slope.abs() > 0.01);
        }
        assert!(moving > 100, "{moving}");
    }
}
