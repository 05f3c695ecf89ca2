//! `soffio data`: what is in files of games.

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
pub fn show_data(arguments: &DataArguments) -> io::Result<()> {
    match (&arguments.into[..], arguments.split) {
        ([first, second], Some(split)) => split_games(arguments, split, [first, second]),
        _ if arguments.text || arguments.csv => print_positions(arguments),
        _ => count(arguments),
    }
}

fn failed(path: &Path) -> impl Fn(DataError) -> io::Error {
    move |error| match error {
        DataError::Io(error) => io::Error::new(error.kind(), format!("{}: {error}", path.display())),
        error => io::Error::new(io::ErrorKind::InvalidData, format!("{}: {error}", path.display())),
    }
}

/// Calls `visit` with every game of all files.
fn for_each_game(
    files: &[PathBuf],
    mut visit: impl FnMut(&DataFile, &TrainingGame) -> io::Result<()>,
) -> io::Result<()> {
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

fn print_positions(arguments: &DataArguments) -> io::Result<()> {
    let mut output = BufWriter::new(io::stdout().lock());
    if arguments.csv {
        writeln!(output, "{CSV_HEADINGS}")?;
    }
    for_each_game(&arguments.files, |file, game| {
        let name = &file.header().identity.variant;
        let variant = Variant::named(name).ok_or_else(|| io::Error::other(format!("unknown variant {name}")))?;
        game.positions.iter().try_for_each(|position| {
            let line =
                if arguments.csv { position.csv(variant.spec(), game) } else { position.line(variant.spec(), game) };
            writeln!(output, "{line}")
        })
    })?;
    output.flush()
}

fn count(arguments: &DataArguments) -> io::Result<()> {
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
    writeln!(output, "positions {positions}: quiet {quiet}, duplicates {duplicates}")
}

fn split_games(arguments: &DataArguments, split: u64, paths: [&PathBuf; 2]) -> io::Result<()> {
    let mut writers: Option<[DataWriter; 2]> = None;
    let mut games = [0_u64; 2];
    for_each_game(&arguments.files, |file, game| {
        let [one, other] = match &mut writers {
            Some(writers) => writers,
            none => none.insert({
                let create = |path: &PathBuf| DataWriter::create(path, file.header().clone()).map_err(failed(path));
                [create(paths[0])?, create(paths[1])?]
            }),
        };
        let is_first = (games[0] + games[1]).is_multiple_of(split);
        games[usize::from(!is_first)] += 1;
        let (writer, path) = if is_first { (one, paths[0]) } else { (other, paths[1]) };
        writer.write(game).map_err(failed(path))
    })?;
    for (writer, path) in writers.iter_mut().flatten().zip(paths) {
        writer.flush().map_err(failed(path))?;
    }
    writeln!(io::stdout(), "{} games in {}, {} in {}", games[0], paths[0].display(), games[1], paths[1].display())
}
