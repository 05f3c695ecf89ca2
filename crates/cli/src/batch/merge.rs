//! The parts of a batch put together.

use super::RawRequest;
use super::done::{Key, number as key_of};
use std::collections::HashMap;
use std::fmt;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Names of requests that are told at most.
const MOST_NAMES: usize = 10;

/// The records of a request in one of the parts.
#[derive(Clone, Copy, Debug)]
struct Unit {
    part: usize,
    begin: u64,
    length: u64,
    /// Of its bytes.
    hash: u64,
    is_written: bool,
}

/// Files of records, and where in them the answer to each request is.
#[derive(Debug, Default)]
pub struct Parts {
    files: Vec<File>,
    units: Vec<Unit>,
    /// By the name and the input of the request.
    by_request: HashMap<u64, usize>,
    /// The remarks on them.
    pub found: Found,
}

/// Names of requests, as many as are told, and how many there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// The first ones.
    pub first: Vec<String>,
    /// How many there are.
    pub count: u64,
}

impl Names {
    /// Adds a name.
    pub fn add(&mut self, name: impl ToString) {
        self.count += 1;
        if self.first.len() < MOST_NAMES {
            self.first.push(name.to_string());
        }
    }
}

impl fmt::Display for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let more = if self.first.len() as u64 == self.count { "" } else { ", ..." };
        write!(f, "{}{more}", self.first.join(", "))
    }
}

/// The faults of parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Requests whose records are there once.
    pub requests: u64,
    /// Requests whose records are there more than once, and equal: one of each is kept.
    pub doubled: Names,
    /// Requests whose records are there more than once, and differ: the first are kept.
    pub differing: Names,
    /// Requests that have no records.
    pub missing: Names,
    /// Games whose last positions are missing. They are left out.
    pub torn: Names,
    /// Requests that have records and were not asked for. They are left out.
    pub unasked: u64,
    /// Parts that end in the middle of a line, which is left out.
    pub cut: Vec<PathBuf>,
}

impl Found {
    /// True if each request is answered, and once.
    pub fn is_whole(&self) -> bool {
        let wrong = [&self.differing, &self.missing, &self.torn].map(|names| names.count);
        wrong == [0; 3] && self.unasked == 0
    }
}

/// The records of one request, as far as they were read.
struct Group {
    request: u64,
    name: String,
    begin: u64,
    hasher: DefaultHasher,
    /// True if it may be a game that goes on.
    is_open: bool,
}

impl Parts {
    /// Finds the records in the file at `path`.
    ///
    /// # Errors
    /// When it cannot be read, or has a line that is no record.
    pub fn add(&mut self, path: &Path) -> io::Result<()> {
        let file = File::open(path)?;
        self.files.push(file.try_clone()?);
        let (mut input, mut line, mut place, mut number) = (BufReader::new(file), Vec::new(), 0, 0_u64);
        let mut group: Option<Group> = None;
        loop {
            line.clear();
            let length = input.read_until(b'\n', &mut line)?;
            if line.last() != Some(&b'\n') {
                if length > 0 {
                    self.found.cut.push(path.to_owned());
                }
                break;
            }
            number += 1;
            let key: Key = serde_json::from_slice(&line)
                .map_err(|error| io::Error::other(format!("line {number} is no record: {error}")))?;
            let request = key.number();
            if !group.as_ref().is_some_and(|group| group.request == request && key.goes_on()) {
                self.close(group.take(), place);
                let (name, hasher) = (key.request().to_owned(), DefaultHasher::new());
                group = Some(Group { request, name, begin: place, hasher, is_open: false });
            }
            if let Some(group) = &mut group {
                line.hash(&mut group.hasher);
                group.is_open = key.is_followed();
            }
            place += length as u64;
        }
        self.close(group, place);
        Ok(())
    }

    /// Takes up a group of records that ends at `end`.
    fn close(&mut self, group: Option<Group>, end: u64) {
        let Some(Group { request, name, begin, hasher, is_open }) = group else { return };
        if is_open {
            return self.found.torn.add(name);
        }
        let hash = hasher.finish();
        match self.by_request.get(&request).and_then(|&index| self.units.get(index)) {
            Some(known) if known.hash == hash => self.found.doubled.add(name),
            Some(_) => self.found.differing.add(name),
            None => {
                self.by_request.insert(request, self.units.len());
                let part = self.files.len().saturating_sub(1);
                self.units.push(Unit { part, begin, length: end - begin, hash, is_written: false });
                self.found.requests += 1;
            }
        }
    }

    /// Writes the records in the order of `requests` to `output`; those that are missing or were not asked for are told in `found`.
    ///
    /// # Errors
    /// When something cannot be read or written.
    pub fn write_in_order(
        &mut self,
        requests: impl Iterator<Item = io::Result<RawRequest>>,
        output: &mut dyn Write,
    ) -> io::Result<()> {
        for request in requests {
            let (name, input_hash, _) = request?.read();
            // Of a game that cannot be read `soffio annotate` knows the number alone.
            let mut keys = [input_hash.as_str(), ""].into_iter().map(|hash| key_of(&name, hash));
            match keys.find_map(|key| self.by_request.get(&key)).copied() {
                Some(index) => self.write(index, output)?,
                None => self.found.missing.add(name),
            }
        }
        self.found.unasked = self.units.iter().filter(|unit| !unit.is_written).count() as u64;
        output.flush()
    }

    /// Writes all records to `output`, in the order of the parts.
    ///
    /// # Errors
    /// When something cannot be read or written.
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
