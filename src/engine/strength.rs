//! Playing weaker than possible: by name, or by a rating.

use crate::search::Handicap;

/// The ratings that can be asked for.
pub(super) const RATINGS: (u64, u64) = (800, 2400);

/// Levels by name; all but the last look only a few plies ahead.
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

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::NAMED.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|&(_, level)| level)
    }

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

/// How strong the engine is to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    /// The level.
    pub level: Level,
    /// Whether the rating counts.
    pub is_limited: bool,
    /// The rating.
    pub rating: u16,
    /// Makes the choices of a weak player repeatable; 0 for other ones each time.
    pub seed: u64,
}

impl Default for Strength {
    fn default() -> Self {
        Self { level: Level::Full, is_limited: false, rating: 1600, seed: 0 }
    }
}

impl Strength {
    /// What the search may not do; of a level and a rating the weaker counts. `ply` is that of the game, so that a seed
    /// does not mean the same choice at every move.
    pub fn handicap(&self, ply: u64) -> Option<Handicap> {
        let seed = if self.seed == 0 { fastrand::u64(..) } else { self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ ply };
        let by_level = self.level.depth().map(|depth| (depth, 0));
        let by_rating = self.is_limited.then(|| of_rating(self.rating));
        let (depth, spread) = match (by_level, by_rating) {
            (Some((level, _)), Some((depth, spread))) => (depth.min(level), spread),
            (limits, None) | (None, limits) => limits?,
        };
        Some(Handicap { depth, spread, seed })
    }
}

/// Depth and spread of a player of this rating.
fn of_rating(rating: u16) -> (u8, u16) {
    let above = u64::from(rating).clamp(RATINGS.0, RATINGS.1) - RATINGS.0;
    let range = RATINGS.1 - RATINGS.0;
    let depth = 1 + above * 8 / range;
    let spread = 60 * (range - above) / range;
    (depth as u8, spread as u16)
}
