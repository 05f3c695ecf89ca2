//! The text of a file of game records: its encoding, which old files do not name, places in it, and its smallest parts.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use derive_more::Display;
use encoding_rs::{Encoding, IBM866, KOI8_U, UTF_8, WINDOWS_1251, WINDOWS_1252};
use nom::branch::alt;
use nom::bytes::complete::{tag, take_till, take_while, take_while1};
use nom::character::complete::{alphanumeric1, char, digit1, multispace0, one_of, satisfy, space0};
use nom::combinator::{opt, peek, recognize};
use nom::multi::{many1, many1_count};
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};
use std::borrow::Cow;
use std::io::{self, BufRead, Read};
use std::str::FromStr;

/// An encoding of text. It is parsed from its usual names, such as `cp1251`, `cp866`, `koi8-r`, `latin2` or `utf-8`.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
#[display("{}", _0.name())]
pub struct TextEncoding(&'static Encoding);

/// No encoding has this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected the name of an encoding such as cp1251, cp866, koi8-r, latin1, latin2 or utf-8")]
pub struct UnknownEncoding;

impl FromStr for TextEncoding {
    type Err = UnknownEncoding;

    fn from_str(text: &str) -> Result<Self, UnknownEncoding> {
        Encoding::for_label_no_replacement(text.as_bytes()).map(Self).ok_or(UnknownEncoding)
    }
}

/// The encodings other than Windows-1252 that a guess may find: those of old Cyrillic files.
const CYRILLIC: [&Encoding; 3] = [WINDOWS_1251, KOI8_U, IBM866];

/// A guess looks at so many bytes of lines that are not plain ASCII.
const SAMPLE: usize = 1 << 16;

/// The longest line, in bytes, that a guess reads in one piece.
const LINE: u64 = 1 << 24;

impl TextEncoding {
    /// Guesses the encoding of `bytes`: that of the byte order mark; or UTF-8; or that of old Cyrillic files, if the
    /// text looks like Cyrillic; or else Windows-1252, the superset of Latin-1.
    pub fn guess(bytes: &[u8]) -> Self {
        // Bytes in memory can always be read.
        Self::of(bytes).unwrap_or(Self(WINDOWS_1252))
    }

    /// Guesses the encoding of a file, which is read to its end.
    ///
    /// # Errors
    /// Returns an error if `input` cannot be read.
    pub fn of(mut input: impl BufRead) -> io::Result<Self> {
        let (mut line, mut sample, mut is_utf8, mut is_first) = (Vec::new(), Vec::new(), true, true);
        while input.by_ref().take(LINE).read_until(b'\n', &mut line)? > 0 {
            if let Some((marked, _)) = Encoding::for_bom(&line).filter(|_| is_first) {
                return Ok(Self(marked));
            }
            if !line.is_ascii() {
                is_utf8 &= std::str::from_utf8(&line).is_ok();
                sample.extend(line.iter().take(SAMPLE - sample.len().min(SAMPLE)));
            }
            is_first = false;
            line.clear();
        }
        if is_utf8 {
            return Ok(Self(UTF_8));
        }
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        detector.feed(&sample, true);
        let guessed = detector.guess(None, Utf8Detection::Deny);
        // Other guesses are too uncertain for a few names.
        Ok(Self(if CYRILLIC.contains(&guessed) { guessed } else { WINDOWS_1252 }))
    }

    /// Returns the text of a file in this encoding; a byte order mark takes precedence.
    pub fn decode(self, bytes: &[u8]) -> PdnText {
        let encoding = Encoding::for_bom(bytes).map_or(self.0, |(encoding, _)| encoding);
        let (text, _) = encoding.decode_with_bom_removal(bytes);
        // Old computers ended lines with a carriage return alone.
        let text = if text.contains('\n') { text.into_owned() } else { text.replace('\r', "\n") };
        PdnText { text, encoding }
    }
}

/// The text of a file, and how to write it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PdnText {
    /// The text, with lines ended by line feeds.
    pub text: String,
    encoding: &'static Encoding,
}

/// Returns the text of a file in the encoding that [`TextEncoding::guess`] finds. Text in another single-byte encoding
/// is displayed wrongly, but written back unchanged.
pub fn decode(bytes: &[u8]) -> PdnText {
    TextEncoding::guess(bytes).decode(bytes)
}

impl PdnText {
    /// `text` in the encoding of the file, or in UTF-8 where that is UTF-16.
    pub fn encode<'a>(&self, text: &'a str) -> Cow<'a, [u8]> {
        self.encoding.encode(text).0
    }
}

