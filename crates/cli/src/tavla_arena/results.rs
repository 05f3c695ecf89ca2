//! The results of a match as they come in.

use super::GameLog;
use crate::arena::{EngineFigures, Pairing};
use soffio::color::Color;
use soffio_tavla::score::{Ended, Score};
use std::collections::{BTreeMap, HashMap};

/// Everything that is counted, for the first engine.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// Points of the pairs of games with the same dice.
    pub score: Score,
    /// Games: lost, without a winner, won.
    pub games: [u64; 3],
    /// Games that were lost and won by mars.
    pub mars: [u64; 2],
    /// Figures of both engines.
    pub engines: [EngineFigures; 2],
    /// How games ended.
    pub terminations: BTreeMap<String, u64>,
    /// Games that ended by a fault.
    pub faults: u64,
    /// The first game of a pair to end, until the other does.
    halves: HashMap<usize, Ended>,
}

impl Results {
    /// Counts a game.
    pub fn add(&mut self, pairing: &Pairing, log: &GameLog) {
        let first = if pairing.white == 0 { Color::White } else { Color::Black };
        let points = match log.header.winner {
            None => 0,
            Some(winner) if winner == first => i32::from(log.points),
            Some(_) => -i32::from(log.points),
        };
        let [lost, drawn, won] = &mut self.games;
        let [mars_lost, mars_won] = &mut self.mars;
        let is_mars = u64::from(log.termination == "mars");
        match log.header.winner {
            None => *drawn += 1,
            Some(winner) if winner == first => (*won, *mars_won) = (*won + 1, *mars_won + is_mars),
            Some(_) => (*lost, *mars_lost) = (*lost + 1, *mars_lost + is_mars),
        }
        let ended = Ended { points, turns: log.moves.len() as u64 };
        let pair = pairing.pair.unwrap_or(pairing.number);
        match self.halves.remove(&pair) {
            Some(other) => self.score.add([other, ended]),
            None => drop(self.halves.insert(pair, ended)),
        }
        *self.terminations.entry(log.termination.clone()).or_default() += 1;
        self.faults += u64::from(log.fault);
        let [one, two] = &mut self.engines;
        for (figures, side) in [(one, first), (two, first.opponent())] {
            figures.add_moves(side, &log.moves);
            if log.fault && log.header.winner != Some(side) {
                *figures.faults.entry(log.termination.clone()).or_default() += 1;
            }
        }
    }

    /// Games that are over.
    pub fn count(&self) -> u64 {
        self.games.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::GameHeader;

    fn game(number: usize, winner: Option<Color>, points: u8, termination: &str) -> (Pairing, GameLog) {
        let white = number % 2;
        let pairing = Pairing { number, pair: Some(number - white), opening: number / 2, white, black: 1 - white };
        let log = GameLog {
            header: GameHeader::new(&pairing, ["a", "b"], winner),
            points,
            termination: termination.to_owned(),
            fault: termination == "time",
            detail: String::new(),
            moves: Vec::new(),
            date: String::new(),
        };
        (pairing, log)
    }

    #[test]
    fn points_are_those_of_the_first_engine_whatever_side_it_plays() {
        let mut results = Results::default();
        for (pairing, log) in [
            game(0, Some(Color::White), 2, "mars"),
            game(3, Some(Color::White), 2, "mars"),
            game(1, Some(Color::Black), 1, "all borne off"),
            game(2, None, 0, "move limit"),
            game(4, Some(Color::Black), 1, "time"),
        ] {
            results.add(&pairing, &log);
        }
        assert_eq!((results.games, results.mars, results.count()), ([2, 1, 2], [1, 1], 5));
        assert_eq!((results.score.pairs, results.score.wins), (2, 2), "the last pair is not complete");
        assert_eq!(results.score.mean(), 0.25, "(2 + 1 + 0 - 2) points in 4 games");
        assert_eq!((results.faults, results.engines[0].faults.get("time")), (1, Some(&1)));
        assert!(results.engines[1].faults.is_empty());
    }
}
