//! Splits PDN text into tokens. Concatenated, the texts of all tokens are always the complete input.

use super::result::{GameResult, ends_game, is_hyphen};
use super::text::line_ends;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_till, take_while1};
use nom::character::complete::{anychar, char, digit1, multispace0, one_of, space0};
use nom::combinator::{peek, recognize, rest, verify};
use nom::sequence::terminated;
use nom::{IResult, Parser};

/// A kind of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// Whitespace, byte order marks and end-of-file marks.
    Space,
    /// Text for other programs: a line that begins with `%`.
    Escape,
    /// A tag, such as `[Event "Match"]`. Its value may contain quotation marks, or may lack the quotation marks around
    /// it.
    Tag,
    /// A comment in braces, such as `{words}`. If the `}` is missing, the comment ends before the next tag line or at
    /// the end of the text.
    Comment,
    /// A comment from `;` to the end of the line.
    LineComment,
    /// A move number, such as `12.` or `12...`, or dots without a number.
    Number,
    /// A move, a result or any other word.
    Word,
    /// A numeric annotation glyph (NAG), such as `$1`.
    Glyph,
    /// Marks for the quality of a move, such as `!`, `?!` or `(!)`.
    Strength,
    /// A position that is set up between moves, such as `/FEN "W:W31:B20"/`.
    SetUp,
    /// An opening parenthesis, which begins a variation.
    Open,
    /// A closing parenthesis, which ends a variation.
    Close,
    /// An asterisk, which is a result or marks a forced move.
    Asterisk,
    /// Any other text, such as a remark in brackets.
    Unknown,
}

/// A token of PDN text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// What the text is, judging by its form alone. A [`TokenKind::Word`] may turn out not to be a move.
    pub kind: TokenKind,
    /// The text of the token, exactly as written.
    pub text: &'a str,
}

/// An iterator over the tokens in a text.
#[derive(Clone, Debug)]
pub struct Tokens<'a> {
    /// The text that has not been split into tokens yet.
    pub(super) rest: &'a str,
    is_line_start: bool,
}

impl<'a> Tokens<'a> {
    /// Creates an iterator over the tokens in `text`.
    pub fn new(text: &'a str) -> Self {
        Self::within(text, true)
    }

    /// Creates an iterator over the tokens in `text`, which begins at the start of a line or within a line.
    pub(super) fn within(text: &'a str, is_line_start: bool) -> Self {
        Self { rest: text, is_line_start }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let first = self.rest.chars().next()?;
        let (kind, length) = token(self.rest, first, self.is_line_start);
        let (text, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, ""));
        self.rest = rest;
        // A byte order mark is not part of the first line.
        self.is_line_start = text.ends_with(is_line_end) || self.is_line_start && text == "\u{feff}";
        Some(Token { kind, text })
    }
}

/// Returns the kind of the token at the start of `text`, and its length in bytes. `first` is its first character.
fn token(text: &str, first: char, is_line_start: bool) -> (TokenKind, usize) {
    let line_length = || text.find(is_line_end).unwrap_or(text.len());
    let run = |is_inside: fn(char) -> bool| text.find(|c| !is_inside(c)).unwrap_or(text.len());
    let is_glyph = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
    match first {
        c if is_space(c) => (TokenKind::Space, run(is_space)),
        '%' if is_line_start => (TokenKind::Escape, line_length()),
        ';' => (TokenKind::LineComment, line_length()),
        '{' => (TokenKind::Comment, comment_length(text)),
        '[' => match tag_length(text, is_line_start) {
            Some(length) => (TokenKind::Tag, length),
            None => (TokenKind::Unknown, bracketed_length(text, is_line_start)),
        },
        '$' if text.get(1..).is_some_and(is_glyph) => {
            let digits = text.bytes().skip(1).take_while(u8::is_ascii_digit).count();
            (TokenKind::Glyph, 1 + digits)
        }
        '!' | '?' => (TokenKind::Strength, run(is_mark)),
        '(' => {
            let marks = text.chars().skip(1).take_while(|&c| is_mark(c)).count();
            let is_strength = marks > 0 && text.get(1 + marks..).is_some_and(|rest| rest.starts_with(')'));
            if is_strength { (TokenKind::Strength, marks + 2) } else { (TokenKind::Open, 1) }
        }
        ')' => (TokenKind::Close, 1),
        '*' => (TokenKind::Asterisk, 1),
        '.' => (TokenKind::Number, run(|c| c == '.')),
        '/' if let Some(length) = set_up_length(text) => (TokenKind::SetUp, length),
        c if is_end_of_word(c) => (TokenKind::Unknown, c.len_utf8()),
        _ => word(text),
    }
}

