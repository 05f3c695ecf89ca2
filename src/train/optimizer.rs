//! Steps of learning by Adam (Kingma and Ba, 2015), with the decay of weights beside them (Loshchilov and Hutter, 2019).

use super::data::mixed;
use super::layers::Layers;
use super::model::{CHUNK, Loss, Model, in_parallel};
use super::{Sample, TrainingSettings};
use crate::board::Bits;

/// The decay of the mean of gradients, and of that of their squares.
const BETAS: [f32; 2] = [0.9, 0.999];

/// Keeps a step from dividing by 0.
const EPSILON: f32 = 1e-8;

/// The rate rises in one of so many steps.
const WARM_UP_SHARE: u32 = 10;

/// The most steps in which it rises.
const MOST_WARM_UP: u32 = 300;

/// The means of the gradients of a weight and of their squares so far.
#[derive(Clone, Copy, Debug, Default)]
struct Moments {
    mean: f32,
    square: f32,
}

/// How far weights go in one step.
#[derive(Clone, Copy, Debug)]
struct Step {
    rate: f32,
    /// The part of each weight that is taken away.
    weight_decay: f32,
    /// Makes up for the means having begun with 0.
    scales: [f32; 2],
}

impl Step {
    /// The step after `before` others; `decay` is the part of a weight that a step of rate 1 takes away.
    fn new(rate: f32, decay: f32, before: u32) -> Self {
        let missing = |beta: f32| 1.0 - libm::pow(f64::from(beta), f64::from(before) + 1.0) as f32;
        Self { rate, weight_decay: rate * decay, scales: BETAS.map(|beta| 1.0 / missing(beta)) }
    }

    /// Changes a weight whose gradient this is.
    #[inline(always)]
    fn take(self, weight: &mut f32, moments: &mut Moments, gradient: f32) {
        moments.mean = BETAS[0] * moments.mean + (1.0 - BETAS[0]) * gradient;
        moments.square = BETAS[1] * moments.square + (1.0 - BETAS[1]) * gradient * gradient;
        let slope = moments.mean * self.scales[0] / ((moments.square * self.scales[1]).sqrt() + EPSILON);
        *weight -= self.rate * slope + self.weight_decay * *weight;
    }
}

/// Changes a model batch by batch.
#[derive(Clone, Debug)]
pub(super) struct Optimizer {
    moments: Vec<Moments>,
    /// Gradients of the chunks of a batch, whose memory the next one uses.
    gradients: Vec<Layers>,
    settings: TrainingSettings,
    /// Steps done, and steps in all.
    steps: (u32, u32),
}

impl Optimizer {
    /// The beginning of learning by so many batches.
    pub(super) fn new(model: &Model, settings: &TrainingSettings, batches: u32) -> Self {
        let moments = vec![Moments::default(); model.layers.weights.len()];
        Self { moments, gradients: Vec::new(), settings: settings.clone(), steps: (0, batches) }
    }

    /// Makes `model` learn from the samples with these indices. The loss is that of the weights of before.
    pub(super) fn learn<B: Bits>(&mut self, model: &mut Model, samples: &[Sample<B>], indices: &[u32]) -> Loss {
        let chunks = indices.len().div_ceil(CHUNK);
        if self.gradients.len() < chunks {
            self.gradients.resize(chunks, Layers::zero(model.layers.inputs()));
        }
        let draw = mixed(self.settings.seed ^ u64::from(self.steps.0)) << 32;
        let of_chunk = |(indices, gradient): &mut (&[u32], &mut Layers)| {
            gradient.weights.fill(0.0);
            model.accumulate_gradient(samples, indices, draw, gradient)
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
        losses.into_iter().fold(Loss::default(), Loss::and)
    }

    /// The rate of the next step: it rises at first and falls to 0 at the end, both in a straight line.
    fn rate(&self) -> f32 {
        let (done, all) = self.steps;
        let warm = ((done + 1) as f32 / (all / WARM_UP_SHARE).clamp(1, MOST_WARM_UP) as f32).min(1.0);
        self.settings.rate * warm * (1.0 - done as f32 / all.max(1) as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Shape;
    use crate::eval::learned::GameKind;

    #[test]
    fn the_rate_rises_and_falls() {
        let kind = GameKind { shape: Shape::BOARD8, lone_king_holds: false };
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
}
