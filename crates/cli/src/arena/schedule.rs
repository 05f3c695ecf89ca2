//! The pairings of a match, and the opening of each game.

use std::fmt;
use std::str::FromStr;

/// Which engines meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Every engine meets every other one.
    RoundRobin,
    /// The first meets all others.
    Gauntlet,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::RoundRobin => "round-robin",
            Self::Gauntlet => "gauntlet",
        })
    }
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

/// All games of a match: in every round all engines that meet play the same openings, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Engines that meet, by index.
    pairs: Vec<(usize, usize)>,
    /// How they play.
    plan: MatchPlan,
    /// Openings that there are.
    openings: usize,
}

/// How often engines play each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchPlan {
    /// Rounds, in each of which all that meet do so.
    pub rounds: usize,
    /// Games of two engines in a round, in a row with changing colours.
    pub games: usize,
    /// How many games in a row begin with the same opening, at least one.
    pub repeat: usize,
    /// Whether colours change from game to game; if not, the first of two always has White.
    pub swaps: bool,
}

impl MatchPlan {
    /// Openings that a round needs.
    fn openings_per_round(self) -> usize {
        self.games.div_ceil(self.repeat.max(1))
    }

    /// Openings that are needed if none is to be played again.
    pub fn openings(self) -> usize {
        self.rounds * self.openings_per_round()
    }
}

impl Schedule {
    /// The games of so many `engines` that meet by `format`, with so many different `openings`.
    pub fn new(format: Format, engines: usize, plan: MatchPlan, openings: usize) -> Self {
        let first = match format {
            Format::RoundRobin => 0..engines,
            Format::Gauntlet => 0..engines.min(1),
        };
        let pairs = first.flat_map(|one| (one + 1..engines).map(move |other| (one, other)));
        Self { pairs: pairs.collect(), plan, openings }
    }

    /// Games in all.
    pub fn len(&self) -> usize {
        self.plan.rounds * self.pairs.len() * self.plan.games
    }

    /// Whether there is no game.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The games in order.
    pub fn pairings(&self) -> impl Iterator<Item = Pairing> + '_ {
        (0..self.len()).filter_map(|number| self.pairing(number))
    }

    /// The game `number`, if there is one.
    pub fn pairing(&self, number: usize) -> Option<Pairing> {
        let MatchPlan { rounds, games, repeat, swaps } = self.plan;
        let encounter = number.checked_div(games)?;
        let game = number % games;
        let round = encounter.checked_div(self.pairs.len())?;
        let &(one, other) = self.pairs.get(encounter % self.pairs.len())?;
        let is_swapped = swaps && (round * games + game) % 2 == 1;
        let (white, black) = if is_swapped { (other, one) } else { (one, other) };
        let opening = round * self.plan.openings_per_round() + game.checked_div(repeat)?;
        let opening = opening.checked_rem(self.openings)?;
        let pair = (swaps && repeat.is_multiple_of(2)).then_some(number - game % 2);
        (round < rounds).then_some(Pairing { number, pair, opening, white, black })
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

    fn plan(rounds: usize, games: usize, repeat: usize) -> MatchPlan {
        MatchPlan { rounds, games, repeat, swaps: true }
    }

    #[test]
    fn both_games_of_a_pair_share_an_opening() {
        let schedule = Schedule::new(Format::RoundRobin, 2, plan(1, 5, 2), 2);
        let expected = [(0, 0, 1), (0, 1, 0), (1, 0, 1), (1, 1, 0), (0, 0, 1)];
        assert_eq!(games(&schedule), expected);
        let pairs: Vec<_> = schedule.pairings().map(|game| game.pair).collect();
        assert_eq!(pairs, [Some(0), Some(0), Some(2), Some(2), Some(4)]);
        let by_rounds = Schedule::new(Format::RoundRobin, 2, plan(3, 2, 2), 2);
        assert_eq!(games(&by_rounds)[..5], expected, "rounds of two games each are the same match");
    }

    #[test]
    fn an_opening_that_is_played_once_makes_no_pair() {
        for plan in [plan(1, 3, 1), plan(3, 1, 1)] {
            let schedule = Schedule::new(Format::RoundRobin, 2, plan, 9);
            assert_eq!(games(&schedule), [(0, 0, 1), (1, 1, 0), (2, 0, 1)]);
            assert!(schedule.pairings().all(|game| game.pair.is_none()));
        }
    }

    #[test]
    fn colours_can_stay() {
        let schedule = Schedule::new(Format::RoundRobin, 2, MatchPlan { swaps: false, ..plan(2, 2, 2) }, 9);
        assert_eq!(games(&schedule), [(0, 0, 1), (0, 0, 1), (1, 0, 1), (1, 0, 1)]);
        assert!(schedule.pairings().all(|game| game.pair.is_none()), "only changed colours make two games a pair");
    }

    #[test]
    fn in_a_round_robin_all_meet_and_in_a_gauntlet_all_meet_the_first() {
        let all = Schedule::new(Format::RoundRobin, 3, plan(1, 2, 2), 9);
        assert_eq!(games(&all), [(0, 0, 1), (0, 1, 0), (0, 0, 2), (0, 2, 0), (0, 1, 2), (0, 2, 1)]);
        let gauntlet = Schedule::new(Format::Gauntlet, 4, plan(2, 1, 1), 9);
        let expected = [(0, 0, 1), (0, 0, 2), (0, 0, 3), (1, 1, 0), (1, 2, 0), (1, 3, 0)];
        assert_eq!(games(&gauntlet), expected);
        assert!(Schedule::new(Format::Gauntlet, 1, plan(2, 1, 1), 9).is_empty());
    }

    #[test]
    fn every_round_has_openings_of_its_own_which_all_play() {
        let schedule = Schedule::new(Format::Gauntlet, 3, plan(2, 3, 2), 9);
        let opening = |number: usize| schedule.pairing(number).map(|game| game.opening);
        assert_eq!([0, 1, 2, 3, 4, 5].map(opening), [0, 0, 1, 0, 0, 1].map(Some));
        assert_eq!([6, 7, 8, 9, 10, 11].map(opening), [2, 2, 3, 2, 2, 3].map(Some));
        assert_eq!((opening(12), plan(2, 3, 2).openings()), (None, 4));
        let whites = schedule.pairings().filter(|game| game.white == 0).count();
        assert_eq!((whites, schedule.len()), (6, 12), "colours are shared out though the games of a round are odd");
    }
}
