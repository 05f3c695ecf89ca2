//! Shards, which divide numbered items of work among several processes or machines.

use derive_more::Display;
use std::str::FromStr;

/// A shard of the work. Shard `k/n` contains every `n`-th item, starting with the `k`-th item.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
#[display("{part}/{of}")]
pub struct Shard {
    part: u64,
    of: u64,
}

impl Shard {
    /// The shard that contains all items.
    pub const ALL: Self = Self { part: 1, of: 1 };

    /// Returns the numbers of the items in this shard if there are `pieces` items in total. Numbers start at 0.
    pub fn numbers(self, pieces: u64) -> impl ExactSizeIterator<Item = u64> + use<> {
        let count = (pieces + self.of - self.part) / self.of;
        (0..count as usize).map(move |index| self.number(index as u64))
    }

    /// Returns the number of the item at `index` within this shard. Both numbers start at 0.
    pub fn number(self, index: u64) -> u64 {
        self.part - 1 + index * self.of
    }

    /// Returns whether the item with this `number`, counted from 0, belongs to the shard.
    pub fn has(self, number: u64) -> bool {
        number % self.of == self.part - 1
    }
}

/// Parses `k/n`, the `k`-th of `n` shards.
impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((part, of)) if 1 <= part && part <= of && of <= 1_000_000 => Ok(Self { part, of }),
            _ => Err("expected K/N with K from 1 to N, such as 2/8".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_cover_everything_exactly_once() {
        for (pieces, of) in [(0, 1), (10, 1), (10, 3), (2, 5)] {
            let parts: Vec<Shard> = (1..=of).map(|part| format!("{part}/{of}").parse().unwrap()).collect();
            let mut numbers: Vec<_> = parts.iter().flat_map(|part| part.numbers(pieces)).collect();
            numbers.sort_unstable();
            assert_eq!(numbers, (0..pieces).collect::<Vec<_>>());
            for part in parts {
                assert!(part.numbers(pieces).all(|number| part.has(number)), "{part}");
                let count = (0..pieces).filter(|&number| part.has(number)).count();
                assert_eq!(count, part.numbers(pieces).len(), "{part}");
            }
        }
    }

    #[test]
    fn invalid_shards_are_rejected() {
        for text in ["", "1", "0/3", "4/3", "1/0", "a/b", "1/2/3", "-1/2", "1/1000001"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
