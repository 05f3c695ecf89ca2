//! Reads the games of a PDN file one by one.

use super::text::{
    Places, begins_with_tag, braced, glyph, move_number, move_text, set_up, skip, skip_between_games, strength,
    tag_name, tag_pair, to_line_end,
};
use super::{GameRecord, GameResult, PdnError, PdnMove, Place, Variation};
use crate::notation::printable;
use nom::Parser;
use nom::branch::alt;

/// A game read from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadGame {
    /// Number of the game in the file, counted from 1; games that cannot be read count too.
    pub number: usize,
    /// The parsed record.
    pub record: GameRecord,
    /// Where the game starts.
    pub place: Place,
    /// Where each move starts.
    pub moves: Vec<Place>,
}

/// Iterates over the games of a text. After an error, it resumes with the next game that starts with tags.
#[derive(Clone, Debug)]
pub struct PdnReader<'a> {
    text: &'a str,
    rest: &'a str,
    places: Places<'a>,
    number: usize,
}

/// Reads all games of a text; fails at the first one that cannot be read.
pub fn read_games(text: &str) -> Result<Vec<GameRecord>, PdnError> {
    PdnReader::new(text).map(|game| game.map(|game| game.record)).collect()
}

impl<'a> PdnReader<'a> {
    /// Creates an iterator over the games of `text`.
    pub fn new(text: &'a str) -> Self {
        Self { text, rest: text, places: Places::new(text), number: 0 }
    }

    fn place(&mut self, rest: &str) -> Place {
        self.places.at(self.text.len() - rest.len())
    }
}

impl Iterator for PdnReader<'_> {
    type Item = Result<ReadGame, PdnError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let input = skip_between_games(self.rest);
            if input.is_empty() {
                return None;
            }
            let mut game = RawGame::default();
            let read = game.read(input);
            self.number += 1;
            let number = self.number;
            match read {
                Ok(rest) => {
                    self.rest = rest;
                    // A lone result or comment is not a game.
                    if game.record.tags.is_empty() && game.record.moves.is_empty() {
                        self.number -= 1;
                        continue;
                    }
                    let place = self.place(input);
                    let moves = game.moves.iter().map(|rest| self.place(rest)).collect();
                    return Some(Ok(ReadGame { number, record: game.record, place, moves }));
                }
                Err(failure) => {
                    let place = self.place(failure.rest);
                    self.rest = next_game(self.text, input, failure.rest);
                    let found = failure.found();
                    return Some(Err(PdnError { game: number, place, expected: failure.expected, found }));
                }
            }
        }
    }
}

#[derive(Default)]
struct RawGame<'a> {
    record: GameRecord,
    moves: Vec<&'a str>,
}

impl<'a> RawGame<'a> {
    fn read(&mut self, input: &'a str) -> Result<&'a str, Failure<'a>> {
        let (mut input, mut line) = (input, Variation::default());
        while let Ok((after, text)) = alt((braced, to_line_end)).parse(input) {
            line.say(text);
            input = skip(after);
        }
        let (mut rest, tags, is_next) = read_tags(input)?;
        self.record.tags = tags;
        let mut result = None;
        if !is_next {
            rest = read_line(rest, 0, &mut line, &mut |rest| self.moves.push(rest))?;
            let (after, found) = end(rest)?;
            (rest, result) = (after, found);
        }
        // In files that end games with a separator only, the result is in the tag.
        let tagged = || self.record.tag("Result").and_then(|text| text.parse().ok());
        self.record.result = result.filter(|&result| result != GameResult::Unknown).or_else(tagged).unwrap_or_default();
        rest = last_words(rest, &mut line);
        (self.record.comment, self.record.moves) = (line.comment, line.moves);
        Ok(rest)
    }
}

fn end(rest: &str) -> Result<(&str, Option<GameResult>), Failure<'_>> {
    if rest.is_empty() || rest.starts_with('[') {
        return Ok((rest, None));
    }
    if let Some(after) = rest.strip_prefix('*') {
        return Ok((after, Some(GameResult::Unknown)));
    }
    let (after, text) = move_text(rest).map_err(|_| Failure::unknown(rest))?;
    Ok((after, Some(text.parse().map_err(|_| Failure::unknown(rest))?)))
}

