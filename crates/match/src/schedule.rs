//! Schedules the games of a match.

use clap::ValueEnum;
use soffio::shard::Shard;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MatchFormat {
    /// Every engine plays every other engine
    RoundRobin,
    /// The first engine plays all others
    Gauntlet,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// Number of the game, starting from 0.
    pub number: usize,
    /// Identifies the pair of games that have the same opening with colours reversed. `None` if games do not form such
    /// pairs.
    pub pair: Option<usize>,
    pub opening: usize,
    pub white: usize,
    pub black: usize,
}

/// All games of a match. In each round, every pair of engines plays the same openings, and the pairs play one after
/// another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    pairs: Vec<(usize, usize)>,
    plan: MatchPlan,
    openings: usize,
    shard: Shard,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchPlan {
    /// Number of rounds. All pairs of engines play in every round.
    pub rounds: usize,
    /// Number of consecutive games that a pair of engines plays in a round.
    pub games: usize,
    /// Number of consecutive games with the same opening (at least one).
    pub repeat: usize,
    /// Whether colours alternate. If not, the first engine of a pair always plays White.
    pub swaps: bool,
}

impl MatchPlan {
    fn openings_per_round(self) -> usize {
        self.games.div_ceil(self.repeat.max(1))
    }

    /// Returns the number of openings that the match needs if no opening is used in more than one round.
    pub fn openings(self) -> usize {
        self.rounds * self.openings_per_round()
    }
}

impl Schedule {
    pub fn new(format: MatchFormat, engines: usize, plan: MatchPlan, openings: usize) -> Self {
        let first = match format {
            MatchFormat::RoundRobin => 0..engines,
            MatchFormat::Gauntlet => 0..engines.min(1),
        };
        let pairs = first.flat_map(|one| (one + 1..engines).map(move |other| (one, other)));
        Self { pairs: pairs.collect(), plan, openings, shard: Shard::ALL }
    }

    /// Restricts the schedule to a shard. Consecutive games of two engines with the same opening are in the same shard.
    #[must_use]
    pub fn part(self, shard: Shard) -> Self {
        Self { shard, ..self }
    }

    pub fn games(&self) -> usize {
        self.plan.rounds * self.pairs.len() * self.plan.games
    }

    pub fn pairings(&self) -> impl Iterator<Item = Pairing> + '_ {
        (0..self.games()).filter_map(|number| self.pairing(number))
    }

    /// Returns game `number`, or `None` if it does not exist or belongs to a different shard.
    pub fn pairing(&self, number: usize) -> Option<Pairing> {
        let MatchPlan { rounds, games, repeat, swaps } = self.plan;
        let encounter = number.checked_div(games)?;
        let game = number % games;
        let round = encounter.checked_div(self.pairs.len())?;
        let &(one, other) = self.pairs.get(encounter % self.pairs.len())?;
        let is_swapped = swaps && (round * games + game) % 2 == 1;
        let (white, black) = if is_swapped { (other, one) } else { (one, other) };
        let (per_round, of_round) = (self.plan.openings_per_round(), game.checked_div(repeat)?);
        let is_here = round < rounds && self.shard.contains((encounter * per_round + of_round) as u64);
        let opening = (round * per_round + of_round).checked_rem(self.openings)?;
        let pair = (swaps && repeat.is_multiple_of(2)).then_some(number - game % 2);
        is_here.then_some(Pairing { number, pair, opening, white, black })
    }
}
