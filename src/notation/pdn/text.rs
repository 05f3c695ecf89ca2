//! The text of a file of game records: its encoding, which old files do not name, places in it, and its smallest parts.

use derive_more::Display;
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use nom::branch::alt;
use nom::bytes::complete::{tag, take_till, take_while, take_while1};
use nom::character::complete::{alphanumeric1, char, digit1, multispace0, one_of, satisfy, space0};
use nom::combinator::{opt, peek, recognize};
use nom::multi::{many1, many1_count};
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};
use std::borrow::Cow;

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
