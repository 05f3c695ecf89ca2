//! Training settings and the selection of training positions.

use super::data::{GameOutcome, PositionRecord, TrainingGame, mixed};
use derive_more::Display;
use soffio::board::Bits;
use soffio::eval::nnue::WeightsFile;
use soffio::rules::{Objective, RuleSet};
use soffio::tables::Adjudicator;
use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::thread::available_parallelism;

#[derive(Clone, Debug, Display, PartialEq)]
#[display(
    "{epochs} epochs, batch {batch}, rate {rate}, decay {decay}, score share {score_share}, first ply {first_ply}, \
     held out {held_out}, seed {seed}"
)]
pub struct TrainingSettings {
    /// Positions before this ply are skipped, because they belong to the random opening.
    pub first_ply: u16,
    /// Share of the games, from 0 to 1, that is held out to select the best epoch.
    pub held_out: f64,
    pub epochs: u32,
    pub batch: usize,
    /// Peak learning rate of Adam, for weights in the network's units, in which activations are clipped at 1.
    pub rate: f32,
    /// Weight decay: the share of each weight that a step with learning rate 1 removes.
    pub decay: f32,
    /// Share of the search score in the target, from 0 (results only) to 1.
    pub score_share: f32,
    /// Value of a man in logits, which converts scores to win probabilities. If `fixed_scale` is set, it also converts
    /// weights to scores.
    pub man_logits: f32,
    /// Whether an evaluation of 100 cp always corresponds to `man_logits`. Otherwise, it corresponds to the average
    /// effect of one extra man in positions without kings.
    pub fixed_scale: bool,
    /// Seed of the initial weights, the held-out split and the order of positions.
    pub seed: u64,
    /// Initial weights, which may belong to a different variant on the same board, or `None` for random weights.
    pub start: Option<WeightsFile>,
    /// Number of threads; does not affect the resulting weights.
    pub threads: NonZeroUsize,
}

/// Scores are clamped to this absolute value in cp. Positions with larger scores are kept, because otherwise the
/// network would not learn to win an ending that is already won.
const MAX_SCORE: i16 = 600;

impl TrainingSettings {
    pub fn for_rules(spec: &RuleSet) -> Self {
        // If men have no value, an extra man cannot define the scale.
        let fixed_scale = matches!(spec.objective, Objective::Losing);
        // Training on results alone needs several times as many games: see `docs/training.md`.
        Self { fixed_scale, score_share: 0.7, ..Self::default() }
    }
}

/// Settings that are suitable for several million positions, with results as the only targets.
impl Default for TrainingSettings {
    fn default() -> Self {
        Self {
            first_ply: 8,
            held_out: 0.08,
            epochs: 12,
            batch: 1024,
            rate: 0.0015,
            decay: 0.2,
            score_share: 0.0,
            man_logits: 0.69,
            fixed_scale: false,
            seed: 1,
            start: None,
            threads: available_parallelism().unwrap_or(NonZeroUsize::MIN),
        }
    }
}

/// A training position. It trains the evaluation for both colours, because the network sees the board from the point of
/// view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainingSample<B> {
    pub white: B,
    pub black: B,
    pub kings: B,
    /// Expected result from White's point of view, from 0 to 1: the game result mixed with the search score.
    pub target: f32,
    pub white_to_move: bool,
}

impl<B> TrainingSample<B> {
    pub(super) fn target_of_mover(&self) -> f32 {
        if self.white_to_move { self.target } else { 1.0 - self.target }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Samples<B> {
    pub fit: Vec<TrainingSample<B>>,
    pub held_out: Vec<TrainingSample<B>>,
    pub counts: SampleCounts,
    seen: HashSet<u64>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SampleCounts {
    pub games: u64,
    pub positions: u64,
    pub corrected: u64,
    pub not_quiet: u64,
    pub early: u64,
    pub unscored: u64,
    pub duplicates: u64,
    pub fit: u64,
    pub held_out: u64,
}

impl<B: Bits> Samples<B> {
    /// Adds the suitable positions of a game. Either all of them become training positions, or all of them are held
    /// out. `tables` correct the results.
    pub fn add(&mut self, game: &TrainingGame, tables: Option<&Adjudicator>, settings: &TrainingSettings) {
        let random = mixed(settings.seed ^ mixed(self.counts.games + 1));
        let is_held_out = ((random >> 11) as f64 / (1u64 << 53) as f64) < settings.held_out;
        self.counts.games += 1;
        let mut outcome = game.outcome;
        let backwards = game.positions.iter().rev().map(|position| {
            outcome = tables.and_then(|tables| outcome_of(position, tables)).unwrap_or(outcome);
            outcome
        });
        let outcomes: Vec<GameOutcome> = backwards.collect();
        for (position, &outcome) in game.positions.iter().zip(outcomes.iter().rev()) {
            self.counts.positions += 1;
            self.counts.corrected += u64::from(outcome != game.outcome);
            if let Some(sample) = self.sample(outcome, position, settings) {
                let Self { fit, held_out, counts, .. } = self;
                let (side, count) = if is_held_out { (held_out, &mut counts.held_out) } else { (fit, &mut counts.fit) };
                side.push(sample);
                *count += 1;
            }
        }
    }

    /// Frees the memory that was used to detect duplicates. Call this after the last game.
    pub fn finish(&mut self) {
        self.seen = HashSet::default();
    }

    fn sample(
        &mut self,
        outcome: GameOutcome,
        position: &PositionRecord,
        settings: &TrainingSettings,
    ) -> Option<TrainingSample<B>> {
        if !position.quiet {
            self.counts.not_quiet += 1;
            return None;
        }
        if position.ply < settings.first_ply {
            self.counts.early += 1;
            return None;
        }
        let Some(target) = target(outcome, position, settings) else {
            self.counts.unscored += 1;
            return None;
        };
        if !self.seen.insert(position.fingerprint()) {
            self.counts.duplicates += 1;
            return None;
        }
        let [white, black, kings] = [position.white, position.black, position.kings].map(B::from_mask);
        Some(TrainingSample { white, black, kings, target, white_to_move: position.white_to_move })
    }
}

/// Computes the logistic function in software, so that the result is the same on every machine.
pub(super) fn sigmoid(logits: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-logits))
}

pub(super) fn outcome_of(position: &PositionRecord, tables: &Adjudicator) -> Option<GameOutcome> {
    if (position.white | position.black).count_ones() > tables.max_pieces().into() {
        return None;
    }
    let setup = position.setup();
    let outcome = tables.likely_outcome_of(&setup)?;
    Some(outcome.winner(setup.side).map_or(GameOutcome::Draw, GameOutcome::won_by))
}

/// Returns the target from White's point of view, or `None` if scores are used and this position has no score.
fn target(outcome: GameOutcome, position: &PositionRecord, settings: &TrainingSettings) -> Option<f32> {
    let points = outcome.points();
    if settings.score_share <= 0.0 {
        return Some(points);
    }
    let score = position.score?.clamp(-MAX_SCORE, MAX_SCORE);
    let for_white = if position.white_to_move { f32::from(score) } else { -f32::from(score) };
    let chance = sigmoid(for_white / 100.0 * settings.man_logits);
    Some(points + settings.score_share * (chance - points))
}
