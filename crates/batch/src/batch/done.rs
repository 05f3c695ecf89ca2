//! Resumes a batch from its record file, and merges the record files of shards.

use super::RawRequest;
use anyhow::{Result, anyhow, bail};
use derive_more::Display;
use serde::Deserialize;
use serde::de::IgnoredAny;
use smallvec::SmallVec;
use soffio::lock::open_exclusive;
use soffio::rules::Variant;
use soffio_support::json::fault;
use soffio_support::output_file::NamedFile;
use soffio_support::record::RequestLimits;
use soffio_support::stdio::skip_byte_order_mark;
use soffio_support::with_path::about;
use std::collections::{HashMap, HashSet};
use std::fs::{File, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Maximum length of a record in bytes. Its ID may be as long as a request, and escapes make it up to six times longer.
pub const MAX_RECORD_BYTES: usize = 128 << 20;

#[derive(Deserialize)]
struct RecordKey {
    id: String,
    input_hash: Option<String>,
    ply: Option<u64>,
    error: Option<String>,
    played: Option<IgnoredAny>,
    variant: Option<String>,
    limits: Option<RequestLimits>,
    multipv: Option<NonZeroUsize>,
    searchmoves: Option<Vec<String>>,
}

impl RecordKey {
    /// Returns the ID of the request. In the records of a game, the ID is followed by the ply, which is removed here.
    fn request(&self) -> &str {
        let ply = self.ply.filter(|_| self.error.is_none());
        let end = ply.map(|ply| format!("/{ply}"));
        end.and_then(|end| self.id.strip_suffix(end.as_str())).unwrap_or(&self.id)
    }

    /// Returns true for the first record of an answer. Other records belong to the same game as the preceding record.
    fn is_first(&self) -> bool {
        self.ply.is_none_or(|ply| ply == 0)
    }

    fn settings(&self) -> AnswerSettings {
        AnswerSettings {
            variant: self.variant.clone(),
            limits: self.limits,
            multipv: self.multipv.unwrap_or(NonZeroUsize::MIN),
            searchmoves: self.searchmoves.clone(),
        }
    }

    fn number(&self) -> u64 {
        number(self.request(), self.input_hash.as_deref().unwrap_or_default())
    }
}

fn number(id: &str, input_hash: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (id, input_hash).hash(&mut hasher);
    hasher.finish()
}

/// Calls `take` with the key, the line and the byte offset of every record. Returns the offset of the end of the last
/// complete line, and whether an incomplete line follows. Fails if a line is not a record. An incomplete line must
/// begin like a record, unless it follows one: a disk can lose the content of a line that was being written.
fn each_record(mut input: impl BufRead, mut take: impl FnMut(&RecordKey, &[u8], u64)) -> io::Result<(u64, bool)> {
    let (mut line, mut place, mut number) = (Vec::new(), skip_byte_order_mark(&mut input)? as u64, 0_u64);
    loop {
        line.clear();
        let length = input.by_ref().take(MAX_RECORD_BYTES as u64).read_until(b'\n', &mut line)?;
        if line.last() != Some(&b'\n') {
            if length == MAX_RECORD_BYTES {
                return Err(io::Error::other(format!("line {} is not a record: it is too long", number + 1)));
            }
            return if number > 0 || is_beginning(&line) {
                Ok((place, length > 0))
            } else {
                Err(io::Error::other("line 1 is not a record, or does not end with a newline"))
            };
        }
        number += 1;
        let wrong = |error| io::Error::other(format!("line {number} is not a record: {}", fault(&error)));
        take(&serde_json::from_slice(&line).map_err(wrong)?, &line, place);
        place += length as u64;
    }
}

/// Returns true if `line` is the beginning of a record. A complete JSON value is not, because it could be the content
/// of another file.
fn is_beginning(line: &[u8]) -> bool {
    const START: &[u8] = br#"{"id":"#;
    (line.starts_with(START) || START.starts_with(line)) && serde_json::from_slice::<IgnoredAny>(line).is_err()
}

/// Consecutive records for the same request: a single record, or records of the positions of a game. The first or last
/// records of the game may be missing.
struct RecordGroup {
    request: u64,
    name: String,
    begin: u64,
    hasher: DefaultHasher,
    is_game: bool,
    /// Whether the group contains the first record of the answer.
    has_first: bool,
    errors: u64,
    /// The error in the first record of the group, which is then the only record.
    failure: Option<String>,
    /// Whether the game may continue after the last record of the group.
    is_open: bool,
    /// The settings in the first record of the group.
    settings: AnswerSettings,
}

/// Calls `take` for every group of records, with the offset of the end of the group and whether the group is the last
/// one. Returns the same values as [`each_record`].
fn each_group(input: impl BufRead, mut take: impl FnMut(RecordGroup, u64, bool)) -> io::Result<(u64, bool)> {
    let mut last: Option<RecordGroup> = None;
    let (end, is_cut) = each_record(input, |key, line, begin| {
        let (request, is_game, has_first) = (key.number(), key.ply.is_some(), key.is_first());
        if let Some(group) = last.take_if(|group| has_first || group.request != request) {
            take(group, begin, false);
        }
        let group = last.get_or_insert_with(|| {
            let (name, hasher) = (key.request().to_owned(), DefaultHasher::new());
            RecordGroup {
                request,
                name,
                begin,
                hasher,
                is_game,
                has_first,
                errors: 0,
                failure: key.error.clone().filter(|_| has_first),
                is_open: false,
                settings: key.settings(),
            }
        });
        line.hash(&mut group.hasher);
        group.errors += u64::from(key.error.is_some());
        // A position in which a move was played is followed by another position.
        group.is_open = is_game && key.error.is_none() && key.played.is_some();
    })?;
    if let Some(group) = last {
        take(group, end, true);
    }
    Ok((end, is_cut))
}

/// The settings of an answer that its records contain.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AnswerSettings {
    pub variant: Option<String>,
    /// The search limits, or `None` in records of a command that does not write the settings of the search.
    pub limits: Option<RequestLimits>,
    pub multipv: NonZeroUsize,
    pub searchmoves: Option<Vec<String>>,
}

