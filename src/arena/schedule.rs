//! Who plays whom, with which opening.

use std::str::FromStr;

/// Which engines meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first meets all others.
    Gauntlet,
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "round-robin" => Ok(Self::RoundRobin),
            "gauntlet" => Ok(Self::Gauntlet),
            _ => Err(format!("expected round-robin or gauntlet, found '{text}'")),
        }
    }
}

/// One game of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// Its number, counted from 0.
    pub number: usize,
    /// Two games with the same number here have the same opening with the colours changed.
    pub pair: Option<usize>,
    /// Index of the opening.
    pub opening: usize,
    /// Index of White's engine.
    pub white: usize,
    /// Index of Black's engine.
    pub black: usize,
}

/// All games of a match. In every round all engines that meet play the same opening, some times in a row with changing
/// colours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Engines that meet, by index.
    pairs: Vec<(usize, usize)>,
    /// Games of each pair of engines.
    games: usize,
    /// How often an opening is played in a row.
    repeat: usize,
    /// Openings that there are.
    openings: usize,
}

impl Schedule {
    /// `games` games for each two of `engines` that meet by `format`; each of the `openings` is played `repeat` times in
    /// a row.
    pub fn new(format: Format, engines: usize, games: usize, repeat: usize, openings: usize) -> Self {
        let first = match format {
            Format::RoundRobin => 0..engines,
            Format::Gauntlet => 0..engines.min(1),
        };
        let pairs = first.flat_map(|one| (one + 1..engines).map(move |other| (one, other)));
        Self { pairs: pairs.collect(), games, repeat: repeat.max(1), openings }
    }

    /// Games in all.
    pub fn len(&self) -> usize {
        self.games * self.pairs.len()
    }

    /// Whether there is no game.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The games in order.
    pub fn pairings(&self) -> impl Iterator<Item = Pairing> + '_ {
        let rounds = self.games.div_ceil(self.repeat);
        (0..rounds * self.pairs.len() * self.repeat).filter_map(|number| self.pairing(number))
    }

    /// The game `number`, if there is one.
    pub fn pairing(&self, number: usize) -> Option<Pairing> {
        let (block, turn) = (number / self.repeat, number % self.repeat);
        let round = block.checked_div(self.pairs.len())?;
        let &(one, other) = self.pairs.get(block % self.pairs.len())?;
        // Who plays an opening once only changes colours with the next one.
        let is_swapped = if self.repeat == 1 { round % 2 == 1 } else { turn % 2 == 1 };
        let (white, black) = if is_swapped { (other, one) } else { (one, other) };
        let opening = round.checked_rem(self.openings)?;
        let pair = self.repeat.is_multiple_of(2).then_some(number / 2);
        (round * self.repeat + turn < self.games).then_some(Pairing { number, pair, opening, white, black })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(schedule: &Schedule) -> Vec<(usize, usize, usize)> {
        let games: Vec<_> = schedule.pairings().map(|game| (game.opening, game.white, game.black)).collect();
        assert_eq!(games.len(), schedule.len());
        games
    }

    #[test]
    fn both_games_of_a_pair_share_an_opening() {
        let schedule = Schedule::new(Format::RoundRobin, 2, 5, 2, 2);
        assert_eq!(games(&schedule), [(0, 0, 1), (0, 1, 0), (1, 0, 1), (1, 1, 0), (0, 0, 1)]);
        let pairs: Vec<_> = schedule.pairings().map(|game| game.pair).collect();
        assert_eq!(pairs, [Some(0), Some(0), Some(1), Some(1), Some(2)]);
    }

    #[test]
    fn an_opening_that_is_played_once_makes_no_pair() {
        let schedule = Schedule::new(Format::RoundRobin, 2, 3, 1, 9);
        assert_eq!(games(&schedule), [(0, 0, 1), (1, 1, 0), (2, 0, 1)]);
        assert!(schedule.pairings().all(|game| game.pair.is_none()));
    }

    #[test]
    fn in_a_round_robin_all_meet_and_in_a_gauntlet_all_meet_the_first() {
        let all = Schedule::new(Format::RoundRobin, 3, 2, 2, 9);
        assert_eq!(games(&all), [(0, 0, 1), (0, 1, 0), (0, 0, 2), (0, 2, 0), (0, 1, 2), (0, 2, 1)]);
        let gauntlet = Schedule::new(Format::Gauntlet, 4, 2, 1, 9);
        let expected = [(0, 0, 1), (0, 0, 2), (0, 0, 3), (1, 1, 0), (1, 2, 0), (1, 3, 0)];
        assert_eq!(games(&gauntlet), expected);
        assert!(Schedule::new(Format::Gauntlet, 1, 2, 1, 9).is_empty());
    }
}