/// Returns whether `c` is whitespace, a byte order mark, or a control character that fills the end of old files.
pub(super) fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{feff}' | '\u{1a}' | '\0')
}

/// Returns whether `c` is a line feed or a carriage return. Some old systems ended lines with a carriage return.
pub(super) fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r')
}

/// Returns whether `c` is whitespace that does not end a line. A tag never spans several lines.
pub(super) fn is_blank(c: char) -> bool {
    is_space(c) && !is_line_end(c)
}

fn is_mark(c: char) -> bool {
    matches!(c, '!' | '?')
}

fn is_end_of_word(c: char) -> bool {
    is_space(c) || matches!(c, '{' | '}' | '(' | ')' | '[' | ']' | ';' | '$' | '!' | '?' | '*' | '"')
}

fn word(text: &str) -> (TokenKind, usize) {
    if let Some(usual) = usual_word(text) {
        return usual;
    }
    let length = text.find(is_end_of_word).unwrap_or(text.len());
    let special = odd_result_length(text).or_else(|| squares_length(text)).or_else(|| null_move_length(text));
    if let Some(special) = special.filter(|&special| special >= length) {
        return (TokenKind::Word, special);
    }
    match number_length(text) {
        Some(length) => (TokenKind::Number, length),
        None => (TokenKind::Word, length),
    }
}

/// Returns the kind and length of a word of the usual form: a move with square numbers, or a move number with a dot.
/// Returns `None` for any other word, and for a word that could be part of a longer one. This shortcut doubles the
/// reading speed.
fn usual_word(text: &str) -> Option<(TokenKind, usize)> {
    let bytes = text.as_bytes();
    let is_inside = |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'x' | b':');
    let length = bytes.iter().take_while(|byte| is_inside(byte)).count();
    let (word, after) = bytes.split_at_checked(length)?;
    let has_digits_only = word.iter().all(u8::is_ascii_digit);
    match after {
        [b'.', b' ' | b'\n', ..] if has_digits_only && length > 0 => return Some((TokenKind::Number, length + 1)),
        [] | [b' ' | b'\t' | b'\r' | b'\n', ..] if !has_digits_only => {}
        _ => return None,
    }
    let next = after.iter().find(|byte| !matches!(byte, b' ' | b'\t'));
    let is_free = next.is_none_or(|next| matches!(next, b'0'..=b'9' | b'\r' | b'\n' | b'{' | b'(' | b')' | b'*'));
    let ends_with_square = word.split(|byte| !byte.is_ascii_digit()).all(|square| !square.is_empty());
    (is_free && ends_with_square).then_some((TokenKind::Word, length))
}

/// Returns the length of the text that `parser` accepts at the start of `text`, or `None` if `parser` fails.
fn length_of<'a, O>(parser: impl Parser<&'a str, Output = O, Error = ()>, text: &'a str) -> Option<usize> {
    recognize(parser).parse(text).ok().map(|(_, found)| found.len())
}

fn end_of_word(text: &str) -> IResult<&str, &str, ()> {
    peek(verify(rest, |rest: &str| rest.chars().next().is_none_or(is_end_of_word))).parse(text)
}

/// Returns the length of a move number with its dots. A move or a result may follow directly. Returns `None` for a
/// fraction such as `0.5` or `12.30s`.
fn number_length(text: &str) -> Option<usize> {
    let length = length_of((digit1, multispace0, take_while1(|c| c == '.')), text)?;
    let (number, after) = text.split_at_checked(length)?;
    let has_one_dot = number.strip_suffix('.').is_some_and(|whole| whole.bytes().all(|byte| byte.is_ascii_digit()));
    let rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = after.len() - rest.len();
    let is_digits_only = rest.chars().next().is_none_or(is_end_of_word);
    // Four digits can be a move without a separator.
    let is_move = || rest.starts_with(is_separator) || is_digits_only && digits >= 4 && digits.is_multiple_of(2);
    let is_joined = || is_move() || squares_length(after).or_else(|| odd_result_length(after)).is_some();
    (!has_one_dot || digits == 0 || is_joined()).then_some(length)
}

