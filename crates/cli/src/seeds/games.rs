//! Plays games between players in parallel, and measures the time and nodes of their moves.

use super::{Contender, ProgressSink};
use anyhow::{Result, ensure};
use soffio::engine::{PlainKind, PlainPlayer, Status};
use soffio::game::Game;
use soffio::pool::Pool;
use soffio::rules::{Color, Variant};
use soffio::stop::Stop;
use soffio_match::{GameLog, MatchFormat, MatchPlan, MatchResults, Opening, Pairing, Schedule, built_in};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::Duration;

/// Name of the largest built-in collection of openings, which is used if the variant has it.
const MOST_OPENINGS: &str = "3-move";

const TABLE_MIB: usize = 16;

/// Transposition table size in MiB for time measurements. A new table is allocated for each move, which takes longer if
/// the table is large.
const SMALL_TABLE_MIB: usize = 1;

/// Search depth in plies of the player that generates the sample.
const SAMPLE_DEPTH: u8 = 5;

#[derive(Clone, Debug, Default)]
pub struct PlayedGames {
    pub results: MatchResults,
    /// Numbers of games won by White and by Black.
    pub by_color: [usize; 2],
    /// Total number of plies in all games, including the openings.
    pub plies: usize,
}

impl PlayedGames {
    pub fn mean_plies(&self) -> f64 {
        self.plies as f64 / self.results.games().max(1) as f64
    }
}

/// Plays `games` games between each pair of `players`, from the built-in openings of `variant`, with `concurrency`
/// concurrent games. Each opening is played twice, with colours reversed, or only once if a player plays against
/// itself. All random choices are determined by `seed`.
pub fn play_games(
    variant: Variant,
    players: &[Contender],
    games: usize,
    (seed, concurrency): (u64, NonZeroUsize),
    progress: ProgressSink<'_>,
) -> Result<PlayedGames> {
    let repeat = if matches!(players, [one, other] if one == other) { 1 } else { 2 };
    let plan = MatchPlan { rounds: 1, games, repeat, swaps: true };
    let openings = openings(variant, plan, seed)?;
    let schedule = Schedule::new(MatchFormat::RoundRobin, players.len(), plan, openings.len());
    let mut played = PlayedGames::default();
    let play = |pairing: Pairing| {
        let [Some(white), Some(black)] = [pairing.white, pairing.black].map(|index| players.get(index)) else {
            return Ok(None);
        };
        let Some(opening) = openings.get(pairing.opening) else { return Ok(None) };
        let (number, game) = (pairing.number / games, pairing.number % games);
        let seed = fastrand::Rng::with_seed(seed ^ (number as u64) << 32 ^ game as u64).u64(1..);
        let (winner, plies) = play_game(variant, opening, [white, black], seed)?;
        Ok(Some((pairing, winner, plies)))
    };
    let take = |end: Option<(Pairing, Option<Color>, usize)>| {
        let Some((pairing, winner, plies)) = end else { return anyhow::Ok(ControlFlow::Break(())) };
        played.results.add(&pairing, &GameLog { winner, ..GameLog::default() });
        if let Some(winner) = winner {
            *winner.pick(played.by_color.each_mut()) += 1;
        }
        played.plies += plies;
        progress(played.results.games() as usize, schedule.games());
        Ok(ControlFlow::Continue(()))
    };
    Pool { name: "game", threads: concurrency, stop: &Stop::new() }.try_run(schedule.pairings(), || play, take)?;
    Ok(played)
}

fn openings(variant: Variant, plan: MatchPlan, seed: u64) -> Result<Vec<Opening>> {
    let mut openings = built_in(variant, Some(MOST_OPENINGS)).or_else(|_| built_in(variant, None))?;
    let count = openings.len();
    ensure!(
        plan.openings() <= count,
        "too many games: {variant} has {count} openings, each for two games (one in self-play)"
    );
    fastrand::Rng::with_seed(seed).shuffle(&mut openings);
    Ok(openings)
}

fn play_game(
    variant: Variant,
    opening: &Opening,
    players: [&Contender; 2],
    seed: u64,
) -> Result<(Option<Color>, usize)> {
    let mut game = opening.played(variant)?;
    let [white, black] = players.map(|player| player.engine(TABLE_MIB));
    let mut engines = [white?, black?];
    let mut plies = opening.moves.len();
    loop {
        match game.status() {
            Status::Won { winner, .. } => return Ok((Some(winner), plies)),
            Status::Drawn(_) => return Ok((None, plies)),
            Status::Playing { .. } => {}
        }
        let (player, engine) = (game.side().pick(players), game.side().pick(engines.each_mut()));
        let best = player.think(engine, game.game(), seed)?.best;
        ensure!(best.is_some_and(|mv| game.play_found(mv)), "a player returned no move in a position with legal moves");
        plies += 1;
    }
}

/// Returns `count` positions from games between a plain player and a random player. The plain player is to move in all
/// of them.
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

#[derive(Clone, Debug, PartialEq)]
pub struct TimeRow {
    pub contender: Contender,
    pub time: Duration,
    pub nodes: f64,
}

impl TimeRow {
    pub fn milliseconds(&self) -> f64 {
        self.time.as_secs_f64() * 1e3
    }
}

/// Measures the mean time and number of nodes per move over the positions in `sample`. Only one search runs at a time.
pub fn mean_times(sample: &[Game], contenders: Vec<Contender>, progress: ProgressSink<'_>) -> Result<Vec<TimeRow>> {
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
