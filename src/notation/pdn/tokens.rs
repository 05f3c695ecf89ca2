//! The smallest parts of game records.

use nom::branch::alt;
use nom::bytes::complete::{tag, take_till, take_while, take_while1};
use nom::character::complete::{alphanumeric1, char, digit1, multispace0, one_of, satisfy, space0};
use nom::combinator::{opt, peek, recognize};
use nom::multi::{many1, many1_count};
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};

pub(super) type Parsed<'a, T> = IResult<&'a str, T, ()>;

/// Skips spaces, and everything from a per cent sign to the end of the line, which is for other programs.
pub(super) fn skip(input: &str) -> &str {
    let mut rest = input.trim_start();
    while rest.starts_with('%') {
        rest = line_end(rest).trim_start();
    }
    rest
}

/// The rest of `input` from the end of its line on.
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
