//! Collects the results of the games in a match.

use super::statistics::{GameScore, Tally};
use super::{GameLog, Pairing};
use soffio::rules::Color;
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineFigures {
    /// Number of moves that were requested from the engine.
    pub moves: u64,
    /// Total time that the engine took for these moves.
    pub time: Duration,
    /// Nodes per move, over the moves for which the engine reported them.
    pub nodes: Average,
    /// Depth per move, over the moves for which the engine reported it.
    pub depth: Average,
    /// Microseconds by which the measured time per move exceeded the search time reported by the engine. Moves without
    /// a reported search time are not included.
    pub latency: Average,
    /// Number of moves for which the engine reported an illegal line.
    pub bad_lines: u64,
    pub faults: BTreeMap<String, u64>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Average {
    pub count: u64,
    pub sum: u64,
    pub max: u64,
}

impl Average {
    fn add(&mut self, value: u64) {
        let Self { count, sum, max } = *self;
        *self = Self { count: count + 1, sum: sum.saturating_add(value), max: max.max(value) };
    }

    pub fn mean(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }
}

#[derive(Clone, Debug, Default)]
pub struct MatchResults {
    pub tallies: BTreeMap<(usize, usize), Tally>,
    pub engines: BTreeMap<usize, EngineFigures>,
    pub terminations: BTreeMap<String, u64>,
    pub faults: u64,
    /// Numbers of the games that were lost on time because of a scheduling delay.
    pub machine_late: Vec<usize>,
    /// For each pair with only one finished game so far, the score of that game. The key is the pair number.
    halves: HashMap<usize, GameScore>,
}

impl MatchResults {
    pub fn add(&mut self, pairing: &Pairing, log: &GameLog) {
        let for_white = match log.winner {
            None => GameScore::Draw,
            Some(Color::White) => GameScore::Win,
            Some(Color::Black) => GameScore::Loss,
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

    pub fn engine_tally(&self, index: usize) -> Tally {
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
    /// Counts the moves of `side`. If the side lost because of a fault, counts the fault as well.
    fn add(&mut self, side: Color, log: &GameLog) {
        if log.fault && log.winner != Some(side) {
            *self.faults.entry(log.termination.clone()).or_default() += 1;
        }
        for mv in log.moves.iter().filter(|mv| mv.side == side) {
            let Some(us) = mv.us else { continue };
            self.moves += 1;
            self.time += Duration::from_micros(us);
            self.bad_lines += u64::from(mv.bad_line.is_some());
            if let Some(reported) = mv.reported_us {
                self.latency.add(us.saturating_sub(reported));
            }
            mv.nodes.into_iter().for_each(|nodes| self.nodes.add(nodes));
            mv.depth.into_iter().for_each(|depth| self.depth.add(depth.into()));
        }
    }
}
