//! `soffio merge`: merges the shards of a batch, a match, an annotation run, a puzzle run or a self-play run.

use super::shard::{PdnShard, read_shard};
use crate::input::{EncodingArguments, ensure_not_output};
use crate::progress::{StoppableOutput, ensure_not_stopped, print_line, stop_on_signal};
use anyhow::{Result, anyhow, bail, ensure};
use clap::Args;
use soffio::files::open_regular;
use soffio::shard::Shard;
use soffio_batch::batch::{InputForm, Names, RecordParts, Requests};
use soffio_match::JournalParts;
use soffio_support::output_file::OutputFile;
use soffio_support::stdio::BYTE_ORDER_MARK;
use soffio_support::with_path::{WithPath, about};
use soffio_support::words::counted;
use soffio_training::data::{DataFile, DataHeader, DataWriter};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub struct MergeArguments {
    /// Shards to merge: records from `soffio batch`, `soffio annotate --json` or `soffio puzzles --resume`, games from
    /// `soffio annotate` or `soffio selfplay`, or JSON files from `soffio match`
    #[arg(required = true, value_name = "FILE")]
    parts: Vec<PathBuf>,
    /// File with the original requests or games; the records are written in the same order, and missing records are
    /// reported
    #[arg(long, value_name = "FILE")]
    requests: Option<PathBuf>,
    #[command(flatten)]
    encoding: EncodingArguments,
    /// Output file [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite the output file if it exists
    #[arg(long, requires = "out")]
    overwrite: bool,
}

#[derive(Debug, Default)]
struct ShardPieces<P> {
    pieces: BTreeMap<u64, P>,
    duplicates: u64,
}

impl<P> ShardPieces<P> {
    fn add(&mut self, number: u64, piece: P) {
        let count = self.pieces.len();
        self.pieces.entry(number).or_insert(piece);
        self.duplicates += u64::from(self.pieces.len() == count);
    }

    /// Reports how many games are duplicated and which games in `all` are missing. Returns whether all games are
    /// present.
    fn report(&self, parts: usize, all: RangeInclusive<u64>) -> bool {
        if self.duplicates > 0 {
            print_line(&format!("{} duplicated", counted(self.duplicates, "game")));
        }
        let there = self.pieces.keys().filter(|number| all.contains(number)).count() as u64;
        let wanted = all.end().saturating_add(1).saturating_sub(*all.start());
        let mut missing = Names::default();
        let numbers = all.filter(|number| !self.pieces.contains_key(number));
        numbers.take((wanted - there).min(11) as usize).for_each(|number| missing.add(number));
        missing.count = wanted - there;
        if missing.count > 0 {
            print_line(&format!("{} missing: {missing}", counted(missing.count, "game")));
        }
        print_line(&format!("{} in {}", counted(self.pieces.len(), "game"), counted(parts, "shard")));
        missing.count == 0
    }
}

