//! The results of a match as they come in.

use super::statistics::{Outcome, Tally};
use super::{GameLog, Pairing};
use soffio::rules::Color;
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

/// The cost of the moves of an engine, and its faults.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineFigures {
    /// Moves that it was asked for, and the time for them.
    pub moves: u64,
    pub time: Duration,
    /// Moves for which it told the nodes, and their sum.
    pub nodes: (u64, u64),
    /// Moves for which it told the depth, and the sum.
    pub depth: (u64, u64),
    /// Moves for which it told the time of its search; the sum of how much longer the answer took, and the most.
    pub latency: (u64, Duration, Duration),
    /// Moves before which it told a line that cannot be played.
    pub bad_lines: u64,
    /// Its faults by kind.
    pub faults: BTreeMap<String, u64>,
}

/// The counts of a match.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// Results of one engine against another, both by index, the lower index first.
    pub tallies: BTreeMap<(usize, usize), Tally>,
    /// Figures by the index of the engine.
    pub engines: BTreeMap<usize, EngineFigures>,
    /// Games by the kind of their end.
    pub terminations: BTreeMap<String, u64>,
    /// Games that ended by a fault.
    pub faults: u64,
    /// Games lost on time while the machine was as late.
    pub machine_late: u64,
    /// The first game of a pair to end, until the other does.
    halves: HashMap<usize, Outcome>,
}

impl Results {
    /// Counts a game.
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
        self.machine_late += u64::from(log.machine_late);
        for (side, index) in [(Color::White, pairing.white), (Color::Black, pairing.black)] {
            self.engines.entry(index).or_default().add(side, log);
        }
    }

    /// Returns the number of games that are over.
    pub fn games(&self) -> u64 {
        self.tallies.values().map(Tally::count).sum()
    }

    /// Returns the results of the engine `index` against all others.
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
    /// Counts those of the moves of a game that `side` has made, and the kind of the fault by which it has lost, if it has.
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
