//! `soffio tables`: builds, verifies, counts and probes endgame tables.

mod build;
mod folder;
mod pack;
mod select;
mod verify;

use crate::progress::or_cores;
use crate::values::{any_variant, integer};
use anyhow::Result;
use build::{BuildArguments, build};
use clap::{Args, Subcommand};
use folder::{
    MAX_PIECES, TableArguments, TableFolder, best_line_of, ensure_readable, map, position_of,
    reason_for_missing_slices, solve,
};
use pack::{PackArguments, pack};
use select::{OnlyMovesArguments, SelectArguments, StatArguments, select, stat};
use soffio::notation::WrittenGame;
use soffio::position::{Position, with_width};
use soffio::rules::{Variant, Word};
use soffio::tables::{AnyTables, Material, Prober, Selection, SideMaterial, Slice, TableValue, Tables, check_folder};
use soffio_support::record::{self, AnalysisRecord, RecordFailure, game_at};
use soffio_support::stdio::for_each_line;
use soffio_support::with_path::WithPath;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use verify::verify;

/// The subcommands of `soffio tables`.
#[derive(Debug, Subcommand)]
pub enum TablesCommand {
    /// Build the tables of a variant
    ///
    /// Writes one file per slice to the folder --dir, which is created if missing. A slice contains all positions with
    /// the same number of men and kings on each side, with either side to move. Existing slices are kept, so an
    /// interrupted build can be resumed with the same command.
    #[command(after_help = "Example: soffio tables build --variant english --pieces 4")]
    Build(BuildArguments),
    /// Write smaller files that contain only wins, draws and losses
    ///
    /// Converts the tables in --dir to one .wld file per slice, about a fifteenth of the size. Each file is verified
    /// before the next one is written. Existing files are kept.
    #[command(after_help = "Example: soffio tables pack --variant english --pieces 4")]
    Pack(PackArguments),
    /// Verify table files
    ///
    /// Checks the checksum of every block and the counts, and checks that every value agrees with the values of the
    /// positions after each move.
    #[command(after_help = "Example: soffio tables verify --variant english --pieces 4")]
    Verify(TableArguments),
    /// Count wins, draws and losses, and show the longest wins
    ///
    /// Only positions with White to move in which no capture is possible are counted.
    #[command(after_help = "Example: soffio tables stat --variant english --pieces 3")]
    Stat(StatArguments),
    /// Probe positions read from standard input
    ///
    /// Reads one FEN per line and prints one line for each position: win, draw or loss, with the number of plies to the
    /// end of the game.
    #[command(after_help = "Example: echo W:WK1:BK32 | soffio tables probe --variant english")]
    Probe(ProbeArguments),
    /// List the longest wins
    #[command(after_help = "Example: soffio tables longest --variant english --pieces 3")]
    Longest(SelectArguments),
    /// List mutual zugzwangs
    ///
    /// In these positions, the side to move loses, but would not lose if the other side were to move.
    #[command(after_help = "Example: soffio tables mutual-zugzwang --variant english --pieces 3")]
    MutualZugzwang(SelectArguments),
    /// List wins with long sequences of only moves
    #[command(after_help = "Example: soffio tables only-moves 4 --variant italian --pieces 3")]
    OnlyMoves(OnlyMovesArguments),
}

pub fn run_tables(command: &TablesCommand) -> Result<bool> {
    match command {
        TablesCommand::Build(arguments) => build(arguments),
        TablesCommand::Pack(arguments) => pack(arguments),
        TablesCommand::Verify(arguments) => verify(arguments),
        TablesCommand::Stat(arguments) => stat(arguments),
        TablesCommand::Probe(arguments) => probe(arguments),
        TablesCommand::Longest(arguments) => select(Selection::LongestWins, arguments),
        TablesCommand::MutualZugzwang(arguments) => select(Selection::MutualZugzwang, arguments),
        TablesCommand::OnlyMoves(OnlyMovesArguments { turns, select: arguments }) => {
            select(Selection::OnlyMoves(*turns), arguments)
        }
    }
}

/// Maximum number of pieces in positions that are solved on demand.
const MAX_SOLVED: u8 = 4;

#[derive(Debug, Args)]
pub struct ProbeArguments {
    /// Variant, as listed by `soffio variants`
    #[arg(long, value_parser = any_variant)]
    variant: Variant,
    /// Folder with the tables [default: solve tables of up to 4 pieces in memory when needed]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Append the word pv and the moves of the best line
    #[arg(long)]
    pv: bool,
    /// Print one JSON record per position
    #[arg(long)]
    json: bool,
    /// Number of solver threads [default: number of cores]
    #[arg(long, value_name = "N", value_parser = integer::<NonZeroUsize>(1..=u64::MAX))]
    threads: Option<NonZeroUsize>,
}