impl AnswerSettings {
    /// Returns the settings of an answer whose records contain only the variant.
    pub fn for_variant(variant: Option<Variant>) -> Self {
        let variant = variant.map(|variant| variant.name().to_owned());
        Self { variant, limits: None, multipv: NonZeroUsize::MIN, searchmoves: None }
    }

    /// Returns the name of the first setting that differs from `wanted`, with its values in `self` and in `wanted`.
    /// Settings that the records do not contain are not compared.
    fn difference(&self, wanted: &Self) -> Option<(&'static str, String, String)> {
        if let (Some(before), Some(now)) = (&self.variant, &wanted.variant)
            && before != now
        {
            return Some(("variant", before.clone(), now.clone()));
        }
        let (before, now) = (self.limits?, wanted.limits?);
        let differs =
            |name, before: String, now: String| Some((name, before, now)).filter(|(_, before, now)| before != now);
        let text = |limits| serde_json::to_string(limits).unwrap_or_default();
        let moves = |moves: &Option<Vec<String>>| moves.as_ref().map_or_else(|| "none".to_owned(), |all| all.join(" "));
        differs("limits", text(&before), text(&now))
            .or_else(|| differs("multipv", self.multipv.to_string(), wanted.multipv.to_string()))
            .or_else(|| differs("searchmoves", moves(&self.searchmoves), moves(&wanted.searchmoves)))
    }
}

#[derive(Debug, Default)]
pub struct AnsweredRequests {
    /// The answers that have not been used yet.
    requests: HashMap<u64, SmallVec<[RecordedAnswer; 1]>>,
    /// The errors of the requests that failed. These requests are processed again.
    failures: HashMap<u64, Vec<String>>,
    /// The different settings of the answers. There are few, because most requests have the same ones.
    settings: HashSet<Arc<AnswerSettings>>,
}

#[derive(Clone, Debug)]
pub struct RecordedAnswer {
    settings: Arc<AnswerSettings>,
    /// Number of error records in the answer.
    pub errors: u64,
}

