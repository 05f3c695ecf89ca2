//! Games between players, many at a time, and the cost of their moves.

use super::{Contender, Progress};
use crate::arena::statistics::{Outcome, Tally};
use crate::arena::{Opening, built_in};
use anyhow::{Result, ensure};
use soffio::engine::{PlainKind, PlainPlayer, Status};
use soffio::game::Game;
use soffio::pool::Pool;
use soffio::rules::{Color, Variant};
use soffio::stop::Stop;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::Duration;

/// The largest collection of openings, in variants that have several.
const MOST_OPENINGS: &str = "3-move";

/// Size of the transposition table in MiB of each player of a game.
const TABLE_MIB: usize = 16;

/// Size of the table in MiB where times are taken: a new one for each move, which costs more time the larger it is.
const SMALL_TABLE_MIB: usize = 1;

/// The plies that the player of a sample looks ahead.
const SAMPLE_DEPTH: u8 = 5;

/// Two players and how many games they play. Each opening is played twice, with changed colours, or once by a player
/// against itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerMatch {
    pub players: [Contender; 2],
    pub games: usize,
}

impl PlayerMatch {
    /// Returns how many games begin with the same opening.
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
        *white += usize::from(end.winner == Some(Color::White));
        *black += usize::from(end.winner == Some(Color::Black));
        self.plies += end.plies;
    }
}

/// The end of a game: its winner, unless it is drawn, and its length with the opening.
struct GameEnd {
    winner: Option<Color>,
    plies: usize,
}

/// A game to play.
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
) -> Result<Vec<MatchResult>> {
    let openings = openings(variant, pairings, seed)?;
    let tasks = tasks(pairings, &openings, seed);
    let mut results = vec![MatchResult::default(); pairings.len()];
    let mut done = 0;
    let mut broken = Ok(());
    let play = |task: &Task<'_>| {
        let end = play_game(variant, task.opening, task.players, task.seed);
        end.map(|end| (task.pairing, task.first_is_white, end))
    };
    let take = |end: Result<(usize, bool, GameEnd)>| match end {
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
    pool.run(tasks.iter(), || play, take)?;
    broken.map(|()| results)
}

/// Returns the openings of `variant` in an order that `seed` decides: at least as many as the pairing with most of them needs.
fn openings(variant: Variant, pairings: &[PlayerMatch], seed: u64) -> Result<Vec<Opening>> {
    let mut openings = built_in(variant, Some(MOST_OPENINGS)).or_else(|_| built_in(variant, None))?;
    let needed = pairings.iter().map(|pairing| pairing.games.div_ceil(pairing.games_of_opening())).max();
    let count = openings.len();
    ensure!(
        needed.is_none_or(|needed| needed <= count),
        "there are {count} openings in {variant}, each for two games, or one of a player with itself"
    );
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

/// Plays from `opening` to the end by the rules; `players` are White and Black.
///
/// # Errors
/// When the opening cannot be played, or a search breaks off.
fn play_game(variant: Variant, opening: &Opening, [white, black]: [&Contender; 2], seed: u64) -> Result<GameEnd> {
    let mut game = opening.played(variant)?;
    let (mut white_engine, mut black_engine) = (white.engine(TABLE_MIB)?, black.engine(TABLE_MIB)?);
    let mut plies = opening.moves.len();
    loop {
        match game.status() {
            Status::Won { winner, .. } => return Ok(GameEnd { winner: Some(winner), plies }),
            Status::Drawn(_) => return Ok(GameEnd { winner: None, plies }),
            Status::Playing { .. } => {}
        }
        let (player, engine) = match game.side() {
            Color::White => (white, &mut white_engine),
            Color::Black => (black, &mut black_engine),
        };
        let best = player.think(engine, game.game(), seed)?.best;
        ensure!(best.is_some_and(|mv| game.play_found(mv)), "a player with a legal move found none");
        plies += 1;
    }
}

/// Returns `count` positions from whole games between a plain player and chance, all with the plain player to move.
///
/// # Errors
/// When a search breaks off.
pub fn sample(variant: Variant, count: usize, seed: u64) -> Result<Vec<Game>> {
    let player = Contender::plain(PlainPlayer::AlphaBeta, PlainKind::Material, SAMPLE_DEPTH);
    let chance = Contender::random();
    let openings = built_in(variant, None)?;
    let random = &mut fastrand::Rng::with_seed(seed);
    let (mut own_engine, mut other_engine) = (player.engine(1)?, chance.engine(1)?);
    let mut positions = Vec::new();
    while positions.len() < count {
        let Some(opening) = random.choice(&openings) else { break };
        let mut game = opening.played(variant)?;
        let own = game.side();
        while positions.len() < count && matches!(game.status(), Status::Playing { .. }) {
            let is_own = game.side() == own;
            if is_own {
                positions.push(game.game().clone());
            }
            let (player, engine) = if is_own { (&player, &mut own_engine) } else { (&chance, &mut other_engine) };
            let best = player.think(engine, game.game(), random.u64(1..))?.best;
            if !best.is_some_and(|mv| game.play_found(mv)) {
                break;
            }
        }
    }
    Ok(positions)
}

/// The cost of a move of a player.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeRow {
    pub contender: Contender,
    /// Mean time for a move.
    pub time: Duration,
    /// Mean positions searched for a move.
    pub nodes: f64,
}

/// Measures the mean cost of a move of each of `contenders` over `sample`, one after the other, with nothing else running.
///
/// # Errors
/// When a search breaks off.
pub fn mean_times(sample: &[Game], contenders: Vec<Contender>, progress: Progress<'_>) -> Result<Vec<TimeRow>> {
    let all = contenders.len() * sample.len();
    let mut rows = Vec::new();
    for contender in contenders {
        let (mut time, mut nodes) = (Duration::ZERO, 0);
        for (index, position) in sample.iter().enumerate() {
            let answer = contender.think(&mut contender.engine(SMALL_TABLE_MIB)?, position, 1)?;
            time += answer.time;
            nodes += answer.nodes;
            progress(rows.len() * sample.len() + index + 1, all);
        }
        let count = sample.len().max(1);
        rows.push(TimeRow { contender, time: time / count as u32, nodes: nodes as f64 / count as f64 });
    }
    Ok(rows)
}
