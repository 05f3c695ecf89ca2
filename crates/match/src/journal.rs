//! The files in which a match records its games, and from which it can be resumed: the journal, the PDN file and the
//! EPD file.
//!
//! The journal has one JSON line for the match and one per game. Each game's line also stores the lengths of the other
//! files at that point, so that incomplete output from an interrupted run can be cut off and all files contain the same
//! games.

use super::{EngineSpec, GameLog, TimeText, game_record};
use anyhow::{Context, Result, anyhow, ensure};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use soffio::lock::open_exclusive;
use soffio::rules::Variant;
use soffio_support::with_path::WithPath;
use soffio_tavla::session::NAME as TAVLA;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, remove_file};
use std::io::{BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct JournalSettings {
    /// The variant, or `None` for tavla, whose games are not written as PDN or EPD.
    pub variant: Option<Variant>,
    pub engines: Vec<Arc<EngineSpec>>,
    /// Other settings, by name, that must be unchanged when the match is resumed, such as openings, adjudication and
    /// margins.
    pub terms: BTreeMap<String, String>,
    pub event: String,
    pub site: String,
}

#[derive(Clone, Copy, Debug)]
pub struct JournalFiles<'a> {
    pub lines: Option<&'a Path>,
    /// PDN file for the game records, or `None` to write no records.
    pub records: Option<&'a Path>,
    /// EPD file for the final positions, or `None` to write no positions.
    pub positions: Option<&'a Path>,
    pub resume: bool,
}

/// The first line of a journal. It must be unchanged when the match is resumed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct JournalHeader {
    variant: String,
    engines: Vec<HeaderEngine>,
    #[serde(default)]
    terms: BTreeMap<String, String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct HeaderEngine {
    name: String,
    command: Vec<String>,
    options: Vec<(String, String)>,
    limits: String,
}

/// A game, and the lengths in bytes of the PDN and EPD files after the game has been added.
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct JournalEntry {
    #[serde(flatten)]
    log: GameLog,
    pdn_bytes: Option<u64>,
    epd_bytes: Option<u64>,
}

/// A file to which every game is appended. Only this process may write to it. Error messages contain its path. A new
/// file is removed if nothing is written to it.
#[derive(Debug)]
struct MatchFile {
    path: PathBuf,
    file: File,
    bytes: u64,
    is_new: bool,
}

#[derive(Debug)]
pub struct Journal {
    settings: JournalSettings,
    lines: Option<MatchFile>,
    records: Option<MatchFile>,
    positions: Option<MatchFile>,
}

impl Journal {
    /// Creates the files, or opens the files of a resumed match and returns its games. Fails if a file cannot be
    /// written, already exists in a new match, belongs to a different match, or is in use by another process. A
    /// failure does not remove any finished game.
    pub fn open(settings: JournalSettings, files: JournalFiles<'_>) -> Result<(Self, Vec<GameLog>)> {
        let open =
            |path: Option<&Path>, advice| path.map(|path| MatchFile::open(path, files.resume, advice)).transpose();
        let header = JournalHeader::new(&settings);
        let mut lines = open(files.lines, RESUME)?;
        let (mut records, mut positions) = (open(files.records, RENAME)?, open(files.positions, RENAME)?);
        let read = lines.as_mut().map(|lines| lines.named(|file| read_entries(file, &header))).transpose()?;
        let (entries, whole) = read.unwrap_or_default();
        let event = format!("[Event \"{}\"]", settings.event);
        let is_record =
            |rest: &str| rest.matches("[Event ").count() <= 1 && (rest.starts_with(&event) || event.starts_with(rest));
        if let Some(records) = &mut records {
            records.complete(&entries, |entry| entry.pdn_bytes, |log| settings.record(log), is_record)?;
        }
        if let Some(positions) = &mut positions {
            let is_position = |rest: &str| rest.lines().count() <= 1;
            positions.complete(&entries, |entry| entry.epd_bytes, position, is_position)?;
        }
        if let Some(lines) = &mut lines {
            lines.resume(whole, |_| true)?;
            if whole == 0 {
                lines.add(&header.line()?)?;
            }
        }
        let logs = entries.into_iter().map(|entry| entry.log).collect();
        Ok((Self { settings, lines, records, positions }, logs))
    }

    pub fn write(&mut self, log: &GameLog) -> Result<()> {
        if let Some(records) = &mut self.records {
            records.add(&self.settings.record(log))?;
        }
        if let Some(positions) = &mut self.positions {
            positions.add(&position(log))?;
        }
        let Some(lines) = &mut self.lines else { return Ok(()) };
        let bytes =
            |file: &Option<MatchFile>| self.settings.variant.map(|_| file.as_ref().map_or(0, |file| file.bytes));
        let entry =
            JournalEntry { log: log.clone(), pdn_bytes: bytes(&self.records), epd_bytes: bytes(&self.positions) };
        lines.add(&format!("{}\n", serde_json::to_string(&entry)?))
    }
}

