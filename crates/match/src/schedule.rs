//! The games of a match, and their results.

use super::GameLog;
use super::statistics::{Outcome, Tally};
use clap::ValueEnum;
use soffio::rules::Color;
use soffio::shard::Shard;
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

/// Which engines meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Every engine meets every other one.
    RoundRobin,
    /// The first meets all others.
    Gauntlet,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// From 0.
    pub number: usize,
    /// Games with the same value have the same opening with colours reversed.
    pub pair: Option<usize>,
    pub opening: usize,
    pub white: usize,
    pub black: usize,
}

/// All games of a match. In every round, all pairs of engines play the same openings, one pair after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    pairs: Vec<(usize, usize)>,
    plan: MatchPlan,
    openings: usize,
    shard: Shard,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchPlan {
    /// All pairs of engines meet in each round.
    pub rounds: usize,
    /// Consecutive games of a pair of engines in a round.
    pub games: usize,
    /// Number of consecutive games with the same opening, at least one.
    pub repeat: usize,
    /// Whether colours alternate; otherwise the first engine of a pair always has White.
    pub swaps: bool,
}

impl MatchPlan {
    fn openings_per_round(self) -> usize {
        self.games.div_ceil(self.repeat.max(1))
    }

    /// Returns the number of openings needed to use each in one round only.
    pub fn openings(self) -> usize {
        self.rounds * self.openings_per_round()
    }
}

impl Schedule {
    pub fn new(format: Format, engines: usize, plan: MatchPlan, openings: usize) -> Self {
        let first = match format {
            Format::RoundRobin => 0..engines,
            Format::Gauntlet => 0..engines.min(1),
        };
        let pairs = first.flat_map(|one| (one + 1..engines).map(move |other| (one, other)));
        Self { pairs: pairs.collect(), plan, openings, shard: Shard::ALL }
    }

    /// Restricts the schedule to a shard. Consecutive games of two engines with the same opening stay together.
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

    /// Returns the game `number`, if it exists and belongs to this shard.
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

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineFigures {
    /// Moves that it was asked for, and the time for them.
    pub moves: u64,
    pub time: Duration,
    /// Moves with reported nodes, and the sum.
    pub nodes: (u64, u64),
    /// Moves with a reported depth, and the sum.
    pub depth: (u64, u64),
    /// Moves with a reported search time; the sum and the maximum of the additional time until the answer.
    pub latency: (u64, Duration, Duration),
    /// Moves before which it reported a line that cannot be played.
    pub bad_lines: u64,
    pub faults: BTreeMap<String, u64>,
}

#[derive(Clone, Debug, Default)]
pub struct Results {
    pub tallies: BTreeMap<(usize, usize), Tally>,
    pub engines: BTreeMap<usize, EngineFigures>,
    pub terminations: BTreeMap<String, u64>,
    pub faults: u64,
    /// Numbers of the games lost on time because of a delay of the machine.
    pub machine_late: Vec<usize>,
    /// The first finished game of a pair, until the second has ended.
    halves: HashMap<usize, Outcome>,
}

impl Results {
    pub fn add(&mut self, pairing: &Pairing, log: &GameLog) {
        let for_white = match log.winner {
            None => Outcome::Draw,
            Some(Color::White) => Outcome::Win,
            Some(Color::Black) => Outcome::Loss,
        };
        let (key, outcome) = if pairing.white < pairing.black {
            ((pairing.white, pairing.black), for_white)
        } else {
            ((pairing.black, pairing.white), for_white.opposite())
        };
        let tally = self.tallies.entry(key).or_default();
        tally.add_game(outcome);
        if let Some(pair) = pairing.pair {
            match self.halves.remove(&pair) {
                Some(other) => tally.add_pair(outcome, other),
                None => drop(self.halves.insert(pair, outcome)),
            }
        }
        *self.terminations.entry(log.termination.clone()).or_default() += 1;
        self.faults += u64::from(log.fault);
        if log.machine_late {
            self.machine_late.push(log.game);
        }
        for (side, index) in [(Color::White, pairing.white), (Color::Black, pairing.black)] {
            self.engines.entry(index).or_default().add(side, log);
        }
    }

    pub fn games(&self) -> u64 {
        self.tallies.values().map(Tally::count).sum()
    }

    pub fn of(&self, index: usize) -> Tally {
        let mut sum = Tally::default();
        for (&(one, other), tally) in &self.tallies {
            if one == index {
                sum += *tally;
            } else if other == index {
                sum += tally.opposite();
            }
        }
        sum
    }
}

impl EngineFigures {
    /// Counts the moves of `side`, and its fault if it lost by one.
    fn add(&mut self, side: Color, log: &GameLog) {
        if log.fault && log.winner != Some(side) {
            *self.faults.entry(log.termination.clone()).or_default() += 1;
        }
        for mv in log.moves.iter().filter(|mv| mv.side == side) {
            let Some(us) = mv.us else { continue };
            self.moves += 1;
            self.time += Duration::from_micros(us);
            self.bad_lines += u64::from(mv.bad_line.is_some());
            if let Some(told) = mv.told_us {
                let latency = Duration::from_micros(us.saturating_sub(told));
                let (count, sum, most) = self.latency;
                self.latency = (count + 1, sum + latency, most.max(latency));
            }
            for (told, sum) in [(mv.nodes, &mut self.nodes), (mv.depth.map(u64::from), &mut self.depth)] {
                if let Some(number) = told {
                    *sum = (sum.0 + 1, sum.1.saturating_add(number));
                }
            }
        }
    }
}
