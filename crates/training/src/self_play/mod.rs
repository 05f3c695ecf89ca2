//! Generates self-play games for training.
//!
//! A game depends only on its [`SelfPlayPlan`] and its number. A plan can therefore be split among threads and
//! machines, and an interrupted run can be resumed.

mod game;
mod run;

pub use run::{SelfPlayCounts, play, play_pair};

use anyhow::{Result, anyhow, bail, ensure};
use derive_more::Display;
use soffio::eval::nnue::{Nnue, embedded, read_eval_file};
use soffio::eval::{Evaluation, MaterialBalance, Noisy};
use soffio::position::GameRules;
use soffio::rules::{Variant, Word};
use std::path::PathBuf;
use strum::{IntoStaticStr, VariantArray};

#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
pub enum Limit {
    #[display("nodes {_0}")]
    Nodes(u64),
    #[display("depth {_0}")]
    Depth(u8),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfPlayPlan {
    pub variant: Variant,
    pub limit: Limit,
    pub seed: u64,
    pub players: Vec<SelfPlayer>,
    /// File with the weights of the NNUE evaluation, or `None` for the embedded weights.
    pub eval_file: Option<PathBuf>,
    /// Folder with endgame tables for adjudication and search, or `None` to play without tables.
    pub tables: Option<PathBuf>,
    /// Percentage of games that start with a random endgame.
    pub endings: u8,
    /// Maximum random noise, in cp, that is added to evaluations.
    pub noise: u16,
}

impl SelfPlayPlan {
    pub const DEFAULT_ENDINGS: u8 = 10;

    pub(super) fn seed_of(&self, number: u64) -> u64 {
        let mixed = (self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ mixed >> 31).wrapping_mul(0x94d0_49bb_1331_11eb)
    }

    /// Describes the plan in one line. `weights` identifies the NNUE weights, and `slices` is the number of endgame
    /// tables.
    pub(super) fn text(&self, weights: Option<u64>, slices: Option<usize>) -> String {
        let Self { variant, limit, seed, players, endings, noise, .. } = self;
        let players: Vec<_> = players.iter().map(|player| player.name()).collect();
        let weights = weights.map(|salt| format!(", weights {salt:016x}")).unwrap_or_default();
        let tables = slices.map(|slices| format!(", {slices} tables")).unwrap_or_default();
        format!(
            "{variant}, {limit}, seed {seed}, players {}, endings {endings} %, noise {noise}{weights}{tables}",
            players.join(" ")
        )
    }
}

#[derive(Clone, Copy, Debug, IntoStaticStr, PartialEq, Eq, PartialOrd, Ord, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum SelfPlayer {
    Material,
    #[strum(serialize = "learned")]
    Nnue,
}

impl SelfPlayer {
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub fn name(self) -> &'static str {
        self.into()
    }

    pub fn can_play(self, variant: Variant) -> bool {
        match self {
            Self::Material => true,
            Self::Nnue => embedded(variant).is_some(),
        }
    }
}

#[derive(Debug)]
pub(super) struct Players<W: Word> {
    evaluations: Vec<Evaluation<W>>,
    noise: u16,
}

impl<W: Word> Players<W> {
    pub(super) fn new(plan: &SelfPlayPlan, rules: &'static GameRules<W>) -> Result<(Self, Option<u64>)> {
        let (mut evaluations, mut weights) = (Vec::new(), None);
        for player in &plan.players {
            evaluations.push(match player {
                SelfPlayer::Material => Evaluation::Material(MaterialBalance::for_rules(rules.spec())),
                SelfPlayer::Nnue => {
                    let nnue = nnue(plan)?;
                    weights = Some(nnue.salt());
                    Evaluation::Nnue(nnue)
                }
            });
        }
        if let Some(path) = plan.eval_file.as_ref().filter(|_| !plan.players.contains(&SelfPlayer::Nnue)) {
            bail!("{}: no player uses these weights; add learned to --players", path.display());
        }
        ensure!(!evaluations.is_empty(), "no players");
        Ok((Self { evaluations, noise: plan.noise }, weights))
    }

    pub(super) fn of_game(&self, seed: u64) -> Evaluation<W> {
        // There is at least one evaluation. It is selected by the upper bits of the seed, which is also the seed of the
        // noise.
        let base = &self.evaluations[(seed >> 40) as usize % self.evaluations.len()];
        match self.noise {
            0 => base.clone(),
            most => Evaluation::Noisy(Box::new(Noisy::new(base.clone(), seed, most))),
        }
    }
}

fn nnue(plan: &SelfPlayPlan) -> Result<Nnue> {
    match &plan.eval_file {
        Some(path) => Ok(read_eval_file(path, plan.variant)?),
        None => embedded(plan.variant)
            .cloned()
            .ok_or_else(|| anyhow!("no built-in weights for {}; use --eval-file", plan.variant)),
    }
}