/// A place in a text.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
#[display("line {line} column {column}")]
pub struct Place {
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
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

pub(super) type Parsed<'a, T> = IResult<&'a str, T, ()>;

/// Skips spaces, and everything from a per cent sign to the end of the line, which is for other programs.
pub(super) fn skip(input: &str) -> &str {
    let mut rest = input.trim_start();
    while rest.starts_with('%') {
        rest = line_end(rest).trim_start();
    }
    rest
}

fn line_end(input: &str) -> &str {
    input.find('\n').and_then(|end| input.get(end..)).unwrap_or_default()
}

/// Skips spaces, lines for programs, and byte order marks between joined files.
pub(super) fn skip_between_games(input: &str) -> &str {
    let mut rest = skip(input);
    while let Some(after) = rest.strip_prefix('\u{feff}') {
        rest = skip(after);
    }
    rest
}

pub(super) fn tag_pair(input: &str) -> Parsed<'_, (String, String)> {
    let (rest, name) = tag_start(input)?;
    let (rest, text) = quoted(rest)?;
    let (rest, _) = (multispace0, char(']')).parse(rest)?;
    Ok((rest, (name.to_owned(), text.replace(char::is_control, " "))))
}

/// A bracket, the name of a tag, and the spaces around it.
fn tag_start(input: &str) -> Parsed<'_, &str> {
    let name = take_while1(|c: char| c.is_alphanumeric() || c == '_');
    delimited((char('['), multispace0), name, multispace0).parse(input)
}

/// A string in quotation marks on one line, in which a backslash stands before a quotation mark or another one.
fn quoted(input: &str) -> Parsed<'_, String> {
    let (mut rest, _) = char('"').parse(input)?;
    let mut text = String::new();
    loop {
        let (after, plain) = take_till(|c| matches!(c, '"' | '\\' | '\n')).parse(rest)?;
        text.push_str(plain);
        let (after, sign) = alt((tag("\\\""), tag("\\\\"), tag("\\"), tag("\""))).parse(after)?;
        rest = after;
        match sign {
            "\"" => return Ok((rest, text)),
            sign => text.push_str(sign.strip_prefix('\\').filter(|sign| !sign.is_empty()).unwrap_or(sign)),
        }
    }
}

/// A comment between braces. An unclosed one would swallow the games after it, so a comment never extends past a line
/// that begins with a tag.
pub(super) fn braced(input: &str) -> Parsed<'_, &str> {
    let (whole, _) = char('{').parse(input)?;
    let mut rest = whole;
    while let Some(next) = rest.find(['}', '\n']) {
        let (_, found) = rest.split_at(next);
        rest = found.get(1..).unwrap_or_default();
        if found.starts_with('}') {
            let text = whole.get(..whole.len() - found.len()).unwrap_or_default();
            return Ok((rest, text));
        }
        if begins_with_tag(rest) {
            break;
        }
    }
    Err(nom::Err::Error(()))
}

/// The name of the tag at the start of `line`, if it begins as a tag does.
pub(super) fn tag_name(line: &str) -> Option<&str> {
    tag_start(line).ok().filter(|(rest, _)| rest.starts_with('"')).map(|(_, name)| name)
}

/// Returns whether `line` begins as a tag does.
pub(super) fn begins_with_tag(line: &str) -> bool {
    tag_name(line).is_some()
}

/// A comment from a semicolon to the end of the line.
pub(super) fn to_line_end(input: &str) -> Parsed<'_, &str> {
    preceded(char(';'), take_till(|c| c == '\n')).parse(input)
}

/// The number of a move with dots after it, or dots alone.
pub(super) fn move_number(input: &str) -> Parsed<'_, &str> {
    let with_dots = recognize((digit1, multispace0, char('.'), take_while(|c| c == '.')));
    alt((with_dots, take_while1(|c| c == '.'))).parse(input)
}

/// The digits of a numeric annotation glyph.
pub(super) fn glyph(input: &str) -> Parsed<'_, &str> {
    preceded(char('$'), digit1).parse(input)
}

/// Marks such as `!` and `?`, possibly in parentheses, as a numeric annotation glyph.
pub(super) fn strength(input: &str) -> Parsed<'_, u16> {
    let marks = || take_while1(|c| matches!(c, '!' | '?'));
    let (rest, marks) = alt((delimited(char('('), marks(), char(')')), marks())).parse(input)?;
    let glyph = match marks {
        "!" => 1,
        "?" => 2,
        _ if !marks.contains('?') => 3,
        _ if !marks.contains('!') => 4,
        _ if marks.starts_with('!') => 5,
        _ => 6,
    };
    Ok((rest, glyph))
}

/// A position that the game goes on from.
pub(super) fn set_up(input: &str) -> Parsed<'_, &str> {
    recognize((char('/'), take_till(|c| matches!(c, '/' | '\n' | '{' | '}')), char('/'))).parse(input)
}

/// A move or result: [`padded`] with blanks, or one [`word`].
pub(super) fn move_text(input: &str) -> Parsed<'_, String> {
    alt((padded, word.map(str::to_owned))).parse(input)
}