impl JournalSettings {
    /// Returns the game as PDN, or an empty string if the match is not a draughts match.
    fn record(&self, log: &GameLog) -> String {
        let control = |name: &str| {
            let spec = self.engines.iter().find(|spec| spec.name == name);
            spec.map(|spec| spec.control.clone()).unwrap_or_default()
        };
        let controls = [&control(&log.white), &control(&log.black)];
        let record = |variant| game_record(log, variant, &self.event, &self.site, controls).to_string();
        self.variant.map_or(String::new(), record)
    }
}

/// Returns the line for the final position of a game in the EPD file.
fn position(log: &GameLog) -> String {
    let GameLog { game, white, black, end, .. } = log;
    format!("{end} id \"game {game}, {white} - {black}\";\n")
}

/// Advice in the error message for a new match whose journal already exists.
const RESUME: &str = "use --resume to continue its match, or choose another name";
/// Advice in the error message for a new match whose PDN or EPD file already exists.
const RENAME: &str = "choose another name";

impl MatchFile {
    /// Opens the file. If it already exists and `resume` is false, returns an error that contains `advice`.
    fn open(path: &Path, resume: bool, advice: &str) -> Result<Self> {
        let open = |options: &mut OpenOptions| open_exclusive(path, options.read(true).write(true));
        let opened = match open(OpenOptions::new().create_new(true)) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists && resume => {
                open(&mut OpenOptions::new()).map(|file| (file, false))
            }
            opened => opened.map(|file| (file, true)),
        };
        let (file, is_new) = opened
            .map_err(|error| match error.kind() {
                ErrorKind::AlreadyExists => anyhow!("the file exists; {advice}"),
                _ => error.into(),
            })
            .with_path(path)?;
        Ok(Self { path: path.to_owned(), file, bytes: 0, is_new })
    }

    /// Prepares to append to the file. First adds the games of the journal that are missing because an earlier run did
    /// not write this file. `length` returns the length of the file after a game. Fails if the file contains anything
    /// else, except the beginning of another game, which `is_game` recognises.
    fn complete(
        &mut self,
        entries: &[JournalEntry],
        length: impl Fn(&JournalEntry) -> Option<u64>,
        text: impl Fn(&GameLog) -> String,
        is_game: impl Fn(&str) -> bool,
    ) -> Result<()> {
        let lengths = entries.iter().map(|entry| length(entry).unwrap_or_default());
        let (games, bytes) = (1..).zip(lengths).filter(|&(_, bytes)| bytes > 0).last().unwrap_or_default();
        let missing: String = entries.iter().skip(games).map(|entry| text(&entry.log)).collect();
        let belongs = bytes > 0 || entries.is_empty();
        self.resume(bytes, |rest| missing.starts_with(rest) || belongs && is_game(rest))?;
        if missing.is_empty() { Ok(()) } else { self.add(&missing) }
    }

    /// Truncates the file to `bytes` bytes and prepares to append to it. Fails unless `is_rest` accepts the rest of the
    /// file as the beginning of one game.
    fn resume(&mut self, bytes: u64, is_rest: impl Fn(&str) -> bool) -> Result<()> {
        self.named(|file| {
            let mut rest = Vec::new();
            file.seek(SeekFrom::Start(bytes))?;
            file.read_to_end(&mut rest)?;
            let is_beginning = is_rest(&String::from_utf8_lossy(&rest));
            ensure!(is_beginning, "the last {} bytes do not belong to this match", rest.len());
            cut(file, bytes)
        })?;
        self.bytes = bytes;
        Ok(())
    }

    fn named<T>(&mut self, work: impl FnOnce(&mut File) -> Result<T>) -> Result<T> {
        work(&mut self.file).with_path(&self.path)
    }

    fn add(&mut self, text: &str) -> Result<()> {
        self.is_new = false;
        self.named(|file| Ok(file.write_all(text.as_bytes())?))?;
        self.bytes += text.len() as u64;
        Ok(())
    }
}

impl Drop for MatchFile {
    fn drop(&mut self) {
        if self.is_new
            && let Err(error) = remove_file(&self.path)
        {
            log::debug!("{}: {error}", self.path.display());
        }
    }
}

fn cut(file: &mut File, length: u64) -> Result<()> {
    let found = file.metadata()?.len();
    ensure!(found >= length, "the file has {found} bytes, but the games in the journal need {length}");
    file.set_len(length)?;
    file.seek(SeekFrom::Start(length))?;
    Ok(())
}

fn limits(spec: &EngineSpec) -> String {
    let margin = spec.margin.map(|margin| format!(", {} of margin", TimeText(margin))).unwrap_or_default();
    let ponder = if spec.ponders { ", ponders" } else { "" };
    let restart = if spec.restarts { ", starts again for every game" } else { "" };
    format!("{}{margin}{ponder}{restart}", spec.control)
}

