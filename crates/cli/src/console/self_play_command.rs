//! `soffio selfplay`: games of the engine against itself, to learn from.

use super::progress::{Progress, or_cores, stop_on_signal};
use super::tables_command::variant;
use anyhow::anyhow;
use clap::Args;
use indicatif::HumanDuration;
use soffio::rules::Variant;
use soffio::shard::Shard;
use soffio::train::self_play::{Limit, Plan, Played, Player, play};
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Arguments of `soffio selfplay`.
#[derive(Debug, Args)]
pub struct SelfPlayArguments {
    /// The game.
    #[arg(long, value_name = "V", value_parser = variant)]
    variant: Variant,
    /// Games of the whole plan.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,
    /// Positions to search for a move, unless a depth is given.
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Plies to look ahead for a move.
    #[arg(long, value_name = "N", conflicts_with = "nodes", value_parser = clap::value_parser!(u8).range(1..=60))]
    depth: Option<u8>,
    /// The seed of all random choices.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Which part of the games to play: the parts 1/n to n/n together are all of them.
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    shard: Shard,
    /// The file for the games; one that is there is continued.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Games at the same time; without it as many as there are cores. The file does not depend on it.
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// The players, each of which plays its share of the games against itself: material or learned. Without it learned where a file of
    /// weights is named or the program has some, else material.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = player)]
    players: Vec<Player>,
    /// Weights for the learned evaluation; without it those that the program has.
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,
    /// End a game as soon as the endgame tables in this folder know its result, and let searches use them (`soffio tables build`
    /// makes them).
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// By how much chance changes an evaluation at most, in 1/100 man.
    #[arg(long, value_name = "CP", default_value_t = 10, value_parser = clap::value_parser!(u16).range(..=1000))]
    noise: u16,
}

fn player(name: &str) -> Result<Player, String> {
    let found = Player::ALL.iter().copied().find(|player| player.name().eq_ignore_ascii_case(name));
    found.ok_or_else(|| {
        format!("players are {}", Player::ALL.iter().map(|player| player.name()).collect::<Vec<_>>().join(", "))
    })
}

impl SelfPlayArguments {
    fn plan(&self) -> Plan {
        let has_weights = self.eval_file.is_some() || Player::Learned.can_play(self.variant);
        let by_default = if has_weights { Player::Learned } else { Player::Material };
        let players = if self.players.is_empty() { vec![by_default] } else { self.players.clone() };
        Plan {
            variant: self.variant,
            limit: self.depth.map_or(Limit::Nodes(self.nodes), Limit::Depth),
            seed: self.seed,
            players,
            eval_file: self.eval_file.clone(),
            tables: self.tables.clone(),
            noise: self.noise,
        }
    }
}

/// Plays the games. Progress goes to standard error, a summary to standard output.
///
/// # Errors
/// When there is no player, or the file cannot be written or is one of another plan.
pub fn play_self(arguments: &SelfPlayArguments) -> anyhow::Result<()> {
    let stop = stop_on_signal()?;
    let (threads, started, progress) = (or_cores(arguments.threads), Instant::now(), Progress::new());
    let part = (arguments.games, arguments.shard);
    let result = play(&arguments.plan(), part, &arguments.out, threads, &stop, &mut |played| {
        progress.show((played.before + played.now, played.all), || state(played, started.elapsed()));
    });
    drop(progress);
    let played = result.map_err(|error| anyhow!("{}: {error}", arguments.out.display()))?;
    let end = if played.before + played.now < played.all { "interrupted: the same command goes on" } else { "done" };
    Ok(writeln!(io::stdout(), "{}, {end}", state(played, started.elapsed()))?)
}

/// How far the games are, after so much time.
fn state(Played { before, now, all, positions, .. }: Played, time: Duration) -> String {
    let done = before + now;
    let rate = now as f64 / time.as_secs_f64().max(1e-3);
    let left = all.saturating_sub(done) as f64 / rate.max(1e-9);
    let left = Duration::try_from_secs_f64(left).map_or("long".to_owned(), |left| HumanDuration(left).to_string());
    format!("{done} of {all} games, {positions} positions, {rate:.1} games/s, {left} left")
}