/// A move or result with blanks in it, as in the columns of old files: `1- 7`, `16 x 7`. It is returned without them.
fn padded(input: &str) -> Parsed<'_, String> {
    let square = || recognize((opt(satisfy(|c| c.is_ascii_alphabetic())), digit1));
    let steps = many1((space0, recognize(one_of("-xX:")), space0, square()));
    let (rest, (first, steps)) = (square(), steps).parse(input)?;
    let mut text = first.to_owned();
    for (_, sign, _, square) in steps {
        text.push_str(sign);
        text.push_str(square);
    }
    let is_padded = text.len() < input.len() - rest.len();
    let is_whole = rest.chars().next().is_none_or(is_end_of_word);
    if is_padded && is_whole { Ok((rest, text)) } else { Err(nom::Err::Error(())) }
}

fn is_end_of_word(c: char) -> bool {
    c.is_whitespace() || "{}()[];$!?*\"".contains(c)
}

/// Letters, digits and the signs between them in a move or result. An asterisk between squares is a capture sign.
fn word(input: &str) -> Parsed<'_, &str> {
    let squares = recognize((alphanumeric1, many1_count((char('*'), alphanumeric1))));
    let first = peek(take_while1(|c: char| c.is_ascii_alphanumeric() || c == '½'));
    alt((squares, preceded(first, take_till(is_end_of_word)))).parse(input)
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
        let cyrillic: Vec<u8> = b"[White \"\xc8\xe2\xe0\xed\xee\xe2\"] ".iter().copied().chain(0x80..=0xff).collect();
        for label in ["cp1251", "cp866", "koi8-r", "koi8-u", "latin2", "cp1250", "latin1"] {
            let read = label.parse::<TextEncoding>().unwrap().decode(&cyrillic);
            assert_eq!(read.encode(&read.text), cyrillic, "{label}");
        }
        assert_eq!(decode("é".as_bytes()).encode("é"), "é".as_bytes());
        assert_eq!(decode(b"\xff\xfe*\0").encode("é"), "é".as_bytes());
    }

    /// A record with this name in `encoding`.
    fn named(encoding: &'static Encoding, name: &str) -> Option<Vec<u8>> {
        let (bytes, _, has_gaps) = encoding.encode(name);
        let record = [b"[Event \"x\"]\n[White \"", &*bytes, b"\"]\n1. c3-d4 *\n"].concat();
        (!has_gaps).then_some(record)
    }

    #[test]
    fn cyrillic_names_are_guessed_and_western_ones_stay() {
        let cyrillic = ["Иванов", "Чижов Алексей", "МОСКВА", "Чемпионат СССР", "Андреев, Василий", "ничья", "Павел"];
        for (encoding, name) in CYRILLIC.iter().flat_map(|encoding| cyrillic.map(|name| (encoding, name))) {
            let text = named(encoding, name).map(|bytes| decode(&bytes).text);
            assert!(text.is_some_and(|text| text.contains(name)), "{name} in {}", encoding.name());
        }
        let western = [
            "André",
            "Jürgen Müller",
            "Björn Ångström",
            "Città",
            "José María",
            "Peñarol",
            "Fædrelandet",
            "Jõgi",
            "½-½",
            "N°. 5",
            "été à Nîmes",
            "T. Sijbrands – Gantwarg",
            "“quoted”",
            "FRANÇOIS",
            "GÖTEBORG",
            "Überfall",
            "é",
            "ÀÁÂ",
        ];
        for name in western {
            let text = named(WINDOWS_1252, name).map(|bytes| decode(&bytes).text);
            assert!(text.is_some_and(|text| text.contains(name)), "{name}");
        }
    }

    #[test]
    fn an_encoding_is_named_or_guessed_from_the_whole_file() {
        let latin2 = named(encoding_rs::ISO_8859_2, "Wałęsa").unwrap();
        assert!("latin2".parse::<TextEncoding>().unwrap().decode(&latin2).text.contains("Wałęsa"));
        assert_eq!("klingon".parse::<TextEncoding>(), Err(UnknownEncoding));
        let late = [b"1. c3-d4 *\n".repeat(100_000), named(WINDOWS_1251, "Иванов").unwrap()].concat();
        assert_eq!(TextEncoding::guess(&late), TextEncoding(WINDOWS_1251));
        assert_eq!(TextEncoding::guess("é\nИванов\n".as_bytes()), TextEncoding(UTF_8));
        assert_eq!("cp1251".parse::<TextEncoding>().unwrap().to_string(), "windows-1251");
    }

    #[test]
    fn places_are_counted_on() {
        let text = "a\néb\r\n\nc";
        let mut places = Places::new(text);
        let found = [0, 1, 2, 4, 7, 8, 9].map(|offset| (places.at(offset).line, places.at(offset).column));
        assert_eq!(found, [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (4, 1), (4, 2)]);
    }
}