/// Reads comments after the result, on its line or at the end of the text, as final comments of the game.
fn last_words<'a>(mut rest: &'a str, line: &mut Variation) -> &'a str {
    loop {
        let next = skip(rest);
        let Ok((after, text)) = alt((braced, to_line_end)).parse(next) else { return rest };
        let space = rest.get(..rest.len() - next.len()).unwrap_or_default();
        if space.contains('\n') && !skip(after).is_empty() {
            return rest;
        }
        line.say(text);
        rest = after;
    }
}

/// Returns the text from the next game on, after a fault at `rest` in the game that starts at `game`: from a line with
/// a tag that does not directly follow other tags, unless it repeats the first tag of the faulty game.
fn next_game<'a>(text: &'a str, game: &str, rest: &'a str) -> &'a str {
    let first = tag_name(game);
    let fault = text.len() - rest.len();
    let line_start = text.get(..fault).and_then(|before| before.rfind('\n')).map_or(0, |feed| feed + 1);
    let mut lines = text.get(line_start..).unwrap_or_default().split_inclusive('\n');
    let mut offset = line_start;
    let mut is_among_tags = false;
    for line in lines.by_ref() {
        let begins_again = first.is_some() && tag_name(line) == first;
        if offset > fault && (!is_among_tags || begins_again) && begins_with_tag(line) {
            return text.get(offset..).unwrap_or_default();
        }
        is_among_tags = is_only_tag(line);
        offset += line.len();
    }
    ""
}

fn is_only_tag(line: &str) -> bool {
    line.starts_with('[')
        && line.rsplit(']').next().is_none_or(|behind| behind.trim().is_empty() || !line.contains(']'))
}

type Tags = Vec<(String, String)>;

/// Reads the tags at the start of `input`. The flag is set if a tag after an empty line repeats the first: a new game.
fn read_tags(input: &str) -> Result<(&str, Tags, bool), Failure<'_>> {
    let mut tags = Tags::new();
    let mut rest = input;
    let mut below_empty_line = false;
    while rest.starts_with('[') {
        let (after, pair) = tag_pair(rest).map_err(|_| Failure::new(rest, "a tag such as [Event \"Match\"]"))?;
        if below_empty_line && tags.first().is_some_and(|(first, _)| *first == pair.0) {
            return Ok((rest, tags, true));
        }
        tags.push(pair);
        rest = skip(after);
        let space = after.len() - rest.len();
        below_empty_line = after.get(..space).is_some_and(|space| space.matches('\n').count() > 1);
    }
    Ok((rest, tags, false))
}

/// Deepest nesting of variations: more than real games have, and safe for the stack.
const DEEPEST: usize = 100;

/// Reads a line up to a tag, a result or an end, and returns the rest. `moved` gets the text from each move on.
fn read_line<'a>(
    input: &'a str,
    depth: usize,
    line: &mut Variation,
    moved: &mut dyn FnMut(&'a str),
) -> Result<&'a str, Failure<'a>> {
    let mut rest = skip(input);
    while let Some(first) = rest.chars().next() {
        rest = match first {
            '[' | ')' => break,
            '*' if depth == 0 => break,
            '{' | ';' => comment(rest, line)?,
            '$' => numbered_glyph(rest, line)?,
            '/' => {
                let (after, text) =
                    set_up(rest).map_err(|_| Failure::new(rest, "a position such as /FEN \"W:W31:B20\"/"))?;
                let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                moved(rest);
                line.moves.push(PdnMove::new(text));
                after
            }
            '!' | '?' | '(' => match strength(rest) {
                Ok((after, number)) => {
                    mark(line, number);
                    after
                }
                Err(_) if first == '(' => variation(rest, depth, line)?,
                Err(_) => return Err(Failure::unknown(rest)),
            },
            _ => match move_or_number(rest, depth, line, moved)? {
                Some(after) => after,
                None => break,
            },
        };
        rest = skip(rest);
    }
    Ok(rest)
}

fn comment<'a>(input: &'a str, line: &mut Variation) -> Result<&'a str, Failure<'a>> {
    let read = alt((braced, to_line_end)).parse(input);
    let (rest, text) = read.map_err(|_| Failure::new(input, "a comment that ends with '}'"))?;
    line.say(text);
    Ok(rest)
}

