//! Two dice.

use std::fmt;
use std::str::FromStr;

/// Two dice, the larger first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Roll {
    high: u8,
    low: u8,
}

/// How many of the 36 ways in which two dice can fall there are.
pub const WAYS: u32 = 36;

impl Roll {
    /// All 21 rolls.
    pub const ALL: [Self; 21] = {
        let mut all = [Self { high: 1, low: 1 }; 21];
        let (mut place, mut high) = (0, 1);
        while high <= 6 {
            let mut low = 1;
            while low <= high {
                all[place] = Self { high, low };
                place += 1;
                low += 1;
            }
            high += 1;
        }
        all
    };

    /// The roll of two dice, in any order; `None` if they have other faces than 1 to 6.
    pub fn new(first: u8, second: u8) -> Option<Self> {
        let faces = 1..=6;
        let is_roll = faces.contains(&first) && faces.contains(&second);
        is_roll.then(|| Self { high: first.max(second), low: first.min(second) })
    }

    /// Two dice rolled anew.
    pub fn random(random: &mut fastrand::Rng) -> Self {
        let (first, second) = (random.u8(1..=6), random.u8(1..=6));
        Self { high: first.max(second), low: first.min(second) }
    }

    /// The larger die.
    pub fn high(self) -> u8 {
        self.high
    }

    /// The smaller die.
    pub fn low(self) -> u8 {
        self.low
    }

    /// Whether both dice show the same, so that each is played twice.
    pub fn is_double(self) -> bool {
        self.high == self.low
    }

    /// In how many of the 36 ways the dice fall like this: 1 for doubles, 2 for others.
    pub fn ways(self) -> u32 {
        if self.is_double() { 1 } else { 2 }
    }
}

/// As in `31` or `66`.
impl fmt::Display for Roll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.high, self.low)
    }
}

/// Why a text is no roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RollError;

impl fmt::Display for RollError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("two dice from 1 to 6, as in 31")
    }
}

impl std::error::Error for RollError {}

impl FromStr for Roll {
    type Err = RollError;

    fn from_str(text: &str) -> Result<Self, RollError> {
        let face = |byte: u8| byte.wrapping_sub(b'0');
        match *text.as_bytes() {
            [first, second] => Self::new(face(first), face(second)).ok_or(RollError),
            _ => Err(RollError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_rolls_are_36_ways() {
        assert_eq!(Roll::ALL.iter().map(|roll| roll.ways()).sum::<u32>(), WAYS);
        assert_eq!(Roll::ALL.iter().filter(|roll| roll.is_double()).count(), 6);
        assert!(Roll::ALL.is_sorted());
    }

    #[test]
    fn a_roll_is_read_in_any_order() {
        for roll in Roll::ALL {
            assert_eq!(roll.to_string().parse(), Ok(roll));
        }
        assert_eq!("13".parse(), Ok(Roll { high: 3, low: 1 }));
        for wrong in ["", "1", "07", "70", "123", "ab", "\u{e9}"] {
            assert_eq!(wrong.parse::<Roll>(), Err(RollError), "{wrong}");
        }
    }

    #[test]
    fn random_rolls_fall_as_often_as_they_should() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut doubles = 0;
        for _ in 0..36_000 {
            doubles += u32::from(Roll::random(&mut random).is_double());
        }
        assert!((5700..6300).contains(&doubles), "{doubles}");
    }
}
