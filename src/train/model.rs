//! The evaluation while it is learned: a network of real numbers that speaks in logits.

use super::adam::{Moments, Step};
use super::layers::Layers;
use super::{Loss, Sample, TrainingSettings, mixed, sigmoid};
use crate::board::{Bits, MAX_SQUARES};
use crate::eval::learned::{FULL_SCALE, GameKind, Inputs, scale_factor};
use rayon::prelude::*;

/// Samples whose gradients are added up in one room. Not to be derived from the number of threads: sums depend on it.
const CHUNK: usize = 128;

/// The rate rises in one of so many steps.
const WARM_UP_SHARE: u32 = 10;

/// The most steps in which it rises.
const MOST_WARM_UP: u32 = 300;

/// The evaluation while it is learned.
#[derive(Clone, Debug)]
pub(super) struct Model {
    kind: GameKind,
    inputs: Inputs,
    /// The inputs of the mirror image, where it is a position of the same game.
    mirrored: Option<Inputs>,
    pub(super) layers: Layers,
}

/// What the steps of learning go by.
#[derive(Clone, Debug)]
pub(super) struct Learner {
    moments: Vec<Moments>,
    /// Gradients of the chunks of a batch, to be used again for the next one.
    gradients: Vec<Layers>,
    settings: TrainingSettings,
    /// Steps done, and steps in all.
    steps: (u32, u32),
}

/// The inputs that a position has.
struct ActiveInputs {
    inputs: [u16; MAX_SQUARES],
    count: usize,
}

impl ActiveInputs {
    fn of<B: Bits>(sample: &Sample<B>, inputs: &Inputs) -> Self {
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
    /// Weights of the beginning, by chance.
    pub(super) fn new(kind: GameKind, random: &mut fastrand::Rng) -> Self {
        let inputs = Inputs::new(kind.shape);
        let (mirrored, layers) = (inputs.mirrored(kind.shape), Layers::random(inputs.count(), random));
        Self { kind, inputs, mirrored, layers }
    }

    /// The part of a value, in logits for the side to move, that is kept.
    fn kept<B: Bits>(&self, sample: &Sample<B>, value: f32) -> f32 {
        if !self.kind.lone_king_holds {
            return 1.0;
        }
        let is_white_ahead = (value > 0.0) == sample.white_to_move;
        scale_factor(sample.white, sample.black, sample.kings, is_white_ahead) as f32 / FULL_SCALE as f32
    }

    /// The chances of the side to move, in logits.
    pub(super) fn predict<B: Bits>(&self, sample: &Sample<B>) -> f32 {
        let value = self.layers.activate(ActiveInputs::of(sample, &self.inputs).inputs()).value;
        value * self.kept(sample, value)
    }

    /// The loss on some samples.
    pub(super) fn loss<B: Bits>(&self, samples: &[Sample<B>]) -> Loss {
        let of_chunk = |chunk: &[Sample<B>]| {
            let mut loss = Loss::default();
            chunk.iter().for_each(|sample| loss.add(self.predict(sample), sample.target_of_mover()));
            loss
        };
        let losses: Vec<Loss> = samples.par_chunks(CHUNK).map(of_chunk).collect();
        losses.into_iter().fold(Loss::default(), Loss::and)
    }

    /// The loss on the samples with these indices; how it depends on the weights is added to `gradient`. Where mirror images are
    /// positions of the same game, `draw` decides which samples are looked at in the mirror.
    fn accumulate_gradient<B: Bits>(
        &self,
        samples: &[Sample<B>],
        indices: &[u32],
        draw: u64,
        gradient: &mut Layers,
    ) -> Loss {
        let mut loss = Loss::default();
        for &index in indices {
            let sample = &samples[index as usize];
            let image = self.mirrored.as_ref().filter(|_| mixed(draw ^ u64::from(index)) & 1 == 1);
            let active = ActiveInputs::of(sample, image.unwrap_or(&self.inputs));
            let activations = self.layers.activate(active.inputs());
            let kept = self.kept(sample, activations.value);
            let (logits, target) = (activations.value * kept, sample.target_of_mover());
            loss.add(logits, target);
            gradient.add_gradient(&self.layers, active.inputs(), &activations, kept * (sigmoid(logits) - target));
        }
        loss
    }
}

impl Learner {
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
        let rooms = self.gradients.par_iter_mut();
        let of_chunk = |(indices, gradient): (&[u32], &mut Layers)| {
            gradient.weights.fill(0.0);
            model.accumulate_gradient(samples, indices, draw, gradient)
        };
        let losses: Vec<Loss> = indices.par_chunks(CHUNK).zip(rooms).map(of_chunk).collect();
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

    #[test]
    fn the_rate_rises_and_falls() {
        let kind = GameKind { shape: Shape::BOARD8, lone_king_holds: false };
        let model = Model::new(kind, &mut fastrand::Rng::with_seed(1));
        let settings = TrainingSettings { rate: 0.1, ..TrainingSettings::default() };
        let rates = |all: u32| {
            let mut learner = Learner::new(&model, &settings, all);
            (0..all)
                .map(|step| {
                    learner.steps.0 = step;
                    learner.rate()
                })
                .collect::<Vec<f32>>()
        };
        for (all, rising) in [(100, 10), (10_000, 300), (3, 1)] {
            let rates = rates(all);
            let (up, down) = rates.split_at(rising);
            assert!(up.is_sorted() && down.is_sorted_by(|one, next| one > next), "{all} steps");
            assert!((up[0] - 0.1 / rising as f32).abs() < 1e-6 && down[0] > 0.05, "{all} steps: {}", up[0]);
            assert!((rates[all as usize - 1] - 0.1 / all as f32).abs() < 1e-6, "{all} steps");
        }
    }
}
