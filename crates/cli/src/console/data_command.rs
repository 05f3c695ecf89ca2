//! `soffio data`: what is in files of games.

use anyhow::{Result, anyhow};
use clap::Args;
use soffio::rules::Variant;
use soffio::train::data::{CSV_HEADINGS, DataError, DataFile, DataSummary, DataWriter, TrainingGame};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Arguments of `soffio data`.
#[derive(Debug, Args)]
pub struct DataArguments {
    /// Print the positions as lines FEN;result;score;ply, result and score for the side to move.
    #[arg(long, conflicts_with_all = ["csv", "split"])]
    text: bool,
    /// Print the positions as comma-separated values.
    #[arg(long, conflicts_with = "split")]
    csv: bool,
    /// Write every N-th game to the first of two files, the others to the second.
    #[arg(long, value_name = "N", requires = "into", value_parser = clap::value_parser!(u64).range(2..))]
    split: Option<u64>,
    /// The two files to split into.
    #[arg(long, num_args = 2, value_names = ["FIRST", "SECOND"], requires = "split")]
    into: Vec<PathBuf>,
    /// Files of games, as `soffio selfplay` writes them.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Counts the games of some files, prints them, or splits them.
///
/// # Errors
/// When a file cannot be read or written, or the files are not of one game.
pub fn show_data(arguments: &DataArguments) -> Result<()> {
    match (&arguments.into[..], arguments.split) {
        ([first, second], Some(split)) => split_games(arguments, split, [first, second]),
        _ if arguments.text || arguments.csv => print_positions(arguments),
        _ => count(arguments),
    }
}

fn failed(path: &Path) -> impl Fn(DataError) -> anyhow::Error {
    move |error| anyhow!("{}: {error}", path.display())
}

/// Calls `visit` with every game of all files.
fn for_each_game(files: &[PathBuf], mut visit: impl FnMut(&DataFile, &TrainingGame) -> Result<()>) -> Result<()> {
    let mut first = None;
    for path in files {
        let mut file = DataFile::open(path).map_err(failed(path))?;
        let header = first.get_or_insert_with(|| file.header().clone());
        file.header().check_game(header).map_err(failed(path))?;
        while let Some(game) = file.next() {
            visit(&file, &game.map_err(failed(path))?)?;
        }
        if file.is_cut() {
            log::warn!("{} ends in the middle of a game: it was interrupted", path.display());
        }
    }
    Ok(())
}

fn print_positions(arguments: &DataArguments) -> Result<()> {
    let mut output = BufWriter::new(io::stdout().lock());
    if arguments.csv {
        writeln!(output, "{CSV_HEADINGS}")?;
    }
    for_each_game(&arguments.files, |file, game| {
        let name = &file.header().identity.variant;
        let spec = Variant::named(name).ok_or_else(|| anyhow!("unknown variant {name}"))?.spec();
        for position in &game.positions {
            let line = if arguments.csv { position.csv(spec, game) } else { position.line(spec, game) };
            writeln!(output, "{line}")?;
        }
        Ok(())
    })?;
    Ok(output.flush()?)
}

fn count(arguments: &DataArguments) -> Result<()> {
    let mut output = io::stdout().lock();
    for path in &arguments.files {
        let file = DataFile::open(path).map_err(failed(path))?;
        writeln!(output, "{}: {}", path.display(), file.header().plan)?;
    }
    let mut summary = DataSummary::default();
    for_each_game(&arguments.files, |_, game| {
        summary.add(game);
        Ok(())
    })?;
    let DataSummary { games, equal_games, outcomes: [lost, drawn, won], positions, quiet, duplicates, .. } = summary;
    writeln!(
        output,
        "games {games}: white wins {won}, draws {drawn}, black wins {lost}; equal to one before {equal_games}"
    )?;
    Ok(writeln!(output, "positions {positions}: quiet {quiet}, duplicates {duplicates}")?)
}

fn split_games(arguments: &DataArguments, split: u64, paths: [&PathBuf; 2]) -> Result<()> {
    let mut writers: Vec<DataWriter> = Vec::new();
    let mut games = [0_u64; 2];
    for_each_game(&arguments.files, |file, game| {
        if writers.is_empty() {
            for path in paths {
                writers.push(DataWriter::create(path, file.header().clone()).map_err(failed(path))?);
            }
        }
        let place = usize::from(!(games[0] + games[1]).is_multiple_of(split));
        games[place] += 1;
        writers[place].write(game).map_err(failed(paths[place]))
    })?;
    for (writer, path) in writers.iter_mut().zip(paths) {
        writer.flush().map_err(failed(path))?;
    }
    let [first, second] = paths.map(|path| path.display());
    Ok(writeln!(io::stdout(), "{} games in {first}, {} in {second}", games[0], games[1])?)
}
