//! How games are played, and which of them.

use super::Player;
use crate::rules::Variant;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// What ends the search for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// So many positions.
    Nodes(u64),
    /// So many plies.
    Depth(u8),
}

/// How games are played: everything that they depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The game.
    pub variant: Variant,
    /// What ends the search for a move.
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

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nodes(nodes) => write!(f, "nodes {nodes}"),
            Self::Depth(depth) => write!(f, "depth {depth}"),
        }
    }
}

/// A part of the games of a plan: every `of`-th one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    part: u64,
    of: u64,
}

impl Shard {
    /// All games.
    pub const ALL: Self = Self { part: 1, of: 1 };

    /// The numbers of its games among the first `games` of the plan, counted from 0.
    pub fn numbers(self, games: u64) -> impl ExactSizeIterator<Item = u64> + use<> {
        let count = (games + self.of - self.part) / self.of;
        (0..count as usize).map(move |index| self.part - 1 + index as u64 * self.of)
    }
}

/// Reads `i/n`, the part number `i` of `n`.
impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((part, of)) if 1 <= part && part <= of && of <= 1_000_000 => Ok(Self { part, of }),
            _ => Err("a part of the games is written as i/n, with i from 1 to n".to_owned()),
        }
    }
}
