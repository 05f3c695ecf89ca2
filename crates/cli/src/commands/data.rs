//! `soffio data`: describes, prints and splits files of self-play games.

use crate::input::{ensure_none_is_output, ensure_not_output};
use crate::progress::{ensure_not_stopped, print_line, stop_on_signal};
use crate::values::integer;
use anyhow::{Result, anyhow, ensure};
use clap::Args;
use soffio::rules::Variant;
use soffio_support::output_file::{NewContent, OutputFile};
use soffio_support::with_path::WithPath;
use soffio_support::words::counted;
use soffio_training::data::{CSV_HEADINGS, DataFile, DataSummary, DataWriter, TRUNCATED, TrainingGame};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct DataArguments {
    /// Print positions as FEN;result;score;ply, with result and score for the side to move
    #[arg(long, conflicts_with_all = ["csv", "split"])]
    text: bool,
    /// Print positions as comma-separated values
    #[arg(long, conflicts_with = "split")]
    csv: bool,
    /// Write every N-th game to the first file of --into, and the other games to the second file (N must be at least 2)
    #[arg(long, value_name = "N", requires = "into", value_parser = integer::<u64>(2..=u64::MAX))]
    split: Option<u64>,
    /// Output files for --split
    #[arg(long, num_args = 2, value_names = ["FIRST", "SECOND"], requires = "split")]
    into: Vec<PathBuf>,
    /// Overwrite existing output files
    #[arg(long, requires = "into")]
    overwrite: bool,
    /// Self-play game files, as written by `soffio selfplay`
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Shows or splits the games. Returns whether the files are complete.
pub fn show_data(arguments: &DataArguments) -> Result<bool> {
    match (&arguments.into[..], arguments.split) {
        ([first, second], Some(split)) => split_games(arguments, split, [first, second]),
        _ if arguments.text || arguments.csv => print_positions(arguments),
        _ => count(arguments),
    }
}

/// Calls `visit` for each game in the files. Returns whether the files are complete.
fn for_each_game(files: &[PathBuf], mut visit: impl FnMut(&DataFile, &TrainingGame) -> Result<()>) -> Result<bool> {
    let (mut first, mut is_whole) = (None, true);
    for path in files {
        ensure_not_output(path, None)?;
        let mut file = DataFile::open(path).with_path(path)?;
        let header = first.get_or_insert_with(|| file.header.clone());
        file.header.check_game(header).with_path(path)?;
        while let Some(game) = file.next() {
            visit(&file, &game.with_path(path)?)?;
        }
        if file.is_truncated {
            print_line(&format!("{}: {TRUNCATED}", path.display()));
            is_whole = false;
        }
    }
    Ok(is_whole)
}

fn print_positions(arguments: &DataArguments) -> Result<bool> {
    let mut output = BufWriter::new(io::stdout().lock());
    if arguments.csv {
        writeln!(output, "{CSV_HEADINGS}")?;
    }
    let is_whole = for_each_game(&arguments.files, |file, game| {
        let name = &file.header.identity.variant;
        let spec = Variant::called(name).ok_or_else(|| anyhow!("unknown variant {name}"))?.spec();
        for position in &game.positions {
            let line = if arguments.csv { position.csv(spec, game) } else { position.line(spec, game) };
            writeln!(output, "{line}")?;
        }
        Ok(())
    })?;
    output.flush()?;
    Ok(is_whole)
}

fn count(arguments: &DataArguments) -> Result<bool> {
    let mut output = io::stdout().lock();
    for path in &arguments.files {
        let file = DataFile::open(path).with_path(path)?;
        writeln!(output, "{}: {}", path.display(), file.header.plan)?;
    }
    let mut summary = DataSummary::default();
    let is_whole = for_each_game(&arguments.files, |_, game| {
        summary.add(game);
        Ok(())
    })?;
    let DataSummary { games, duplicate_games, outcomes: [lost, drawn, won], positions, quiet, duplicates, .. } =
        summary;
    writeln!(
        output,
        "games {games}: white wins {won}, draws {drawn}, black wins {lost}; duplicates {duplicate_games}"
    )?;
    writeln!(output, "positions {positions}: quiet {quiet}, duplicates {duplicates}")?;
    Ok(is_whole)
}

fn split_games(arguments: &DataArguments, split: u64, paths: [&PathBuf; 2]) -> Result<bool> {
    ensure_none_is_output(arguments.files.iter().map(PathBuf::as_path), paths.map(PathBuf::as_path))?;
    let stop = stop_on_signal()?;
    let [first, second] = paths.map(|path| OutputFile::new(path, arguments.overwrite));
    let halves = [first?, second?];
    let writings = halves.iter().map(OutputFile::begin).collect::<io::Result<Vec<_>>>()?;
    let mut writers: Vec<(DataWriter, &PathBuf)> = Vec::new();
    let mut games = 0_u64;
    let is_whole = for_each_game(&arguments.files, |file, game| {
        ensure_not_stopped(&stop)?;
        if writers.is_empty() {
            for (path, writing) in paths.into_iter().zip(&writings) {
                writers.push((DataWriter::new(writing.raw_file()?, file.header.clone()).with_path(path)?, path));
            }
        }
        let place = usize::from(!games.is_multiple_of(split));
        games += 1;
        writers.get_mut(place).map_or(Ok(()), |(writer, path)| writer.write(game).with_path(path))
    })?;
    ensure!(games > 0, "no games to split");
    ensure_not_stopped(&stop)?;
    writers.iter_mut().try_for_each(|(writer, path)| writer.flush().with_path(path))?;
    writings.into_iter().try_for_each(NewContent::finish)?;
    let ([first, second], count) = (paths.map(|path| path.display()), games.div_ceil(split));
    writeln!(io::stdout(), "{} in {first}, {} in {second}", counted(count, "game"), games - count)?;
    Ok(is_whole)
}
