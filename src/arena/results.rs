//! The results of a match as they come in.

use super::statistics::{Outcome, Tally};
use super::{Fault, FinishedGame, Termination};
use crate::rules::Color;
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
    /// Its faults by [`Fault::kind`].
    pub faults: BTreeMap<&'static str, u64>,
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
    /// The first game of a pair to end, until the other does.
    halves: HashMap<usize, Outcome>,
}

impl Results {
    /// Counts a game.
    pub fn add(&mut self, finished: &FinishedGame) {
        let FinishedGame { pairing, game } = finished;
        let for_white = match game.winner {
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
        match self.halves.remove(&(pairing.number / 2)) {
            Some(other) => tally.add_pair(outcome, other),
            None => drop(self.halves.insert(pairing.number / 2, outcome)),
        }
        *self.terminations.entry(game.termination.kind()).or_default() += 1;
        for (color, index) in [(Color::White, pairing.white), (Color::Black, pairing.black)] {
            let figures = self.engines.entry(index).or_default();
            figures.add_moves(color, finished);
            if let Termination::Fault(fault) = &game.termination
                && game.winner == Some(color.opponent())
            {
                *figures.faults.entry(fault.kind()).or_default() += 1;
            }
        }
    }

    /// Games that are over.
    pub fn games(&self) -> u64 {
        self.tallies.values().map(Tally::count).sum()
    }

    /// Games that ended by a fault.
    pub fn faults(&self) -> u64 {
        let kinds = Fault::KINDS.iter();
        kinds.map(|&kind| self.terminations.get(kind).copied().unwrap_or_default()).sum()
    }
}

impl EngineFigures {
    /// Counts the moves of the side `color`.
    fn add_moves(&mut self, color: Color, finished: &FinishedGame) {
        let own = finished.game.moves.iter().filter(|mv| mv.side == color);
        for thought in own.filter_map(|mv| mv.thought) {
            self.moves += 1;
            self.time += thought.time;
            for (told, sum) in [(thought.nodes, &mut self.nodes), (thought.depth.map(u64::from), &mut self.depth)] {
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
    use crate::arena::{Pairing, PlayedGame, PlayedMove, Thought};
    use crate::position::DrawReason;

    fn game(number: usize, white: usize, winner: Option<Color>, termination: Termination) -> FinishedGame {
        let thought = Thought { nodes: Some(10), time: Duration::from_millis(3), ..Thought::default() };
        let moves = vec![
            PlayedMove { text: "1-5".to_owned(), side: Color::White, thought: None },
            PlayedMove { text: "32-28".to_owned(), side: Color::Black, thought: Some(thought) },
        ];
        let pairing = Pairing { number, opening: 0, white, black: 1 - white };
        FinishedGame { pairing, game: PlayedGame { moves, winner, termination } }
    }

    #[test]
    fn games_are_counted_for_the_first_engine_and_in_pairs() {
        let mut results = Results::default();
        let drawn = || Termination::Drawn(DrawReason::Repetition(3));
        results.add(&game(0, 0, Some(Color::White), Termination::MoveLimit));
        results.add(&game(2, 0, None, drawn()));
        results.add(&game(1, 1, Some(Color::Black), Termination::Fault(Fault::Stall)));
        results.add(&game(3, 1, Some(Color::White), drawn()));
        let tally = results.tallies[&(0, 1)];
        assert_eq!((tally.games, tally.pairs), ([1, 1, 2], [0, 1, 0, 0, 1]));
        assert_eq!((results.games(), results.faults()), (4, 1));
        assert_eq!(results.engines[&1].faults.get("stall"), Some(&1), "the loser was White");
        assert!(results.engines[&0].faults.is_empty());
        assert_eq!((results.engines[&1].moves, results.engines[&1].nodes), (2, (2, 20)), "two games with Black");
    }
}
