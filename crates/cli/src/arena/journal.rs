//! The files that a match writes game by game, and from which an interrupted match goes on.
//!
//! The journal has a line of JSON for the match and one for each game, which says how long the other files were after it. So
//! whatever an interruption left half written is cut off, and all files tell of the same games.

use super::{EngineSpec, GameLog, Words, game_record};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use soffio::rules::Variant;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a journal and the other files say about the match.
#[derive(Clone, Debug)]
pub struct JournalSettings {
    /// The rules.
    pub variant: Variant,
    /// The engines.
    pub engines: Vec<Arc<EngineSpec>>,
    /// What else must be the same when the match goes on, by name: openings and how they are chosen, adjudication, margins.
    pub terms: BTreeMap<String, String>,
    /// What game records call the event.
    pub event: String,
    /// What game records call the site.
    pub site: String,
}

/// The files of a match; each of them can be left out.
#[derive(Clone, Copy, Debug)]
pub struct JournalFiles<'a> {
    /// The journal (JSON).
    pub lines: Option<&'a Path>,
    /// Game records (PDN).
    pub records: Option<&'a Path>,
    /// Last positions, a FEN on each line.
    pub positions: Option<&'a Path>,
    /// Whether the match of existing files goes on.
    pub resume: bool,
}

/// What must be the same when a match goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Header {
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

/// A game in the journal.
#[derive(Serialize, Deserialize)]
struct Entry {
    #[serde(flatten)]
    log: GameLog,
    /// Length of the file of game records, in bytes, after this game.
    pdn_bytes: u64,
    /// Length of the file of last positions, in bytes, after this game.
    #[serde(default)]
    epd_bytes: u64,
}

/// A file that grows with every game. Its errors name it.
#[derive(Debug)]
struct Growing {
    path: PathBuf,
    file: File,
    bytes: u64,
}

/// The files of a match.
#[derive(Debug)]
pub struct Journal {
    settings: JournalSettings,
    lines: GameLines,
    records: Option<Growing>,
    positions: Option<Growing>,
}

impl Journal {
    /// Begins the `files`, which must not exist yet unless their match goes on; the games of that are returned.
    ///
    /// # Errors
    /// When a file cannot be written, exists, or belongs to another match.
    pub fn open(settings: JournalSettings, files: JournalFiles<'_>) -> io::Result<(Self, Vec<GameLog>)> {
        let open = |path: Option<&Path>| path.map(|path| Growing::open(path, files.resume)).transpose();
        let header = Header::of(settings.variant.name(), &settings.engines, &settings.terms);
        let (lines, entries) = GameLines::open_with::<Entry>(&header, files.lines, files.resume)?;
        let (records, positions) = (open(files.records)?, open(files.positions)?);
        let mut journal = Self { settings, lines, records, positions };
        let last = entries.last().map_or((0, 0), |entry| (entry.pdn_bytes, entry.epd_bytes));
        let event = format!("[Event \"{}\"]", journal.settings.event);
        let is_record =
            |rest: &str| rest.matches("[Event ").count() <= 1 && (rest.starts_with(&event) || event.starts_with(rest));
        let is_position = |rest: &str| rest.lines().count() <= 1;
        if let Some(records) = &mut journal.records {
            records.go_on(last.0, is_record)?;
        }
        if let Some(positions) = &mut journal.positions {
            positions.go_on(last.1, is_position)?;
        }
        Ok((journal, entries.into_iter().map(|entry| entry.log).collect()))
    }

    /// Writes a game to the files; it is not lost when the program ends after this.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write(&mut self, log: &GameLog) -> io::Result<()> {
        let JournalSettings { variant, engines, event, site, .. } = &self.settings;
        if let Some(records) = &mut self.records {
            let control = |name: &str| {
                let spec = engines.iter().find(|spec| spec.name == name);
                spec.map(|spec| spec.control).unwrap_or_default()
            };
            let controls = [&control(&log.header.white), &control(&log.header.black)];
            records.add(&game_record(log, *variant, (event, site), controls).to_string())?;
        }
        if let Some(positions) = &mut self.positions {
            positions.add(&format!("{}\n", log.end))?;
        }
        let bytes = |growing: &Option<Growing>| growing.as_ref().map_or(0, |growing| growing.bytes);
        let (pdn_bytes, epd_bytes) = (bytes(&self.records), bytes(&self.positions));
        self.lines.write(&Entry { log: log.clone(), pdn_bytes, epd_bytes })
    }
}

/// A file of JSON, if one is wanted: a line for the match, and one for each game.
#[derive(Debug)]
pub struct GameLines(Option<Growing>);

impl GameLines {
    /// Begins the file at `path` of a match of `game` between `engines` on these `terms`, which must not exist yet. With `resume` the
    /// match of an existing file goes on, and its games are returned.
    ///
    /// # Errors
    /// When the file cannot be written, exists, or belongs to another match.
    pub fn open<L: DeserializeOwned>(
        (game, engines, terms): (&str, &[Arc<EngineSpec>], &BTreeMap<String, String>),
        path: Option<&Path>,
        resume: bool,
    ) -> io::Result<(Self, Vec<L>)> {
        Self::open_with(&Header::of(game, engines, terms), path, resume)
    }

    fn open_with<L: DeserializeOwned>(
        header: &Header,
        path: Option<&Path>,
        resume: bool,
    ) -> io::Result<(Self, Vec<L>)> {
        let Some(path) = path else { return Ok((Self(None), Vec::new())) };
        let mut growing = Growing::open(path, resume)?;
        let games = growing.named(|file| read_entries(file, header))?;
        growing.bytes = growing.named(|file| file.stream_position())?;
        Ok((Self(Some(growing)), games))
    }

