//! Reads the games of a file, one after the other.

use super::error::Failure;
use super::line::read_line;
use super::place::Places;
use super::tags::read_tags;
use super::tokens::{begins_with_tag, braced, move_text, skip, skip_between_games, tag_name, to_line_end};
use super::{GameRecord, GameResult, PdnError, Place, Variation, add_comment};
use nom::Parser;
use nom::branch::alt;

/// A game of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadGame {
    /// Its number in the file, counted from 1. Those that cannot be read count too.
    pub number: usize,
    /// The game.
    pub record: GameRecord,
    /// Where it begins.
    pub place: Place,
    /// The places of its moves.
    pub moves: Vec<Place>,
}

/// The games of a text. After a game that cannot be read, the iterator continues with the next one that begins with tags.
#[derive(Clone, Debug)]
pub struct PdnReader<'a> {
    text: &'a str,
    /// What has not been read yet.
    rest: &'a str,
    places: Places<'a>,
    /// Games that were begun.
    number: usize,
}

/// Reads all games of a text.
///
/// # Errors
/// When one of them cannot be read: says where, and what is expected there.
pub fn read_games(text: &str) -> Result<Vec<GameRecord>, PdnError> {
    PdnReader::new(text).map(|game| game.map(|game| game.record)).collect()
}

impl<'a> PdnReader<'a> {
    /// The games of `text`.
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
            let mut game = Raw::default();
            let read = game.read(input);
            self.number += 1;
            let number = self.number;
            match read {
                Ok(rest) => {
                    self.rest = rest;
                    // A lone result or comment is no game.
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

/// A game while it is read.
#[derive(Default)]
struct Raw<'a> {
    record: GameRecord,
    /// What is left from each move on.
    moves: Vec<&'a str>,
}

impl<'a> Raw<'a> {
    /// Reads the game at the start of `input`: tags, then moves up to a result, or to the tags of the next game. Returns
    /// what is left.
    fn read(&mut self, input: &'a str) -> Result<&'a str, Failure<'a>> {
        let mut line = Variation::default();
        let mut input = input;
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
        // Where games end only with a separator, the result is in the tag.
        let tagged = || self.record.tag("Result").and_then(|text| text.parse().ok());
        self.record.result = result.filter(|&result| result != GameResult::Unknown).or_else(tagged).unwrap_or_default();
        rest = last_words(rest, &mut line);
        (self.record.comment, self.record.moves) = (line.comment, line.moves);
        Ok(rest)
    }
}

/// Reads the result at the start of `rest`, if the game does not end without one.
fn end(rest: &str) -> Result<(&str, Option<GameResult>), Failure<'_>> {
    if rest.is_empty() || rest.starts_with('[') {
        return Ok((rest, None));
    }
    if let Some(after) = rest.strip_prefix('*') {
        return Ok((after, Some(GameResult::Unknown)));
    }
    let wrong = || Failure::new(rest, "a move, a comment or a result");
    let (after, text) = move_text(rest).map_err(|_| wrong())?;
    Ok((after, Some(text.parse().map_err(|_| wrong())?)))
}

/// Reads comments after the result, on its line or at the end of the text, as the last comments of the game.
fn last_words<'a>(mut rest: &'a str, line: &mut Variation) -> &'a str {
    loop {
        let next = skip(rest);
        let Ok((after, text)) = alt((braced, to_line_end)).parse(next) else { return rest };
        let space = rest.get(..rest.len() - next.len()).unwrap_or_default();
        if space.contains('\n') && !skip(after).is_empty() {
            return rest;
        }
        match line.moves.last_mut() {
            Some(last) => last.say(text),
            None => add_comment(&mut line.comment, text),
        }
        rest = after;
    }
}

/// What is left of `text` from the next game on, after a fault at the start of `rest` in the game at the start of `game`:
/// from the next line that begins with a tag, and does not belong to the same tags; but it does not if it begins with the
/// first of them again.
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

/// Whether `line` begins like a tag, and has nothing after it.
fn is_only_tag(line: &str) -> bool {
    line.starts_with('[')
        && line.rsplit(']').next().is_none_or(|behind| behind.trim().is_empty() || !line.contains(']'))
}