impl AnsweredRequests {
    /// Opens or creates the record file at `path` for appending. Removes an unfinished record at the end, and the last
    /// game if it is incomplete. Fails if a line is not a record, or if another process is writing to the file.
    pub fn open(path: &Path) -> io::Result<(Self, NamedFile)> {
        let open = || {
            let mut file =
                open_exclusive(path, OpenOptions::new().read(true).write(true).create(true).truncate(false))?;
            let mut done = Self::default();
            let whole = done.read(BufReader::new(&file))?;
            if whole < file.metadata()?.len() {
                file.set_len(whole)?;
            }
            file.seek(SeekFrom::Start(whole))?;
            Ok((done, NamedFile { path: path.to_owned(), file }))
        };
        open().map_err(|error| about(path, &error))
    }

    /// Reads the records and returns the offset of the end of the last complete answer.
    fn read(&mut self, input: impl BufRead) -> io::Result<u64> {
        let mut last_game = None;
        let (end, is_cut) = each_group(input, |group, _, is_last| {
            if is_last && group.is_game {
                last_game = Some(group);
            } else {
                self.add(group);
            }
        })?;
        match last_game {
            // The incomplete line can be a record of the game.
            Some(game) if game.is_open || is_cut => Ok(game.begin),
            Some(game) => {
                self.add(game);
                Ok(end)
            }
            None => Ok(end),
        }
    }

    fn add(&mut self, group: RecordGroup) {
        let RecordGroup { request, has_first, errors, failure, settings, .. } = group;
        if let Some(error) = failure {
            self.failures.entry(request).or_default().push(error);
        } else if has_first {
            let known = self.settings.get(&settings).map(Arc::clone);
            let settings = known.unwrap_or_else(|| {
                let settings = Arc::new(settings);
                self.settings.insert(Arc::clone(&settings));
                settings
            });
            self.requests.entry(request).or_default().push(RecordedAnswer { settings, errors });
        }
    }

    /// Returns an answer to the request that has not been returned yet, or `None` if there is none. Fails if the
    /// settings of these answers differ from `wanted`, or if `wanted` fails.
    pub fn take(
        &mut self,
        id: &str,
        input_hash: &str,
        wanted: impl FnOnce() -> Result<AnswerSettings>,
    ) -> Result<Option<RecordedAnswer>> {
        let answers = self.requests.get_mut(&number(id, input_hash)).filter(|answers| !answers.is_empty());
        let Some(answers) = answers else { return Ok(None) };
        let fails = |error| anyhow!("--resume: the file has records of request {id}, which now fails: {error}");
        let wanted = wanted().map_err(fails)?;
        let differences: Vec<_> = answers.iter().map(|answer| answer.settings.difference(&wanted)).collect();
        if let Some(same) = differences.iter().position(Option::is_none) {
            return Ok(Some(answers.remove(same)));
        }
        let Some((name, before, now)) = differences.into_iter().flatten().next() else { return Ok(None) };
        bail!(
            "--resume: the records of request {id} have the {name} {before}, not {now}; use the same {name}, or \
             another file"
        )
    }

    /// Returns the errors with which the request failed before.
    pub fn failures(&self, id: &str, input_hash: &str) -> &[String] {
        self.failures.get(&number(id, input_hash)).map_or(&[], Vec::as_slice)
    }
}

const MAX_NAMES: usize = 10;

#[derive(Clone, Copy, Debug)]
struct AnswerPlace {
    part: usize,
    begin: u64,
    length: u64,
    hash: u64,
    is_failed: bool,
    is_written: bool,
}

/// Record files to merge, with the location of each answer.
#[derive(Debug, Default)]
pub struct RecordParts {
    files: Vec<File>,
    units: Vec<AnswerPlace>,
    by_request: HashMap<u64, usize>,
    pub findings: MergeFindings,
}

/// A list of request names: the first few names, and the total number.
#[derive(Clone, Debug, Default, Display, PartialEq, Eq)]
#[display("{}{}", first.join(", "), if first.len() as u64 == *count { "" } else { ", ..." })]
pub struct Names {
    pub first: Vec<String>,
    pub count: u64,
}

impl Names {
    pub fn add(&mut self, name: impl ToString) {
        self.count += 1;
        if self.first.len() < MAX_NAMES {
            self.first.push(name.to_string());
        }
    }
}

