//! Some weights while they are learned.

/// The decay of Adam's mean of gradients, and of their squares (Kingma and Ba, 2015).
const DECAY: [f32; 2] = [0.9, 0.999];

/// What keeps Adam from dividing by nothing.
const LEAST: f32 = 1e-8;

/// A weight, or what belongs to it, for the full board and for the empty board.
pub(super) type Pair = [f32; 2];

/// The weights of a pattern table, or those that are no patterns, in logits.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) values: Vec<Pair>,
    /// The sum of the gradients of a batch.
    gradient: Vec<Pair>,
    mean: Vec<Pair>,
    square: Vec<Pair>,
}

/// How far Adam goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// The rate, with what makes up for the means having begun with 0.
    rate: f32,
    square_scale: f32,
    /// By what the sum of gradients is divided.
    pub(super) batch: f32,
}

impl Step {
    /// The step after `before` others.
    pub(super) fn new(rate: f32, before: u32, batch: usize) -> Self {
        let missing = |decay: f32| 1.0 - libm::pow(f64::from(decay), f64::from(before) + 1.0) as f32;
        Self { rate: rate / missing(DECAY[0]), square_scale: 1.0 / missing(DECAY[1]), batch: batch as f32 }
    }
}

impl Table {
    pub(super) fn new(values: Vec<Pair>) -> Self {
        let nothing = vec![[0.0; 2]; values.len()];
        Self { gradient: nothing.clone(), mean: nothing.clone(), square: nothing, values }
    }

    /// Adds to the gradient of a weight.
    #[inline(always)]
    pub(super) fn pull(&mut self, index: usize, by: Pair) {
        let gradient = &mut self.gradient[index];
        gradient[0] += by[0];
        gradient[1] += by[1];
    }

    /// Changes the weights by what was pulled and by a penalty for each, which is the gradient of the mean loss that
    /// `penalty(index, value)` gives; then nothing is pulled any more.
    #[inline(always)]
    pub(super) fn step(&mut self, step: Step, penalty: impl Fn(usize, f32) -> f32) {
        let moments = self.mean.iter_mut().zip(&mut self.square);
        let weights = self.values.iter_mut().zip(&mut self.gradient);
        for (index, ((value, gradient), (mean, square))) in weights.zip(moments).enumerate() {
            for phase in 0..2 {
                let slope = gradient[phase] / step.batch + penalty(index, value[phase]);
                mean[phase] = DECAY[0] * mean[phase] + (1.0 - DECAY[0]) * slope;
                square[phase] = DECAY[1] * square[phase] + (1.0 - DECAY[1]) * slope * slope;
                value[phase] -= step.rate * mean[phase] / ((square[phase] * step.square_scale).sqrt() + LEAST);
            }
            *gradient = [0.0; 2];
        }
    }
}
