//! Many games between pairs of players, on all cores.

use super::game::{GameEnd, play_game};
use super::{Contender, Progress};
use crate::arena::statistics::{Outcome, Tally};
use crate::arena::{Opening, built_in};
use soffio::pool::Pool;
use soffio::rules::{Color, Variant};
use soffio::stop::Stop;
use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

/// The largest collection of openings, in variants that have several.
const MOST_OPENINGS: &str = "3-move";

/// Two players and how many games they play. Each opening is played twice, with changed colours, or once by a player
/// against itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerMatch {
    /// The players.
    pub players: [Contender; 2],
    /// Games.
    pub games: usize,
}

impl PlayerMatch {
    /// How many games begin with the same opening.
    fn games_of_opening(&self) -> usize {
        let [one, other] = &self.players;
        if one == other { 1 } else { 2 }
    }
}

/// The results of a pairing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchResult {
    /// The results of the first player.
    pub tally: Tally,
    /// Games that White, and that Black has won.
    pub by_color: [usize; 2],
    /// Plies of all games.
    pub plies: usize,
}

impl MatchResult {
    fn add(&mut self, end: GameEnd, first_is_white: bool) {
        let outcome = match end.winner {
            None => Outcome::Draw,
            Some(winner) if (winner == Color::White) == first_is_white => Outcome::Win,
            Some(_) => Outcome::Loss,
        };
        self.tally.add_game(outcome);
        let [white, black] = &mut self.by_color;
        match end.winner {
            Some(Color::White) => *white += 1,
            Some(Color::Black) => *black += 1,
            None => {}
        }
        self.plies += end.plies;
    }
}

/// One game to play.
struct Task<'a> {
    pairing: usize,
    players: [&'a Contender; 2],
    first_is_white: bool,
    opening: &'a Opening,
    seed: u64,
}

/// Plays `pairings` in `variant` from the built-in openings, as many games at a time as `concurrency` says. The openings
/// and all chance come from `seed`.
///
/// # Errors
/// When a game breaks off, or there are not enough openings for so many games.
pub fn play_pairings(
    variant: Variant,
    pairings: &[PlayerMatch],
    (seed, concurrency): (u64, NonZeroUsize),
    progress: Progress<'_>,
) -> io::Result<Vec<MatchResult>> {
    let openings = openings(variant, pairings, seed)?;
    let tasks = tasks(pairings, &openings, seed);
    let mut results = vec![MatchResult::default(); pairings.len()];
    let mut done = 0;
    let mut broken = Ok(());
    let play = |task: &Task<'_>| {
        let end = play_game(variant, task.opening, task.players, task.seed);
        end.map(|end| (task.pairing, task.first_is_white, end))
    };
    let take = |end: io::Result<(usize, bool, GameEnd)>| match end {
        Ok((pairing, first_is_white, end)) => {
            if let Some(result) = results.get_mut(pairing) {
                result.add(end, first_is_white);
            }
            done += 1;
            progress(done, tasks.len());
            ControlFlow::Continue(())
        }
        Err(error) => {
            broken = Err(error);
            ControlFlow::Break(())
        }
    };
    let pool = Pool { name: "game", threads: concurrency, stop: &Stop::new() };
    pool.run(tasks.iter(), || play, take).map_err(io::Error::other)?;
    broken.map(|()| results)
}

/// The openings of `variant` in an order that `seed` decides: at least as many as the pairing with most of them needs.
fn openings(variant: Variant, pairings: &[PlayerMatch], seed: u64) -> io::Result<Vec<Opening>> {
    let most = built_in(variant, Some(MOST_OPENINGS)).or_else(|_| built_in(variant, None));
    let mut openings = most.map_err(io::Error::other)?;
    let needed = pairings.iter().map(|pairing| pairing.games.div_ceil(pairing.games_of_opening())).max();
    if needed.is_some_and(|needed| needed > openings.len()) {
        let count = openings.len();
        let text =
            format!("there are {count} openings in {variant}, each for two games, or one of a player with itself");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
    }
    fastrand::Rng::with_seed(seed).shuffle(&mut openings);
    Ok(openings)
}

fn tasks<'a>(pairings: &'a [PlayerMatch], openings: &'a [Opening], seed: u64) -> Vec<Task<'a>> {
    let games =
        pairings.iter().enumerate().flat_map(|(pairing, of)| (0..of.games).map(move |game| (pairing, of, game)));
    let task = |(pairing, of, game): (usize, &'a PlayerMatch, usize)| {
        let [one, other] = &of.players;
        let first_is_white = game % 2 == 0;
        Some(Task {
            pairing,
            players: if first_is_white { [one, other] } else { [other, one] },
            first_is_white,
            opening: openings.get(game / of.games_of_opening())?,
            seed: fastrand::Rng::with_seed(seed ^ (pairing as u64) << 32 ^ game as u64).u64(1..),
        })
    };
    games.filter_map(task).collect()
}