/// Prints the result of each position. Returns whether a result was found for all positions.
pub(super) fn probe(arguments: &ProbeArguments) -> anyhow::Result<bool> {
    with_width!(AnyTables::new(arguments.variant), tables => answer_all(arguments, tables))
}

fn answer_all<W: Word>(arguments: &ProbeArguments, mut tables: Tables<W>) -> anyhow::Result<bool> {
    let variant = arguments.variant;
    if let Some(path) = &arguments.dir {
        check_folder(path, Some(variant)).with_path(path)?;
        map(TableFolder { path, variant }, &Slice::all(variant.spec(), MAX_PIECES), &mut tables);
    }
    let threads = or_cores(arguments.threads);
    let (mut output, mut number, mut is_fine) = (io::stdout().lock(), 0, true);
    for_each_line(|line| {
        number += 1;
        let answer = line.and_then(|line| {
            let game = game_at(variant, &line).map_err(|error| error.to_string())?;
            let position = position_of(&game).ok_or("the position is for a different board")?;
            if arguments.dir.is_none() {
                solve_for(&position, &mut tables, threads)?;
            }
            let (table, pv) = answer(&tables, &game, &position, arguments.pv)?;
            let record = AnalysisRecord::for_position(number, variant, &game, &line);
            Ok(AnalysisRecord { score_for: record.to_move.clone(), table: Some(table), table_pv: pv, ..record })
        });
        is_fine &= answer.is_ok();
        match answer {
            answer if arguments.json => {
                let failure = |error: String| RecordFailure::new(number, error);
                record::write(&mut output, &answer.map_err(failure))?;
            }
            Ok(AnalysisRecord { table, table_pv, .. }) => {
                let line = table_pv.map_or_else(String::new, |moves| format!(" pv {}", moves.join(" ")));
                writeln!(output, "{}{line}", table.unwrap_or_default())?;
            }
            Err(reason) => writeln!(output, "error {reason}")?,
        }
        output.flush()
    })?;
    ensure_readable(arguments.dir.as_deref(), &tables)?;
    Ok(is_fine)
}

fn solve_for<W: Word>(position: &Position<W>, tables: &mut Tables<W>, threads: NonZeroUsize) -> Result<(), String> {
    let Some(slice) = slice_of(position) else { return Ok(()) };
    let pieces = slice.material().pieces();
    let spec = position.spec();
    if pieces > MAX_SOLVED || tables.contains(slice) || !slice.is_solvable(spec) {
        return Ok(());
    }
    let slices = slice.with_dependencies(spec);
    solve(&slices, tables, threads).map_err(|error| error.to_string())
}

/// Returns the slice of `position`, or `None` if a side has no pieces or more pieces than the tables support.
fn slice_of<W: Word>(position: &Position<W>) -> Option<Slice> {
    let Material { own, other } = Material::from_pieces(position.pieces());
    let fits = |side_material: SideMaterial| (1..=Material::MAX_PIECES_PER_SIDE).contains(&side_material.pieces());
    (fits(own) && fits(other)).then(|| Slice::containing(Material { own, other }))
}

fn answer<W: Word>(
    tables: &Tables<W>,
    game: &WrittenGame,
    position: &Position<W>,
    with_pv: bool,
) -> Result<(String, Option<Vec<String>>), String> {
    let mut prober = Prober::new(tables);
    let outcome = prober.outcome(position).ok_or_else(|| reason(tables, position))?;
    if !with_pv {
        return Ok((outcome.to_string(), None));
    }
    let line = best_line_of(&mut prober, game, position);
    let plies = prober.value(position).and_then(TableValue::plies).map_or(0, usize::from);
    if line.len() < plies {
        let reason = reason(tables, position);
        return Err(format!("the best line ends after {} of {plies} plies: {reason}", line.len()));
    }
    Ok((outcome.to_string(), (!line.is_empty()).then_some(line)))
}

fn reason<W: Word>(tables: &Tables<W>, position: &Position<W>) -> String {
    let pieces = position.pieces().all().count();
    let Some(slice) = slice_of(position) else { return format!("no table for {pieces} pieces") };
    if position.is_won_by_king() {
        return "the game has ended: a side has a king".to_owned();
    }
    match reason_for_missing_slices(position.rules().variant()) {
        Some(reason) if !slice.is_solvable(position.spec()) => format!("no table for {slice}: {reason}"),
        _ if tables.counts(slice.material()).is_some() => {
            format!("a table that {slice} depends on is missing or damaged")
        }
        _ => format!("no table for {slice}"),
    }
}
