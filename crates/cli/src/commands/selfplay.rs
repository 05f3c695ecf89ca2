//! `soffio selfplay`: plays games for training.

use crate::progress::{Progress, end_of_run, or_cores, stop_on_signal};
use crate::values::{any_variant, integer};
use anyhow::Result;
use clap::Args;
use soffio::rules::Variant;
use soffio::shard::Shard;
use soffio_support::with_path::WithPath;
use soffio_support::words::{counted, duration};
use soffio_training::self_play::{Limit, SelfPlayCounts, SelfPlayPlan, SelfPlayer, play};
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::{Duration, Instant};

#[derive(Debug, Args)]
pub struct SelfPlayArguments {
    /// Variant, as listed by `soffio variants`
    #[arg(long, value_parser = any_variant)]
    variant: Variant,
    /// Total number of games in all shards (1 to 1000000000)
    #[arg(long, value_name = "N", value_parser = integer::<u64>(1..=1_000_000_000))]
    games: u64,
    /// Number of nodes per move (at least 1) if --depth is not given
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = integer::<u64>(1..=u64::MAX))]
    nodes: u64,
    /// Search depth per move in plies (1 to 60), instead of --nodes
    #[arg(long, value_name = "N", conflicts_with = "nodes", value_parser = integer::<u8>(1..=60))]
    depth: Option<u8>,
    /// Random seed
    #[arg(long, value_name = "SEED", default_value_t = 1, value_parser = integer::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Play only shard K/N of the games; the shards 1/N to N/N together cover all games
    #[arg(long, value_name = "K/N", default_value = "1/1")]
    shard: Shard,
    /// Output file for the games; if it exists, the run is resumed
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Number of concurrent games; does not affect the output [default: number of cores]
    #[arg(long, value_name = "N", value_parser = integer::<NonZeroUsize>(1..=u64::MAX))]
    threads: Option<NonZeroUsize>,
    /// Evaluations to use (material, learned), separated by commas; each plays a share of the games against itself
    /// [default: learned if there are weights, otherwise material]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = player)]
    players: Vec<SelfPlayer>,
    /// Weights file for the `learned` evaluation [default: built-in weights]
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,
    /// Folder with endgame tables for searching and for adjudicating games (see `soffio tables build`)
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Percentage of games that start with a random endgame of 4 to 12 pieces (0 to 100)
    #[arg(long, value_name = "PERCENT", default_value_t = SelfPlayPlan::DEFAULT_ENDINGS, value_parser = integer::<u8>(0..=100))]
    endings: u8,
    /// Maximum random change to the evaluation of a position, in cp (0 to 1000)
    #[arg(long, value_name = "CP", default_value_t = 10, value_parser = integer::<u16>(0..=1000))]
    noise: u16,
}

fn player(name: &str) -> Result<SelfPlayer, String> {
    let found = SelfPlayer::ALL.iter().copied().find(|player| player.name().eq_ignore_ascii_case(name));
    found.ok_or_else(|| {
        format!("expected one of {}", SelfPlayer::ALL.iter().map(|player| player.name()).collect::<Vec<_>>().join(", "))
    })
}

impl SelfPlayArguments {
    fn plan(&self) -> SelfPlayPlan {
        let has_weights = self.eval_file.is_some() || SelfPlayer::Nnue.can_play(self.variant);
        let by_default = if has_weights { SelfPlayer::Nnue } else { SelfPlayer::Material };
        let players = if self.players.is_empty() { vec![by_default] } else { self.players.clone() };
        SelfPlayPlan {
            variant: self.variant,
            limit: self.depth.map_or(Limit::Nodes(self.nodes), Limit::Depth),
            seed: self.seed,
            players,
            eval_file: self.eval_file.clone(),
            tables: self.tables.clone(),
            endings: self.endings,
            noise: self.noise,
        }
    }
}

/// Plays the games. Returns whether all of them were played.
pub fn play_self(arguments: &SelfPlayArguments) -> Result<bool> {
    let stop = stop_on_signal()?;
    let (threads, started, progress) = (or_cores(arguments.threads), Instant::now(), Progress::new());
    let part = (arguments.games, arguments.shard);
    let result = play(&arguments.plan(), part, &arguments.out, threads, &stop, &mut |played| {
        progress.show((played.resumed + played.played, played.total), || {
            format!("{}, {} left", state(played, started.elapsed()), left(played, started.elapsed()))
        });
    });
    drop(progress);
    let played = result.with_path(&arguments.out)?;
    let is_whole = played.resumed + played.played >= played.total;
    writeln!(io::stdout(), "{}, {}", state(played, started.elapsed()), end_of_run(is_whole))?;
    Ok(is_whole)
}

fn state(SelfPlayCounts { resumed, played, total, positions, .. }: SelfPlayCounts, time: Duration) -> String {
    let done = resumed + played;
    let rate = played as f64 / time.as_secs_f64().max(1e-3);
    let (total, positions) = (counted(total, "game"), counted(positions, "position"));
    format!("{done} of {total}, {positions}, {rate:.1} games/s")
}

fn left(SelfPlayCounts { resumed, played, total, .. }: SelfPlayCounts, time: Duration) -> String {
    let left = time.as_secs_f64() * total.saturating_sub(resumed + played) as f64 / played as f64;
    Duration::try_from_secs_f64(left).map_or("an unknown time".to_owned(), duration)
}
