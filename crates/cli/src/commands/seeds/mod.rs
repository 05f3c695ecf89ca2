//! `soffio seeds`: reproduces the experiments from the student reports and compares the results with the published
//! figures.

mod experiments;

use super::tavla::score_text;
use crate::progress::{Progress, or_cores};
use crate::values::integer;
use anyhow::Result;
use clap::{Args, ValueEnum};
use experiments::{
    ENGLISH_MINIMAX, ENGLISH_PRUNING, FULL_MOVE_TIME, ITALIAN_MINIMAX, NODE_COUNT_PLAYERS, PlayedGames, PublishedTimes,
    RANDOM_GAMES, ROUND_ROBIN_GAMES, ROUND_ROBIN_WINS, SAVINGS_DEPTH, SeedPlayer, TimeRow, mean_times, play_games,
    round_robin, sample, seed_players,
};
use soffio::engine::{PlainKind, PlainPlayer};
use soffio::game::Game;
use soffio::rules::Variant;
use soffio_match::statistics::Elo;
use soffio_tavla::duel::{DuelPlayer, duel};
use soffio_tavla::plain::PlainEvaluation;
use soffio_tavla::player::{PlayerKind, TavlaLimits, TavlaSettings};
use soffio_tavla::rules::Rules;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::time::Instant;

const DEPTHS: std::ops::RangeInclusive<u8> = 2..=9;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Experiment {
    /// Time per move of minimax and alphabeta, by depth
    Times,
    /// Nodes saved by pruning, move ordering and a transposition table
    Nodes,
    /// Minimax against a random player
    Random,
    /// Round robin between the seven evaluations from a report on English draughts
    RoundRobin,
    /// An alphabeta player at depth 3 against itself, in Italian draughts
    SelfPlay,
    /// Expectiminimax in tavla: duration of whole games, and evaluations against each other
    Tavla,
    /// The full search at 50 ms per move against every player from the reports (slow)
    Full,
}

#[derive(Debug, Args)]
pub struct SeedsArguments {
    /// Experiments to reproduce [default: all except full]
    #[arg(value_enum, value_name = "EXPERIMENTS")]
    parts: Vec<Experiment>,
    /// Number of games per pairing (1 to 65535); each opening is played twice, with colours reversed
    #[arg(long, default_value_t = 20, value_parser = integer::<u16>(1..=u16::MAX.into()))]
    games: u16,
    /// Number of positions in the `times` and `nodes` experiments (1 to 65535)
    #[arg(long, default_value_t = 40, value_parser = integer::<u16>(1..=u16::MAX.into()))]
    positions: u16,
    /// Random seed
    #[arg(long, default_value_t = 1, value_parser = integer::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Number of concurrent games [default: number of cores]
    #[arg(long, value_name = "N", value_parser = integer::<NonZeroUsize>(1..=u64::MAX))]
    concurrency: Option<NonZeroUsize>,
}

pub fn repeat_seeds(arguments: &SeedsArguments) -> Result<()> {
    let all = [
        Experiment::Times,
        Experiment::Nodes,
        Experiment::Random,
        Experiment::RoundRobin,
        Experiment::SelfPlay,
        Experiment::Tavla,
    ];
    let parts = if arguments.parts.is_empty() { &all[..] } else { &arguments.parts };
    for part in parts {
        match part {
            Experiment::Times => times(arguments)?,
            Experiment::Nodes => nodes(arguments)?,
            Experiment::Random => against_random(arguments)?,
            Experiment::RoundRobin => evaluations(arguments)?,
            Experiment::SelfPlay => self_play(arguments)?,
            Experiment::Tavla => tavla(arguments)?,
            Experiment::Full => full(arguments)?,
        }
    }
    Ok(())
}

impl SeedsArguments {
    fn play(&self, name: &str, variant: Variant, players: &[SeedPlayer]) -> Result<PlayedGames> {
        let concurrency = or_cores(self.concurrency);
        with_progress(name, |progress| {
            play_games(variant, players, self.games.into(), self.seed, concurrency, progress)
        })
    }

    fn sample(&self, variant: Variant) -> Result<Vec<Game>> {
        sample(variant, self.positions.into(), self.seed)
    }
}

