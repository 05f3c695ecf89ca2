//! The steps of Adam (Kingma and Ba, 2015), with the decay of weights beside them (Loshchilov and Hutter, 2019).

/// The decay of the mean of gradients, and of that of their squares.
const BETAS: [f32; 2] = [0.9, 0.999];

/// What keeps a step from dividing by nothing.
const EPSILON: f32 = 1e-8;

/// What has been seen of the gradient of a weight.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moments {
    mean: f32,
    square: f32,
}

/// How far weights go in one step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    rate: f32,
    /// The part of each weight that is taken away.
    weight_decay: f32,
    /// What makes up for the means having begun with 0.
    scales: [f32; 2],
}

impl Step {
    /// The step after `before` others; `decay` is the part of a weight that a step of rate 1 takes away.
    pub(super) fn new(rate: f32, decay: f32, before: u32) -> Self {
        let missing = |beta: f32| 1.0 - libm::pow(f64::from(beta), f64::from(before) + 1.0) as f32;
        Self { rate, weight_decay: rate * decay, scales: BETAS.map(|beta| 1.0 / missing(beta)) }
    }

    /// Changes a weight whose gradient this is.
    #[inline(always)]
    pub(super) fn take(self, weight: &mut f32, moments: &mut Moments, gradient: f32) {
        moments.mean = BETAS[0] * moments.mean + (1.0 - BETAS[0]) * gradient;
        moments.square = BETAS[1] * moments.square + (1.0 - BETAS[1]) * gradient * gradient;
        let slope = moments.mean * self.scales[0] / ((moments.square * self.scales[1]).sqrt() + EPSILON);
        *weight -= self.rate * slope + self.weight_decay * *weight;
    }
}
