//! How to learn, and the positions that are learned from.

use super::data::{GameOutcome, PositionRecord, TrainingGame, mixed};
use super::model::sigmoid;
use derive_more::Display;
use soffio::board::Bits;
use soffio::eval::learned::WeightsFile;
use soffio::rules::{Objective, RuleSet};
use soffio::tables::Adjudicator;
use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::thread::available_parallelism;

/// How to learn.
#[derive(Clone, Debug, Display, PartialEq)]
#[display(
    "{epochs} epochs, batch {batch}, rate {rate}, decay {decay}, score share {score_share}, fading {fading}, \
     first ply {first_ply}, held out {held_out}, seed {seed}"
)]
pub struct TrainingSettings {
    /// Positions before this ply are left out: they are the random ones.
    pub first_ply: u16,
    /// The share of the games, from 0 to 1, that are not learned from but show which epoch is the best.
    pub held_out: f64,
    /// How many times all positions are learned from.
    pub epochs: u32,
    /// Positions between two changes of the weights.
    pub batch: usize,
    /// The rate of Adam at its highest, in the units of the network: 1 is where a unit is cut.
    pub rate: f32,
    /// The part of each weight that a step of rate 1 takes away.
    pub decay: f32,
    /// The plies after which a result counts for no more than a third: positions from which a win is near are to be worth more
    /// than those from which it is far, so that the evaluation leads there. 0 if a result always counts whole.
    pub fading: f32,
    /// The share of the search score in what is learned, from 0 for results alone to 1.
    pub score_share: f32,
    /// Positions whose score is further from 0 than this, in 1/100 man, are left out if scores are learned: a search that sees a
    /// win says nothing about the pieces where they stand.
    pub most_score: i16,
    /// Logits of a man, by which scores are turned into chances and, if [`TrainingSettings::fixed_scale`], weights into scores.
    pub man_logits: f32,
    /// True if a score of 100 has [`TrainingSettings::man_logits`]. Otherwise it has as many as one man more brings in the positions
    /// without kings, which needs a game in which men are worth something.
    pub fixed_scale: bool,
    /// Seed of the weights of the beginning, the choice of games held out and the order of positions.
    pub seed: u64,
    /// The weights to go on from, of this game or another one on the same board; without any they are random ones.
    pub start: Option<WeightsFile>,
    /// Threads; the weights do not depend on it.
    pub threads: NonZeroUsize,
}

impl TrainingSettings {
    /// Settings that are good for a game by the rules `spec`.
    pub fn of(spec: &RuleSet) -> Self {
        // Where men have no value a score of 100 cannot be what one brings.
        let fixed_scale = matches!(spec.objective, Objective::Losing);
        // Results alone need several times as many games: see `docs/training.md`.
        Self { fixed_scale, score_share: 0.7, ..Self::default() }
    }
}

/// Settings that are good for some million positions where only results are learned.
impl Default for TrainingSettings {
    fn default() -> Self {
        Self {
            first_ply: 8,
            held_out: 0.08,
            epochs: 12,
            batch: 1024,
            rate: 0.0015,
            decay: 0.2,
            fading: 0.0,
            score_share: 0.0,
            most_score: 600,
            man_logits: 0.69,
            fixed_scale: false,
            seed: 1,
            start: None,
            threads: available_parallelism().unwrap_or(NonZeroUsize::MIN),
        }
    }
}

/// A position with White's result.
///
/// Both colors learn from it: the network sees the board from the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample<B> {
    /// Men and kings of White.
    pub white: B,
    /// Men and kings of Black.
    pub black: B,
    /// Kings of both sides.
    pub kings: B,
    /// White's result, from 0 to 1: that of the game, mixed with the score of the search.
    pub target: f32,
    /// True if it is White's turn.
    pub white_to_move: bool,
}

impl<B> Sample<B> {
    /// The result of the side to move, from 0 to 1.
    pub(super) fn target_of_mover(&self) -> f32 {
        if self.white_to_move { self.target } else { 1.0 - self.target }
    }
}

/// The positions to learn from and those held out, of which no game has both.
#[derive(Clone, Debug, Default)]
pub struct Samples<B> {
    /// To learn from.
    pub fit: Vec<Sample<B>>,
    /// Held out.
    pub held_out: Vec<Sample<B>>,
    /// How many there are, and how many were left out.
    pub counts: SampleCounts,
    /// Fingerprints of the positions so far.
    seen: HashSet<u64>,
}

