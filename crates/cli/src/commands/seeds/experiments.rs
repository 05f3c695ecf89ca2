//! The experiments from five student reports on draughts programs.
//!
//! The engine's plain players and evaluations reproduce the players from the reports. All random choices are determined
//! by a seed, so results that do not depend on time are reproducible.

use anyhow::{Result, ensure};
use soffio::engine::{Answer, Engine, EvaluationKind, Limits, PlainKind, PlainPlayer, PlayerSettings, Setting, Status};
use soffio::game::Game;
use soffio::pool::Pool;
use soffio::rules::{Color, Variant};
use soffio::stop::Stop;
use soffio_match::{GameLog, MatchFormat, MatchPlan, MatchResults, Opening, Pairing, Schedule, built_in};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::Duration;

/// A callback that receives the number of completed games or positions and their total number.
pub type ProgressSink<'a> = &'a mut dyn FnMut(usize, usize);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeedPlayer {
    pub name: String,
    pub style: PlayerSettings,
    pub depth: Option<u8>,
    pub move_time: Option<Duration>,
}

impl SeedPlayer {
    pub fn plain(player: PlainPlayer, evaluation: PlainKind, depth: u8) -> Self {
        Self {
            name: format!("{} {}, depth {depth}", player.name(), evaluation.name()),
            style: PlayerSettings {
                player: Some(player),
                evaluation: EvaluationKind::Plain(evaluation),
                kings_after: 0,
            },
            depth: Some(depth),
            move_time: None,
        }
    }

    pub fn random() -> Self {
        let style = PlayerSettings { player: Some(PlainPlayer::Random), ..PlayerSettings::default() };
        Self { name: "random".to_owned(), style, depth: None, move_time: None }
    }

    pub fn full_to_depth(depth: u8) -> Self {
        Self {
            name: format!("full, depth {depth}"),
            style: PlayerSettings::default(),
            depth: Some(depth),
            move_time: None,
        }
    }

    pub fn full(move_time: Duration) -> Self {
        let name = format!("full, {} ms", move_time.as_millis());
        Self { name, style: PlayerSettings::default(), depth: None, move_time: Some(move_time) }
    }

    fn engine(&self, hash: usize) -> Result<Engine> {
        let mut engine = Engine::new();
        for setting in [
            Setting::Hash(hash),
            Setting::Player(self.style.player),
            Setting::Evaluation(self.style.evaluation),
            Setting::KingsAfter(self.style.kings_after),
        ] {
            engine.apply(setting)?;
        }
        Ok(engine)
    }

    /// Searches for a move. `seed` determines the random choices of the player.
    fn think(&self, engine: &mut Engine, game: &Game, seed: u64) -> Result<Answer> {
        engine.apply(Setting::Seed(seed))?;
        // The engine requires a limit. A random player never reaches the limit, so any limit will do.
        let needs_limit = self.depth.is_none() && self.move_time.is_none();
        let depth = if needs_limit { Some(1) } else { self.depth };
        let limits = Limits { depth, move_time: self.move_time, ..Limits::default() };
        Ok(engine.go(game, limits)?)
    }
}

/// Name of the largest built-in opening collection. It is used for the variants that have it.
const LARGEST_COLLECTION: &str = "3-move";

const TABLE_MIB: usize = 16;

/// Transposition table size in MiB for time measurements. A new table is allocated for each move, and allocating a
/// large table would take too long.
const SMALL_TABLE_MIB: usize = 1;

/// Search depth in plies of the player that generates the sample.
const SAMPLE_DEPTH: u8 = 5;

#[derive(Clone, Debug, Default)]
pub struct PlayedGames {
    pub results: MatchResults,
    /// Number of games won by White, and number of games won by Black.
    pub by_color: [usize; 2],
    /// Total number of plies in all games, including the openings.
    pub plies: usize,
}

impl PlayedGames {
    pub fn mean_plies(&self) -> f64 {
        self.plies as f64 / self.results.games().max(1) as f64
    }
}

/// Plays `games` games between each pair of `players`, from the built-in openings of `variant`. Up to `concurrency`
/// games run at a time. Each opening is played twice, with colours reversed, or only once if a player plays against
/// itself. All random choices are determined by `seed`.
pub fn play_games(
    variant: Variant,
    players: &[SeedPlayer],
    games: usize,
    seed: u64,
    concurrency: NonZeroUsize,
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
    let mut openings = built_in(variant, Some(LARGEST_COLLECTION)).or_else(|_| built_in(variant, None))?;
    let count = openings.len();
    ensure!(
        plan.openings() <= count,
        "too many games: {variant} has {count} openings, each for two games (one in self-play); reduce --games"
    );
    fastrand::Rng::with_seed(seed).shuffle(&mut openings);
    Ok(openings)
}

