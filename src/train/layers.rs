//! The network while it is learned: its weights as real numbers, what it says, and how that depends on them.

use crate::eval::learned::{FIRST_UNITS, SECOND_UNITS};

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

/// The units of a layer in a position.
#[derive(Clone, Debug)]
struct Units<const N: usize> {
    sums: [f32; N],
    /// The sums, cut to 0 to 1.
    values: [f32; N],
}

impl<const N: usize> Units<N> {
    fn new(sums: [f32; N]) -> Self {
        Self { sums, values: sums.map(|sum| sum.clamp(0.0, 1.0)) }
    }
}

/// The units of all layers in a position.
#[derive(Clone, Debug)]
pub(super) struct Activations {
    /// Of the first layer.
    first: Units<FIRST_UNITS>,
    /// Of the second one.
    second: Units<SECOND_UNITS>,
    /// The value, in logits for the side to move.
    pub(super) value: f32,
}

/// How many weights the parts of [`Layers`] have.
const fn sizes(inputs: usize) -> [usize; 6] {
    [inputs * FIRST_UNITS, FIRST_UNITS, FIRST_UNITS * SECOND_UNITS, SECOND_UNITS, SECOND_UNITS, 1]
}

/// Returns whether the value of a unit is its sum, so that it changes with it.
fn is_unclipped(sum: f32) -> bool {
    sum > 0.0 && sum < 1.0
}

impl Layers {
    /// A gradient of 0, or weights without a value.
    pub(super) fn zero(inputs: usize) -> Self {
        Self { weights: vec![0.0; sizes(inputs).iter().sum()], inputs }
    }

    /// How many inputs there are.
    pub(super) fn inputs(&self) -> usize {
        self.inputs
    }

    /// Weights to begin with, as `random` chooses them.
    pub(super) fn random(inputs: usize, random: &mut fastrand::Rng) -> Self {
        let mut layers = Self::zero(inputs);
        let [first, first_bias, second, second_bias, last, _] = layers.parts_mut();
        let mut spread = |weights: &mut [f32], most: f32| weights.fill_with(|| most * (2.0 * random.f32() - 1.0));
        spread(first, FIRST_SPREAD);
        spread(second, SECOND_SPREAD / (FIRST_UNITS as f32).sqrt());
        spread(last, LAST_SPREAD);
        first_bias.fill(BIAS);
        second_bias.fill(BIAS);
        layers
    }

    /// The weights of the first layer, its bias, the weights of the second one, its bias, the values of its units, and the last bias.
    pub(super) fn parts(&self) -> [&[f32]; 6] {
        let mut rest = self.weights.as_slice();
        sizes(self.inputs).map(|size| rest.split_off(..size).unwrap_or_default())
    }

    fn parts_mut(&mut self) -> [&mut [f32]; 6] {
        let mut rest = self.weights.as_mut_slice();
        sizes(self.inputs).map(|size| rest.split_off_mut(..size).unwrap_or_default())
    }

    /// The units where these inputs are there.
    pub(super) fn activate(&self, inputs: &[u16]) -> Activations {
        let [first_weights, first_bias, second_weights, second_bias, last, last_bias] = self.parts();
        let mut sums = [0.0; FIRST_UNITS];
        sums.copy_from_slice(first_bias);
        for &input in inputs {
            let weights = &first_weights[usize::from(input) * FIRST_UNITS..][..FIRST_UNITS];
            sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
        }
        let first = Units::new(sums);
        let mut second_sums = [0.0; SECOND_UNITS];
        second_sums.copy_from_slice(second_bias);
        for (unit, weights) in first.values.iter().zip(second_weights.as_chunks::<SECOND_UNITS>().0) {
            second_sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += unit * weight);
        }
        let second = Units::new(second_sums);
        let value = second.values.iter().zip(last).fold(last_bias[0], |value, (unit, weight)| value + unit * weight);
        Activations { first, second, value }
    }

    /// Adds to the gradient `self` how the loss depends on the weights `of`, where `delta` is how it depends on the value of
    /// `activations`.
    pub(super) fn add_gradient(&mut self, of: &Self, inputs: &[u16], activations: &Activations, delta: f32) {
        let [first_gradient, first_bias_gradient, second_gradient, second_bias_gradient, last_gradient, bias_gradient] =
            self.parts_mut();
        let [_, _, second, _, last, _] = of.parts();
        bias_gradient[0] += delta;
        let mut second_deltas = [0.0; SECOND_UNITS];
        for unit in 0..SECOND_UNITS {
            last_gradient[unit] += delta * activations.second.values[unit];
            second_deltas[unit] = if is_unclipped(activations.second.sums[unit]) { delta * last[unit] } else { 0.0 };
            second_bias_gradient[unit] += second_deltas[unit];
        }
        let mut deltas = [0.0; FIRST_UNITS];
        let gradients = second_gradient.as_chunks_mut::<SECOND_UNITS>().0;
        for (unit, (gradient, weights)) in gradients.iter_mut().zip(second.as_chunks::<SECOND_UNITS>().0).enumerate() {
            let mut sum = 0.0;
            for (other, delta) in second_deltas.iter().enumerate() {
                gradient[other] += activations.first.values[unit] * delta;
                sum += weights[other] * delta;
            }
            deltas[unit] = if is_unclipped(activations.first.sums[unit]) { sum } else { 0.0 };
        }
        first_bias_gradient.iter_mut().zip(&deltas).for_each(|(gradient, delta)| *gradient += delta);
        for &input in inputs {
            let gradient = &mut first_gradient[usize::from(input) * FIRST_UNITS..][..FIRST_UNITS];
            gradient.iter_mut().zip(&deltas).for_each(|(gradient, delta)| *gradient += delta);
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
        gradient.add_gradient(&layers, &inputs, &layers.activate(&inputs), 2.0);
        let mut moving = 0;
        for place in (0..layers.weights.len()).step_by(7) {
            let weight = layers.weights[place];
            let mut value_at = |by: f32| {
                layers.weights[place] = weight + by;
                layers.activate(&inputs).value
            };
            let slope = 2.0 * (value_at(0.002) - value_at(-0.002)) / 0.004;
            layers.weights[place] = weight;
            assert!((slope - gradient.weights[place]).abs() < 0.002, "{place}: {slope} {}", gradient.weights[place]);
            moving += usize::from(slope.abs() > 0.01);
        }
        assert!(moving > 100, "{moving}");
    }
}
