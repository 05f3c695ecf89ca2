//! `soffio analyse`: searches positions.

use super::search_arguments::SearchArguments;
use crate::progress::print_line;
use crate::values::{multipv, threads, variant};
use clap::Args;
use soffio::rules::Variant;
use soffio::session::MAX_LINE;
use soffio::stop::Stop;
use soffio::tables::check_folder;
use soffio_batch::batch::{BatchEngine, BatchEngineSettings, BatchRequest};
use soffio_support::record::print;
use soffio_support::stdio::for_each_line;
use soffio_support::with_path::WithPath;
use std::io;
use std::num::NonZeroUsize;
use std::path::Path;

#[derive(Debug, Args)]
pub struct AnalyseArguments {
    /// Positions as FENs or `startpos`; if none is given, positions are read from standard input, one per line
    fens: Vec<String>,
    /// Variant, as listed by `soffio variants`
    #[arg(long, default_value = "italian", value_parser = variant)]
    variant: Variant,
    #[command(flatten)]
    search: SearchArguments,
    /// Number of principal variations per position (1 to 64)
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN, value_parser = multipv())]
    multipv: NonZeroUsize,
    /// Number of search threads (1 to 256)
    #[arg(long, default_value_t = NonZeroUsize::MIN, value_parser = threads())]
    threads: NonZeroUsize,
}

/// Prints a record for each position. Returns whether all positions were analysed without errors.
pub fn analyse_positions(arguments: &AnalyseArguments) -> anyhow::Result<bool> {
    let AnalyseArguments { fens, multipv, threads, .. } = arguments;
    let settings = arguments.search.engine_settings(Some(arguments.variant));
    if let Some(folder) = &settings.tables {
        check_folder(folder, Some(arguments.variant)).with_path(folder)?;
    }
    let mut engine = BatchEngine::new(BatchEngineSettings {
        lines: *multipv,
        threads: *threads,
        solves_endings: true,
        is_timed: true,
        ..settings
    })?;
    let (mut is_complete, stop) = (true, Stop::new());
    let mut analyse = |number: u64, fen: &str| -> io::Result<()> {
        let answer = engine.answer_request(&BatchRequest::position(fen), number, &stop).unwrap_or_default();
        is_complete &= answer.is_complete();
        answer.records.iter().try_for_each(print)
    };
    if fens.is_empty() {
        let mut number = 0;
        for_each_line(|line| {
            number += 1;
            // A line that is too long is rejected as an invalid FEN.
            let fen = line.unwrap_or_else(|_| format!("a line of more than {MAX_LINE} bytes"));
            if fen.is_empty() { Ok(()) } else { analyse(number, &fen) }
        })?;
    }
    for (fen, number) in fens.iter().zip(1..) {
        analyse(number, fen)?;
    }
    if !is_complete && fens.iter().any(|fen| Path::new(fen).is_file()) {
        print_line("hint: for game records use `soffio annotate`");
    }
    Ok(is_complete)
}
