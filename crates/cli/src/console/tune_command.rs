//! `soffio tune`: tunes parameters of the search by games.

use super::progress::{Progress, or_cores, stop_on_signal};
use super::values::{any_variant, integer};
use clap::Args;
use soffio::rules::Variant;
use soffio::shard::Shard;
use soffio_support::of_file::OfFile;
use soffio_training::self_play::Limit;
use soffio_training::tune::{TuningPlan, tune};
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct TuneArguments {
    /// The games to tune for, all at once.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = any_variant, default_value = "english,international,russian")]
    variants: Vec<Variant>,
    /// Positions to search for a move.
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = integer::<u64>(1..=u64::MAX))]
    nodes: u64,
    /// Iterations in all; how much each of them changes depends on it.
    #[arg(long, value_name = "N", default_value_t = 3000, value_parser = integer::<u32>(1..=1_000_000))]
    iterations: u32,
    /// Pairs of games of each variant in an iteration.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = integer::<u32>(1..=1000))]
    pairs: u32,
    /// The seed of all random choices.
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = integer::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Which part of the plan to play: each part is a run of its own.
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    shard: Shard,
    /// Games at the same time; without it as many as there are cores. The journal does not depend on it.
    #[arg(long, value_name = "N", value_parser = integer::<NonZeroUsize>(1..=u64::MAX))]
    threads: Option<NonZeroUsize>,
    /// The journal; one that is there is continued.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub fn tune_search(arguments: &TuneArguments) -> anyhow::Result<()> {
    let (stop, threads, progress) = (stop_on_signal()?, or_cores(arguments.threads), Progress::new());
    let plan = TuningPlan {
        variants: arguments.variants.clone(),
        limit: Limit::Nodes(arguments.nodes),
        iterations: arguments.iterations,
        pairs: arguments.pairs,
        seed: arguments.seed,
        shard: arguments.shard,
    };
    let all = u64::from(plan.iterations);
    let found = tune(&plan, &arguments.out, threads, &stop, &mut |tuning| {
        progress.show((tuning.done.into(), all), || format!("{} of {all} iterations", tuning.done));
    });
    drop(progress);
    let tuning = found.of_file(&arguments.out)?;
    let mut output = io::stdout().lock();
    for (parameter, value) in tuning.found() {
        writeln!(output, "{:24} {:6} {value:9.2}", parameter.name, parameter.value)?;
    }
    let done = tuning.done;
    let end = if u64::from(done) < all { "interrupted: the same command goes on" } else { "done" };
    Ok(writeln!(output, "{done} of {all} iterations, {end}")?)
}
