//! The network during training: floating-point weights, output in logits, loss, gradient, and the Adam optimiser
//! (Kingma and Ba, 2015) with decoupled weight decay (Loshchilov and Hutter, 2019).

use super::data::mixed;
use super::samples::{TrainingSample, TrainingSettings, sigmoid};
use bytemuck::{Pod, Zeroable, cast_slice, cast_slice_mut};
use soffio::board::{Bits, MAX_SQUARES};
use soffio::eval::nnue::{FIRST_UNITS, FULL_SCALE, GameKind, Inputs, OUTPUT_BUCKETS, SECOND_UNITS, scale_factor};
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::thread;

/// Number of samples whose gradients are summed together. It must not depend on the number of threads, because the
/// grouping affects floating-point sums.
const CHUNK: usize = 128;

/// Returns the logistic loss in nats of a prediction in logits. `target` is the expected result from 0 to 1.
fn logistic(logits: f32, target: f32) -> f64 {
    let (logits, target) = (f64::from(logits), f64::from(target));
    logits.max(0.0) - logits * target + libm::log1p(libm::exp(-logits.abs()))
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Loss {
    sum: f64,
    count: u64,
}

impl Loss {
    fn add(&mut self, logits: f32, target: f32) {
        self.sum += logistic(logits, target);
        self.count += 1;
    }

    pub(super) fn merge(self, other: Self) -> Self {
        Self { sum: self.sum + other.sum, count: self.count + other.count }
    }

    pub(super) fn mean(self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum / self.count as f64 }
    }
}

