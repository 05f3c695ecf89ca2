//! `soffio analyse`: searches positions. The module also defines the search arguments that other commands share.

use super::progress::say;
use super::values::{depth, hash, integer, multipv, threads, variant};
use clap::Args;
use soffio::rules::Variant;
use soffio::session::MAX_LINE;
use soffio::stop::Stop;
use soffio::tables::check_folder;
use soffio_batch::batch::{BatchEngine, BatchEngineSettings, BatchRequest, RequestLimits};
use soffio_support::of_file::OfFile;
use soffio_support::record::print;
use soffio_support::stdio::for_each_line;
use std::io;
use std::num::{NonZeroU8, NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};

/// Time per position in milliseconds if no other limit is given.
const MOVE_TIME: NonZeroU64 = NonZeroU64::new(500).unwrap();

/// The search limits, the hash size and the endgame tables.
#[derive(Clone, Debug, Args)]
pub(super) struct SearchArguments {
    /// Time per position in milliseconds (1 to 86400000) [default: 500 if no other limit is given]
    #[arg(long, value_name = "MS", value_parser = integer::<NonZeroU64>(1..=86_400_000))]
    movetime: Option<NonZeroU64>,
    /// Maximum search depth in plies (1 to 127)
    #[arg(long, value_parser = depth::<NonZeroU8>())]
    depth: Option<NonZeroU8>,
    /// Maximum number of nodes per position (at least 1)
    #[arg(long, value_parser = integer::<NonZeroU64>(1..=u64::MAX))]
    nodes: Option<NonZeroU64>,
    /// Transposition table size in MiB (1 to 33554432)
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = hash())]
    pub(super) hash: usize,
    /// Folder with endgame tables to use in the search (see `soffio tables build`)
    #[arg(long, value_name = "DIR")]
    pub(super) tables: Option<PathBuf>,
}

impl SearchArguments {
    pub(super) fn limits(&self) -> RequestLimits {
        let Self { movetime, depth, nodes, .. } = *self;
        let limits = RequestLimits { depth, nodes, movetime };
        if limits.is_empty() { RequestLimits { movetime: Some(MOVE_TIME), ..limits } } else { limits }
    }

    pub(super) fn engine_settings(&self, variant: Option<Variant>) -> BatchEngineSettings {
        let (limits, hash, tables) = (self.limits(), self.hash, self.tables.clone());
        BatchEngineSettings { variant, limits, hash, tables, ..BatchEngineSettings::default() }
    }
}

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
    #[arg(long, value_name = "N", alias = "lines", default_value_t = NonZeroUsize::MIN, value_parser = multipv())]
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
        check_folder(folder, Some(arguments.variant)).of_file(folder)?;
    }
    let mut engine = BatchEngine::new(BatchEngineSettings {
        lines: *multipv,
        threads: *threads,
        solves_endings: true,
        is_timed: true,
        ..settings
    })?;
    let (mut is_whole, stop) = (true, Stop::new());
    let mut analyse = |number: u64, fen: &str| -> io::Result<()> {
        let answer = engine.answer_request(&BatchRequest::position(fen), number, &stop).unwrap_or_default();
        is_whole &= answer.is_whole();
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
    if !is_whole && fens.iter().any(|fen| Path::new(fen).is_file()) {
        say("hint: for game records use `soffio annotate`");
    }
    Ok(is_whole)
}
