//! How to learn.

use crate::rules::{Objective, RuleSet};
use std::fmt;
use std::num::NonZeroUsize;
use std::thread::available_parallelism;

/// How to learn.
#[derive(Clone, Debug, PartialEq)]
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
    /// Whether a score of 100 has [`TrainingSettings::man_logits`]. Otherwise it has as many as one man more brings in the positions
    /// without kings, which needs a game in which men are worth something.
    pub fixed_scale: bool,
    /// Seed of the weights of the beginning, the choice of games held out and the order of positions.
    pub seed: u64,
    /// Threads; the weights do not depend on it.
    pub threads: NonZeroUsize,
}

impl TrainingSettings {
    /// Settings that are good for a game by the rules `spec`.
    pub fn of(spec: &RuleSet) -> Self {
        // Where men have no value a score of 100 cannot be what one brings.
        let fixed_scale = matches!(spec.objective, Objective::Losing);
        // Results alone need several times as many games: see `docs/training.md`.
        Self { fixed_scale, score_share: 0.5, ..Self::default() }
    }
}

impl fmt::Display for TrainingSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first_ply, held_out, epochs, batch, rate, decay, fading, score_share, seed, .. } = self;
        write!(
            f,
            "{epochs} epochs, batch {batch}, rate {rate}, decay {decay}, score share {score_share}, fading {fading}, "
        )?;
        write!(f, "first ply {first_ply}, held out {held_out}, seed {seed}")
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
            threads: available_parallelism().unwrap_or(NonZeroUsize::MIN),
        }
    }
}