fn in_parallel<T: Send, R: Send>(
    threads: NonZeroUsize,
    mut tasks: Vec<T>,
    work: impl Fn(&mut T) -> R + Sync,
) -> Vec<R> {
    let do_all = |tasks: &mut [T]| tasks.iter_mut().map(&work).collect::<Vec<R>>();
    let share = tasks.len().div_ceil(threads.get()).max(1);
    if share >= tasks.len() {
        return do_all(&mut tasks);
    }
    thread::scope(|scope| {
        let parts: Vec<_> = tasks.chunks_mut(share).map(|part| scope.spawn(|| do_all(part))).collect();
        parts.into_iter().flat_map(|part| part.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    })
}

#[derive(Clone, Debug)]
pub(super) struct Model {
    kind: GameKind,
    inputs: Inputs,
    /// Input indices for the horizontally mirrored board, or `None` if the board is not symmetric.
    mirrored: Option<Inputs>,
    pub(super) layers: ModelLayers,
}

struct ActiveInputs {
    inputs: [u16; MAX_SQUARES],
    count: usize,
}

impl ActiveInputs {
    fn new<B: Bits>(sample: &TrainingSample<B>, inputs: &Inputs) -> Self {
        let mut active = Self { inputs: [0; MAX_SQUARES], count: 0 };
        inputs.for_each(sample.white, sample.black, sample.kings, sample.white_to_move, |input| {
            if let Some(place) = active.inputs.get_mut(active.count) {
                *place = input as u16;
                active.count += 1;
            }
        });
        active
    }

    fn inputs(&self) -> &[u16] {
        &self.inputs[..self.count]
    }
}

impl Model {
    pub(super) fn new(kind: GameKind, random: &mut fastrand::Rng) -> Self {
        let inputs = Inputs::new(kind.shape);
        let (mirrored, layers) = (inputs.mirrored(kind.shape), ModelLayers::random(inputs.count(), random));
        Self { kind, inputs, mirrored, layers }
    }

    /// Returns the factor, from 0 to 1, by which `value` must be multiplied. `value` is in logits from the point of
    /// view of the side to move.
    fn scale<B: Bits>(&self, sample: &TrainingSample<B>, value: f32) -> f32 {
        if !self.kind.lone_king_holds {
            return 1.0;
        }
        let is_white_ahead = (value > 0.0) == sample.white_to_move;
        scale_factor(sample.white, sample.black, sample.kings, is_white_ahead) as f32 / FULL_SCALE as f32
    }

    fn activate(&self, active: &ActiveInputs) -> Activations {
        self.layers.activate(active.inputs(), self.kind.bucket(active.count))
    }

    pub(super) fn predict<B: Bits>(&self, sample: &TrainingSample<B>) -> f32 {
        let value = self.activate(&ActiveInputs::new(sample, &self.inputs)).value;
        value * self.scale(sample, value)
    }

    pub(super) fn loss<B: Bits>(&self, samples: &[TrainingSample<B>], threads: NonZeroUsize) -> Loss {
        let of_chunk = |chunk: &mut &[TrainingSample<B>]| {
            let mut loss = Loss::default();
            chunk.iter().for_each(|sample| loss.add(self.predict(sample), sample.target_of_mover()));
            loss
        };
        in_parallel(threads, samples.chunks(CHUNK).collect(), of_chunk).into_iter().fold(Loss::default(), Loss::merge)
    }

    /// Returns the loss on the samples with the given indices, and adds the gradient of the loss to `gradient`.
    ///
    /// If the board is symmetric, `mirror_seed` selects which samples are mirrored.
    fn accumulate_gradient<B: Bits>(
        &self,
        samples: &[TrainingSample<B>],
        indices: &[u32],
        mirror_seed: u64,
        gradient: &mut ModelLayers,
    ) -> Loss {
        let mut loss = Loss::default();
        for &index in indices {
            let sample = &samples[index as usize];
            let image = self.mirrored.as_ref().filter(|_| mixed(mirror_seed ^ u64::from(index)) & 1 == 1);
            let active = ActiveInputs::new(sample, image.unwrap_or(&self.inputs));
            let activations = self.activate(&active);
            let scale = self.scale(sample, activations.value);
            let (logits, target) = (activations.value * scale, sample.target_of_mover());
            loss.add(logits, target);
            gradient.add_gradient(&self.layers, active.inputs(), &activations, scale * (sigmoid(logits) - target));
        }
        loss
    }
}

const BETAS: [f32; 2] = [0.9, 0.999];

const EPSILON: f32 = 1e-8;

/// The learning rate rises during the first 1/`WARM_UP_SHARE` of the steps.
const WARM_UP_SHARE: u32 = 10;

/// Maximum number of steps during which the learning rate rises.
const MAX_WARM_UP: u32 = 300;

#[derive(Clone, Copy, Debug, Default)]
struct Moments {
    mean: f32,
    square: f32,
}

#[derive(Clone, Copy, Debug)]
struct Step {
    rate: f32,
    weight_decay: f32,
    /// Factors that correct the bias of the running means, which start at 0.
    scales: [f32; 2],
}

impl Step {
    /// Creates a step that is preceded by `before` steps. `decay` is the fraction of a weight that is removed by a step
    /// with learning rate 1.
    fn new(rate: f32, decay: f32, before: u32) -> Self {
        let missing = |beta: f32| 1.0 - libm::pow(f64::from(beta), f64::from(before) + 1.0) as f32;
        Self { rate, weight_decay: rate * decay, scales: BETAS.map(|beta| 1.0 / missing(beta)) }
    }

    #[inline(always)]
    fn take(self, weight: &mut f32, moments: &mut Moments, gradient: f32) {
        moments.mean = BETAS[0] * moments.mean + (1.0 - BETAS[0]) * gradient;
        moments.square = BETAS[1] * moments.square + (1.0 - BETAS[1]) * gradient * gradient;
        let slope = moments.mean * self.scales[0] / ((moments.square * self.scales[1]).sqrt() + EPSILON);
        *weight -= self.rate * slope + self.weight_decay * *weight;
    }
}

#[derive(Clone, Debug)]
pub(super) struct Optimizer {
    moments: Vec<Moments>,
    gradients: Vec<ModelLayers>,
    settings: TrainingSettings,
    steps: (u32, u32),
}

impl Optimizer {
    pub(super) fn new(model: &Model, settings: &TrainingSettings, batches: u32) -> Self {
        let moments = vec![Moments::default(); model.layers.weights.len()];
        Self { moments, gradients: Vec::new(), settings: settings.clone(), steps: (0, batches) }
    }

    /// Performs one step with the samples that have the given indices. Returns the loss of the previous weights.
    pub(super) fn step<B: Bits>(&mut self, model: &mut Model, samples: &[TrainingSample<B>], indices: &[u32]) -> Loss {
        let chunks = indices.len().div_ceil(CHUNK);
        if self.gradients.len() < chunks {
            self.gradients.resize(chunks, ModelLayers::zero(model.layers.inputs));
        }
        let mirror_seed = mixed(self.settings.seed ^ u64::from(self.steps.0)) << 32;
        let of_chunk = |(indices, gradient): &mut (&[u32], &mut ModelLayers)| {
            gradient.weights.fill(0.0);
            model.accumulate_gradient(samples, indices, mirror_seed, gradient)
        };
        let tasks = indices.chunks(CHUNK).zip(&mut self.gradients).collect();
        let losses = in_parallel(self.settings.threads, tasks, of_chunk);
        let step = Step::new(self.rate(), self.settings.decay, self.steps.0);
        self.steps.0 += 1;
        let share = 1.0 / indices.len() as f32;
        let gradients = &self.gradients[..chunks];
        for (place, (weight, moments)) in model.layers.weights.iter_mut().zip(&mut self.moments).enumerate() {
            let gradient: f32 = gradients.iter().map(|gradient| gradient.weights[place]).sum();
            step.take(weight, moments, share * gradient);
        }
        losses.into_iter().fold(Loss::default(), Loss::merge)
    }

    /// Returns the learning rate of the next step. It rises linearly at first, and then decays linearly to 0.
    fn rate(&self) -> f32 {
        let (done, all) = self.steps;
        let warm = ((done + 1) as f32 / (all / WARM_UP_SHARE).clamp(1, MAX_WARM_UP) as f32).min(1.0);
        self.settings.rate * warm * (1.0 - done as f32 / all.max(1) as f32)
    }
}

/// Maximum absolute value of the initial weights in the first layer.
const FIRST_SPREAD: f32 = 0.2;

/// Maximum initial absolute weight in the second layer, multiplied by the square root of the number of first-layer
/// units.
const SECOND_SPREAD: f32 = 1.7;

const LAST_SPREAD: f32 = 0.5;

/// Initial bias of every unit. It is positive so that most units are active at first.
const BIAS: f32 = 0.3;

/// The weights from the first layer to the output, for one range of piece counts.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Bucket {
    pub(super) second: [[f32; FIRST_UNITS]; SECOND_UNITS],
    pub(super) second_bias: [f32; SECOND_UNITS],
    pub(super) last: [f32; SECOND_UNITS],
    pub(super) last_bias: f32,
}

