//! Playing style and strength: the player that selects the moves, its evaluation, and limits by level or rating.

use crate::eval::Evaluation;
use crate::eval::nnue::Nnue;
use crate::plain::{Plain, PlainKind, PlainPlayer};
use crate::position::GameRules;
use crate::rules::{RuleSet, Variant, Word};
use crate::search::Handicap;
use std::num::NonZeroUsize;
use strum::{EnumString, VariantNames};

/// The evaluation that the engine uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EvaluationKind {
    /// The trained NNUE evaluation.
    #[default]
    Nnue,
    /// A simple hand-crafted evaluation.
    Plain(PlainKind),
}

impl EvaluationKind {
    /// Returns all evaluations, starting with the strongest one.
    pub fn all() -> impl Iterator<Item = Self> {
        std::iter::once(Self::Nnue).chain(PlainKind::ALL.iter().copied().map(Self::Plain))
    }

    /// Returns the name of this evaluation in the `Eval` option.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nnue => "learned",
            Self::Plain(kind) => kind.name(),
        }
    }

    /// Returns the evaluation with this name, or `None` if there is none. Case is ignored.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|kind| kind.name().eq_ignore_ascii_case(name))
    }
}

/// The player that selects the moves, and its evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayerSettings {
    /// The plain player that selects the moves, or `None` for the full search.
    pub player: Option<PlainPlayer>,
    /// The evaluation that is used by the search and by the plain players that need one.
    pub evaluation: EvaluationKind,
    /// Ply of the game from which [`PlainKind::Kings`] replaces any other plain evaluation, or 0 to never replace it.
    pub kings_after: u16,
}

impl PlayerSettings {
    pub(super) const FULL: &'static str = "full";

    fn kind_at(self, ply: u64) -> EvaluationKind {
        let is_late = self.kings_after > 0 && ply >= u64::from(self.kings_after);
        match self.evaluation {
            EvaluationKind::Plain(_) if is_late => EvaluationKind::Plain(PlainKind::Kings),
            kind => kind,
        }
    }

    /// Returns the evaluation to use at `ply` of the game. The trained evaluation uses the weights of `file` if they
    /// are for the variant.
    pub(super) fn evaluation_at<W: Word>(
        self,
        rules: &GameRules<W>,
        ply: u64,
        seed: u64,
        file: Option<&EvalFile>,
    ) -> Evaluation<W> {
        if let Some(plain) = self.plain_at(ply, seed, rules.spec()) {
            return plain.into();
        }
        let own = file.filter(|(variant, _)| *variant == rules.variant());
        own.map_or_else(|| Evaluation::best(rules), |(_, nnue)| Evaluation::Nnue(nnue.clone()))
    }

    pub(super) fn plain_at(self, ply: u64, seed: u64, spec: &'static RuleSet) -> Option<Plain> {
        match self.kind_at(ply) {
            EvaluationKind::Plain(kind) => Some(Plain::new(kind, seed, spec)),
            EvaluationKind::Nnue => None,
        }
    }
}

pub(super) fn players() -> impl Iterator<Item = (&'static str, Option<PlainPlayer>)> {
    std::iter::once((PlayerSettings::FULL, None))
        .chain(PlainPlayer::ALL.iter().map(|&player| (player.name(), Some(player))))
}

/// Weights from a file, with the variant for which they were trained.
pub(super) type EvalFile = (Variant, Nnue);

pub(super) const RATINGS: (u64, u64) = (800, 2400);

/// Named levels, from the weakest to the strongest. All levels except [`Level::Full`] limit the search depth.
#[derive(Clone, Copy, Debug, Default, EnumString, PartialEq, Eq, VariantNames)]
#[strum(serialize_all = "lowercase", ascii_case_insensitive)]
pub enum Level {
    /// Limits the depth to 2 plies.
    Easy = 2,
    /// Limits the depth to 3 plies.
    Medium,
    /// Limits the depth to 4 plies.
    Hard,
    /// Limits the depth to 5 plies.
    Expert,
    /// Limits the depth to 6 plies.
    God,
    /// Does not limit the depth.
    #[default]
    Full,
}

impl Level {
    fn depth(self) -> Option<u8> {
        (self != Self::Full).then_some(self as u8)
    }
}

/// The playing strength, which can be limited by a level, a rating and a spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    /// Level that limits the search depth.
    pub level: Level,
    /// Whether `rating` limits the strength.
    pub is_limited: bool,
    /// Rating from 800 to 2400.
    pub rating: u16,
    /// A move that is worse than the best move by this amount in cp is chosen about a third as often as the best move.
    /// If 0, the best move is always chosen.
    pub spread: u16,
    /// Seed for the random choices of a weakened player. If 0, the seed is different each time.
    pub seed: u64,
}

impl Default for Strength {
    fn default() -> Self {
        Self { level: Level::Full, is_limited: false, rating: 1600, spread: 0, seed: 0 }
    }
}