    /// Writes a line for a game.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&mut self, game: &impl Serialize) -> io::Result<()> {
        let Some(growing) = &mut self.0 else { return Ok(()) };
        let line = serde_json::to_string(game)?;
        growing.add(&format!("{line}\n"))
    }
}

impl Growing {
    fn open(path: &Path, resume: bool) -> io::Result<Self> {
        let file = open_file(path, resume).map_err(|error| about(path, &error))?;
        Ok(Self { path: path.to_owned(), file, bytes: 0 })
    }

    /// Goes on after so many `bytes`. What follows them is cut off if `is_rest` says that it is the beginning of one
    /// game.
    fn go_on(&mut self, bytes: u64, is_rest: impl Fn(&str) -> bool) -> io::Result<()> {
        self.named(|file| {
            let mut rest = Vec::new();
            file.seek(SeekFrom::Start(bytes))?;
            file.read_to_end(&mut rest)?;
            if !is_rest(&String::from_utf8_lossy(&rest)) {
                return Err(invalid(format!("{} bytes at its end are not of this match", rest.len())));
            }
            cut(file, bytes)
        })?;
        self.bytes = bytes;
        Ok(())
    }

    /// Does `work` with the file; an error names it.
    fn named<T>(&mut self, work: impl FnOnce(&mut File) -> io::Result<T>) -> io::Result<T> {
        work(&mut self.file).map_err(|error| about(&self.path, &error))
    }

    fn add(&mut self, text: &str) -> io::Result<()> {
        self.named(|file| file.write_all(text.as_bytes()))?;
        self.bytes += text.len() as u64;
        Ok(())
    }
}

fn about(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

fn invalid(problem: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, problem.into())
}

fn open_file(path: &Path, resume: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    let file =
        if resume { options.create(true).truncate(false).open(path) } else { options.create_new(true).open(path) };
    let file = file.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            io::Error::new(error.kind(), "the file exists; --resume goes on with its match, or choose another name")
        }
        _ => error,
    })?;
    // A device could be read without end.
    if file.metadata()?.is_file() { Ok(file) } else { Err(invalid("this is no file")) }
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

/// What limits the moves of an engine, its margin, and whether it ponders and restarts, in words.
fn limits(spec: &EngineSpec) -> String {
    let margin = spec.margin.map(|margin| format!(", {} of margin", Words(margin))).unwrap_or_default();
    let ponder = if spec.ponders { ", ponders" } else { "" };
    let restart = if spec.restarts { ", starts again for every game" } else { "" };
    format!("{}{margin}{ponder}{restart}", spec.control)
}

impl Header {
    fn of(game: &str, engines: &[Arc<EngineSpec>], terms: &BTreeMap<String, String>) -> Self {
        let engine = |spec: &Arc<EngineSpec>| HeaderEngine {
            name: spec.name.clone(),
            command: spec.link.words().to_vec(),
            options: spec.options.clone(),
            limits: limits(spec),
        };
        Self { variant: game.to_owned(), engines: engines.iter().map(engine).collect(), terms: terms.clone() }
    }

    /// The first difference between the match `now` and that of the journal, `self`, in words.
    fn difference(&self, now: &Self) -> Option<String> {
        let differs = |what: &str, was: &str, is: &str| (was != is).then(|| format!("{what}: {was} there, {is} now"));
        let names = |header: &Self| {
            let names = header.engines.iter().map(|engine| engine.name.as_str());
            names.collect::<Vec<_>>().join(", ")
        };
        let engine = |(was, is): (&HeaderEngine, &HeaderEngine)| {
            let options = |engine: &HeaderEngine| {
                engine.options.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
            };
            let of = |what: &str| format!("{what} of {}", is.name);
            differs(&of("command"), &was.command.join(" "), &is.command.join(" "))
                .or_else(|| differs(&of("options"), &options(was), &options(is)))
                .or_else(|| differs(&of("limits"), &was.limits, &is.limits))
        };
        let term = |name: &String| {
            let value = |header: &Self| header.terms.get(name).map_or("nothing", String::as_str).to_owned();
            differs(name, &value(self), &value(now))
        };
        differs("variant", &self.variant, &now.variant)
            .or_else(|| differs("engines", &names(self), &names(now)))
            .or_else(|| self.engines.iter().zip(&now.engines).find_map(engine))
            .or_else(|| self.terms.keys().chain(now.terms.keys()).find_map(term))
    }
}

/// Reads the games of a journal and cuts off an unfinished line; writes the first line if there is none.
fn read_entries<L: DeserializeOwned>(file: &mut File, header: &Header) -> io::Result<Vec<L>> {
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    let complete = text.rfind('\n').map_or(0, |end| end + 1);
    let mut lines = text.get(..complete).unwrap_or_default().lines();
    let Some(first) = lines.next() else {
        // Only the beginning of what would be written here may be lost.
        let line = format!("{}\n", serde_json::to_string(header)?);
        if !line.starts_with(&text) {
            return Err(invalid("this is no journal of a match"));
        }
        cut(file, 0)?;
        file.write_all(line.as_bytes())?;
        return Ok(Vec::new());
    };
    let known: Header = serde_json::from_str(first).map_err(|_| invalid("this is no journal of a match"))?;
    if let Some(difference) = known.difference(header) {
        return Err(invalid(format!("this is the journal of another match: {difference}")));
    }
    let entry = |(index, line)| {
        serde_json::from_str::<L>(line).map_err(|error| invalid(format!("line {}: {error}", index + 2)))
    };
    let entries = lines.enumerate().map(entry).collect::<io::Result<Vec<_>>>()?;
    cut(file, complete as u64)?;
    Ok(entries)
}
