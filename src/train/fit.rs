//! Fitting the weights.

use super::export::{export, man_logits};
use super::model::{Batch, Model};
use super::{Epoch, Samples, TrainError, TrainingProgress, TrainingReport, TrainingSettings};
use crate::board::Bits;
use crate::eval::learned::{Features, Weights};
use std::ops::ControlFlow;

/// Batches between two reports.
const REPORT: usize = 64;

/// What the loss has to fall by, in nats a position, so that learning is worth going on: a third of an Elo point or so.
const LEAST_GAIN: f64 = 2e-5;

/// Fits the weights to the samples, by logistic regression with Adam, until the loss on the games held out improves no more.
/// `progress` is told how far it is, and may end it.
///
/// # Errors
/// When there are too few or too many samples, the layout does not fit, or it was ended from outside.
pub fn fit<B: Bits>(
    features: &Features,
    samples: &Samples<B>,
    settings: &TrainingSettings,
    progress: &mut dyn FnMut(TrainingProgress) -> ControlFlow<()>,
) -> Result<(Weights, TrainingReport), TrainError> {
    if samples.fit.is_empty() || samples.held_out.is_empty() {
        return Err(TrainError::TooFew { fit: samples.fit.len(), held_out: samples.held_out.len() });
    }
    let count = u32::try_from(samples.fit.len()).map_err(|_| TrainError::TooMany)?;
    let mut tell = |what| if progress(what).is_break() { Err(TrainError::Stopped) } else { Ok(()) };
    let mut model = Model::new(features, settings);
    let mut order: Vec<u32> = (0..count).collect();
    let mut random = fastrand::Rng::with_seed(settings.seed);
    let mut batch = Batch::default();
    let start = model.loss(&samples.held_out).mean();
    let mut best = (Epoch { epoch: 0, fit: start, held_out: start }, model.clone());
    let mut epochs = vec![best.0];
    let mut rate = settings.rate;
    let mut idle = 0;
    for epoch in 1..=settings.epochs {
        random.shuffle(&mut order);
        let mut loss = super::Loss::default();
        for (number, indices) in order.chunks(settings.batch.max(1)).enumerate() {
            loss = loss.and(model.learn(&samples.fit, indices, samples.fit.len(), rate, &mut batch));
            if number % REPORT == 0 {
                tell(TrainingProgress::Batch { epoch, done: number * settings.batch, all: samples.fit.len() })?;
            }
        }
        let done = Epoch { epoch, fit: loss.mean(), held_out: model.loss(&samples.held_out).mean() };
        epochs.push(done);
        tell(TrainingProgress::Epoch(done))?;
        idle = if done.held_out < best.0.held_out - LEAST_GAIN { 0 } else { idle + 1 };
        if done.held_out < best.0.held_out {
            best = (done, model.clone());
        }
        if idle >= settings.patience {
            break;
        }
        rate *= settings.rate_decay;
    }
    let (best, model) = best;
    let man_logits = man_logits(&model, samples, settings);
    let (weights, clamped) = export(&model, features.layout, man_logits);
    Ok((weights, TrainingReport { counts: samples.counts, epochs, best, man_logits, clamped }))
}
