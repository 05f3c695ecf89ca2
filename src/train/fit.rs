//! Fitting the weights.

use super::export::{export, man_logits};
use super::model::{Learner, Model};
use super::{Epoch, Samples, TrainError, TrainingProgress, TrainingReport, TrainingSettings};
use crate::board::Bits;
use crate::eval::learned::{GameKind, Weights};
use std::ops::ControlFlow;

/// Batches between two reports.
const REPORT: usize = 256;

/// Fits the weights to the samples, by logistic regression with Adam; those of the epoch with the least loss on the games held out are
/// kept. `progress` is told how far it is, and may end it.
///
/// # Errors
/// When there are too few or too many samples, nothing was learned, or it was ended from outside.
pub fn fit<B: Bits>(
    kind: GameKind,
    samples: &Samples<B>,
    settings: &TrainingSettings,
    progress: &mut dyn FnMut(TrainingProgress) -> ControlFlow<()>,
) -> Result<(Weights, TrainingReport), TrainError> {
    if samples.fit.is_empty() || samples.held_out.is_empty() {
        return Err(TrainError::TooFew { fit: samples.fit.len(), held_out: samples.held_out.len() });
    }
    let count = u32::try_from(samples.fit.len()).map_err(|_| TrainError::TooMany)?;
    let mut tell = |what| if progress(what).is_break() { Err(TrainError::Stopped) } else { Ok(()) };
    let mut order: Vec<u32> = (0..count).collect();
    let mut random = fastrand::Rng::with_seed(settings.seed);
    let mut model = Model::new(kind, &mut random);
    let batch = settings.batch.max(1);
    let batches = order.chunks(batch).len() as u32;
    let mut learner = Learner::new(&model, settings, batches.saturating_mul(settings.epochs));
    let start = model.loss(&samples.held_out).mean();
    let mut best = (Epoch { epoch: 0, fit: start, held_out: start }, model.clone());
    let mut epochs = vec![best.0];
    for epoch in 1..=settings.epochs {
        random.shuffle(&mut order);
        let mut loss = super::Loss::default();
        let mut done = 0;
        for (number, indices) in order.chunks(batch).enumerate() {
            loss = loss.and(learner.learn(&mut model, &samples.fit, indices));
            done += indices.len();
            if number % REPORT == 0 {
                tell(TrainingProgress::Batch { epoch, done, all: samples.fit.len() })?;
            }
        }
        let ended = Epoch { epoch, fit: loss.mean(), held_out: model.loss(&samples.held_out).mean() };
        epochs.push(ended);
        tell(TrainingProgress::Epoch(ended))?;
        if ended.held_out < best.0.held_out {
            best = (ended, model.clone());
        }
    }
    let (best, model) = best;
    if best.epoch == 0 {
        return Err(TrainError::NoProgress);
    }
    let man_logits = man_logits(&model, samples, settings);
    let (weights, clamped) = export(&model.layers, man_logits);
    Ok((weights, TrainingReport { counts: samples.counts, epochs, best, man_logits, clamped }))
}
