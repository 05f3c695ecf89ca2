//! Shards, which divide numbered items of work among several processes or machines.

use derive_more::Display;
use std::str::FromStr;

/// A shard of the work. Shard `k/n` contains every `n`-th item, starting with the `k`-th item.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
#[display("{index}/{count}")]
pub struct Shard {
    /// Number of the shard, from 1 to `count`.
    index: u64,
    count: u64,
}

impl Shard {
    /// The shard that contains all items.
    pub const ALL: Self = Self { index: 1, count: 1 };

    /// Returns the numbers of the items in this shard if there are `pieces` items in total. Numbers start at 0.
    pub fn numbers(self, pieces: u64) -> impl ExactSizeIterator<Item = u64> + use<> {
        let length = (pieces + self.count - self.index) / self.count;
        (0..length as usize).map(move |position| self.number(position as u64))
    }

    /// Returns the number of the item at `position` within this shard. Both numbers start at 0.
    pub fn number(self, position: u64) -> u64 {
        self.index - 1 + position * self.count
    }

    /// Returns whether the item with this `number`, counted from 0, belongs to the shard.
    pub fn contains(self, number: u64) -> bool {
        number % self.count == self.index - 1
    }
}

/// Parses `k/n`, the `k`-th of `n` shards.
impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        match numbers {
            Some((index, count)) if 1 <= index && index <= count && count <= 1_000_000 => Ok(Self { index, count }),
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
                assert!(part.numbers(pieces).all(|number| part.contains(number)), "{part}");
                let count = (0..pieces).filter(|&number| part.contains(number)).count();
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
