//! `soffio merge`: the parts of a batch, or of self-play, put together.

use super::output_file::about;
use crate::batch::{InputForm, Names, Parts, Requests};
use anyhow::{Result, anyhow, ensure};
use clap::Args;
use soffio::shard::Shard;
use soffio::train::data::{DataFile, DataWriter};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// Arguments of `soffio merge`.
#[derive(Debug, Args)]
pub struct MergeArguments {
    /// The parts: files of records that `soffio batch` wrote, or of games that `soffio selfplay` wrote.
    #[arg(required = true, value_name = "PART")]
    parts: Vec<PathBuf>,
    /// The file of requests that the records answer: they come in its order then, and what is missing is said.
    #[arg(long, value_name = "FILE")]
    requests: Option<PathBuf>,
    /// Write to this new file; without it to standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Puts the parts together, and says on standard error what is missing or doubled. Returns whether everything is there.
///
/// # Errors
/// When a file cannot be read or written.
pub fn merge(arguments: &MergeArguments) -> Result<bool> {
    let first = arguments.parts.first().map(|path| begin(path)).transpose()?;
    // Records are objects; files of games begin with another sign.
    match first {
        None | Some(None | Some(b'{')) => merge_records(arguments),
        Some(Some(_)) => merge_games(arguments),
    }
}

/// The first byte of the file at `path`, if it has any.
fn begin(path: &Path) -> io::Result<Option<u8>> {
    let mut byte = [0];
    let read = File::open(path).and_then(|mut file| file.read(&mut byte)).map_err(|error| about(path, &error))?;
    Ok((read > 0).then_some(byte[0]))
}

fn merge_records(arguments: &MergeArguments) -> Result<bool> {
    let mut parts = Parts::default();
    for path in &arguments.parts {
        parts.add(path).map_err(|error| about(path, &error))?;
    }
    let mut output: Box<dyn Write> = match &arguments.out {
        Some(path) => {
            let file = OpenOptions::new().write(true).create_new(true).open(path);
            Box::new(BufWriter::new(file.map_err(|error| about(path, &error))?))
        }
        None => Box::new(BufWriter::new(io::stdout().lock())),
    };
    match &arguments.requests {
        Some(path) => {
            let file = File::open(path).map_err(|error| about(path, &error))?;
            let requests = Requests::new(BufReader::new(file), InputForm::of(path), Shard::ALL);
            parts.write_in_order(requests, &mut output)?;
        }
        None => parts.write_all(&mut output)?,
    }
    let found = &parts.found;
    let say = |line: String| writeln!(io::stderr(), "{line}");
    for path in &found.cut {
        say(format!("{}: the last line is torn, and left out", path.display()))?;
    }
    let kinds = [
        ("are there more than once", &found.doubled),
        ("are there more than once and differ", &found.differing),
        ("are games without their last positions, and left out", &found.torn),
        ("are missing", &found.missing),
    ];
    for (what, Names { first, count }) in kinds.into_iter().filter(|(_, names)| names.count > 0) {
        let more = if first.len() as u64 == *count { "" } else { ", ..." };
        say(format!("{count} requests {what}: {}{more}", first.join(", ")))?;
    }
    if found.unasked > 0 {
        say(format!("{} requests were not asked for, and are left out", found.unasked))?;
    }
    say(format!("{} requests in {} parts", found.requests, arguments.parts.len()))?;
    Ok(found.is_whole())
}

fn merge_games(arguments: &MergeArguments) -> Result<bool> {
    let out = arguments.out.as_deref().ok_or_else(|| anyhow!("games are written to a file: --out FILE"))?;
    ensure!(arguments.requests.is_none(), "--requests is for records");
    ensure!(!out.exists(), "{}: the file exists", out.display());
    // By number: the part, and the place in it.
    let mut games = BTreeMap::new();
    let (mut header, mut doubled) = (None, 0_u64);
    for path in &arguments.parts {
        let failed = |error| anyhow!("{}: {error}", path.display());
        let mut file = DataFile::open(path).map_err(failed)?;
        let known = header.get_or_insert_with(|| file.header().clone());
        ensure!(known == file.header(), "{}: it is of another plan", path.display());
        for game in file.by_ref() {
            let game = game.map_err(failed)?;
            doubled += u64::from(games.insert(game.number, game).is_some());
        }
        if file.is_cut() {
            writeln!(io::stderr(), "{}: it ends in the middle of a game", path.display())?;
        }
    }
    let header = header.ok_or_else(|| anyhow!("there are no parts"))?;
    let failed = |error| anyhow!("{}: {error}", out.display());
    let mut writer = DataWriter::create(out, header).map_err(failed)?;
    games.values().try_for_each(|game| writer.write(game)).map_err(failed)?;
    writer.flush().map_err(failed)?;
    let last = games.keys().last().map_or(0, |number| number + 1);
    let missing: Vec<_> =
        (0..last).filter(|number| !games.contains_key(number)).map(|number| number.to_string()).collect();
    let mut output = io::stderr();
    if doubled > 0 {
        writeln!(output, "{doubled} games are there more than once")?;
    }
    if !missing.is_empty() {
        let more = if missing.len() > 10 { ", ..." } else { "" };
        let first: Vec<_> = missing.iter().take(10).map(String::as_str).collect();
        writeln!(output, "{} games are missing: {}{more}", missing.len(), first.join(", "))?;
    }
    writeln!(output, "{} games in {} parts", games.len(), arguments.parts.len())?;
    Ok(missing.is_empty())
}
