//! The pairings of a match, and the opening of each game.

use clap::ValueEnum;
use soffio::shard::Shard;

/// Which engines meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Every engine meets every other one.
    RoundRobin,
    /// The first meets all others.
    Gauntlet,
}

/// One game of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// Its number, counted from 0.
    pub number: usize,
    /// Two games with the same number here have the same opening with the colours changed.
    pub pair: Option<usize>,
    /// The indices of the opening and of both engines.
    pub opening: usize,
    pub white: usize,
    pub black: usize,
}

/// All games of a match: in every round all engines that meet play the same openings, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Engines that meet, by index.
    pairs: Vec<(usize, usize)>,
    plan: MatchPlan,
    openings: usize,
    shard: Shard,
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
    /// True if colours change from game to game; if not, the first of two always has White.
    pub swaps: bool,
}

impl MatchPlan {
    /// Returns the number of openings that a round needs.
    fn openings_per_round(self) -> usize {
        self.games.div_ceil(self.repeat.max(1))
    }

    /// Returns the number of openings that are needed if each is to be played in one round only.
    pub fn openings(self) -> usize {
        self.rounds * self.openings_per_round()
    }
}

impl Schedule {
    /// Returns the games of so many `engines` that meet by `format`, with so many different `openings`.
    pub fn new(format: Format, engines: usize, plan: MatchPlan, openings: usize) -> Self {
        let first = match format {
            Format::RoundRobin => 0..engines,
            Format::Gauntlet => 0..engines.min(1),
        };
        let pairs = first.flat_map(|one| (one + 1..engines).map(move |other| (one, other)));
        Self { pairs: pairs.collect(), plan, openings, shard: Shard::ALL }
    }

    /// Returns the games of a part alone. Those of two engines in a row that have the same opening are one piece of the work.
    #[must_use]
    pub fn part(self, shard: Shard) -> Self {
        Self { shard, ..self }
    }

    /// Returns the number of games of all parts.
    pub fn len(&self) -> usize {
        self.plan.rounds * self.pairs.len() * self.plan.games
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the games in order.
    pub fn pairings(&self) -> impl Iterator<Item = Pairing> + '_ {
        (0..self.len()).filter_map(|number| self.pairing(number))
    }

    /// Returns the game `number`, if there is one.
    pub fn pairing(&self, number: usize) -> Option<Pairing> {
        let MatchPlan { rounds, games, repeat, swaps } = self.plan;
        let encounter = number.checked_div(games)?;
        let game = number % games;
        let round = encounter.checked_div(self.pairs.len())?;
        let &(one, other) = self.pairs.get(encounter % self.pairs.len())?;
        let is_swapped = swaps && (round * games + game) % 2 == 1;
        let (white, black) = if is_swapped { (other, one) } else { (one, other) };
        let (per_round, of_round) = (self.plan.openings_per_round(), game.checked_div(repeat)?);
        let is_here = round < rounds && self.shard.has((encounter * per_round + of_round) as u64);
        let opening = (round * per_round + of_round).checked_rem(self.openings)?;
        let pair = (swaps && repeat.is_multiple_of(2)).then_some(number - game % 2);
        is_here.then_some(Pairing { number, pair, opening, white, black })
    }
}
