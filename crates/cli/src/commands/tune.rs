//! `soffio tune`: tunes search parameters by self-play.

use crate::progress::{Progress, end_of_run, or_cores, stop_on_signal};
use crate::values::{any_variant, integer};
use anyhow::Result;
use clap::Args;
use soffio::rules::Variant;
use soffio::shard::Shard;
use soffio_support::with_path::WithPath;
use soffio_training::self_play::Limit;
use soffio_training::tune::{TuningPlan, tune};
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct TuneArguments {
    /// Variants to tune for, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = any_variant, default_value = "english,international,russian")]
    variants: Vec<Variant>,
    /// Number of nodes per move (at least 1)
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = integer::<u64>(1..=u64::MAX))]
    nodes: u64,
    /// Total number of iterations (1 to 1000000), which also determines the step sizes
    #[arg(long, value_name = "N", default_value_t = 3000, value_parser = integer::<u32>(1..=1_000_000))]
    iterations: u32,
    /// Number of game pairs per variant in each iteration (1 to 1000)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = integer::<u32>(1..=1000))]
    pairs: u32,
    /// Random seed
    #[arg(long, value_name = "SEED", default_value_t = 1, value_parser = integer::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Run shard K/N; each shard is an independent run
    #[arg(long, value_name = "K/N", default_value = "1/1")]
    shard: Shard,
    /// Number of concurrent games; does not affect the journal [default: number of cores]
    #[arg(long, value_name = "N", value_parser = integer::<NonZeroUsize>(1..=u64::MAX))]
    threads: Option<NonZeroUsize>,
    /// Journal file; if it exists, the run is resumed
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Tunes the parameters. Returns whether all iterations were completed.
pub fn tune_search(arguments: &TuneArguments) -> Result<bool> {
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
    let tuning = found.with_path(&arguments.out)?;
    let mut output = io::stdout().lock();
    for (parameter, value) in tuning.values() {
        writeln!(output, "{:24} {:6} {value:9.2}", parameter.name, parameter.value)?;
    }
    let done = tuning.done;
    let is_whole = u64::from(done) >= all;
    writeln!(output, "{done} of {all} iterations, {}", end_of_run(is_whole))?;
    Ok(is_whole)
}
