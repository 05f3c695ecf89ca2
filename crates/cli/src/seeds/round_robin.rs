//! The round robin of evaluations of the checkers automaton.

use super::published::{KINGS_AFTER, ROUND_ROBIN_WINS};
use super::{Contender, MatchResult, PlayerMatch};
use crate::arena::statistics::Tally;
use soffio::engine::{PlainKind, PlainPlayer};

/// How many plies each player looks ahead.
const DEPTH: u8 = 7;

/// The results of one evaluation against all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The evaluation.
    pub kind: PlainKind,
    /// Its games.
    pub tally: Tally,
}

fn kinds() -> impl Iterator<Item = PlainKind> + Clone {
    ROUND_ROBIN_WINS.iter().map(|&(kind, _)| kind)
}

/// Every evaluation against every other, `games` each.
pub fn round_robin(games: usize) -> Vec<PlayerMatch> {
    let player = |kind| {
        let mut contender = Contender::plain(PlainPlayer::AlphaBeta, kind, DEPTH);
        contender.style.kings_after = KINGS_AFTER;
        contender
    };
    pairs().into_iter().map(|(one, other)| PlayerMatch { players: [player(one), player(other)], games }).collect()
}

/// All pairs of evaluations, in the order in which they play.
fn pairs() -> Vec<(PlainKind, PlainKind)> {
    kinds().enumerate().flat_map(|(index, one)| kinds().skip(index + 1).map(move |other| (one, other))).collect()
}

/// The standing of each evaluation after the pairings of [`round_robin`].
pub fn standings(results: &[MatchResult]) -> Vec<Standing> {
    let of = |kind: PlainKind| {
        let mut tally = Tally::default();
        for ((one, other), result) in pairs().into_iter().zip(results) {
            if one == kind {
                tally += result.tally;
            } else if other == kind {
                tally += result.tally.opposite();
            }
        }
        Standing { kind, tally }
    };
    kinds().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::statistics::Outcome;

    #[test]
    fn everyone_meets_everyone() {
        let pairings = round_robin(4);
        assert_eq!(pairings.len(), 21);
        let mut results = vec![MatchResult::default(); 21];
        // The first player of every pair wins: the first of all wins all, the last none.
        results.iter_mut().for_each(|result| (0..4).for_each(|_| result.tally.add_game(Outcome::Win)));
        let wins: Vec<_> = standings(&results).iter().map(|standing| standing.tally.games[2]).collect();
        assert_eq!(wins, [24, 20, 16, 12, 8, 4, 0]);
        assert!(standings(&results).iter().all(|standing| standing.tally.count() == 24));
    }
}
