//! The text of a file of game records: its encoding, which old files do not name, and places in it.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use std::borrow::Cow;
use std::fmt;

/// The text of a file, and how to write it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PdnText {
    /// The text, with lines ended by line feeds.
    pub text: String,
    encoding: &'static Encoding,
}

/// The text of a file: in the encoding of its byte order mark; or UTF-8; or else Windows-1252, the superset of Latin-1. Text
/// in another single-byte encoding is then displayed wrongly, but written back unchanged.
pub fn decode(bytes: &[u8]) -> PdnText {
    let marked = Encoding::for_bom(bytes).map(|(encoding, _)| encoding);
    let guessed = || if std::str::from_utf8(bytes).is_ok() { UTF_8 } else { WINDOWS_1252 };
    let encoding = marked.unwrap_or_else(guessed);
    let (text, _) = encoding.decode_with_bom_removal(bytes);
    // Old computers ended lines with a carriage return alone.
    let text = if text.contains('\n') { text.into_owned() } else { text.replace('\r', "\n") };
    PdnText { text, encoding }
}

impl PdnText {
    /// `text` in the encoding of the file, or in UTF-8 where that is UTF-16.
    pub fn encode<'a>(&self, text: &'a str) -> Cow<'a, [u8]> {
        self.encoding.encode(text).0
    }
}

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} column {}", self.line, self.column)
    }
}

/// Finds the places of a text one after the other, each character being counted once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places<'a> {
    text: &'a str,
    /// The byte that was asked for last.
    offset: usize,
    place: Place,
}

impl<'a> Places<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, offset: 0, place: Place { line: 1, column: 1 } }
    }

    /// The place of the byte `offset`, which does not come before one that was asked for earlier.
    pub(super) fn at(&mut self, offset: usize) -> Place {
        let between = self.text.get(self.offset..offset).unwrap_or_default();
        self.offset = self.offset.max(offset);
        self.place.line += between.matches('\n').count();
        if between.contains('\n') {
            self.place.column = 1;
        }
        let on_line = between.rsplit('\n').next().unwrap_or_default();
        self.place.column += on_line.chars().count();
        self.place
    }
}

/// The reason why a game of a file cannot be read, and the place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "game {game}, {place}: expected {expected}, found {}",
    if .found.is_empty() { "the end".to_owned() } else { format!("'{found}'") }
)]
pub struct PdnError {
    /// The number of the game in the file, counted from 1.
    pub game: usize,
    /// The place of the error.
    pub place: Place,
    /// Something that could stand there.
    pub expected: &'static str,
    /// The text found there; empty at the end.
    pub found: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_is_read_and_written_again() {
        for (bytes, text) in [
            (&b"[White \"Andr\xe9\"]"[..], "[White \"André\"]"),
            ("[White \"André\"]".as_bytes(), "[White \"André\"]"),
            (b"\xef\xbb\xbf1-0", "1-0"),
            (b"\xff\xfe*\0", "*"),
            (b"1.\r32-28\r*", "1.\n32-28\n*"),
        ] {
            assert_eq!(decode(bytes).text, text);
        }
        let all: Vec<u8> = (0x80..=0xff).collect();
        let read = decode(&all);
        assert_eq!(read.encode(&read.text), all);
        assert_eq!(decode("é".as_bytes()).encode("é"), "é".as_bytes());
        assert_eq!(decode(b"\xff\xfe*\0").encode("é"), "é".as_bytes());
    }

    #[test]
    fn places_are_counted_on() {
        let text = "a\néb\r\n\nc";
        let mut places = Places::new(text);
        let found = [0, 1, 2, 4, 7, 8, 9].map(|offset| (places.at(offset).line, places.at(offset).column));
        assert_eq!(found, [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (4, 1), (4, 2)]);
    }
}