/// Merges the shards, and reports missing and duplicate entries on standard error. Returns whether all entries are
/// present.
pub fn merge(arguments: &MergeArguments) -> Result<bool> {
    let MergeArguments { parts, requests, .. } = arguments;
    if arguments.out.is_none() {
        parts.iter().chain(requests).try_for_each(|path| ensure_not_output(path, None))?;
    }
    if let (Some(requests), Some(out)) = (requests, &arguments.out) {
        ensure_not_output(requests, Some(out))?;
    }
    let [path, ..] = parts.as_slice() else { bail!("no shards given") };
    let bytes = first_line(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let first = text.trim_start_matches(BYTE_ORDER_MARK);
    let is_for_records = || {
        ensure!(requests.is_none(), "--requests: only available when merging records");
        Ok(())
    };
    if PdnShard::begins(first) {
        is_for_records()?;
        arguments.write(|output| merge_pdn(parts, output))
    } else if first.is_empty() || first.starts_with('{') && !JournalParts::is_journal(first) {
        merge_records(arguments)
    } else if first.starts_with('{') {
        is_for_records()?;
        merge_matches(arguments)
    } else if DataHeader::begins(&bytes) {
        is_for_records()?;
        merge_games(arguments)
    } else {
        bail!("{}: not a shard: expected records, annotated games, self-play games or a match", path.display())
    }
}

fn first_line(path: &Path) -> Result<Vec<u8>> {
    let mut line = Vec::new();
    open_regular(path).and_then(|file| BufReader::new(file).read_until(b'\n', &mut line)).with_path(path)?;
    Ok(line)
}

impl MergeArguments {
    fn write(&self, merge: impl FnOnce(&mut dyn Write) -> Result<bool>) -> Result<bool> {
        let Some(path) = &self.out else {
            let mut output = BufWriter::new(io::stdout().lock());
            let is_complete = merge(&mut output)?;
            output.flush()?;
            return Ok(is_complete);
        };
        let stop = stop_on_signal()?;
        let file = OutputFile::new(path, self.overwrite)?;
        let mut writing = file.begin()?;
        let is_complete = merge(&mut StoppableOutput { output: &mut writing.file, stop: stop.clone() })?;
        ensure_not_stopped(&stop)?;
        writing.finish()?;
        Ok(is_complete)
    }
}

fn report_truncated(path: &Path) {
    print_line(&format!("{}: incomplete last entry skipped", path.display()));
}

fn merge_records(arguments: &MergeArguments) -> Result<bool> {
    let mut parts = RecordParts::default();
    for path in &arguments.parts {
        parts.add(path).with_path(path)?;
    }
    arguments.write(|output| {
        match &arguments.requests {
            Some(path) => {
                let form = InputForm::for_path(path, arguments.encoding.encoding)?;
                let file = File::open(path).with_path(path)?;
                let requests = Requests::new(BufReader::new(file), form, Shard::ALL);
                parts.write_in_order(requests.map(|request| request.map_err(|error| about(path, &error))), output)?;
            }
            None => parts.write_all(output)?,
        }
        Ok(true)
    })?;
    let findings = &parts.findings;
    findings.truncated.iter().for_each(|path| report_truncated(path));
    let kinds = [
        ("duplicated", &findings.duplicates),
        ("with conflicting answers", &findings.conflicting),
        ("for incomplete games, skipped", &findings.incomplete_games),
        ("missing", &findings.missing),
    ];
    for (what, names) in kinds.into_iter().filter(|(_, names)| names.count > 0) {
        print_line(&format!("{} {what}: {names}", counted(names.count, "request")));
    }
    if findings.unrequested > 0 {
        print_line(&format!("{} not in the request file, skipped", counted(findings.unrequested, "request")));
    }
    print_line(&format!("{} in {}", counted(findings.requests, "request"), counted(arguments.parts.len(), "shard")));
    Ok(findings.is_complete())
}

fn merge_matches(arguments: &MergeArguments) -> Result<bool> {
    let (mut parts, mut games) = (JournalParts::default(), ShardPieces::default());
    for path in &arguments.parts {
        let whole = parts.add(path, &mut |number, line| games.add(number, line));
        if !whole.with_path(path)? {
            report_truncated(path);
        }
    }
    arguments.write(|output| {
        writeln!(output, "{}", parts.heading()?)?;
        games.pieces.values().try_for_each(|line| writeln!(output, "{line}"))?;
        Ok(true)
    })?;
    let last = games.pieces.keys().last().copied().unwrap_or_default();
    Ok(games.report(arguments.parts.len(), 1..=last))
}

fn merge_games(arguments: &MergeArguments) -> Result<bool> {
    let (mut games, mut files) = (ShardPieces { pieces: BTreeMap::new(), duplicates: 0 }, Vec::new());
    for path in &arguments.parts {
        files.push(DataFile::open(path).with_path(path)?);
    }
    let out = arguments.out.as_deref().ok_or_else(|| anyhow!("merging self-play games requires --out FILE"))?;
    let stop = stop_on_signal()?;
    let file = OutputFile::new(out, arguments.overwrite)?;
    let header = files.first().map(|file| file.header.clone()).ok_or_else(|| anyhow!("no shards given"))?;
    for (path, mut file) in arguments.parts.iter().zip(files) {
        ensure!(header == file.header, "{}: not a shard of the same run as the first file", path.display());
        for game in file.by_ref() {
            ensure_not_stopped(&stop)?;
            let game = game.with_path(path)?;
            games.add(game.number, game);
        }
        if file.is_truncated {
            report_truncated(path);
        }
    }
    let writing = file.begin()?;
    let mut writer = DataWriter::new(writing.raw_file()?, header).with_path(out)?;
    games.pieces.values().try_for_each(|game| writer.write(game)).and_then(|()| writer.flush()).with_path(out)?;
    ensure_not_stopped(&stop)?;
    writing.finish()?;
    let last = games.pieces.keys().last().copied().unwrap_or_default();
    Ok(games.report(arguments.parts.len(), 0..=last))
}

/// Writes the games without the marker lines of the shards. Returns whether all games are present.
fn merge_pdn(parts: &[PathBuf], output: &mut dyn Write) -> Result<bool> {
    let (mut pieces, mut known) = (ShardPieces::default(), None);
    for path in parts {
        if !read_shard(path, &mut known, |number, game| pieces.add(number, game)).with_path(path)? {
            report_truncated(path);
        }
    }
    for game in pieces.pieces.values() {
        output.write_all(game)?;
    }
    output.flush()?;
    let [first, last] = known.unwrap_or_default();
    Ok(pieces.report(parts.len(), first as u64..=last as u64))
}
