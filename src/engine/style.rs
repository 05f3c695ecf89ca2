//! How the engine plays: the player that chooses moves, its evaluation, whose weights may come from a file, and its strength, limited
//! by a named level or by a rating.

use crate::eval::Evaluation;
use crate::eval::learned::Learned;
use crate::plain::{Plain, PlainKind, PlainPlayer};
use crate::position::GameRules;
use crate::rules::{RuleSet, Variant, Word};
use crate::search::Handicap;
use std::num::NonZeroUsize;
use strum::{EnumString, VariantNames};

/// An evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EvaluationKind {
    /// The one learned from games.
    #[default]
    Learned,
    /// A plain one.
    Plain(PlainKind),
}

impl EvaluationKind {
    /// All evaluations, the strongest first.
    pub fn all() -> impl Iterator<Item = Self> {
        std::iter::once(Self::Learned).chain(PlainKind::ALL.iter().copied().map(Self::Plain))
    }

    /// Returns the name that the option has for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Learned => "learned",
            Self::Plain(kind) => kind.name(),
        }
    }

    /// Returns the evaluation called `name`; upper and lower case are the same.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|kind| kind.name().eq_ignore_ascii_case(name))
    }
}

/// The player that chooses moves, and its evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// A plain player, or the full search.
    pub player: Option<PlainPlayer>,
    /// The evaluation.
    pub evaluation: EvaluationKind,
    /// The ply of the game from which on [`PlainKind::Kings`] replaces a plain evaluation; 0 for never.
    pub kings_after: u16,
}

impl Style {
    /// The name of the full search among the players.
    pub(super) const FULL: &'static str = "full";

    fn kind_at(self, ply: u64) -> EvaluationKind {
        let is_late = self.kings_after > 0 && ply >= u64::from(self.kings_after);
        match self.evaluation {
            EvaluationKind::Plain(_) if is_late => EvaluationKind::Plain(PlainKind::Kings),
            kind => kind,
        }
    }

    /// The evaluation at `ply` of the game; a learned one takes its weights from `file`, if that is for the variant.
    pub(super) fn evaluation_at<W: Word>(
        self,
        rules: &GameRules<W>,
        (strength, ply): (Strength, u64),
        file: Option<&EvalFile>,
    ) -> Evaluation<W> {
        if let Some(plain) = self.plain_at((strength, ply), rules.spec()) {
            return plain.into();
        }
        let own = file.filter(|(variant, _)| *variant == rules.variant());
        own.map_or_else(|| Evaluation::best(rules), |(_, learned)| Evaluation::Learned(learned.clone()))
    }

    /// The evaluation at `ply` of the game if it is a plain one.
    pub(super) fn plain_at(self, (strength, ply): (Strength, u64), spec: &'static RuleSet) -> Option<Plain> {
        match self.kind_at(ply) {
            EvaluationKind::Plain(kind) => Some(Plain::new(kind, strength.seed_at(ply), spec)),
            EvaluationKind::Learned => None,
        }
    }
}

/// Returns the players with their names, the full search first.
pub(super) fn players() -> impl Iterator<Item = (&'static str, Option<PlainPlayer>)> {
    std::iter::once((Style::FULL, None)).chain(PlainPlayer::ALL.iter().map(|&player| (player.name(), Some(player))))
}

/// Weights that were read from a file, and the one variant that they are for.
pub(super) type EvalFile = (Variant, Learned);

/// The ratings that can be asked for.
pub(super) const RATINGS: (u64, u64) = (800, 2400);

/// Levels by name, the weakest first; all but the last limit the depth to a few plies.
#[derive(Clone, Copy, Debug, Default, EnumString, PartialEq, Eq, VariantNames)]
#[strum(serialize_all = "lowercase", ascii_case_insensitive)]
pub enum Level {
    /// 2 plies.
    Easy = 2,
    /// 3 plies.
    Medium,
    /// 4 plies.
    Hard,
    /// 5 plies.
    Expert,
    /// 6 plies.
    God,
    /// As deep as the limits allow.
    #[default]
    Full,
}

