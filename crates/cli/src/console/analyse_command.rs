//! `soffio analyse`: positions from the command line or standard input, searched, one record each.

use crate::record::{Failure, Line, Record, print, without_search};
use clap::Args;
use soffio::engine::{Bound, Engine, Limits, Report, Setting, Signal};
use soffio::notation::{FenRecord, WrittenGame};
use soffio::rules::Variant;
use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// Milliseconds for a position when nothing else limits the search.
const MOVE_TIME: u64 = 500;

/// Arguments of `soffio analyse`.
#[derive(Debug, Args)]
pub struct AnalyseArguments {
    /// The positions as FEN, or `startpos`; without any they are read from standard input, one a line.
    fens: Vec<String>,
    /// The game.
    #[arg(long, default_value = "italian", value_parser = super::variant)]
    variant: Variant,
    /// Milliseconds for a position; 500 if nothing else limits the search.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    movetime: Option<u64>,
    /// Plies that a position is searched.
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..))]
    depth: Option<u8>,
    /// Positions that are searched for one.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Lines that are found, each with another first move.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    lines: u16,
    /// Threads of the search.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Size of the transposition table in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=33_554_432))]
    hash: u32,
    /// Use the endgame tables in this folder, beside those of few pieces that are made in memory.
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
}

/// Searches the positions that `arguments` name, and prints a record for each. Returns whether all of them could be read.
///
/// # Errors
/// When there is not enough memory, or input or output fail.
pub fn analyse_positions(arguments: &AnalyseArguments) -> anyhow::Result<bool> {
    let mut engine = Engine::new();
    engine.apply(Setting::Variant(arguments.variant))?;
    engine.apply(Setting::Hash(arguments.hash as usize))?;
    engine.apply(Setting::TablePath(arguments.tables.clone()))?;
    let mut is_whole = true;
    let mut analyse = |number: usize, fen: &str| -> anyhow::Result<()> {
        let record = match game(arguments.variant, fen) {
            Ok(game) => Ok(analyse(&mut engine, arguments, number, fen, &game)?),
            Err(error) => Err(Failure { id: number.to_string(), error }),
        };
        is_whole &= record.is_ok();
        Ok(print(&record)?)
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

/// A game that begins at the position `fen`.
fn game(variant: Variant, fen: &str) -> Result<WrittenGame, String> {
    let record = (fen != "startpos").then(|| fen.parse::<FenRecord>()).transpose();
    let record = record.map_err(|error| format!("fen {error}"))?;
    WrittenGame::at(variant, record.as_ref()).map_err(|error| format!("fen {error}"))
}

fn analyse(
    engine: &mut Engine,
    arguments: &AnalyseArguments,
    number: usize,
    fen: &str,
    game: &WrittenGame,
) -> anyhow::Result<Record> {
    let AnalyseArguments { variant, movetime, depth, nodes, lines, threads, .. } = *arguments;
    let is_unlimited = movetime.is_none() && depth.is_none() && nodes.is_none();
    let limits = Limits {
        depth,
        nodes,
        move_time: movetime.or(is_unlimited.then_some(MOVE_TIME)).map(Duration::from_millis),
        analysis: true,
        lines: NonZeroUsize::new(lines.into()).unwrap_or(NonZeroUsize::MIN),
        threads: NonZeroUsize::new(threads.into()).unwrap_or(NonZeroUsize::MIN),
        ..engine.limits()
    };
    let mut found = BTreeMap::new();
    let mut keep = |report: &Report| {
        // A line that is only known to be worse than it was says nothing about the move to play.
        if report.bound != Bound::Upper
            && let Some(line) = Line::new(report, game)
        {
            found.insert(report.rank, line);
        }
    };
    engine.forget();
    let answer = engine.watch(game.game(), limits, &Signal::default(), &mut keep)?;
    let mut lines: Vec<Line> = Vec::new();
    for line in found.into_values() {
        // An iteration that was not finished can have a new first line, which was another one before.
        if lines.iter().all(|better| better.first != line.first) {
            lines.push(line);
        }
    }
    let (static_value, table) = without_search(engine, game);
    let record = Record::of_position(number, variant, game, fen).scored(variant).timed(answer.time);
    Ok(Record { lines: Some(lines), static_value: Some(static_value), table, ..record })
}