fn with_progress<T>(name: &str, work: impl FnOnce(&mut dyn FnMut(usize, usize)) -> Result<T>) -> Result<T> {
    let progress = Progress::new();
    work(&mut |done, all| progress.show((done as u64, all as u64), || format!("{name}, {done} of {all}")))
}

fn times(arguments: &SeedsArguments) -> Result<()> {
    let italian = [(PlainPlayer::Minimax, ITALIAN_MINIMAX), (PlainPlayer::AlphaBeta, &[])];
    let english = [(PlainPlayer::Minimax, ENGLISH_MINIMAX), (PlainPlayer::AlphaBeta, ENGLISH_PRUNING)];
    for (variant, kind, players) in
        [(Variant::Italian, PlainKind::Material, italian), (Variant::English, PlainKind::Standard, english)]
    {
        print_line(format_args!("Time per move, {variant}, mean of {} positions", arguments.positions))?;
        print_line(format_args!("  player     depth         time        nodes    published   faster"))?;
        let sample = arguments.sample(variant)?;
        for (player, published) in players {
            let players = DEPTHS.map(|depth| SeedPlayer::plain(player, kind, depth)).collect();
            let name = format!("{} in {variant}", player.name());
            let rows = with_progress(&name, |progress| mean_times(&sample, players, progress))?;
            rows.iter().try_for_each(|row| time_row(player, row, published))?;
        }
    }
    Ok(())
}

fn time_row(player: PlainPlayer, row: &TimeRow, published: PublishedTimes) -> Result<()> {
    let depth = row.player.depth.unwrap_or(0);
    let time = row.milliseconds();
    let known = published.iter().find(|(at, _)| *at == depth);
    let compared = known.map(|(_, ms)| format!(" {ms:>9} ms {:>7.0}x", ms / time)).unwrap_or_default();
    print_line(format_args!("  {:<10} {depth:>5} {time:>9.3} ms {:>12.0}{compared}", player.name(), row.nodes))
}

fn nodes(arguments: &SeedsArguments) -> Result<()> {
    let plain = NODE_COUNT_PLAYERS.map(|player| SeedPlayer::plain(player, PlainKind::Material, SAVINGS_DEPTH));
    let players: Vec<_> = plain.into_iter().chain([SeedPlayer::full_to_depth(SAVINGS_DEPTH)]).collect();
    for variant in [Variant::Italian, Variant::English] {
        let sample = arguments.sample(variant)?;
        let name = format!("nodes in {variant}");
        let rows = with_progress(&name, |progress| mean_times(&sample, players.clone(), progress))?;
        print_line(format_args!("Nodes per move, {variant}, mean of {} positions", arguments.positions))?;
        let all = rows.first().map_or(0.0, |row| row.nodes);
        for row in &rows {
            let (share, time) = (100.0 * row.nodes / all, row.milliseconds());
            print_line(format_args!("  {:<28} {:>12.0} {share:>8.3} % {time:>9.3} ms", row.player.name, row.nodes))?;
        }
    }
    Ok(())
}

fn against_random(arguments: &SeedsArguments) -> Result<()> {
    let minimax = SeedPlayer::plain(PlainPlayer::Minimax, PlainKind::Material, 7);
    let players = [minimax, SeedPlayer::random()];
    let played = arguments.play("minimax against a random player", Variant::Italian, &players)?;
    print_line(format_args!("Minimax against a random player, italian (published: +{RANDOM_GAMES} =0 -0)"))?;
    match_row(&players, &played)
}

fn evaluations(arguments: &SeedsArguments) -> Result<()> {
    let played = arguments.play("round robin", Variant::English, &round_robin())?;
    let tallies = ROUND_ROBIN_WINS
        .iter()
        .enumerate()
        .map(|(index, &(kind, wins))| (kind, wins, played.results.engine_tally(index)));
    let mut table: Vec<_> = tallies.collect();
    table.sort_by_key(|(_, _, tally)| std::cmp::Reverse(tally.games[2]));
    print_line(format_args!(
        "Round robin of evaluations, english, alphabeta at depth 7, {} games per pairing",
        arguments.games
    ))?;
    print_line(format_args!("  evaluation    won drawn  lost   won, %   published: won, %"))?;
    for (kind, wins, tally) in table {
        let [lost, drawn, won] = tally.games;
        let share = 100.0 * won as f64 / tally.count().max(1) as f64;
        let published = 100.0 * f64::from(wins) / f64::from(ROUND_ROBIN_GAMES);
        let name = kind.name();
        print_line(format_args!("  {name:<12} {won:>4} {drawn:>5} {lost:>5} {share:>8.1} {published:>19.1}"))?;
    }
    Ok(())
}