/// Returns the length of squares that are joined by separators, possibly with blanks around them, as in `32-28`, `16 x
/// 7`, `1- 7` or `12*19*26`.
fn squares_length(text: &str) -> Option<usize> {
    let square = |text: &str| {
        let letters = text.chars().next().filter(|c| c.is_alphabetic()).map_or(0, char::len_utf8);
        let digits = text.get(letters..)?.bytes().take_while(u8::is_ascii_digit).count();
        (digits > 0).then_some(letters + digits)
    };
    let blanks = |text: &str| text.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let (mut end, mut whole) = (square(text)?, None);
    // If the first separator is an asterisk, only asterisks join squares. Otherwise, an asterisk marks a forced move.
    let is_starred = text.get(end..)?.starts_with('*');
    loop {
        let rest = text.get(end..)?;
        let before = blanks(rest);
        let sign = rest.get(before..)?.chars().next();
        let sign = sign.filter(|&c| if is_starred { c == '*' && before == 0 } else { is_separator(c) });
        let Some(sign) = sign else { return whole };
        let after = before + sign.len_utf8();
        let gap = after + if is_starred { 0 } else { blanks(rest.get(after..)?) };
        let Some(length) = square(rest.get(gap..)?) else { return whole };
        end += gap + length;
        if text.get(end..)?.chars().next().is_none_or(is_end_of_word) {
            whole = Some(end);
        }
    }
}

/// Returns whether `c` is a separator between squares, in any alphabet.
pub(super) fn is_separator(c: char) -> bool {
    is_hyphen(c) || matches!(c, 'x' | 'X' | ':' | '×' | 'х' | 'Х')
}

/// Returns the length of `--` or `- -`, which stand for an unknown move.
fn null_move_length(text: &str) -> Option<usize> {
    length_of((char('-'), space0, char('-'), end_of_word), text)
}

/// Returns the length of a result that is not a move and would otherwise be split into several tokens, such as
/// `1.01-0.99`, `2.5-0`, `1+ - 1-` or `1/2 - 1/2`.
fn odd_result_length(text: &str) -> Option<usize> {
    let decimal = || recognize((digit1, char('.'), digit1));
    let signed = || recognize((digit1, one_of("+-")));
    let half = || alt((tag("1/2"), tag("½")));
    let dash = || verify(anychar, |&c: &char| is_hyphen(c) || c == ':');
    // In `12.1-0`, the first number is a move number.
    let is_score = |text: &str| text.split_once('.').is_some_and(|(_, result)| result.parse::<GameResult>().is_err());
    let shutout = verify(recognize((decimal(), char('-'), char('0'))), is_score);
    let pair = alt((
        recognize((decimal(), space0, char('-'), space0, decimal())),
        shutout,
        recognize((signed(), space0, char('-'), space0, signed())),
        recognize((half(), space0, dash(), space0, half())),
    ));
    length_of((pair, end_of_word), text)
}

/// Returns the length of a position between slashes. Only a position in quotation marks can contain line breaks.
fn set_up_length(text: &str) -> Option<usize> {
    const MAX_BYTES: usize = 1000;
    let prefix = text.get(..text.floor_char_boundary(MAX_BYTES)).unwrap_or_default();
    let quoted = recognize((char('"'), take_till(|c| matches!(c, '"' | '/' | '{' | '}')), char('"'), space0));
    let inside = take_till(|c| matches!(c, '/' | '\n' | '\r' | '{' | '}'));
    length_of(
        (char('/'), space0, tag("FEN"), space0, alt((terminated(quoted, peek(char('/'))), inside)), char('/')),
        prefix,
    )
}

/// Returns the length of the comment at the start of `text`. A comment that is not closed before the next comment ends
/// before the next tag line, so it does not swallow the following games. So does any comment with the tags of a
/// game: a tag line next to an empty line or another tag line, or after a line that ends with a result.
fn comment_length(text: &str) -> usize {
    let (mut at, mut before_tag) = (1, None);
    while let Some(found) = text.get(at..).and_then(|rest| rest.find(['{', '}', '\n', '\r'])) {
        at += found + 1;
        let (before, rest) = text.split_at_checked(at).unwrap_or_default();
        let is_tag = |line: &str| tag_start(line).is_some_and(|value| value.starts_with('"'));
        match before.bytes().next_back() {
            Some(b'}') => return at,
            Some(b'{') => {
                if let Some(end) = before_tag {
                    return end;
                }
            }
            _ if is_tag(rest) => {
                let above = before.trim_ascii_end();
                let line_above = above.rsplit(is_line_end).next().unwrap_or_default();
                let line_end = rest.trim_start_matches(|c| !is_line_end(c));
                let below = line_end.trim_ascii_start();
                let is_empty_line = |space: &str| line_ends(space) > 1;
                if before.get(above.len()..).is_some_and(is_empty_line)
                    || ends_game(line_above.as_bytes())
                    || line_end.get(..line_end.len() - below.len()).is_some_and(is_empty_line)
                    || is_tag(below)
                {
                    return at;
                }
                before_tag.get_or_insert(at);
            }
            _ => {}
        }
    }
    before_tag.unwrap_or(text.len())
}