/// Problems found in the record files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MergeFindings {
    pub requests: u64,
    /// Requests with several equal answers. One of these answers is kept.
    pub duplicates: Names,
    /// Requests with several different answers. The first of these answers is kept.
    pub conflicting: Names,
    pub missing: Names,
    /// Games that lack the records for their last positions. These games are omitted.
    pub incomplete_games: Names,
    /// Number of answers that do not belong to any request. These answers are omitted.
    pub unrequested: u64,
    /// Files that end in the middle of a line. The incomplete line is omitted.
    pub truncated: Vec<PathBuf>,
}

impl MergeFindings {
    /// Returns true if no answer is missing, incomplete, contradicted by another answer, or unrequested. Equal
    /// duplicates are allowed.
    pub fn is_complete(&self) -> bool {
        let wrong = [&self.conflicting, &self.missing, &self.incomplete_games].map(|names| names.count);
        wrong == [0; 3] && self.unrequested == 0
    }
}

impl RecordParts {
    pub fn add(&mut self, path: &Path) -> io::Result<()> {
        let file = File::open(path)?;
        self.files.push(file.try_clone()?);
        let (_, is_cut) = each_group(BufReader::new(file), |group, end, _| self.add_group(group, end))?;
        if is_cut {
            self.findings.truncated.push(path.to_owned());
        }
        Ok(())
    }

    fn add_group(&mut self, group: RecordGroup, end: u64) {
        let RecordGroup { request, name, begin, hasher, is_open, failure, .. } = group;
        if is_open {
            return self.findings.incomplete_games.add(name);
        }
        let (part, is_failed) = (self.files.len().saturating_sub(1), failure.is_some());
        let place =
            AnswerPlace { part, begin, length: end - begin, hash: hasher.finish(), is_failed, is_written: false };
        match self.by_request.get(&request).and_then(|&index| self.units.get_mut(index)) {
            Some(known) if known.hash == place.hash => self.findings.duplicates.add(name),
            // A failed request was processed again. Its new answer replaces the error.
            Some(known) if known.is_failed && (!is_failed || known.part == part) => *known = place,
            Some(known) if is_failed && !known.is_failed => {}
            Some(_) => self.findings.conflicting.add(name),
            None => {
                self.by_request.insert(request, self.units.len());
                self.units.push(place);
                self.findings.requests += 1;
            }
        }
    }

    /// Writes the records in the order of `requests`. Counts missing and unrequested records in `findings`.
    pub fn write_in_order(
        &mut self,
        requests: impl Iterator<Item = io::Result<RawRequest>>,
        output: &mut dyn Write,
    ) -> io::Result<()> {
        for request in requests {
            let (name, input_hash, _) = request?.read();
            // If `soffio annotate` cannot parse a game, it identifies the game only by its number.
            let mut keys = [input_hash.as_str(), ""].into_iter().map(|hash| number(&name, hash));
            match keys.find_map(|key| self.by_request.get(&key)).copied() {
                Some(index) => self.write(index, output)?,
                None => self.findings.missing.add(name),
            }
        }
        self.findings.unrequested = self.units.iter().filter(|unit| !unit.is_written).count() as u64;
        output.flush()
    }

    /// Writes all records, in the order of the files.
    pub fn write_all(&mut self, output: &mut dyn Write) -> io::Result<()> {
        (0..self.units.len()).try_for_each(|index| self.write(index, output))?;
        output.flush()
    }

