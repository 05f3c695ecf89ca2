//! The players of self-play games.

use super::Plan;
use crate::eval::learned::{EvalFileError, Learned, embedded, read_eval_file};
use crate::eval::{Evaluation, Material, Noisy};
use crate::position::GameRules;
use crate::rules::{Variant, Word};
use std::fmt;
use std::path::PathBuf;

/// The evaluation that a player has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Player {
    /// Material alone.
    Material,
    /// The learned one.
    Learned,
}

impl Player {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Material, Self::Learned];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Material => "material",
            Self::Learned => "learned",
        }
    }

    /// Whether this player needs no file for `variant`.
    pub fn can_play(self, variant: Variant) -> bool {
        match self {
            Self::Material => true,
            Self::Learned => embedded(variant).is_some(),
        }
    }
}

/// Why there are no players.
#[derive(Debug)]
pub enum PlayersError {
    /// No player was named.
    Nobody,
    /// A file of weights is named, and no player uses it.
    UnusedFile(PathBuf),
    /// There are no weights for the variant.
    NoWeights(Variant),
    /// A file of weights cannot be used.
    EvalFile(EvalFileError),
}

impl fmt::Display for PlayersError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nobody => f.write_str("nobody plays"),
            Self::UnusedFile(path) => write!(f, "{}: no player uses these weights", path.display()),
            Self::NoWeights(variant) => write!(f, "there are no weights for {variant}: name a file"),
            Self::EvalFile(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PlayersError {}

/// The players of a plan, ready to play.
#[derive(Debug)]
pub(super) struct Players<W: Word> {
    evaluations: Vec<Evaluation<W>>,
    noise: u16,
}

impl<W: Word> Players<W> {
    /// The players of `plan`, and what tells the weights of the learned one from others.
    pub(super) fn new(plan: &Plan, rules: &'static GameRules<W>) -> Result<(Self, Option<u64>), PlayersError> {
        let mut weights = None;
        let evaluation = |player: &Player| match player {
            Player::Material => Ok(Evaluation::Material(Material::of(rules.spec()))),
            Player::Learned => {
                let learned = learned(plan)?;
                weights = Some(learned.salt());
                Ok(Evaluation::Learned(learned))
            }
        };
        let evaluations: Vec<_> = plan.players.iter().map(evaluation).collect::<Result<_, _>>()?;
        if let Some(path) = plan.eval_file.as_ref().filter(|_| !plan.players.contains(&Player::Learned)) {
            return Err(PlayersError::UnusedFile(path.clone()));
        }
        if evaluations.is_empty() {
            return Err(PlayersError::Nobody);
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

fn learned(plan: &Plan) -> Result<Learned, PlayersError> {
    match &plan.eval_file {
        Some(path) => read_eval_file(path, plan.variant).map_err(PlayersError::EvalFile),
        None => embedded(plan.variant).cloned().ok_or(PlayersError::NoWeights(plan.variant)),
    }
}
