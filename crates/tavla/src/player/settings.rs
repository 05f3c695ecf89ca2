//! The players and their settings.

use super::super::learned::{Weights, WeightsFile, embedded};
use super::super::plain::{PlainEvaluation, Pruning};
use super::super::rules::Rules;
use std::sync::Arc;
use std::time::Duration;

/// A player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerKind {
    /// The learned networks, with look-ahead.
    Full,
    /// Expectiminimax by one of the plain evaluations.
    Expectiminimax,
    /// Any legal play.
    Random,
}

impl PlayerKind {
    /// All of them with their names.
    pub const NAMED: [(&str, Self); 3] =
        [("full", Self::Full), ("expectiminimax", Self::Expectiminimax), ("random", Self::Random)];
}

/// How a play is chosen.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The rules.
    pub rules: Rules,
    /// The player.
    pub player: PlayerKind,
    /// What expectiminimax counts.
    pub evaluation: PlainEvaluation,
    /// What expectiminimax leaves out.
    pub pruning: Pruning,
    /// MiB of the table of expectiminimax.
    pub hash: usize,
    /// What the random player and rollouts depend on.
    pub seed: u64,
    /// How many of the best plays are reported.
    pub lines: usize,
    /// Weights from a file instead of those of the program.
    pub weights: Option<Arc<WeightsFile>>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            rules: Rules::default(),
            player: PlayerKind::Full,
            evaluation: PlainEvaluation::First,
            pruning: Pruning::Star2,
            hash: 16,
            seed: 0,
            lines: 1,
            weights: None,
        }
    }
}

impl Settings {
    /// The weights in use.
    pub fn weights(&self) -> &Weights {
        self.weights.as_ref().map_or_else(|| &embedded().weights, |file| &file.weights)
    }
}

/// What ends the choice of a play; the first limit that is reached counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Depth, from 1 to 3: without it 3.
    pub depth: Option<u8>,
    /// Time.
    pub time: Option<Duration>,
    /// Positions evaluated.
    pub nodes: Option<u64>,
    /// Games of a rollout of the best plays, when they have been found.
    pub rollout: Option<u32>,
}