impl Level {
    fn depth(self) -> Option<u8> {
        (self != Self::Full).then_some(self as u8)
    }
}

/// The strength of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    /// The level.
    pub level: Level,
    /// True if the rating limits the strength.
    pub is_limited: bool,
    /// The rating.
    pub rating: u16,
    /// How much worse than the best a move can be, in 1/100 man, and still be chosen about a third as often, at any level and
    /// rating.
    pub spread: u16,
    /// Seed of the choices of a weakened player, which makes them reproducible; 0 for different ones each time.
    pub seed: u64,
}

impl Default for Strength {
    fn default() -> Self {
        Self { level: Level::Full, is_limited: false, rating: 1600, spread: 0, seed: 0 }
    }
}

impl Strength {
    /// How many lines a weakened player chooses from.
    pub const CANDIDATES: NonZeroUsize = NonZeroUsize::new(Handicap::CANDIDATES).unwrap();

    /// The random seed at `ply` of the game, so that the same random number is not drawn at every move.
    pub(super) fn seed_at(self, ply: u64) -> u64 {
        if self.seed == 0 { fastrand::u64(..) } else { self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ ply }
    }

    /// The handicap of the search: the smaller of the depths of level and rating, the greater of the spreads. `ply` is that of
    /// the game.
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

/// Rating, depth and spread. Each of these players was matched with the next in English draughts, so that 400 points are
/// roughly the difference of Elo's formula (`docs/options.md` has the figures). Depth and spread are interpolated linearly.
const PLAYERS: [(u16, u8, u16); 5] = [(800, 1, 60), (1200, 3, 42), (1600, 5, 29), (2000, 6, 18), (2400, 8, 9)];

/// Depth and spread of a player of this rating.
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
    fn names_lead_back() {
        for kind in EvaluationKind::all() {
            assert_eq!(EvaluationKind::named(&kind.name().to_uppercase()), Some(kind));
        }
        assert_eq!(EvaluationKind::named(""), None);
    }

    #[test]
    fn a_plain_evaluation_gives_way_to_kings_at_its_ply() {
        let kind_at = |evaluation, kings_after, ply| {
            let style = Style { evaluation, kings_after, ..Style::default() };
            style.kind_at(ply)
        };
        let centrality = EvaluationKind::Plain(PlainKind::Centrality);
        assert_eq!(kind_at(centrality, 0, 500), centrality);
        assert_eq!(kind_at(centrality, 70, 69), centrality);
        assert_eq!(kind_at(centrality, 70, 70), EvaluationKind::Plain(PlainKind::Kings));
        assert_eq!(kind_at(EvaluationKind::Learned, 70, 100), EvaluationKind::Learned, "the best one needs no help");
    }

    #[test]
    fn a_better_player_looks_as_deep_at_least_and_chooses_better() {
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
    fn of_a_level_and_a_rating_the_smaller_depth_counts() {
        let strength = |level, is_limited, rating| Strength { level, is_limited, rating, spread: 0, seed: 1 };
        let depth = |strength: Strength| strength.handicap(0).map(|handicap| (handicap.depth, handicap.spread));
        assert_eq!(depth(Strength::default()), None);
        assert_eq!(depth(strength(Level::Easy, false, 800)), Some((2, 0)));
        assert_eq!(depth(strength(Level::Easy, true, 1600)), Some((2, 29)));
        assert_eq!(depth(strength(Level::God, true, 800)), Some((1, 60)));
        let careless = |level, is_limited| Strength { spread: 40, ..strength(level, is_limited, 1600) };
        assert_eq!(depth(careless(Level::Full, false)), Some((u8::MAX, 40)));
        assert_eq!(depth(careless(Level::Easy, true)), Some((2, 40)), "of the spreads the greater");
    }
}
