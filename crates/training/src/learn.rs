//! Trains the floating-point network on game files and quantises it into evaluation weights.

use super::data::{DataError, DataFile, DataHeader};
use super::model::{Loss, Model, ModelLayers, Optimizer};
use super::{SampleCounts, Samples, TrainingSettings};
use anyhow::{Result, anyhow, bail, ensure};
use soffio::board::Bits;
use soffio::eval::nnue::{
    ACCUMULATOR_LIMIT, FIRST_UNITS, GameKind, Nnue, OUTPUT_SCALE, QA, QB, SECOND_BIAS_LIMIT, SECOND_SCALE, Weights,
    WeightsFile, max_accumulator,
};
use soffio::rules::Variant;
use soffio::tables::Adjudicator;
use std::ops::ControlFlow;
use std::path::PathBuf;

const GAMES_PER_REPORT: u64 = 4096;

const BATCHES_PER_REPORT: usize = 256;

const STOPPED: &str = "stopped before the end: no weights were written";

#[derive(Clone, Debug, PartialEq)]
pub struct TrainingResult {
    /// The plan of each set of games, with its number of games.
    pub plans: Vec<(String, u64)>,
    pub weights: Weights,
    pub report: TrainingReport,
    /// Files whose last frame is incomplete.
    pub truncated: Vec<PathBuf>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct TrainingReport {
    pub counts: SampleCounts,
    pub epochs: Vec<Epoch>,
    pub best: Epoch,
    /// Value in logits that corresponds to an evaluation of 100 cp.
    pub man_logits: f64,
    /// Number of weights that were clamped to fit the file format and to rule out overflow.
    pub clamped: usize,
}

/// The mean logistic loss after an epoch, in nats per position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epoch {
    /// Number of completed epochs; 0 for the initial weights.
    pub epoch: u32,
    /// Loss on the training positions. The loss on each position is measured with the weights before the step that uses
    /// this position. For epoch 0, this is the held-out loss.
    pub fit: f64,
    pub held_out: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TrainingProgress {
    Read(SampleCounts),
    Batch { epoch: u32, done: usize, all: usize },
    Epoch(Epoch),
}

/// Trains on all games in `files`, which must contain games of `variant`. Returns the training result and a weights
/// file in which `note` describes the provenance.
///
/// If `tables` are given, they correct the results. They are probed for each position and, if they do not contain it,
/// for the later positions of the game. The first result found replaces the result of the game.
///
/// The closures are `dyn` on purpose. A generic function would be compiled in the calling crate, which is not optimised
/// in development builds.
pub fn train(
    variant: Variant,
    files: &[PathBuf],
    settings: &TrainingSettings,
    tables: Option<&Adjudicator>,
    note: &dyn Fn(&TrainingResult) -> String,
    progress: &mut dyn FnMut(TrainingProgress) -> ControlFlow<()>,
) -> Result<(Vec<u8>, TrainingResult)> {
    let header = DataHeader::new(variant, String::new());
    let trained = if header.shape.mask() > u128::from(u64::MAX) {
        train_on::<u128>(variant, &header, files, settings, tables, progress)?
    } else {
        train_on::<u64>(variant, &header, files, settings, tables, progress)?
    };
    let file = WeightsFile { identity: header.identity, note: note(&trained), weights: trained.weights.clone() };
    Ok((file.to_bytes(), trained))
}

fn train_on<B: Bits>(
    variant: Variant,
    header: &DataHeader,
    files: &[PathBuf],
    settings: &TrainingSettings,
    tables: Option<&Adjudicator>,
    progress: &mut dyn FnMut(TrainingProgress) -> ControlFlow<()>,
) -> Result<TrainingResult> {
    ensure!(!files.is_empty(), "no training files");
    let mut samples = Samples::<B>::default();
    let (mut plans, mut truncated) = (Vec::<(String, u64)>::new(), Vec::new());
    for path in files {
        let failed = |error: DataError| anyhow!("{}: {error}", path.display());
        let mut file = DataFile::open(path).map_err(failed)?;
        file.header.check_game(header).map_err(failed)?;
        let before = samples.counts.games;
        for game in &mut file {
            samples.add(&game.map_err(failed)?, tables, settings);
            if samples.counts.games.is_multiple_of(GAMES_PER_REPORT)
                && progress(TrainingProgress::Read(samples.counts)).is_break()
            {
                bail!(STOPPED);
            }
        }
        if file.is_truncated {
            truncated.push(path.clone());
        }
        let (plan, games) = (&file.header.plan, samples.counts.games - before);
        match plans.iter_mut().find(|(known, _)| known == plan) {
            Some((_, all)) => *all += games,
            None => plans.push((plan.clone(), games)),
        }
    }
    samples.finish();
    let (weights, report) = fit(GameKind::for_rules(variant.spec()), &samples, settings, progress)?;
    Ok(TrainingResult { plans, weights, report, truncated })
}

/// Fits the weights by logistic regression with Adam. Keeps the weights of the epoch with the lowest loss on the
/// held-out games.
pub fn fit<B: Bits>(
    kind: GameKind,
    samples: &Samples<B>,
    settings: &TrainingSettings,
    progress: &mut dyn FnMut(TrainingProgress) -> ControlFlow<()>,
) -> Result<(Weights, TrainingReport)> {
    let (fit, held_out) = (samples.fit.len(), samples.held_out.len());
    ensure!(fit > 0 && held_out > 0, "too few positions: {fit} for training and {held_out} held out; use more games");
    let count = u32::try_from(fit).map_err(|_| anyhow!("too many positions for training: at most {}", u32::MAX))?;
    let mut report = |progress_now| match progress(progress_now) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => bail!(STOPPED),
    };
    let mut order: Vec<u32> = (0..count).collect();
    let mut random = fastrand::Rng::with_seed(settings.seed);
    let mut model = Model::new(kind, &mut random);
    if let Some(WeightsFile { weights, .. }) = &settings.start {
        Nnue::new(kind, weights.clone()).map_err(|error| anyhow!("initial weights: {error}"))?;
        restore(weights, &mut model.layers, settings.man_logits);
    }
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
            loss = loss.merge(optimizer.step(&mut model, &samples.fit, indices));
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
    ensure!(
        best.epoch > 0,
        "no epoch improved on the initial weights: the learning rate may be too high, or there are too few games"
    );
    let man_logits = man_logits(&model, samples, settings);
    let (weights, clamped) = export(&model.layers, man_logits);
    Ok((weights, TrainingReport { counts: samples.counts, epochs, best, man_logits, clamped }))
}

