//! Limited strength: by a named level, or by a rating.

use crate::search::Handicap;
use std::num::NonZeroUsize;

/// The ratings that can be asked for.
pub(super) const RATINGS: (u64, u64) = (800, 2400);

/// Levels by name; all but the last limit the depth to a few plies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// 2 plies.
    Easy,
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
    /// All levels with their names, the weakest first.
    pub(super) const NAMED: [(&'static str, Self); 6] = [
        ("easy", Self::Easy),
        ("medium", Self::Medium),
        ("hard", Self::Hard),
        ("expert", Self::Expert),
        ("god", Self::God),
        ("full", Self::Full),
    ];

    fn depth(self) -> Option<u8> {
        match self {
            Self::Easy => Some(2),
            Self::Medium => Some(3),
            Self::Hard => Some(4),
            Self::Expert => Some(5),
            Self::God => Some(6),
            Self::Full => None,
        }
    }
}

/// The strength of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    /// The level.
    pub level: Level,
    /// Whether the rating limits the strength.
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
