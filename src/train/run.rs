//! From files of games to weights.

use super::data::{DataError, DataFile, Header};
use super::{Samples, TrainError, TrainingProgress, TrainingReport, TrainingSettings, fit};
use crate::board::Bits;
use crate::eval::learned::{GameKind, Weights, WeightsFile};
use crate::rules::{Identity, Variant};
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Games between two reports.
const REPORT: u64 = 4096;

/// What has been learned.
#[derive(Clone, Debug, PartialEq)]
pub struct Trained {
    /// The plans that the games were played by, with how many games of each there were.
    pub plans: Vec<(String, u64)>,
    /// The weights.
    pub weights: Weights,
    /// What they were learned from, and how well.
    pub report: TrainingReport,
    /// Files whose last games are missing, because the program that wrote them was killed.
    pub cut: Vec<PathBuf>,
}

/// Learns from all games of some files, which must be of one variant. `progress` is told how far it is, and may end it.
///
/// # Errors
/// When a file cannot be used, the files are not of one game or not of `kind`, or as [`fit`].
pub fn train(
    files: &[PathBuf],
    kind: GameKind,
    settings: &TrainingSettings,
    progress: &mut dyn FnMut(TrainingProgress) -> ControlFlow<()>,
) -> Result<Trained, TrainError> {
    if kind.shape.mask() > u128::from(u64::MAX) {
        train_on::<u128>(files, kind, settings, progress)
    } else {
        train_on::<u64>(files, kind, settings, progress)
    }
}

/// Learns from all games of some files, which must be of `variant`, and gives the file of weights with `note` on where they come
/// from. `progress` is told how far it is, and may end it.
///
/// # Errors
/// As [`train`], or when the games are of another variant.
pub fn learn(
    variant: Variant,
    files: &[PathBuf],
    settings: &TrainingSettings,
    note: impl FnOnce(&Trained) -> String,
    progress: &mut dyn FnMut(TrainingProgress) -> ControlFlow<()>,
) -> Result<(Vec<u8>, Trained), TrainError> {
    let identity = Identity::of(variant);
    if let Some(path) = files.first() {
        let failed = |error| TrainError::File(path.clone(), error);
        let file = DataFile::open(path).map_err(failed)?;
        if file.header().identity != identity {
            return Err(failed(DataError::OtherGame(file.header().identity.variant.clone())));
        }
    }
    let trained = train(files, GameKind::of(variant.spec()), settings, progress)?;
    let file = WeightsFile { identity, note: note(&trained), weights: trained.weights.clone() };
    Ok((file.to_bytes(), trained))
}

fn train_on<B: Bits>(
    files: &[PathBuf],
    kind: GameKind,
    settings: &TrainingSettings,
    progress: &mut dyn FnMut(TrainingProgress) -> ControlFlow<()>,
) -> Result<Trained, TrainError> {
    let mut samples = Samples::<B>::new();
    let mut first: Option<Header> = None;
    let (mut plans, mut cut) = (Vec::<(String, u64)>::new(), Vec::new());
    for path in files {
        let failed = |error| TrainError::File(path.clone(), error);
        let mut file = DataFile::open(path).map_err(failed)?;
        if file.header().shape != kind.shape {
            return Err(TrainError::Board);
        }
        if let Some(first) = &first {
            file.header().check_game(first).map_err(failed)?;
        }
        let before = samples.counts.games;
        for game in &mut file {
            samples.add(&game.map_err(failed)?, settings);
            if samples.counts.games.is_multiple_of(REPORT)
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
        first.get_or_insert_with(|| file.header().clone());
    }
    if first.is_none() {
        return Err(TrainError::NoFiles);
    }
    samples.finish();
    let (weights, report) = fit(kind, &samples, settings, progress)?;
    Ok(Trained { plans, weights, report, cut })
}