/// Minimum value of a man in logits. Without this limit, scores would be unbounded.
const MIN_MAN_LOGITS: f64 = 0.1;

/// Returns how many logits correspond to an evaluation of 100 cp. Unless the settings fix the scale, this is the
/// average effect of one extra man in the held-out positions without kings.
pub(super) fn man_logits<B: Bits>(model: &Model, samples: &Samples<B>, settings: &TrainingSettings) -> f64 {
    if settings.fixed_scale {
        return settings.man_logits.into();
    }
    let (mut products, mut squares) = (0.0, 0.0);
    for sample in samples.held_out.iter().filter(|sample| sample.kings.is_empty()) {
        let men = f64::from(sample.white.count()) - f64::from(sample.black.count());
        let men = if sample.white_to_move { men } else { -men };
        products += men * f64::from(model.predict(sample));
        squares += men * men;
    }
    if squares == 0.0 { settings.man_logits.into() } else { (products / squares).abs().max(MIN_MAN_LOGITS) }
}

pub(super) fn export(layers: &ModelLayers, man_logits: f64) -> (Weights, usize) {
    let (first, buckets) = layers.split();
    let mut weights = Weights::zero(layers.inputs);
    let mut clamped = 0;
    let mut round = |weight: f32, one: f64, max: i32| {
        let value = (f64::from(weight) * one).round();
        let kept = value.clamp(-f64::from(max), max.into());
        clamped += usize::from(kept != value);
        kept as i32
    };
    let of_first = weights.first.iter_mut().chain([&mut weights.first_bias]).flatten();
    for (weight, &real) in of_first.zip(first.as_flattened()) {
        *weight = round(real, QA.into(), ACCUMULATOR_LIMIT.into()) as i16;
    }
    let of_value = 100.0 * f64::from(OUTPUT_SCALE) / man_logits;
    for (quantised, bucket) in weights.buckets.iter_mut().zip(buckets) {
        let second = quantised.second.as_flattened_mut().iter_mut();
        for (weight, &real) in second.zip(bucket.second.as_flattened()) {
            *weight = round(real, QB.into(), i16::MAX.into()) as i16;
        }
        for (bias, &real) in quantised.second_bias.iter_mut().zip(&bucket.second_bias) {
            *bias = round(real, SECOND_SCALE.into(), SECOND_BIAS_LIMIT);
        }
        for (value, &real) in quantised.last.iter_mut().zip(&bucket.last) {
            *value = round(real, of_value, i32::MAX);
        }
        quantised.last_bias = round(bucket.last_bias, of_value, i32::MAX);
    }
    clamped += (0..FIRST_UNITS).map(|unit| shrink(&mut weights, unit)).sum::<usize>();
    (weights, clamped)
}