impl JournalHeader {
    fn new(settings: &JournalSettings) -> Self {
        let engine = |spec: &Arc<EngineSpec>| HeaderEngine {
            name: spec.name.clone(),
            command: spec.link.words().to_vec(),
            options: spec.options.clone(),
            limits: limits(spec),
        };
        let variant = settings.variant.map_or(TAVLA, Variant::name).to_owned();
        Self { variant, engines: settings.engines.iter().map(engine).collect(), terms: settings.terms.clone() }
    }

    fn line(&self) -> Result<String> {
        Ok(serde_json::to_string(self)? + "\n")
    }

    fn entries(&self) -> Vec<(String, String)> {
        let names: Vec<_> = self.engines.iter().map(|engine| engine.name.as_str()).collect();
        let mut entries = vec![("variant".to_owned(), self.variant.clone()), ("engines".to_owned(), names.join(", "))];
        for HeaderEngine { name, command, options, limits } in &self.engines {
            let options: Vec<_> = options.iter().map(|(name, value)| format!("{name}={value}")).collect();
            let parts = [("command", command.join(" ")), ("options", options.join(" ")), ("limits", limits.clone())];
            entries.extend(parts.map(|(part, value)| (format!("{part} of {name}"), value)));
        }
        entries.extend(self.terms.clone());
        entries
    }

    fn check(&self, now: &Self) -> Result<()> {
        let (was, is) = (self.entries(), now.entries());
        let value = |entries: &[(String, String)], name: &str| {
            entries.iter().find(|(known, _)| known == name).map_or("nothing".to_owned(), |(_, value)| value.clone())
        };
        was.iter().chain(&is).try_for_each(|(name, _)| {
            let (was, is) = (value(&was, name), value(&is, name));
            ensure!(was == is, "the journal belongs to a different match: {name}: {was} in the journal, {is} now");
            Ok(())
        })
    }
}

/// Returns the games, and the length of the complete lines in bytes. An unfinished last line is skipped.
fn read_entries(file: &mut File, header: &JournalHeader) -> Result<(Vec<JournalEntry>, u64)> {
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    let complete = text.rfind('\n').map_or(0, |end| end + 1);
    let mut lines = text.get(..complete).unwrap_or_default().lines();
    let Some(first) = lines.next() else {
        // The file may only be overwritten if its content is the beginning of this header.
        ensure!(header.line()?.starts_with(&text), NO_JOURNAL);
        return Ok((Vec::new(), 0));
    };
    let known: JournalHeader = serde_json::from_str(first).map_err(|_| anyhow!(NO_JOURNAL))?;
    known.check(header)?;
    let entry = |(number, line)| serde_json::from_str(line).map_err(|error| anyhow!("line {number}: {error}"));
    Ok(((2..).zip(lines).map(entry).collect::<Result<_>>()?, complete as u64))
}

/// Name of the term that contains the shard of a match.
pub const SHARD: &str = "shard";
/// Name of the term that contains the random seed of a match.
pub const SEED: &str = "seed";

pub fn term_of_journal(path: &Path, name: &str) -> Option<String> {
    let mut line = String::new();
    BufReader::new(File::open(path).ok()?).read_line(&mut line).ok()?;
    serde_json::from_str::<JournalHeader>(&line).ok()?.terms.remove(name)
}

/// Merges the journals of the shards of a match.
#[derive(Debug, Default)]
pub struct JournalParts(Option<JournalHeader>);

impl JournalParts {
    pub fn is_journal(line: &str) -> bool {
        serde_json::from_str::<JournalHeader>(line).is_ok()
    }

    /// Reads the journal at `path`, and calls `take` for each game with the game's number and its line in the merged
    /// journal. Returns false if an unfinished line was skipped. Fails if the journal belongs to a different match than
    /// the journals added earlier.
    pub fn add(&mut self, path: &Path, take: &mut dyn FnMut(u64, String)) -> Result<bool> {
        let text = std::fs::read_to_string(path)?;
        let mut lines = (1..).zip(text.split_inclusive('\n'));
        let mut header: JournalHeader =
            lines.next().and_then(|(_, line)| serde_json::from_str(line).ok()).context(NO_JOURNAL)?;
        header.terms.remove(SHARD);
        self.0.get_or_insert_with(|| header.clone()).check(&header)?;
        for (number, line) in lines.filter(|(_, line)| line.ends_with('\n')) {
            let wrong = |error: serde_json::Error| anyhow!("line {number}: {error}");
            let mut game: serde_json::Map<String, serde_json::Value> = serde_json::from_str(line).map_err(wrong)?;
            // A merged journal has no PDN or EPD files.
            for (name, length) in &mut game {
                if name.ends_with("_bytes") {
                    *length = 0.into();
                }
            }
            let played = game.get("game").and_then(serde_json::Value::as_u64);
            let played = played.ok_or_else(|| anyhow!("line {number}: not a game"))?;
            take(played, serde_json::to_string(&game)?);
        }
        Ok(text.ends_with('\n'))
    }

    pub fn heading(&self) -> Result<String> {
        Ok(serde_json::to_string(self.0.as_ref().context(NO_JOURNAL)?)?)
    }
}

const NO_JOURNAL: &str = "not a match journal";