/// Counts of positions, by how they were used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SampleCounts {
    /// Games read.
    pub games: u64,
    /// Their positions.
    pub positions: u64,
    /// Whose result endgame tables have corrected.
    pub corrected: u64,
    /// Left out because a side could capture.
    pub not_quiet: u64,
    /// Left out because they came too early.
    pub early: u64,
    /// Left out because their score was missing or too far from 0, where scores are learned.
    pub scored_out: u64,
    /// Left out because the same one had come before.
    pub duplicates: u64,
    /// To learn from.
    pub fit: u64,
    /// Held out.
    pub held_out: u64,
}

impl<B: Bits> Samples<B> {
    /// Adds the positions of a game that are worth learning from, to one of both sides of the split. With `tables` the result of a
    /// position is that of the first ending after it that they know.
    pub fn add(&mut self, game: &TrainingGame, tables: Option<&Adjudicator>, settings: &TrainingSettings) {
        let draw = mixed(settings.seed ^ mixed(self.counts.games + 1));
        let is_held_out = ((draw >> 11) as f64 / (1u64 << 53) as f64) < settings.held_out;
        self.counts.games += 1;
        let mut outcome = game.outcome;
        let backwards = game.positions.iter().rev().map(|position| {
            outcome = tables.and_then(|tables| outcome_of(position, tables)).unwrap_or(outcome);
            outcome
        });
        let outcomes: Vec<GameOutcome> = backwards.collect();
        let last = game.positions.last().map_or(0, |position| position.ply);
        for (position, &outcome) in game.positions.iter().zip(outcomes.iter().rev()) {
            self.counts.positions += 1;
            self.counts.corrected += u64::from(outcome != game.outcome);
            if let Some(sample) = self.sample((outcome, last), position, settings) {
                let Self { fit, held_out, counts, .. } = self;
                let (side, count) = if is_held_out { (held_out, &mut counts.held_out) } else { (fit, &mut counts.fit) };
                side.push(sample);
                *count += 1;
            }
        }
    }

    /// Forgets which positions there were, and gives their room back, when all games have been added.
    pub fn finish(&mut self) {
        self.seen = HashSet::default();
    }

    fn sample(
        &mut self,
        ending: (GameOutcome, u16),
        position: &PositionRecord,
        settings: &TrainingSettings,
    ) -> Option<Sample<B>> {
        if !position.quiet {
            self.counts.not_quiet += 1;
            return None;
        }
        if position.ply < settings.first_ply {
            self.counts.early += 1;
            return None;
        }
        let Some(target) = target(ending, position, settings) else {
            self.counts.scored_out += 1;
            return None;
        };
        if !self.seen.insert(position.fingerprint()) {
            self.counts.duplicates += 1;
            return None;
        }
        let [white, black, kings] = [position.white, position.black, position.kings].map(B::from_mask);
        Some(Sample { white, black, kings, target, white_to_move: position.white_to_move })
    }
}

/// The outcome of the game from `position`, if `tables` know it.
pub(super) fn outcome_of(position: &PositionRecord, tables: &Adjudicator) -> Option<GameOutcome> {
    if (position.white | position.black).count_ones() > tables.most_pieces().into() {
        return None;
    }
    let setup = position.setup();
    let outcome = tables.outcome_of(&setup)?;
    Some(outcome.winner(setup.side).map_or(GameOutcome::Draw, GameOutcome::won_by))
}

/// The target of `position`, for White; `None` if scores are learned and its own is missing or too far from 0.
fn target((outcome, last): (GameOutcome, u16), position: &PositionRecord, settings: &TrainingSettings) -> Option<f32> {
    let left = f32::from(last.saturating_sub(position.ply));
    let kept = if settings.fading > 0.0 { libm::expf(-left / settings.fading) } else { 1.0 };
    let points = 0.5 + kept * (outcome.points() - 0.5);
    if settings.score_share <= 0.0 {
        return Some(points);
    }
    let score = position.score.filter(|score| score.unsigned_abs() <= settings.most_score.unsigned_abs())?;
    let for_white = if position.white_to_move { f32::from(score) } else { -f32::from(score) };
    let chance = sigmoid(for_white / 100.0 * settings.man_logits);
    Some(points + settings.score_share * (chance - points))
}