#[derive(Clone, Debug)]
pub(super) struct ModelLayers {
    /// The weights of the first layer, with one row per input and one row of biases, followed by one [`Bucket`] per
    /// output bucket.
    pub(super) weights: Vec<f32>,
    pub(super) inputs: usize,
}

#[derive(Clone, Debug)]
struct Units<const N: usize> {
    sums: [f32; N],
    values: [f32; N],
}

impl<const N: usize> Units<N> {
    fn new(sums: [f32; N]) -> Self {
        Self { sums, values: sums.map(|sum| sum.clamp(0.0, 1.0)) }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Activations {
    first: Units<FIRST_UNITS>,
    second: Units<SECOND_UNITS>,
    bucket: usize,
    /// The value in logits from the point of view of the side to move, before scaling.
    pub(super) value: f32,
}

/// Number of partial sums, which allow the compiler to vectorise the loop.
const SUMS: usize = 16;

fn dot(units: &[f32; FIRST_UNITS], weights: &[f32; FIRST_UNITS]) -> f32 {
    let mut sums = [0.0; SUMS];
    for (units, weights) in units.as_chunks::<SUMS>().0.iter().zip(weights.as_chunks::<SUMS>().0) {
        sums.iter_mut().zip(units.iter().zip(weights)).for_each(|(sum, (unit, weight))| *sum += unit * weight);
    }
    sums.iter().sum()
}

/// Returns true if a unit's activation equals its sum, in which case the derivative is not 0.
fn is_unclipped(sum: f32) -> bool {
    sum > 0.0 && sum < 1.0
}

impl ModelLayers {
    pub(super) fn zero(inputs: usize) -> Self {
        Self {
            weights: vec![0.0; (inputs + 1) * FIRST_UNITS + OUTPUT_BUCKETS * size_of::<Bucket>() / size_of::<f32>()],
            inputs,
        }
    }

    pub(super) fn random(inputs: usize, random: &mut fastrand::Rng) -> Self {
        let mut layers = Self::zero(inputs);
        let mut spread = |weights: &mut [f32], max: f32| weights.fill_with(|| max * (2.0 * random.f32() - 1.0));
        let (first, buckets) = layers.split_mut();
        spread(first[..inputs].as_flattened_mut(), FIRST_SPREAD);
        first[inputs] = [BIAS; FIRST_UNITS];
        let mut bucket = Bucket { second_bias: [BIAS; SECOND_UNITS], ..Bucket::zeroed() };
        spread(bucket.second.as_flattened_mut(), SECOND_SPREAD / (FIRST_UNITS as f32).sqrt());
        spread(&mut bucket.last, LAST_SPREAD);
        buckets.fill(bucket);
        layers
    }

    pub(super) fn split(&self) -> (&[[f32; FIRST_UNITS]], &[Bucket]) {
        let (first, buckets) = self.weights.split_at((self.inputs + 1) * FIRST_UNITS);
        (cast_slice(first), cast_slice(buckets))
    }

    pub(super) fn split_mut(&mut self) -> (&mut [[f32; FIRST_UNITS]], &mut [Bucket]) {
        let (first, buckets) = self.weights.split_at_mut((self.inputs + 1) * FIRST_UNITS);
        (cast_slice_mut(first), cast_slice_mut(buckets))
    }

    pub(super) fn activate(&self, inputs: &[u16], bucket: usize) -> Activations {
        let (rows, buckets) = self.split();
        let weights = &buckets[bucket];
        let mut sums = [0.0; FIRST_UNITS];
        for row in inputs.iter().map(|&input| usize::from(input)).chain([self.inputs]) {
            sums.iter_mut().zip(&rows[row]).for_each(|(sum, weight)| *sum += weight);
        }
        let first = Units::new(sums);
        let mut second_sums = weights.second_bias;
        second_sums.iter_mut().zip(&weights.second).for_each(|(sum, row)| *sum += dot(&first.values, row));
        let second = Units::new(second_sums);
        let last = second.values.iter().zip(&weights.last);
        let value = last.fold(weights.last_bias, |value, (unit, weight)| value + unit * weight);
        Activations { first, second, bucket, value }
    }

    /// Adds the gradient with respect to the weights `of` to `self`. `delta` is the derivative of the loss with respect
    /// to the value of `activations`.
    pub(super) fn add_gradient(&mut self, of: &Self, inputs: &[u16], activations: &Activations, delta: f32) {
        let (rows, buckets) = self.split_mut();
        let (gradient, weights) = (&mut buckets[activations.bucket], &of.split().1[activations.bucket]);
        gradient.last_bias += delta;
        let second_deltas: [f32; SECOND_UNITS] = std::array::from_fn(|unit| {
            gradient.last[unit] += delta * activations.second.values[unit];
            let is_unclipped = is_unclipped(activations.second.sums[unit]);
            let second_delta = if is_unclipped { delta * weights.last[unit] } else { 0.0 };
            gradient.second_bias[unit] += second_delta;
            second_delta
        });
        let mut deltas = [0.0; FIRST_UNITS];
        let second = gradient.second.iter_mut().zip(&weights.second).zip(second_deltas);
        for ((gradient, weights), second_delta) in second.filter(|&(_, delta)| delta != 0.0) {
            let units = &activations.first.values;
            gradient.iter_mut().zip(units).for_each(|(gradient, unit)| *gradient += unit * second_delta);
            deltas.iter_mut().zip(weights).for_each(|(delta, weight)| *delta += weight * second_delta);
        }
        for (delta, &sum) in deltas.iter_mut().zip(&activations.first.sums) {
            *delta = if is_unclipped(sum) { *delta } else { 0.0 };
        }
        for row in inputs.iter().map(|&input| usize::from(input)).chain([of.inputs]) {
            rows[row].iter_mut().zip(&deltas).for_each(|(gradient, delta)| *gradient += delta);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use soffio::board::Shape;

    #[test]
    fn the_loss_matches_the_definition() {
        for (logits, target) in [(0.0f32, 0.5f32), (2.0, 1.0), (-3.0, 1.0), (1.0, 0.25)] {
            let chance = f64::from(sigmoid(logits));
            let target_wide = f64::from(target);
            let defined = -target_wide * chance.ln() - (1.0 - target_wide) * (1.0 - chance).ln();
            assert!((logistic(logits, target) - defined).abs() < 1e-6);
        }
        assert!(logistic(1000.0, 1.0) < 1e-9 && (logistic(-1000.0, 1.0) - 1000.0).abs() < 1e-9);
    }

    #[test]
    fn the_learning_rate_rises_and_falls() {
        let kind = GameKind { shape: Shape::BOARD8, lone_king_holds: false, men: 12 };
        let model = Model::new(kind, &mut fastrand::Rng::with_seed(1));
        let settings = TrainingSettings { rate: 0.1, ..TrainingSettings::default() };
        for (all, rising) in [(100, 10), (10_000, 300), (3, 1)] {
            let mut optimizer = Optimizer::new(&model, &settings, all);
            let mut rate_at = |step| {
                optimizer.steps.0 = step;
                optimizer.rate()
            };
            let rates: Vec<f32> = (0..all).map(&mut rate_at).collect();
            let (up, down) = rates.split_at(rising);
            assert!(up.is_sorted() && down.is_sorted_by(|one, next| one > next), "{all} steps");
            assert!((up[0] - 0.1 / rising as f32).abs() < 1e-6 && down[0] > 0.05, "{all} steps: {}", up[0]);
            assert!((rates[all as usize - 1] - 0.1 / all as f32).abs() < 1e-6, "{all} steps");
        }
    }

    #[test]
    fn the_gradient_matches_the_change_of_the_value() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut layers = ModelLayers::random(6, &mut random);
        let inputs = [1, 2, 5];
        let mut gradient = ModelLayers::zero(6);
        gradient.add_gradient(&layers, &inputs, &layers.activate(&inputs, 1), 2.0);
        let mut moving = 0;
        for place in (0..layers.weights.len()).step_by(7) {
            let weight = layers.weights[place];
            let mut value_at = |by: f32| {
                layers.weights[place] = weight + by;
                layers.activate(&inputs, 1).value
            };
            let slope = 2.0 * (value_at(0.002) - value_at(-0.002)) / 0.004;
            layers.weights[place] = weight;
            assert!((slope - gradient.weights[place]).abs() < 0.002, "{place}: {slope} {}", gradient.weights[place]);
            moving += usize::from(slope.abs() > 0.01);
        }
        assert!(moving > 100, "{moving}");
    }
}