/// Returns the text after the name of the tag at the start of `text`, or `None` if there is no tag.
fn tag_start(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('[')?.trim_start_matches(is_blank);
    let value = inner.trim_start_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-'));
    (value.len() < inner.len() && !inner.starts_with('-')).then(|| value.trim_start_matches(is_blank))
}

fn tag_length(text: &str, is_line_start: bool) -> Option<usize> {
    let value = tag_start(text)?;
    let strict = value.strip_prefix('"').and_then(|inner| inner.get(quoted_length(inner)?..));
    if let Some(rest) = strict.and_then(|rest| rest.trim_start_matches(is_blank).strip_prefix(']')) {
        return Some(text.len() - rest.len());
    }
    let line = first_line_prefix(text);
    let is_name = text.get(1..)?.starts_with(|c: char| c.is_ascii_uppercase());
    if !is_line_start || !is_name || value.len() + line.len() <= text.len() || value.starts_with(']') {
        return None;
    }
    let mut ends = line.match_indices(']').map(|(at, _)| at + 1);
    let is_end = |&end: &usize| {
        let before = line.get(text.len() - value.len() + 1..end).and_then(|inner| inner.strip_suffix(']'));
        let after = line.get(end..).unwrap_or_default().trim_start();
        let is_quoted = value.starts_with('"') && before.is_some_and(|inner| inner.trim_end().ends_with('"'));
        is_quoted || after.is_empty() || after.starts_with('[')
    };
    ends.find(is_end)
}

/// Returns the first line of `text`, truncated to 1000 bytes. Remarks in brackets and misquoted tags
/// are never longer than that.
fn first_line_prefix(text: &str) -> &str {
    const MAX_BYTES: usize = 1000;
    let prefix = text.get(..text.floor_char_boundary(MAX_BYTES)).unwrap_or_default();
    prefix.split(is_line_end).next().unwrap_or_default()
}

/// Returns the length of a remark in brackets, of a line with an unclosed tag, or of a single bracket.
fn bracketed_length(text: &str, is_line_start: bool) -> usize {
    match first_line_prefix(text).find(']') {
        Some(end) => end + 1,
        None if is_line_start && tag_start(text).is_some() => text.find(is_line_end).unwrap_or(text.len()),
        None => 1,
    }
}

/// Returns the length of a quoted value, including the closing quotation mark, or `None` if the value is not closed on
/// the first line. A backslash escapes a quotation mark or a backslash.
fn quoted_length(inner: &str) -> Option<usize> {
    let mut bytes = inner.bytes().enumerate().peekable();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'"' => return Some(at + 1),
            b'\n' | b'\r' => return None,
            b'\\' if bytes.peek().is_some_and(|(_, next)| matches!(next, b'"' | b'\\')) => {
                bytes.next();
            }
            _ => {}
        }
    }
    None
}

impl<'a> Token<'a> {
    /// Returns the name and the value of a tag, and whether the tag follows the standard. Returns `None` if the token
    /// is not a tag.
    pub fn tag(self) -> Option<(&'a str, String, bool)> {
        let inner = self.text.strip_prefix('[')?.trim_start_matches(is_blank);
        let value = tag_start(self.text)?;
        let name = inner.get(..inner.len() - value.len())?.trim_end();
        let written = value.strip_suffix(']')?.trim_end();
        let quoted = written.strip_prefix('"').and_then(|inner| inner.strip_suffix('"'));
        let inner = quoted.unwrap_or_else(|| written.trim_matches('"'));
        let is_strict = quoted.is_some_and(|text| quoted_length(&format!("{text}\"")) == Some(text.len() + 1));
        let mut value = String::with_capacity(inner.len());
        let mut chars = inner.chars().peekable();
        while let Some(c) = chars.next() {
            let escaped = if c == '\\' { chars.next_if(|next| matches!(next, '"' | '\\')) } else { None };
            value.push(match escaped.unwrap_or(c) {
                c if c.is_ascii_control() => ' ',
                c => c,
            });
        }
        Some((name, value, is_strict))
    }

    /// Returns whether the marks are one of the six usual ones.
    pub fn is_usual_strength(self) -> bool {
        matches!(self.text.trim_matches(['(', ')']), "!" | "?" | "!!" | "??" | "!?" | "?!")
    }

    /// Returns the number (NAG) of marks such as `!`. Unusual marks, such as `!!!`, have the number of the most similar
    /// usual ones.
    pub fn strength(self) -> u16 {
        let marks = self.text.trim_matches(['(', ')']);
        match marks {
            "!" => 1,
            "?" => 2,
            _ if !marks.contains('?') => 3,
            _ if !marks.contains('!') => 4,
            _ if marks.starts_with('!') => 5,
            _ => 6,
        }
    }
}