/// Writes `weights` into `layers`, which have the same number of inputs. This is the inverse of
/// [`export`].
fn restore(weights: &Weights, layers: &mut ModelLayers, man_logits: f32) {
    let (first, buckets) = layers.split_mut();
    let short = |reals: &mut [f32], numbers: &[i16], one: i32| {
        reals.iter_mut().zip(numbers).for_each(|(real, &number)| *real = f32::from(number) / one as f32);
    };
    for (reals, numbers) in first.iter_mut().zip(weights.first.iter().chain([&weights.first_bias])) {
        short(reals, numbers, QA);
    }
    let long = |reals: &mut [f32], numbers: &[i32], one: f32| {
        reals.iter_mut().zip(numbers).for_each(|(real, &number)| *real = number as f32 / one);
    };
    let of_value = 100.0 * OUTPUT_SCALE as f32 / man_logits;
    for (bucket, quantised) in buckets.iter_mut().zip(&weights.buckets) {
        short(bucket.second.as_flattened_mut(), quantised.second.as_flattened(), QB);
        long(&mut bucket.second_bias, &quantised.second_bias, SECOND_SCALE as f32);
        long(&mut bucket.last, &quantised.last, of_value);
        bucket.last_bias = quantised.last_bias as f32 / of_value;
    }
}

/// Scales the incoming weights and the bias of a unit so that its sum cannot exceed [`ACCUMULATOR_LIMIT`]. Returns the
/// number of scaled weights, or 0 if the sum was already within the limit.
fn shrink(weights: &mut Weights, unit: usize) -> usize {
    let (max, limit) = (i64::from(max_accumulator(weights, unit)), i64::from(ACCUMULATOR_LIMIT));
    if max <= limit {
        return 0;
    }
    for units in weights.first.iter_mut().chain([&mut weights.first_bias]) {
        units[unit] = (i64::from(units[unit]) * limit / max) as i16;
    }
    weights.first.len() + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TrainingSample;
    use soffio::board::Shape;
    use soffio::eval::nnue::{GameKind, Nnue};

    const KIND: GameKind = GameKind { shape: Shape::BOARD10, lone_king_holds: true, men: 20 };

    fn sample(random: &mut fastrand::Rng) -> TrainingSample<u64> {
        let mut sample = TrainingSample { white: 0, black: 0, kings: 0, target: 0.5, white_to_move: random.bool() };
        for square in Shape::BOARD10.all_squares() {
            let bit = u64::from_square(square);
            match random.u8(..4) {
                0 => sample.white |= bit,
                1 => sample.black |= bit,
                _ => continue,
            }
            sample.kings |= if random.u8(..6) == 0 { bit } else { 0 };
        }
        sample
    }

    #[test]
    fn integer_weights_match_the_float_weights() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..5 {
            let model = Model::new(KIND, &mut random);
            let (weights, clamped) = export(&model.layers, 0.69);
            assert_eq!(clamped, 0);
            let nnue = Nnue::new(KIND, weights).unwrap();
            for _ in 0..200 {
                let position = sample(&mut random);
                let real = 100.0 * model.predict(&position) / 0.69;
                let TrainingSample { white, black, kings, white_to_move, .. } = position;
                let whole = nnue.evaluate(white, black, kings, white_to_move);
                assert!((real - whole as f32).abs() < 4.0, "{real} {whole}");
            }
        }
    }

    #[test]
    fn weights_that_are_too_large_are_clamped() {
        let mut layers = Model::new(KIND, &mut fastrand::Rng::with_seed(2)).layers;
        layers.weights[7] = -1000.0;
        let column = layers.weights.iter_mut().skip(3).step_by(FIRST_UNITS).take(20);
        column.for_each(|weight| *weight = 9.0);
        let (weights, clamped) = export(&layers, 0.69);
        let of_a_unit = layers.inputs + 1;
        assert_eq!(clamped, 1 + 2 * of_a_unit);
        assert!([3, 7].into_iter().all(|unit| max_accumulator(&weights, unit) <= ACCUMULATOR_LIMIT as u32));
        assert!(weights.first[0][7] < -25_000 && weights.first[19][3] > 1000);
        assert!(Nnue::new(KIND, weights).is_ok());
    }
}
