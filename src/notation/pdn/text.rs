//! The text of PDN files: encodings, which old files do not declare, places, and lexical elements.

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

/// A text encoding, parsed from its usual names, such as `cp1251`, `cp866`, `koi8-r`, `latin2` or `utf-8`.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
#[display("{}", _0.name())]
pub struct TextEncoding(&'static Encoding);

impl FromStr for TextEncoding {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        const EXPECTED: &str =
            "expected the name of an encoding such as cp1251, cp866, koi8-r, latin1, latin2 or utf-8";
        Encoding::for_label_no_replacement(text.as_bytes()).map(Self).ok_or(EXPECTED)
    }
}

/// Encodings of old Cyrillic files: the only guesses accepted other than Windows-1252.
const CYRILLIC: [&Encoding; 3] = [WINDOWS_1251, KOI8_U, IBM866];

/// Maximum bytes of non-ASCII lines that a guess examines.
const SAMPLE: usize = 1 << 16;

/// Longest piece of a line, in bytes, that a guess reads at once.
const LINE: u64 = 1 << 24;

impl TextEncoding {
    /// Guesses the encoding of `bytes`: by byte order mark, else UTF-8 if valid, else an old Cyrillic encoding if the
    /// text looks Cyrillic, else Windows-1252, the superset of Latin-1.
    pub fn guess(bytes: &[u8]) -> Self {
        Self::of(bytes).unwrap_or(Self(WINDOWS_1252))
    }

    /// Guesses the encoding of a file as [`TextEncoding::guess`] does, reading `input` to its end.
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
        // Other guesses are too unreliable for a few names.
        Ok(Self(if CYRILLIC.contains(&guessed) { guessed } else { WINDOWS_1252 }))
    }

    /// Decodes the text of a file; a byte order mark overrides this encoding.
    pub fn decode(self, bytes: &[u8]) -> PdnText {
        let encoding = Encoding::for_bom(bytes).map_or(self.0, |(encoding, _)| encoding);
        let (text, _) = encoding.decode_with_bom_removal(bytes);
        // Some old systems ended lines with a lone carriage return.
        let text = if text.contains('\n') { text.into_owned() } else { text.replace('\r', "\n") };
        PdnText { text, encoding }
    }
}

/// The text of a file and its encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PdnText {
    /// The text, with lines ended by line feeds.
    pub text: String,
    encoding: &'static Encoding,
}

/// Decodes a file in the guessed encoding; a wrong single-byte encoding looks wrong, but is written back unchanged.
pub fn decode(bytes: &[u8]) -> PdnText {
    TextEncoding::guess(bytes).decode(bytes)
}

impl PdnText {
    /// Encodes `text` in the encoding of the file, or in UTF-8 if that is UTF-16.
    pub fn encode<'a>(&self, text: &'a str) -> Cow<'a, [u8]> {
        self.encoding.encode(text).0
    }
}

/// A line and column in a text.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
#[display("line {line} column {column}")]
pub struct Place {
    /// Line, counted from 1.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Places<'a> {
    text: &'a str,
    offset: usize,
    place: Place,
}

impl<'a> Places<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, offset: 0, place: Place { line: 1, column: 1 } }
    }

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

/// The reason why a game cannot be read, with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "game {game}, {place}: expected {expected}, found {}",
    if .found.is_empty() { "the end".to_owned() } else { format!("'{found}'") }
)]
pub struct PdnError {
    /// Number of the game in the file, counted from 1.
    pub game: usize,
    /// Place of the fault.
    pub place: Place,
    /// Description of what can stand there.
    pub expected: &'static str,
    /// Text at the fault; empty at the end.
    pub found: String,
}

pub(super) type ParseResult<'a, T> = IResult<&'a str, T, ()>;

/// Skips blanks, and text from a `%` to the end of its line, which is meant for other programs.
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

/// Skips what [`skip`] does, and byte order marks between joined files.
pub(super) fn skip_between_games(input: &str) -> &str {
    let mut rest = skip(input);
    while let Some(after) = rest.strip_prefix('\u{feff}') {
        rest = skip(after);
    }
    rest
}

pub(super) fn tag_pair(input: &str) -> ParseResult<'_, (String, String)> {
    let (rest, name) = tag_start(input)?;
    let (rest, text) = quoted(rest)?;
    let (rest, _) = (multispace0, char(']')).parse(rest)?;
    Ok((rest, (name.to_owned(), text.replace(char::is_control, " "))))
}

