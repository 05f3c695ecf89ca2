//! The smallest parts of game records.

use nom::branch::alt;
use nom::bytes::complete::{tag, take_till, take_while, take_while1};
use nom::character::complete::{alphanumeric1, char, digit1, multispace0};
use nom::combinator::{peek, recognize};
use nom::multi::many1_count;
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};

pub(super) type Parsed<'a, T> = IResult<&'a str, T, ()>;

/// Skips spaces, and what stands between a per cent sign and the end of the line, which is for programs that know it.
pub(super) fn skip(input: &str) -> &str {
    let mut rest = input.trim_start();
    while rest.starts_with('%') {
        rest = line_end(rest).trim_start();
    }
    rest
}

/// What is left of `input` from the end of its line on.
fn line_end(input: &str) -> &str {
    input.find('\n').and_then(|end| input.get(end..)).unwrap_or_default()
}

/// Skips what no game can begin with: spaces, lines for programs, and byte order marks between joined files.
pub(super) fn skip_between_games(input: &str) -> &str {
    let mut rest = skip(input);
    while let Some(after) = rest.strip_prefix('\u{feff}') {
        rest = skip(after);
    }
    rest
}

pub(super) fn tag_pair(input: &str) -> Parsed<'_, (String, String)> {
    let name = take_while1(|c: char| c.is_alphanumeric() || c == '_');
    let (rest, name) = delimited((char('['), multispace0), name, multispace0).parse(input)?;
    let (rest, text) = quoted(rest)?;
    let (rest, _) = (multispace0, char(']')).parse(rest)?;
    Ok((rest, (name.to_owned(), text.replace(char::is_control, " "))))
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

/// A comment between braces. One that is not closed would swallow the games behind it: none reaches over a line that
/// begins with a tag.
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

/// Whether `line` begins as a tag does.
pub(super) fn begins_with_tag(line: &str) -> bool {
    let name = take_while1(|c: char| c.is_alphanumeric() || c == '_');
    let begin: Parsed<'_, _> = recognize((char('['), multispace0, name, multispace0, char('"'))).parse(line);
    begin.is_ok()
}

/// A comment from a semicolon to the end of the line.
pub(super) fn to_line_end(input: &str) -> Parsed<'_, &str> {
    preceded(char(';'), take_till(|c| c == '\n')).parse(input)
}

/// The number of a move with dots behind it, or dots alone.
pub(super) fn move_number(input: &str) -> Parsed<'_, &str> {
    let with_dots = recognize((digit1, multispace0, char('.'), take_while(|c| c == '.')));
    alt((with_dots, take_while1(|c| c == '.'))).parse(input)
}

/// The digits of a numeric annotation glyph.
pub(super) fn glyph(input: &str) -> Parsed<'_, &str> {
    preceded(char('$'), digit1).parse(input)
}

/// Marks of praise and blame, which can stand in parentheses, as a numeric annotation glyph.
pub(super) fn strength(input: &str) -> Parsed<'_, u8> {
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

/// Letters, digits and what stands between them in a move or result. An asterisk between squares is the sign of captures.
pub(super) fn word(input: &str) -> Parsed<'_, &str> {
    let is_end = |c: char| c.is_whitespace() || "{}()[];$!?*\"".contains(c);
    let squares = recognize((alphanumeric1, many1_count((char('*'), alphanumeric1))));
    let first = peek(take_while1(|c: char| c.is_ascii_alphanumeric() || c == '½'));
    alt((squares, preceded(first, take_till(is_end)))).parse(input)
}