fn self_play(arguments: &SeedsArguments) -> Result<()> {
    let player = SeedPlayer::plain(PlainPlayer::AlphaBeta, PlainKind::Material, 3);
    let played = arguments.play("self-play", Variant::Italian, &[player.clone(), player])?;
    let (PlayedGames { results, by_color: [white, black], .. }, length) = (&played, played.mean_plies());
    let ([_, drawn, _], games) = (results.engine_tally(0).games, results.games());
    print_line(format_args!("Self-play, italian, alphabeta at depth 3, {games} games"))?;
    print_line(format_args!("  white wins {white}, black wins {black}, draws {drawn}; {length:.1} plies per game"))
}

fn full(arguments: &SeedsArguments) -> Result<()> {
    print_line(format_args!(
        "The full search, {} ms per move, against the players of the reports",
        FULL_MOVE_TIME.as_millis()
    ))?;
    for (variant, player) in seed_players() {
        let players = [SeedPlayer::full(FULL_MOVE_TIME), player];
        let played = arguments.play(&format!("full against {}", players[1].name), variant, &players)?;
        match_row(&players, &played)?;
    }
    Ok(())
}

/// Published durations of whole tavla games, by search depth.
const PUBLISHED: [(u8, &str); 2] = [(1, "0.1 s to 0.9 s"), (2, "15 s to 90 minutes")];

/// Published results of matches between tavla evaluations at depth 2.
const PUBLISHED_SCORES: [(PlainEvaluation, PlainEvaluation, &str); 3] = {
    use PlainEvaluation::{First, Plain, Second};
    [(First, Plain, "3-0"), (Second, Plain, "3-0"), (First, Second, "2-1")]
};

fn tavla_player(evaluation: PlainEvaluation, depth: u8) -> DuelPlayer {
    let settings = TavlaSettings { player: PlayerKind::Expectiminimax, evaluation, ..TavlaSettings::default() };
    DuelPlayer { settings, limits: TavlaLimits { depth: Some(depth), ..TavlaLimits::default() } }
}

fn tavla(arguments: &SeedsArguments) -> Result<()> {
    let pairs = u32::from(arguments.games).div_ceil(2);
    print_line(format_args!("Time of a whole game, tavla, mean of {} games of `first` against itself", 2 * pairs))?;
    print_line(format_args!("  depth         time   turns    published"))?;
    for (depth, published) in PUBLISHED {
        let one = tavla_player(PlainEvaluation::First, depth);
        let started = Instant::now();
        let score = duel([&one, &one], Rules::default(), pairs, arguments.seed, &mut |_| true);
        let count = (2 * score.pairs()) as f64;
        let (time, turns) = (started.elapsed().as_secs_f64() * 1e3 / count, score.turns as f64 / count);
        print_line(format_args!("  {depth:>5} {time:>9.3} ms {turns:>7.1}    {published}"))?;
    }
    print_line(format_args!(
        "Evaluations against each other, tavla, depth 2, {} games, same dice in both games of a pair",
        2 * pairs
    ))?;
    for (one, two, published) in PUBLISHED_SCORES {
        let players = [one, two].map(|evaluation| tavla_player(evaluation, 2));
        let score = duel([&players[0], &players[1]], Rules::default(), pairs, arguments.seed, &mut |_| true);
        print_line(format_args!("  {one} - {two}: {} (published: {published})", score_text(&score, false)))?;
    }
    Ok(())
}

/// Prints the result of a match from the first player's point of view.
fn match_row([one, other]: &[SeedPlayer; 2], played: &PlayedGames) -> Result<()> {
    let (tally, length) = (played.results.engine_tally(0), played.mean_plies());
    let elo = Elo::estimate(&tally.sample()).map(|elo| format!(", Elo {elo}")).unwrap_or_default();
    print_line(format_args!("  {} - {}: {tally}{elo}, {length:.1} plies per game", one.name, other.name))
}

fn print_line(line: std::fmt::Arguments<'_>) -> Result<()> {
    let mut output = io::stdout().lock();
    writeln!(output, "{line}")?;
    Ok(output.flush()?)
}
