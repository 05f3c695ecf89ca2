//! The requests that a file of records says are done, from which a run that was interrupted goes on.

use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::Path;

/// The fields of a record that say which request it answers.
#[derive(Deserialize)]
pub(super) struct Key {
    pub(super) id: String,
    #[serde(default)]
    pub(super) input_hash: Option<String>,
    #[serde(default)]
    pub(super) ply: Option<u64>,
    #[serde(default)]
    pub(super) error: Option<String>,
    #[serde(default)]
    played: Option<IgnoredAny>,
}

impl Key {
    /// The name of the request: that of the record, without the number of the position in a game.
    pub(super) fn request(&self) -> &str {
        let ply = self.ply.filter(|_| self.error.is_none());
        let end = ply.map(|ply| format!("/{ply}"));
        end.and_then(|end| self.id.strip_suffix(end.as_str())).unwrap_or(&self.id)
    }

    /// True if there is one such record for each time that the request was answered.
    fn is_first(&self) -> bool {
        self.ply.is_none_or(|ply| ply == 0)
    }

    /// True if it belongs to the same game as the record before it.
    pub(super) fn goes_on(&self) -> bool {
        !self.is_first()
    }

    /// True if another record of the same game must follow: a move was played in this position.
    pub(super) fn is_followed(&self) -> bool {
        self.ply.is_some() && self.error.is_none() && self.played.is_some()
    }

    /// The name and the input of the request in one number.
    pub(super) fn number(&self) -> u64 {
        number(self.request(), self.input_hash.as_deref().unwrap_or_default())
    }
}

/// The name of a request and the hash of its input in one number.
pub(super) fn number(id: &str, input_hash: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (id, input_hash).hash(&mut hasher);
    hasher.finish()
}

/// The requests that were answered before, and how often.
#[derive(Debug, Default)]
pub struct Done {
    requests: HashMap<u64, u32>,
    /// Error records that are there.
    pub(super) errors: u64,
}

impl Done {
    /// Opens the file of records at `path`, or makes one, and cuts off a record that was not written to its end, as well as the
    /// last game, of which some may be missing. The records of this run come after those that are there.
    ///
    /// # Errors
    /// When it cannot be read or written, another process writes to it, or it has a line that is no record.
    pub fn open(path: &Path) -> io::Result<(Self, File)> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(io::Error::other("another process writes to this file")),
            // Some file systems have no locks.
            Err(TryLockError::Error(error)) => log::warn!("{}: {error}", path.display()),
        }
        let mut done = Self::default();
        let whole = done.read(BufReader::new(&file))?;
        if whole < file.metadata()?.len() {
            file.set_len(whole)?;
        }
        file.seek(SeekFrom::Start(whole))?;
        Ok((done, file))
    }

    /// Takes account of the records of `input`, and returns how many bytes of it stay.
    fn read(&mut self, mut input: impl BufRead) -> io::Result<u64> {
        let (mut line, mut place, mut number) = (Vec::new(), 0, 0_u64);
        // The game that the last record belongs to: where it begins, and its requests.
        let mut game: Option<(u64, u64, u32)> = None;
        let mut errors_of_game = 0;
        loop {
            line.clear();
            let length = input.read_until(b'\n', &mut line)?;
            if line.last() != Some(&b'\n') {
                break;
            }
            number += 1;
            let key: Key = serde_json::from_slice(&line)
                .map_err(|error| io::Error::other(format!("line {number} is no record: {error}")))?;
            let request = key.number();
            let first = u32::from(key.is_first());
            game = match (key.ply, game) {
                (Some(_), Some((begin, same, count))) if same == request && first == 0 => Some((begin, same, count)),
                (Some(_), _) => Some((place, request, first)),
                (None, _) => None,
            };
            let error = u64::from(key.error.is_some());
            errors_of_game = if game.is_some_and(|(begin, ..)| begin < place) { errors_of_game + error } else { error };
            self.errors += error;
            if first > 0 {
                *self.requests.entry(request).or_default() += first;
            }
            place += length as u64;
        }
        if let Some((begin, request, count)) = game {
            if let Some(known) = self.requests.get_mut(&request) {
                *known = known.saturating_sub(count);
            }
            self.errors -= errors_of_game;
            return Ok(begin);
        }
        Ok(place)
    }

    /// Returns whether the request with this name and hash was answered once more than was asked here.
    pub fn take(&mut self, id: &str, input_hash: &str) -> bool {
        match self.requests.get_mut(&number(id, input_hash)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        }
    }
}

/// Writes some lines to `output` in one go, so that as little as possible is lost if the process is killed.
pub(super) fn write_lines(output: &mut dyn Write, lines: &str) -> io::Result<()> {
    output.write_all(lines.as_bytes())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> io::Result<(Done, u64)> {
        let mut done = Done::default();
        let whole = done.read(text.as_bytes())?;
        Ok((done, whole))
    }

    #[test]
    fn a_torn_line_and_a_game_that_may_be_torn_are_cut_off() {
        let record = |id: &str, ply: &str| format!("{{\"id\":\"{id}\",\"input_hash\":\"h\"{ply}}}\n");
        let (one, two) = (record("a", ""), record("b", ""));
        let game: String = (0..3).map(|ply| record(&format!("g/{ply}"), &format!(",\"ply\":{ply}"))).collect();
        let torn = &two[..9];
        let cases = [
            (String::new(), 0, ""),
            (one.clone(), one.len(), "a"),
            (format!("{one}{torn}"), one.len(), "a"),
            (format!("{one}{game}{two}"), one.len() + game.len() + two.len(), "a g b"),
            (format!("{one}{game}"), one.len(), "a"),
            (format!("{game}{one}{torn}"), game.len() + one.len(), "g a"),
            (format!("{one}{one}"), 2 * one.len(), "a a"),
        ];
        for (text, length, requests) in cases {
            let (mut done, whole) = read(&text).unwrap();
            assert_eq!(whole, length as u64, "{text}");
            assert!(requests.split_whitespace().all(|id| done.take(id, "h")), "{text}");
            assert!(["a", "b", "g", "g/0"].iter().all(|id| !done.take(id, "h")), "{text}");
        }
        assert!(read("nonsense\n").is_err());
    }

    #[test]
    fn an_error_in_a_game_belongs_to_it() {
        let text = "{\"id\":\"g/0\",\"input_hash\":\"h\",\"ply\":0}\n{\"id\":\"g\",\"input_hash\":\"h\",\"ply\":1,\"error\":\"e\"}\n";
        assert_eq!(read(text).unwrap().1, 0, "what comes next may be missing");
        let (mut done, _) = read(&format!("{text}{{\"id\":\"x\",\"error\":\"e\"}}\n")).unwrap();
        assert!(done.take("g", "h") && !done.take("g", "h") && done.take("x", ""));
    }
}
