//! The Hub protocol, version 2. A line consists of a command and arguments of the form `name=value`. Times are in
//! seconds and scores in units of 100 cp.

mod command;
mod level;
mod reply;

pub use command::{HubCommand, Mode, PositionText};
pub use level::HubLevel;
pub use reply::{HubInfo, HubReply, HubScore};

use nom::branch::alt;
use nom::bytes::complete::{take_till, take_till1, take_while};
use nom::character::complete::{anychar, char};
use nom::combinator::{cut, opt};
use nom::sequence::{preceded, terminated};
use nom::{IResult, Parser};

type ParseResult<'a, T> = IResult<&'a str, T>;

#[derive(Clone, Debug, PartialEq, Eq)]
struct HubLine<'a> {
    command: &'a str,
    arguments: Vec<(&'a str, &'a str)>,
}

impl<'a> HubLine<'a> {
    fn read(text: &'a str) -> Option<Self> {
        let (mut rest, command) = preceded(spaces, take_till1(char::is_whitespace)).parse(text).ok()?;
        let mut arguments = Vec::new();
        while let Ok((after, found)) = item(rest) {
            arguments.extend(found);
            rest = after;
        }
        Some(Self { command, arguments })
    }

    fn value(&self, name: &str) -> Option<&'a str> {
        self.arguments.iter().rev().find(|(known, _)| *known == name).map(|&(_, value)| value)
    }
}

/// Quotes a value only if necessary, because one client cannot parse a single word in quotation marks.
fn quoted(text: &str) -> String {
    let needs_quotes = text.is_empty() || text.contains(char::is_whitespace);
    if needs_quotes { format!("\"{text}\"") } else { text.to_owned() }
}

fn spaces(input: &str) -> ParseResult<'_, &str> {
    take_while(char::is_whitespace).parse(input)
}

fn item(input: &str) -> ParseResult<'_, Option<(&str, &str)>> {
    preceded(spaces, alt((argument.map(Some), anychar.map(|_| None)))).parse(input)
}

fn argument(input: &str) -> ParseResult<'_, (&str, &str)> {
    let name = take_till1(|c: char| c.is_whitespace() || c == '=' || c == '"');
    let equals = (spaces, char('='), spaces);
    let value = preceded(equals, cut(alt((in_quotes, take_till(char::is_whitespace)))));
    (name, opt(value).map(Option::unwrap_or_default)).parse(input)
}

fn in_quotes(input: &str) -> ParseResult<'_, &str> {
    preceded(char('"'), terminated(take_till(|c| c == '"'), opt(char('"')))).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(&str, Vec<(&str, &str)>)> {
        HubLine::read(text).map(|line| (line.command, line.arguments))
    }

    #[test]
    fn values_may_have_quotation_marks() {
        assert_eq!(read("hub"), Some(("hub", vec![])));
        assert_eq!(read("  go \t think "), Some(("go", vec![("think", "")])));
        let arguments = vec![("pos", "Wee"), ("moves", "32-28 19x23x28"), ("last", "")];
        assert_eq!(read("pos pos=Wee moves=\"32-28 19x23x28\" last"), Some(("pos", arguments)));
        assert_eq!(read("pos moves=33-28"), Some(("pos", vec![("moves", "33-28")])));
        assert_eq!(read("a b = \"\" c ="), Some(("a", vec![("b", ""), ("c", "")])));
        assert_eq!(read("a b=c=d"), Some(("a", vec![("b", "c=d")])));
    }

    #[test]
    fn invalid_arguments_are_ignored() {
        assert_eq!(read(""), None);
        assert_eq!(read(" \t"), None);
        assert_eq!(read("a =b \"c\" d=\"e f"), Some(("a", vec![("b", ""), ("c", ""), ("d", "e f")])));
    }

    #[test]
    fn the_last_of_repeated_arguments_counts() {
        assert_eq!(HubLine::read("level depth=1 depth=2").and_then(|line| line.value("depth")), Some("2"));
        assert_eq!(HubLine::read("level depth=1").and_then(|line| line.value("nodes")), None);
    }
}