impl Strength {
    /// Number of best moves among which a weakened player chooses.
    pub const CANDIDATES: NonZeroUsize = NonZeroUsize::new(Handicap::CANDIDATES).unwrap();

    pub(super) fn seed_at(self, ply: u64) -> u64 {
        if self.seed == 0 { fastrand::u64(..) } else { self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ ply }
    }

    /// Returns the handicap at `ply` of the game, or `None` if nothing limits the strength. If several limits apply,
    /// the handicap uses the smallest depth and the largest spread.
    pub fn handicap(&self, ply: u64) -> Option<Handicap> {
        let seed = self.seed_at(ply);
        let by_level = self.level.depth().map(|depth| (depth, 0));
        let by_rating = self.is_limited.then(|| of_rating(self.rating));
        let by_spread = (self.spread > 0).then_some((u8::MAX, self.spread));
        let limits = [by_level, by_rating, by_spread].into_iter().flatten();
        let (depth, spread) = limits.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))?;
        Some(Handicap { depth, spread, seed })
    }
}

/// Ratings with their depth and spread. Values between the rows are interpolated linearly. The rows are calibrated by
/// matches between neighbouring rows in English draughts, so a difference of 400 rating points is roughly 400 Elo
/// (`docs/options.md` has the figures).
const PLAYERS: [(u16, u8, u16); 5] = [(800, 1, 60), (1200, 3, 42), (1600, 5, 29), (2000, 6, 18), (2400, 8, 9)];

fn of_rating(rating: u16) -> (u8, u16) {
    let between = |low: u16, high: u16, part: u16, whole: u16| {
        let (low, high, part, whole) = (i32::from(low), i32::from(high), i32::from(part), i32::from(whole));
        (low + (high - low) * part / whole).unsigned_abs() as u16
    };
    let [(least, depth, spread), ..] = PLAYERS;
    let mut found = (depth, spread);
    let rating = rating.max(least);
    for ((low, low_depth, low_spread), (high, high_depth, high_spread)) in
        PLAYERS.into_iter().zip(PLAYERS.into_iter().skip(1))
    {
        if rating >= low {
            let (part, whole) = (rating.min(high) - low, high - low);
            let depth = between(low_depth.into(), high_depth.into(), part, whole);
            found = (depth as u8, between(low_spread, high_spread, part, whole));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed_back() {
        for kind in EvaluationKind::all() {
            assert_eq!(EvaluationKind::named(&kind.name().to_uppercase()), Some(kind));
        }
        assert_eq!(EvaluationKind::named(""), None);
    }

    #[test]
    fn a_plain_evaluation_switches_to_kings_at_its_ply() {
        let kind_at = |evaluation, kings_after, ply| {
            let style = PlayerSettings { evaluation, kings_after, ..PlayerSettings::default() };
            style.kind_at(ply)
        };
        let centrality = EvaluationKind::Plain(PlainKind::Centrality);
        assert_eq!(kind_at(centrality, 0, 500), centrality);
        assert_eq!(kind_at(centrality, 70, 69), centrality);
        assert_eq!(kind_at(centrality, 70, 70), EvaluationKind::Plain(PlainKind::Kings));
        assert_eq!(kind_at(EvaluationKind::Nnue, 70, 100), EvaluationKind::Nnue, "the best one needs no help");
    }

    #[test]
    fn a_better_player_searches_at_least_as_deep_and_chooses_better() {
        assert_eq!(u64::from(PLAYERS[0].0), RATINGS.0);
        assert_eq!(u64::from(PLAYERS[PLAYERS.len() - 1].0), RATINGS.1);
        for (rating, depth, spread) in PLAYERS {
            assert_eq!(of_rating(rating), (depth, spread));
        }
        let players: Vec<_> = (800..=2400).map(of_rating).collect();
        assert!(players.is_sorted_by(|weak, strong| weak.0 <= strong.0 && weak.1 >= strong.1), "{players:?}");
        assert_eq!((of_rating(0), of_rating(u16::MAX)), ((1, 60), (8, 9)));
    }

    #[test]
    fn the_smaller_depth_of_level_and_rating_counts() {
        let strength = |level, is_limited, rating| Strength { level, is_limited, rating, spread: 0, seed: 1 };
        let depth = |strength: Strength| strength.handicap(0).map(|handicap| (handicap.depth, handicap.spread));
        assert_eq!(depth(Strength::default()), None);
        assert_eq!(depth(strength(Level::Easy, false, 800)), Some((2, 0)));
        assert_eq!(depth(strength(Level::Easy, true, 1600)), Some((2, 29)));
        assert_eq!(depth(strength(Level::God, true, 800)), Some((1, 60)));
        let careless = |level, is_limited| Strength { spread: 40, ..strength(level, is_limited, 1600) };
        assert_eq!(depth(careless(Level::Full, false)), Some((u8::MAX, 40)));
        assert_eq!(depth(careless(Level::Easy, true)), Some((2, 40)), "the larger spread counts");
    }
}
