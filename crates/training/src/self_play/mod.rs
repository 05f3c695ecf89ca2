//! Games of the engine against itself, to learn from.
//!
//! A [`Plan`] says how the games are played: each has a number, and the game depends on the plan and the number alone. So a
//! plan can be played in parts, by many threads and machines, and an interrupted run can be resumed.

mod game;
mod run;

pub use game::play_pair;
pub use run::{Played, SelfPlayError, play};

use derive_more::Display;
use soffio::eval::learned::{Learned, embedded, read_eval_file};
use soffio::eval::{Evaluation, Material, Noisy};
use soffio::position::GameRules;
use soffio::rules::{Variant, Word};
use std::path::PathBuf;
use strum::{IntoStaticStr, VariantArray};

/// The end of the search for a move.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
pub enum Limit {
    /// So many positions.
    #[display("nodes {_0}")]
    Nodes(u64),
    /// So many plies.
    #[display("depth {_0}")]
    Depth(u8),
}

/// How games are played: everything that they depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The game.
    pub variant: Variant,
    /// The end of the search for a move.
    pub limit: Limit,
    /// The seed of all random choices.
    pub seed: u64,
    /// The players; each game is played by one of them against itself.
    pub players: Vec<Player>,
    /// Weights of the learned evaluation; without a file those that the program has.
    pub eval_file: Option<PathBuf>,
    /// The folder of the endgame tables that end games and that searches use.
    pub tables: Option<PathBuf>,
    /// The amplitude of the random noise on evaluations, in 1/100 man.
    pub noise: u16,
}

impl Plan {
    /// The seed of a game.
    pub(super) fn seed_of(&self, number: u64) -> u64 {
        let mixed = (self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ mixed >> 31).wrapping_mul(0x94d0_49bb_1331_11eb)
    }

    /// The plan as text, different for every plan; `weights` tells those of the learned evaluation from others,
    /// and `slices` how many endgame tables there are.
    pub(super) fn text(&self, weights: Option<u64>, slices: Option<usize>) -> String {
        let Self { variant, limit, seed, players, noise, .. } = self;
        let players: Vec<_> = players.iter().map(|player| player.name()).collect();
        let weights = weights.map(|salt| format!(", weights {salt:016x}")).unwrap_or_default();
        let tables = slices.map(|slices| format!(", {slices} tables")).unwrap_or_default();
        format!("{variant}, {limit}, seed {seed}, players {}, noise {noise}{weights}{tables}", players.join(" "))
    }
}

/// The evaluation that a player has.
#[derive(Clone, Copy, Debug, IntoStaticStr, PartialEq, Eq, PartialOrd, Ord, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Player {
    /// Material alone.
    Material,
    /// The learned one.
    Learned,
}

impl Player {
    /// All of them.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// Its name.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns whether this player needs no file for `variant`.
    pub fn can_play(self, variant: Variant) -> bool {
        match self {
            Self::Material => true,
            Self::Learned => embedded(variant).is_some(),
        }
    }
}

/// The players of a plan, ready to play.
#[derive(Debug)]
pub(super) struct Players<W: Word> {
    evaluations: Vec<Evaluation<W>>,
    noise: u16,
}

impl<W: Word> Players<W> {
    /// The players of `plan`, and what tells the weights of the learned one from others.
    pub(super) fn new(plan: &Plan, rules: &'static GameRules<W>) -> Result<(Self, Option<u64>), SelfPlayError> {
        let (mut evaluations, mut weights) = (Vec::new(), None);
        for player in &plan.players {
            evaluations.push(match player {
                Player::Material => Evaluation::Material(Material::of(rules.spec())),
                Player::Learned => {
                    let learned = learned(plan)?;
                    weights = Some(learned.salt());
                    Evaluation::Learned(learned)
                }
            });
        }
        if let Some(path) = plan.eval_file.as_ref().filter(|_| !plan.players.contains(&Player::Learned)) {
            return Err(SelfPlayError::UnusedFile(path.clone()));
        }
        if evaluations.is_empty() {
            return Err(SelfPlayError::Nobody);
        }
        Ok((Self { evaluations, noise: plan.noise }, weights))
    }

    /// The one that plays both sides of a game with this seed.
    pub(super) fn of_game(&self, seed: u64) -> Evaluation<W> {
        // There is one at least; the upper bits choose, since the seed has another use.
        let base = &self.evaluations[(seed >> 40) as usize % self.evaluations.len()];
        match self.noise {
            0 => base.clone(),
            most => Evaluation::Noisy(Box::new(Noisy::new(base.clone(), seed, most))),
        }
    }
}

fn learned(plan: &Plan) -> Result<Learned, SelfPlayError> {
    match &plan.eval_file {
        Some(path) => Ok(read_eval_file(path, plan.variant)?),
        None => embedded(plan.variant).cloned().ok_or(SelfPlayError::NoWeights(plan.variant)),
    }
}
