//! `soffio batch`: many requests as lines of JSON, answered by records.

use super::search_arguments::SearchArguments;
use crate::batch::{Judge, JudgeSettings};
use clap::Args;
use soffio::rules::Variant;
use soffio::stop::Stop;
use std::io::{self, Write};
use std::num::NonZeroUsize;

/// Arguments of `soffio batch`.
#[derive(Debug, Args)]
pub struct BatchArguments {
    /// The game of requests that name none.
    #[arg(long, value_parser = super::variant)]
    variant: Option<Variant>,
    #[command(flatten)]
    search: SearchArguments,
    /// Lines that are found for each position, each with another first move.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    multipv: u16,
    /// Put the time of its work into every record: then the same request does not give the same bytes twice.
    #[arg(long)]
    time: bool,
}

/// Answers the requests on standard input. Returns whether all of them could be met.
///
/// # Errors
/// When there is not enough memory, or input or output fail.
pub fn run_batch(arguments: &BatchArguments) -> anyhow::Result<bool> {
    let mut judge = Judge::new(JudgeSettings {
        variant: arguments.variant,
        limits: arguments.search.limits(),
        lines: NonZeroUsize::new(arguments.multipv.into()).unwrap_or(NonZeroUsize::MIN),
        hash: arguments.search.hash as usize,
        tables: arguments.search.tables.clone(),
        is_timed: arguments.time,
        ..JudgeSettings::default()
    })?;
    let (mut is_whole, stop, mut output) = (true, Stop::new(), io::stdout().lock());
    for (line, number) in io::stdin().lines().zip(1..) {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let answer = judge.answer(&line, number, &stop).unwrap_or_default();
        is_whole &= answer.is_whole();
        answer.lines().try_for_each(|line| writeln!(output, "{line}"))?;
        output.flush()?;
    }
    Ok(is_whole)
}