fn numbered_glyph<'a>(input: &'a str, line: &mut Variation) -> Result<&'a str, Failure<'a>> {
    let wrong = || Failure::new(input, "an annotation from $0 to $65535");
    let (rest, digits) = glyph(input).map_err(|_| wrong())?;
    mark(line, digits.parse().map_err(|_| wrong())?);
    Ok(rest)
}

/// Adds a glyph to the last move. Before the first move it refers to the position and becomes a comment.
fn mark(line: &mut Variation, number: u16) {
    match line.moves.last_mut() {
        Some(last) if last.glyphs.contains(&number) => {}
        Some(last) => last.glyphs.push(number),
        None => line.say(&format!("${number}")),
    }
}

fn variation<'a>(input: &'a str, depth: usize, line: &mut Variation) -> Result<&'a str, Failure<'a>> {
    if depth == DEEPEST {
        return Err(Failure::new(input, "variations that are nested less deeply"));
    }
    let replaced = line.moves.last_mut().ok_or(Failure::new(input, "a move before its variation"))?;
    let mut variation = Variation::default();
    let inner = input.get(1..).unwrap_or_default();
    let rest = read_line(inner, depth + 1, &mut variation, &mut |_| {})?;
    let after = rest.strip_prefix(')').ok_or(Failure::new(input, "a variation that ends with ')'"))?;
    replaced.variations.push(variation);
    Ok(after)
}

fn move_or_number<'a>(
    input: &'a str,
    depth: usize,
    line: &mut Variation,
    moved: &mut dyn FnMut(&'a str),
) -> Result<Option<&'a str>, Failure<'a>> {
    if let Ok((rest, _)) = move_number(input) {
        return Ok(Some(rest));
    }
    if let Some(rest) = input.strip_prefix('*') {
        line.say("*");
        return Ok(Some(rest));
    }
    let (rest, text) = move_text(input).map_err(|_| Failure::unknown(input))?;
    if text.chars().all(|c| c.is_ascii_digit()) {
        return Ok(Some(rest));
    }
    if text.parse::<GameResult>().is_ok() {
        if depth == 0 {
            return Ok(None);
        }
        line.say(&text);
        return Ok(Some(rest));
    }
    moved(input);
    let (text, remark) = split_remark(&text);
    let mut mv = PdnMove::new(text);
    mv.say(remark);
    let rest = match forced(rest) {
        Some(after) => {
            mv.glyphs.push(7);
            after
        }
        None => rest,
    };
    line.moves.push(mv);
    Ok(Some(rest))
}

/// Fewest letters directly after a move that count as a remark rather than a typing error.
const SHORTEST_REMARK: usize = 3;

/// Splits off words that directly follow a move in numbers, as in `8-11Resigns`.
fn split_remark(text: &str) -> (&str, &str) {
    let is_of_numbers = text.starts_with(|c: char| c.is_ascii_digit());
    let is_letter = |c: char| c.is_alphabetic() && !matches!(c, 'x' | 'X');
    let (mv, remark) = text.find(is_letter).and_then(|end| text.split_at_checked(end)).unwrap_or((text, ""));
    let is_move = is_of_numbers && mv.ends_with(|c: char| c.is_ascii_digit()) && mv.contains(['-', 'x', ':']);
    let is_remark = remark.chars().take_while(|c| c.is_alphabetic()).count() >= SHORTEST_REMARK;
    // The rest would be parsed as a result.
    let is_result = mv.parse::<GameResult>().is_ok();
    if is_move && is_remark && !is_result { (mv, remark) } else { (text, "") }
}

/// Returns the text after an asterisk that marks a move as forced. Before a tag or the end, it ends the game instead.
fn forced(rest: &str) -> Option<&str> {
    let after = rest.strip_prefix('*')?;
    let next = after.trim_start();
    if next.is_empty() || next.starts_with('[') { None } else { Some(after) }
}

#[derive(Clone, Copy, Debug)]
struct Failure<'a> {
    rest: &'a str,
    expected: &'static str,
}

impl<'a> Failure<'a> {
    fn new(rest: &'a str, expected: &'static str) -> Self {
        Self { rest, expected }
    }

    fn unknown(rest: &'a str) -> Self {
        Self::new(rest, "a move, a comment or a result")
    }

    fn found(self) -> String {
        let word = self.rest.split_whitespace().next().filter(|_| !self.rest.starts_with(char::is_whitespace));
        printable(word.unwrap_or_default().chars())
    }
}