    fn write(&mut self, index: usize, output: &mut dyn Write) -> io::Result<()> {
        let Some(unit) = self.units.get_mut(index) else { return Ok(()) };
        unit.is_written = true;
        let Some(file) = self.files.get_mut(unit.part) else { return Ok(()) };
        file.seek(SeekFrom::Start(unit.begin))?;
        io::copy(&mut file.take(unit.length), output).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> io::Result<(AnsweredRequests, u64)> {
        let mut done = AnsweredRequests::default();
        let whole = done.read(text.as_bytes())?;
        Ok((done, whole))
    }

    fn take(done: &mut AnsweredRequests, id: &str) -> Option<RecordedAnswer> {
        done.take(id, "h", || Ok(AnswerSettings::for_variant(None))).unwrap()
    }

    #[test]
    fn an_incomplete_line_or_game_is_truncated() {
        let record = |id: &str, ply: &str| format!("{{\"id\":\"{id}\",\"input_hash\":\"h\"{ply}}}\n");
        let (one, two) = (record("a", ""), record("b", ""));
        let at_ply = |ply: u64, rest: &str| record(&format!("g/{ply}"), &format!(",\"ply\":{ply}{rest}"));
        let open = [0, 1].map(|ply| at_ply(ply, ",\"played\":{}")).concat();
        let game = format!("{open}{}", at_ply(2, ""));
        let torn = &two[..9];
        let cases = [
            (String::new(), 0, ""),
            (one.clone(), one.len(), "a"),
            (format!("{one}{torn}"), one.len(), "a"),
            (format!("{one}{game}{two}"), one.len() + game.len() + two.len(), "a g b"),
            (format!("{one}{game}"), one.len() + game.len(), "a g"),
            (format!("{one}{open}"), one.len(), "a"),
            (format!("{one}{game}{torn}"), one.len(), "a"),
            (format!("{game}{one}{torn}"), game.len() + one.len(), "g a"),
            (format!("{one}{one}"), 2 * one.len(), "a a"),
        ];
        for (text, length, requests) in cases {
            let (mut done, whole) = read(&text).unwrap();
            assert_eq!(whole, length as u64, "{text}");
            assert!(requests.split_whitespace().all(|id| take(&mut done, id).is_some()), "{text}");
            assert!(["a", "b", "g", "g/0"].iter().all(|id| take(&mut done, id).is_none()), "{text}");
        }
        let error = |text: &str| read(text).unwrap_err().to_string();
        for text in ["[1,2]", "{\"ids\":1", "W:W31:B1", "{\"id\":\"a\"}", "\u{feff}x"] {
            assert_eq!(error(text), "line 1 is not a record, or does not end with a newline", "{text}");
        }
        assert_eq!(read(&one[..5]).unwrap().1, 0);
        assert_eq!(error("nonsense\n"), "line 1 is not a record: not valid JSON at column 2");
        assert_eq!(error("{\"id\":\"a\"}\n{}\n"), "line 2 is not a record: a field is missing or has the wrong type");
        assert_eq!(read(&format!("\u{feff}{one}{torn}")).unwrap().1, one.len() as u64 + 3, "a byte order mark is kept");
        let endless = each_record(BufReader::new(io::repeat(b' ')), |_, _, _| {});
        assert_eq!(endless.unwrap_err().to_string(), "line 1 is not a record: it is too long");
    }

    #[test]
    fn an_error_in_a_game_belongs_to_that_game() {
        let text = "{\"id\":\"g/0\",\"input_hash\":\"h\",\"ply\":0}\n{\"id\":\"g\",\"input_hash\":\"h\",\"ply\":1,\"error\":\"e\"}\n";
        assert_eq!(read(text).unwrap().1, text.len() as u64, "the error is the last record");
        let (mut done, _) = read(&format!("{text}{{\"id\":\"x\",\"error\":\"e\"}}\n")).unwrap();
        assert_eq!(take(&mut done, "g").map(|answer| answer.errors), Some(1));
        assert!(take(&mut done, "g").is_none());
        assert_eq!((done.failures("x", ""), done.failures("g", "h")), (&["e".to_owned()][..], &[][..]));
    }

    #[test]
    fn answers_with_the_same_id_and_input_are_distinguished_by_their_settings() {
        let text = ["english", "russian"]
            .map(|variant| format!("{{\"id\":\"a\",\"input_hash\":\"h\",\"variant\":\"{variant}\"}}\n"));
        let (mut done, _) = read(&text.concat()).unwrap();
        let mut take = |variant| {
            let taken = done.take("a", "h", || Ok(AnswerSettings::for_variant(Some(variant))));
            taken.map(|answer| answer.is_some()).map_err(|error| error.to_string())
        };
        assert_eq!(take(Variant::Russian), Ok(true));
        let error = "--resume: the records of request a have the variant english, not russian; use the same variant, \
            or another file";
        assert_eq!(take(Variant::Russian), Err(error.to_owned()));
        assert_eq!((take(Variant::English), take(Variant::English)), (Ok(true), Ok(false)));
    }
}
