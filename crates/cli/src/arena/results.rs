//! The results of a match as they come in.

use super::statistics::{Outcome, Tally};
use super::{GameLog, MoveLog, Pairing};
use soffio::rules::Color;
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

/// What the moves of an engine cost, and what it did wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineFigures {
    /// Moves that it was asked for.
    pub moves: u64,
    /// Time for them.
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

/// Everything that is counted.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// Results of one engine against another, both by index, the lower index first.
    pub tallies: BTreeMap<(usize, usize), Tally>,
    /// Figures by the index of the engine.
    pub engines: BTreeMap<usize, EngineFigures>,
    /// How games ended.
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
        let for_white = match log.header.winner {
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
            let figures = self.engines.entry(index).or_default();
            figures.add_moves(side, &log.moves);
            if log.fault && log.header.winner != Some(side) {
                *figures.faults.entry(log.termination.clone()).or_default() += 1;
            }
        }
    }

    /// Games that are over.
    pub fn games(&self) -> u64 {
        self.tallies.values().map(Tally::count).sum()
    }

    /// The results of the engine `index` against all others.
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
    /// Counts those of `moves` that `side` has made.
    pub fn add_moves(&mut self, side: Color, moves: &[MoveLog]) {
        for mv in moves.iter().filter(|mv| mv.side == side) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::GameHeader;

    fn game(number: usize, white: usize, winner: Option<Color>, termination: &str, fault: bool) -> (Pairing, GameLog) {
        let opening = MoveLog {
            text: "1-5".to_owned(),
            side: Color::White,
            score: None,
            depth: None,
            nodes: None,
            us: None,
            told_us: None,
            bad_line: None,
        };
        let bad_line = Some("1-6: no".to_owned());
        let own = MoveLog {
            side: Color::Black,
            nodes: Some(10),
            us: Some(3000),
            told_us: Some(1000),
            bad_line,
            ..opening.clone()
        };
        let pairing = Pairing { number, pair: Some(number / 2), opening: 0, white, black: 1 - white };
        let log = GameLog {
            header: GameHeader::new(&pairing, ["a", "b"], winner),
            termination: termination.to_owned(),
            fault,
            machine_late: fault,
            detail: String::new(),
            fen: None,
            end: String::new(),
            moves: vec![opening, own],
            date: String::new(),
        };
        (pairing, log)
    }

    #[test]
    fn games_are_counted_for_the_first_engine_and_in_pairs() {
        let mut results = Results::default();
        for (pairing, log) in [
            game(0, 0, Some(Color::White), "no legal move", false),
            game(2, 0, None, "repetition", false),
            game(1, 1, Some(Color::Black), "stall", true),
            game(3, 1, Some(Color::White), "repetition", false),
        ] {
            results.add(&pairing, &log);
        }
        let tally = results.tallies[&(0, 1)];
        assert_eq!((tally.games, tally.pairs), ([1, 1, 2], [0, 1, 0, 0, 1]));
        assert_eq!(results.of(0), tally);
        assert_eq!((results.of(1).games, results.of(1).pairs), ([2, 1, 1], [1, 0, 0, 1, 0]));
        assert_eq!((results.games(), results.faults), (4, 1));
        assert_eq!(results.engines[&1].faults.get("stall"), Some(&1), "the loser was White");
        assert!(results.engines[&0].faults.is_empty());
        assert_eq!((results.machine_late, results.engines[&1].bad_lines), (1, 2));
        assert_eq!(results.engines[&1].latency, (2, Duration::from_millis(4), Duration::from_millis(2)));
        assert_eq!((results.engines[&1].moves, results.engines[&1].nodes), (2, (2, 20)), "two games with Black");
    }
}
