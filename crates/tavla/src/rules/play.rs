//! Dice, hops and plays.

use super::{BAR, OFF};
use derive_more::Display;
use soffio::notation::printable;
use std::fmt;
use std::str::FromStr;

/// Two dice, printed with the larger one first, as in `31` or `66`.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[display("{high}{low}")]
pub struct Roll {
    high: u8,
    low: u8,
}

pub const ORDERED_ROLLS: u32 = 36;

impl Roll {
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

    pub fn new(first: u8, second: u8) -> Option<Self> {
        let faces = 1..=6;
        let is_roll = faces.contains(&first) && faces.contains(&second);
        is_roll.then(|| Self { high: first.max(second), low: first.min(second) })
    }

    pub fn random(random: &mut fastrand::Rng) -> Self {
        let (first, second) = (random.u8(1..=6), random.u8(1..=6));
        Self { high: first.max(second), low: first.min(second) }
    }

    pub fn high(self) -> u8 {
        self.high
    }

    pub fn low(self) -> u8 {
        self.low
    }

    pub fn is_double(self) -> bool {
        self.high == self.low
    }

    /// Returns the frequency of this roll (out of 36).
    pub fn frequency(self) -> u32 {
        if self.is_double() { 1 } else { 2 }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("two dice from 1 to 6, as in 31")]
pub struct RollError;

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

/// The move of one checker by one die, in the numbering of its side. It is printed as `8/5`.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
#[display("{from}/{to}")]
pub struct Hop {
    /// Origin from 1 to 25, where 25 is the bar.
    pub from: u8,
    /// Destination from 0 to 24, where 0 is off the board.
    pub to: u8,
}

pub const MAX_HOPS: usize = 4;

/// A play of up to four hops. It has no hops if no die can be played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TavlaPlay {
    hops: [Hop; MAX_HOPS],
    count: u8,
}

impl TavlaPlay {
    pub fn new(hops: &[Hop]) -> Option<Self> {
        let mut play = Self::default();
        play.hops.get_mut(..hops.len())?.copy_from_slice(hops);
        play.count = hops.len() as u8;
        Some(play)
    }

    pub fn hops(&self) -> &[Hop] {
        &self.hops[..usize::from(self.count)]
    }

    /// Sorts the hops into the order in which they are printed, from the farthest point down.
    #[must_use]
    pub fn ordered(mut self) -> Self {
        self.hops[..usize::from(self.count)].sort_unstable_by_key(|hop| std::cmp::Reverse((hop.from, hop.to)));
        self
    }

    pub(super) fn push(&mut self, hop: Hop) {
        self.hops[usize::from(self.count)] = hop;
        self.count += 1;
    }

    pub(super) fn pop(&mut self) {
        self.count -= 1;
    }
}

impl fmt::Debug for TavlaPlay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Writes the hops separated by commas, as in `8/5,6/5`, where 25 is the bar and 0 is off. A play without hops is
/// `pass`.
impl fmt::Display for TavlaPlay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hops: Vec<_> = self.hops().iter().map(Hop::to_string).collect();
        if hops.is_empty() { f.write_str("pass") } else { f.write_str(&hops.join(",")) }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    #[error("'{}' is not a hop such as 8/5, 25/20 from the bar or 3/0 off", printable(.0.chars().take(20)))]
    NotAHop(String),
    #[error("a play has at most {MAX_HOPS} hops")]
    TooLong,
}

/// Parses hops separated by commas or spaces. `24/18/13` stands for consecutive hops of a checker, `(2)` repeats a hop,
/// and a `*` after a place is ignored. `bar` and `off` are accepted as places.
impl FromStr for TavlaPlay {
    type Err = PlayError;

    fn from_str(text: &str) -> Result<Self, PlayError> {
        let mut hops = Vec::new();
        if text.eq_ignore_ascii_case("pass") {
            return Ok(Self::default());
        }
        for part in text.split([',', ' ']).filter(|part| !part.is_empty()) {
            let wrong = || PlayError::NotAHop(part.to_owned());
            let (route, times) = match part.split_once('(') {
                Some((route, times)) => (route, times.strip_suffix(')').ok_or_else(wrong)?),
                None => (part, "1"),
            };
            let times: usize = times.parse().ok().filter(|times| (1..=MAX_HOPS).contains(times)).ok_or_else(wrong)?;
            let places: Option<Vec<u8>> = route.split('/').map(place).collect();
            let places = places.filter(|places| (2..=MAX_HOPS + 1).contains(&places.len())).ok_or_else(wrong)?;
            if !places.is_sorted_by(|from, to| from > to) {
                return Err(wrong());
            }
            for _ in 0..times {
                hops.extend(places.windows(2).filter_map(|pair| match *pair {
                    [from, to] => Some(Hop { from, to }),
                    _ => None,
                }));
            }
        }
        match hops.is_empty() {
            true => Err(PlayError::NotAHop(text.to_owned())),
            false => Self::new(&hops).ok_or(PlayError::TooLong),
        }
    }
}

fn place(text: &str) -> Option<u8> {
    let text = text.strip_suffix('*').unwrap_or(text);
    if text.eq_ignore_ascii_case("bar") {
        return Some(BAR as u8);
    }
    if text.eq_ignore_ascii_case("off") {
        return Some(OFF as u8);
    }
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|&number| is_number && usize::from(number) <= BAR)
}