fn play_game(
    variant: Variant,
    opening: &Opening,
    players: [&SeedPlayer; 2],
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

/// Returns `count` positions from games between a plain player and a random player. In all of them, the plain player is
/// to move.
pub fn sample(variant: Variant, count: usize, seed: u64) -> Result<Vec<Game>> {
    let player = SeedPlayer::plain(PlainPlayer::AlphaBeta, PlainKind::Material, SAMPLE_DEPTH);
    let chance = SeedPlayer::random();
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
    pub player: SeedPlayer,
    pub time: Duration,
    pub nodes: f64,
}

impl TimeRow {
    pub fn milliseconds(&self) -> f64 {
        self.time.as_secs_f64() * 1e3
    }
}

/// Measures the mean time and number of nodes per move over the positions in `sample`. Only one search runs at a time.
pub fn mean_times(sample: &[Game], players: Vec<SeedPlayer>, progress: ProgressSink<'_>) -> Result<Vec<TimeRow>> {
    let all = players.len() * sample.len();
    let mut rows = Vec::new();
    for player in players {
        let (mut time, mut nodes) = (Duration::ZERO, 0);
        for (index, position) in sample.iter().enumerate() {
            let answer = player.think(&mut player.engine(SMALL_TABLE_MIB)?, position, 1)?;
            time += answer.time;
            nodes += answer.nodes;
            progress(rows.len() * sample.len() + index + 1, all);
        }
        let count = sample.len().max(1);
        rows.push(TimeRow { player, time: time / count as u32, nodes: nodes as f64 / count as f64 });
    }
    Ok(rows)
}

/// Search depths in plies, each with the mean time per move in milliseconds.
pub type PublishedTimes = &'static [(u8, f64)];

/// Times of minimax with the material evaluation in Italian draughts, from the report on the desktop game.
pub const ITALIAN_MINIMAX: PublishedTimes = &[(5, 33.0), (7, 483.0), (9, 20_300.0)];

/// Times of minimax in English draughts, from the report on the checkers automaton, for the version without pruning.
pub const ENGLISH_MINIMAX: PublishedTimes =
    &[(2, 1.5), (3, 4.9), (4, 11.8), (5, 29.0), (6, 121.0), (7, 1035.0), (8, 3387.0)];

/// Times of the checkers automaton with pruning. The automaton prunes only after it has built the whole tree.
pub const ENGLISH_PRUNING: PublishedTimes =
    &[(2, 1.1), (3, 4.8), (4, 11.3), (5, 35.0), (6, 153.0), (7, 1462.0), (8, 4893.0)];

/// Number of games that minimax played against a random player in the desktop game. Minimax won all of them.
pub const RANDOM_GAMES: usize = 20;

/// From this ply on, all of the automaton's players use the evaluation for kings.
pub const KINGS_AFTER: u16 = 70;

/// Number of games that each evaluation played in the automaton's round robin.
pub const ROUND_ROBIN_GAMES: u32 = 70;

/// Number of games won by each evaluation in the round robin. All players searched to depth 7.
pub const ROUND_ROBIN_WINS: [(PlainKind, u32); 7] = [
    (PlainKind::Standard, 48),
    (PlainKind::Random, 14),
    (PlainKind::Centrality, 21),
    (PlainKind::BackRows, 53),
    (PlainKind::Complete, 35),
    (PlainKind::Offensive, 24),
    (PlainKind::Defensive, 37),
];

/// Players for the comparison of node counts. Each player adds one technique to those of the previous player.
pub const NODE_COUNT_PLAYERS: [PlainPlayer; 4] =
    [PlainPlayer::Minimax, PlainPlayer::AlphaBeta, PlainPlayer::Ordered, PlainPlayer::Memory];

pub const SAVINGS_DEPTH: u8 = 8;

pub const FULL_MOVE_TIME: Duration = Duration::from_millis(50);

/// Returns the strongest players from the reports, each with the variant for which it was written.
pub fn seed_players() -> Vec<(Variant, SeedPlayer)> {
    let plain = SeedPlayer::plain;
    let mut players = vec![
        (Variant::Italian, SeedPlayer::random()),
        (Variant::Italian, plain(PlainPlayer::Minimax, PlainKind::Material, 7)),
        (Variant::Italian, plain(PlainPlayer::AlphaBeta, PlainKind::Advance, 7)),
        (Variant::Italian, plain(PlainPlayer::AlphaBeta, PlainKind::Distance, 7)),
        (Variant::Italian, plain(PlainPlayer::AlphaBeta, PlainKind::Material, 3)),
        (Variant::Casual, plain(PlainPlayer::AlphaBeta, PlainKind::Moves, 6)),
    ];
    players.extend(automaton(8).map(|player| (Variant::English, player)));
    players
}

const ROUND_ROBIN_DEPTH: u8 = 7;

/// Returns the players of the round robin in the order of [`ROUND_ROBIN_WINS`].
pub fn round_robin() -> Vec<SeedPlayer> {
    automaton(ROUND_ROBIN_DEPTH).collect()
}

fn automaton(depth: u8) -> impl Iterator<Item = SeedPlayer> {
    ROUND_ROBIN_WINS.iter().map(move |&(kind, _)| {
        let mut player = SeedPlayer::plain(PlainPlayer::AlphaBeta, kind, depth);
        player.style.kings_after = KINGS_AFTER;
        player
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use soffio::game::Game;

    #[test]
    fn every_player_in_the_reports_finds_a_move() {
        let players = seed_players();
        assert_eq!(players.len(), 13);
        for (variant, player) in players {
            let mut game = Game::new(variant);
            let best = player.think(&mut player.engine(1).unwrap(), &game, 1).unwrap().best.unwrap();
            assert!(game.play(best));
        }
    }
}
