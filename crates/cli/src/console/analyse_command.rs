//! `soffio analyse`: positions from the command line or standard input, searched, one record each.

use super::search_arguments::SearchArguments;
use crate::batch::{Judge, JudgeSettings, Request};
use crate::record::print;
use clap::Args;
use soffio::rules::Variant;
use soffio::stop::Stop;
use std::io;
use std::num::NonZeroUsize;

/// Arguments of `soffio analyse`.
#[derive(Debug, Args)]
pub struct AnalyseArguments {
    /// The positions as FEN, or `startpos`; without any they are read from standard input, one a line.
    fens: Vec<String>,
    /// The game.
    #[arg(long, default_value = "italian", value_parser = super::variant)]
    variant: Variant,
    #[command(flatten)]
    search: SearchArguments,
    /// Lines that are found, each with another first move.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    lines: u16,
    /// Threads of the search.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
}

/// Searches the positions that `arguments` name, and prints a record for each. Returns whether all of them could be read.
///
/// # Errors
/// When there is not enough memory, or input or output fail.
pub fn analyse_positions(arguments: &AnalyseArguments) -> anyhow::Result<bool> {
    let count = |number: u16| NonZeroUsize::new(number.into()).unwrap_or(NonZeroUsize::MIN);
    let mut judge = Judge::new(JudgeSettings {
        variant: Some(arguments.variant),
        limits: arguments.search.limits(),
        lines: count(arguments.lines),
        threads: count(arguments.threads),
        hash: arguments.search.hash as usize,
        tables: arguments.search.tables.clone(),
        is_timed: true,
        ..JudgeSettings::default()
    })?;
    let (mut is_whole, stop) = (true, Stop::new());
    let mut analyse = |number: u64, fen: &str| -> io::Result<()> {
        let answer = judge.judge(&Request::position(fen), number, &stop).unwrap_or_default();
        is_whole &= answer.is_whole();
        answer.records.iter().try_for_each(print)
    };
    if arguments.fens.is_empty() {
        let lines =
            io::stdin().lines().zip(1..).filter(|(line, _)| !matches!(line, Ok(line) if line.trim().is_empty()));
        for (line, number) in lines {
            analyse(number, line?.trim())?;
        }
    }
    for (fen, number) in arguments.fens.iter().zip(1..) {
        analyse(number, fen)?;
    }
    Ok(is_whole)
}
