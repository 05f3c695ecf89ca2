//! Finished games, as lines of JSON for other programs and for a match that is resumed, and the results that they add up to.

use super::game::{End, Played};
use crate::arena::{EngineFigures, GameHeader, MoveLog, Pairing};
use serde::{Deserialize, Serialize};
use soffio::color::Color;
use soffio_tavla::duel::{Ended, Score};
use std::collections::{BTreeMap, HashMap};

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameLog {
    /// Number, engines and winner. White begins.
    #[serde(flatten)]
    pub header: GameHeader,
    /// The points that the winner has won.
    pub points: u8,
    /// The kind of its end, as it is counted.
    pub termination: String,
    /// Whether the loser did something wrong.
    pub fault: bool,
    /// More about the end.
    pub detail: String,
    /// All turns: the dice, a colon, and the play, as `31:8/5,6/5`. A side that had to pass was not asked, and has no time.
    pub moves: Vec<MoveLog>,
    /// The date, as `2026.01.31`.
    pub date: String,
}

impl GameLog {
    /// Returns the log of the game `pairing` between engines with these `names`, White's first.
    pub(super) fn new(pairing: &Pairing, played: Played, names: [&str; 2], date: &str) -> Self {
        let Played { moves, winner, points, end, .. } = played;
        Self {
            header: GameHeader::new(pairing, names, winner),
            points,
            termination: end.kind().to_owned(),
            fault: matches!(end, End::Fault(_)),
            detail: end.to_string(),
            moves,
            date: date.to_owned(),
        }
    }
}

/// The counts of a match, for the first engine.
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
    /// Games by the kind of their end.
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
            figures.add(side, (&log.header, &log.moves), log.fault.then_some(&log.termination));
        }
    }

    /// Returns the number of games that are over.
    pub fn count(&self) -> u64 {
        self.games.iter().sum()
    }
}