fn tag_start(input: &str) -> ParseResult<'_, &str> {
    let name = take_while1(|c: char| c.is_alphanumeric() || c == '_');
    delimited((char('['), multispace0), name, multispace0).parse(input)
}

/// Parses a quoted string on one line; a backslash escapes a quotation mark or a backslash.
fn quoted(input: &str) -> ParseResult<'_, String> {
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

/// Parses a comment in braces. It fails at a line with a tag: an unclosed comment must not swallow the next games.
pub(super) fn braced(input: &str) -> ParseResult<'_, &str> {
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

pub(super) fn tag_name(line: &str) -> Option<&str> {
    tag_start(line).ok().filter(|(rest, _)| rest.starts_with('"')).map(|(_, name)| name)
}

pub(super) fn begins_with_tag(line: &str) -> bool {
    tag_name(line).is_some()
}

pub(super) fn to_line_end(input: &str) -> ParseResult<'_, &str> {
    preceded(char(';'), take_till(|c| c == '\n')).parse(input)
}

pub(super) fn move_number(input: &str) -> ParseResult<'_, &str> {
    let with_dots = recognize((digit1, multispace0, char('.'), take_while(|c| c == '.')));
    alt((with_dots, take_while1(|c| c == '.'))).parse(input)
}

pub(super) fn glyph(input: &str) -> ParseResult<'_, &str> {
    preceded(char('$'), digit1).parse(input)
}

/// Converts marks such as `!` and `?`, possibly in parentheses, to a numeric annotation glyph.
pub(super) fn strength(input: &str) -> ParseResult<'_, u16> {
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

pub(super) fn set_up(input: &str) -> ParseResult<'_, &str> {
    recognize((char('/'), take_till(|c| matches!(c, '/' | '\n' | '{' | '}')), char('/'))).parse(input)
}

pub(super) fn move_text(input: &str) -> ParseResult<'_, String> {
    alt((padded, word.map(str::to_owned))).parse(input)
}

/// Parses a move or result with blanks, as in the columns of old files (`1- 7`, `16 x 7`), and removes them.
fn padded(input: &str) -> ParseResult<'_, String> {
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

fn word(input: &str) -> ParseResult<'_, &str> {
    let squares = recognize((alphanumeric1, many1_count((char('*'), alphanumeric1))));
    let first = peek(take_while1(|c: char| c.is_ascii_alphanumeric() || c == '½'));
    alt((squares, preceded(first, take_till(is_end_of_word)))).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_is_read_and_written_back() {
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

    /// Returns a record with this player name in `encoding`, if the encoding has these characters.
    fn named(encoding: &'static Encoding, name: &str) -> Option<Vec<u8>> {
        let (bytes, _, has_gaps) = encoding.encode(name);
        let record = [b"[Event \"x\"]\n[White \"", &*bytes, b"\"]\n1. c3-d4 *\n"].concat();
        (!has_gaps).then_some(record)
    }

    #[test]
    fn cyrillic_names_are_detected_and_western_ones_kept() {
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
    fn an_encoding_is_declared_or_detected_from_the_whole_file() {
        let latin2 = named(encoding_rs::ISO_8859_2, "Wałęsa").unwrap();
        assert!("latin2".parse::<TextEncoding>().unwrap().decode(&latin2).text.contains("Wałęsa"));
        assert!("klingon".parse::<TextEncoding>().is_err());
        let late = [b"1. c3-d4 *\n".repeat(100_000), named(WINDOWS_1251, "Иванов").unwrap()].concat();
        assert_eq!(TextEncoding::guess(&late), TextEncoding(WINDOWS_1251));
        assert_eq!(TextEncoding::guess("é\nИванов\n".as_bytes()), TextEncoding(UTF_8));
        assert_eq!("cp1251".parse::<TextEncoding>().unwrap().to_string(), "windows-1251");
    }

    #[test]
    fn lines_and_columns_are_counted_incrementally() {
        let text = "a\néb\r\n\nc";
        let mut places = Places::new(text);
        let found = [0, 1, 2, 4, 7, 8, 9].map(|offset| (places.at(offset).line, places.at(offset).column));
        assert_eq!(found, [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (4, 1), (4, 2)]);
    }
}
