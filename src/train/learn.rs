//! From files of games to weights.

use super::data::{DataError, DataFile, Header};
use super::export::{export, man_logits};
use super::model::{Loss, Model, Optimizer};
use super::{SampleCounts, Samples, TrainingSettings};
use crate::board::Bits;
use crate::eval::learned::{GameKind, Weights, WeightsFile};
use crate::rules::Variant;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Games between two reports.
const GAMES_PER_REPORT: u64 = 4096;

/// Batches between two reports.
const BATCHES_PER_REPORT: usize = 256;

/// Weights, and where they come from.
#[derive(Clone, Debug, PartialEq)]
pub struct Trained {
    /// The plans that the games were played by, with how many games of each there were.
    pub plans: Vec<(String, u64)>,
    /// The weights.
    pub weights: Weights,
    /// The positions and losses.
    pub report: TrainingReport,
    /// Files whose last games are missing, because the program that wrote them was killed.
    pub cut: Vec<PathBuf>,
}

/// The losses and sizes of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingReport {
    /// The positions that were used and left out.
    pub counts: SampleCounts,
    /// The loss from epoch to epoch.
    pub epochs: Vec<Epoch>,
    /// The epoch whose weights were kept.
    pub best: Epoch,
    /// Logits of a score of 100.
    pub man_logits: f64,
    /// Weights that were made smaller, so that they fit into the file and no sum overflows.
    pub clamped: usize,
}

/// The logistic loss, in nats a position, after some epochs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epoch {
    /// Epochs so far, from 0 for the weights of the beginning.
    pub epoch: u32,
    /// On the positions learned from, each as the weights were at its turn; for the first entry on those held out.
    pub fit: f64,
    /// On the positions held out.
    pub held_out: f64,
}

/// How far the learning is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TrainingProgress {
    /// Files are being read.
    Read(SampleCounts),
    /// An epoch, counted from 1, is on its way.
    Batch {
        /// The epoch.
        epoch: u32,
        /// Positions done in it.
        done: usize,
        /// Positions of an epoch.
        all: usize,
    },
    /// An epoch is done.
    Epoch(Epoch),
}

/// Why no weights could be fitted.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// A file cannot be used.
    #[error("{path}: {error}", path = .0.display(), error = .1)]
    File(PathBuf, DataError),
    /// No file was named.
    #[error("there is no file to learn from")]
    NoFiles,
    /// After leaving out what is not learned from, too few positions are left on one side of the split.
    #[error("too few positions are left: {fit} to learn from and {held_out} held out")]
    TooFew {
        /// Positions to learn from.
        fit: usize,
        /// Positions held out.
        held_out: usize,
    },
    /// There are more positions than can be numbered.
    #[error("more than {} positions", u32::MAX)]
    TooMany,
    /// No epoch was better than the random weights of the beginning.
    #[error(
        "no epoch was better than the random weights of the beginning: the rate may be too high, or the games too few"
    )]
    NoProgress,
    /// It was ended from outside.
    #[error("stopped before the end: no weights were written")]
    Stopped,
}

/// Learns from all games of some files, which must be of `variant`, and returns the file of weights with `note` on where they come
/// from. `progress` is told how far it is, and may end it.
///
/// # Errors
/// When a file cannot be used or is of another variant, or as [`fit`].
pub fn learn(
    variant: Variant,
    files: &[PathBuf],
    settings: &TrainingSettings,
    note: impl FnOnce(&Trained) -> String,
    progress: &mut dyn FnMut(TrainingProgress) -> ControlFlow<()>,
) -> Result<(Vec<u8>, Trained), TrainError> {
    let header = Header::of(variant, String::new());
    let trained = if header.shape.mask() > u128::from(u64::MAX) {
        learn_on::<u128>(variant, &header, files, settings, progress)?
    } else {
        learn_on::<u64>(variant, &header, files, settings, progress)?
    };
    let file = WeightsFile { identity: header.identity, note: note(&trained), weights: trained.weights.clone() };
    Ok((file.to_bytes(), trained))
}

fn learn_on<B: Bits>(
    variant: Variant,
    header: &Header,
    files: &[PathBuf],
    settings: &TrainingSettings,
    progress: &mut dyn FnMut(TrainingProgress) -> ControlFlow<()>,
) -> Result<Trained, TrainError> {
    if files.is_empty() {
        return Err(TrainError::NoFiles);
    }
    let mut samples = Samples::<B>::default();
    let (mut plans, mut cut) = (Vec::<(String, u64)>::new(), Vec::new());
    for path in files {
        let failed = |error| TrainError::File(path.clone(), error);
        let mut file = DataFile::open(path).map_err(failed)?;
        file.header().check_game(header).map_err(failed)?;
        let before = samples.counts.games;
        for game in &mut file {
            samples.add(&game.map_err(failed)?, settings);
            if samples.counts.games.is_multiple_of(GAMES_PER_REPORT)
                && progress(TrainingProgress::Read(samples.counts)).is_break()
            {
                return Err(TrainError::Stopped);
            }
        }
        if file.is_cut() {
            cut.push(path.clone());
        }
        let (plan, games) = (&file.header().plan, samples.counts.games - before);
        match plans.iter_mut().find(|(known, _)| known == plan) {
            Some((_, all)) => *all += games,
            None => plans.push((plan.clone(), games)),
        }
    }
    samples.finish();
    let (weights, report) = fit(GameKind::of(variant.spec()), &samples, settings, progress)?;
    Ok(Trained { plans, weights, report, cut })
}

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
    let mut report = |progress_now| match progress(progress_now) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(TrainError::Stopped),
    };
    let mut order: Vec<u32> = (0..count).collect();
    let mut random = fastrand::Rng::with_seed(settings.seed);
    let mut model = Model::new(kind, &mut random);
    let held_out_loss = |model: &Model| model.loss(&samples.held_out, settings.threads).mean();
    let batch = settings.batch.max(1);
    let batches = order.chunks(batch).len() as u32;
    let mut optimizer = Optimizer::new(&model, settings, batches.saturating_mul(settings.epochs));
    let start = held_out_loss(&model);
    let mut best = (Epoch { epoch: 0, fit: start, held_out: start }, model.clone());
    let mut epochs = vec![best.0];
    for epoch in 1..=settings.epochs {
        random.shuffle(&mut order);
        let (mut loss, mut done) = (Loss::default(), 0);
        for (number, indices) in order.chunks(batch).enumerate() {
            loss = loss.and(optimizer.learn(&mut model, &samples.fit, indices));
            done += indices.len();
            if number % BATCHES_PER_REPORT == 0 {
                report(TrainingProgress::Batch { epoch, done, all: samples.fit.len() })?;
            }
        }
        let ended = Epoch { epoch, fit: loss.mean(), held_out: held_out_loss(&model) };
        epochs.push(ended);
        report(TrainingProgress::Epoch(ended))?;
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
