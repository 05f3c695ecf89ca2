//! The files that a match writes game by game, and from which an interrupted match goes on.
//!
//! The journal has a line of JSON for the match and one for each game, which says how long the file of game records was
//! after it. So whatever an interruption left half written is cut off, and both files tell of the same games.

use super::{EngineSpec, GameLog, game_record};
use crate::rules::Variant;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

/// What must be the same when a match goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Header {
    variant: String,
    engines: Vec<HeaderEngine>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct HeaderEngine {
    name: String,
    command: Vec<String>,
    options: Vec<(String, String)>,
    limits: String,
}

/// A game in the journal.
#[derive(Serialize, Deserialize)]
struct Entry {
    #[serde(flatten)]
    log: GameLog,
    /// Length of the file of game records, in bytes, after this game.
    pdn_bytes: u64,
}

/// A file of JSON, if one is wanted: a line for the match, and one for each game.
#[derive(Debug)]
pub struct GameLines(Option<File>);

impl GameLines {
    /// Begins the file `path` of a match of `game`, which must not exist yet. With `resume` the match of an existing file goes on, and
    /// its games are returned.
    ///
    /// # Errors
    /// When the file cannot be written, exists, or belongs to another match.
    pub fn open<L: DeserializeOwned>(
        game: &str,
        engines: &[Arc<EngineSpec>],
        path: Option<&Path>,
        resume: bool,
    ) -> io::Result<(Self, Vec<L>)> {
        let Some(path) = path else { return Ok((Self(None), Vec::new())) };
        let mut file = at(path, open_file(path, resume))?;
        let games = at(path, read_entries(&mut file, &header(game, engines)))?;
        Ok((Self(Some(file)), games))
    }

    /// Writes a line for a game.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&mut self, game: &impl Serialize) -> io::Result<()> {
        let Some(file) = &mut self.0 else { return Ok(()) };
        let mut line = serde_json::to_string(game)?;
        line.push('\n');
        file.write_all(line.as_bytes())
    }
}

/// The files of a match.
#[derive(Debug)]
pub struct Journal {
    variant: Variant,
    engines: Vec<Arc<EngineSpec>>,
    lines: GameLines,
    records: Option<File>,
    record_bytes: u64,
}

impl Journal {
    /// Begins the files `lines` (JSON) and `records` (PDN), which must not exist yet. With `resume` the match of existing
    /// files goes on, and its games are returned.
    ///
    /// # Errors
    /// When a file cannot be written, exists, or belongs to another match.
    pub fn open(
        variant: Variant,
        engines: &[Arc<EngineSpec>],
        (lines, records): (Option<&Path>, Option<&Path>),
        resume: bool,
    ) -> io::Result<(Self, Vec<GameLog>)> {
        let records_path = records;
        let (lines, entries) = GameLines::open::<Entry>(variant.name(), engines, lines, resume)?;
        let records = records_path.map(|path| at(path, open_file(path, resume))).transpose()?;
        let record_bytes = entries.last().map_or(0, |entry| entry.pdn_bytes);
        let mut journal = Self { variant, engines: engines.to_vec(), lines, records, record_bytes };
        if let (Some(path), Some(file)) = (records_path, &mut journal.records) {
            at(path, cut(file, record_bytes))?;
        }
        Ok((journal, entries.into_iter().map(|entry| entry.log).collect()))
    }

    /// Writes a game to the files; it is not lost when the program ends after this.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write(&mut self, log: &GameLog) -> io::Result<()> {
        if let Some(file) = &mut self.records {
            let control = |name: &str| {
                let spec = self.engines.iter().find(|spec| spec.name == name);
                spec.map(|spec| spec.control).unwrap_or_default()
            };
            let controls = [&control(&log.white), &control(&log.black)];
            let text = game_record(log, self.variant, controls).to_string();
            file.write_all(text.as_bytes())?;
            self.record_bytes += text.len() as u64;
        }
        self.lines.write(&Entry { log: log.clone(), pdn_bytes: self.record_bytes })
    }
}

fn at<T>(path: &Path, result: io::Result<T>) -> io::Result<T> {
    result.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
}

fn invalid(problem: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, problem)
}

fn open_file(path: &Path, resume: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    let file =
        if resume { options.create(true).truncate(false).open(path) } else { options.create_new(true).open(path) };
    file.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            io::Error::new(error.kind(), "the file exists; --resume goes on with its match, or choose another name")
        }
        _ => error,
    })
}

/// Cuts `file` after `length` bytes and goes there.
fn cut(file: &mut File, length: u64) -> io::Result<()> {
    let found = file.metadata()?.len();
    if found < length {
        return Err(invalid(format!("{found} bytes, but the journal has games of {length}")));
    }
    file.set_len(length)?;
    file.seek(SeekFrom::Start(length)).map(drop)
}

fn header(game: &str, engines: &[Arc<EngineSpec>]) -> Header {
    let engine = |spec: &Arc<EngineSpec>| HeaderEngine {
        name: spec.name.clone(),
        command: spec.link.words().to_vec(),
        options: spec.options.clone(),
        limits: spec.control.to_string(),
    };
    Header { variant: game.to_owned(), engines: engines.iter().map(engine).collect() }
}

/// Reads the games of a journal and cuts off an unfinished line; writes the first line if there is none.
fn read_entries<L: DeserializeOwned>(file: &mut File, header: &Header) -> io::Result<Vec<L>> {
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    let complete = text.rfind('\n').map_or(0, |end| end + 1);
    cut(file, complete as u64)?;
    let mut lines = text.get(..complete).unwrap_or_default().lines();
    let Some(first) = lines.next() else {
        writeln!(file, "{}", serde_json::to_string(header)?)?;
        return Ok(Vec::new());
    };
    if serde_json::from_str::<Header>(first).ok().as_ref() != Some(header) {
        return Err(invalid("this is the journal of another match: engines, options or limits differ".to_owned()));
    }
    let entry = |(index, line)| {
        serde_json::from_str::<L>(line).map_err(|error| invalid(format!("line {}: {error}", index + 2)))
    };
    lines.enumerate().map(entry).collect()
}
