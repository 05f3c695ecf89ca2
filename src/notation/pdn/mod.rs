//! Portable Draughts Notation (PDN) game records. Moves are checked only when they are played.
//!
//! The reader accepts PDN 3.0 and the dialects found in existing files. It never fails: text that it does not recognise
//! stays in the record, and every deviation from the standard is reported as a [`PdnNote`] with its position. Apart
//! from unrecognised text, the writer emits only syntax that every reader accepts.
//!
//! Writing a record and reading it back does not change it, except that unrecognised text becomes a comment if it would
//! be read differently in its new place. Reading and writing a file can change the order of the comments, variations
//! and unrecognised text after a move, because a record does not store this order.

mod blocks;
mod command;
mod guess;
mod moves;
mod read;
mod result;
#[cfg(test)]
mod tests;
mod text;
mod time_control;
mod token;
mod write;

pub use blocks::{PdnGames, for_each_game};
pub use command::{BoardMark, ClockReading, Command, CommentPart, clock_text, clock_time, comment_parts};
pub use guess::{GameTypeError, Guesses, game_type, variant_of_game_type};
pub use moves::Dialect;
pub use read::{NoteKind, PdnNote, PdnReader, ReadGame, game_end, game_separator, read_games};
pub use result::GameResult;
pub use text::{Location, PdnText, TextEncoding, decode};
pub use time_control::{Period, TimeControl, TimedPeriod};
pub use token::{Token, TokenKind, Tokens};
pub use write::{DATE_FORMAT, PlayedGame};

use self::command::CommandFinder;
use super::{FenError, FenRecord};
use crate::rules::{Color, Notation, Variant};
use std::borrow::Cow;

/// A game record as found in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameRecord {
    /// Names and values of the tags, in file order. ASCII control characters in values are replaced by spaces.
    pub tags: Vec<(String, String)>,
    /// The comment before the first move; see [`PdnMove::comment`].
    pub comment: Option<String>,
    /// Moves of the game itself, in playing order.
    pub moves: Vec<PdnMove>,
    /// Result of the game.
    pub result: GameResult,
    /// Text of the result at the end of the game. `None` if the result is written as in the `Result` tag or in the
    /// usual form.
    pub ending: Option<String>,
    /// Unrecognised text before the first move, and `%` lines, which are intended for other programs.
    pub extra: Vec<String>,
}

/// A move in a game record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PdnMove {
    /// The move as it is written, or a position that is set up instead of a move, such as `/FEN "W:W31:B20"/`.
    pub text: String,
    /// Annotation symbols (numeric annotation glyphs, NAGs): 1 is `!`, 2 is `?`, 3 is `!!`, 4 is `??`, 5 is `!?`, 6 is
    /// `?!` and 7 is a forced move. Programs use numbers above 255 for their own marks.
    pub glyphs: Vec<u16>,
    /// The comment on the move. Words are separated by single spaces, braces are replaced by brackets, and several
    /// comments are joined. Only ASCII whitespace separates words: in files in a DOS encoding, a non-breaking space is
    /// a misread letter. Commands such as `[%clk 1:55:21]` keep their spaces and can be parsed by [`comment_parts`].
    pub comment: Option<String>,
    /// Lines that could have been played instead of this move.
    pub variations: Vec<Variation>,
    /// Unrecognised text after the move, and `%` lines, which are intended for other programs.
    pub extra: Vec<String>,
}

/// An alternative line, which starts from the position before the move that it replaces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variation {
    /// The comment before the first move of the variation; see [`PdnMove::comment`].
    pub comment: Option<String>,
    /// Moves in playing order.
    pub moves: Vec<PdnMove>,
    /// Unrecognised text before the first move, and `%` lines, which are intended for other programs.
    pub extra: Vec<String>,
}

/// The highest game type number that the standard assigns. Programs use higher numbers for other variants.
const MAX_STANDARD_GAME_TYPE: u8 = 49;

impl GameRecord {
    /// Returns the value of the `name` tag, or `None` if the record does not have this tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Sets the `name` tag to `value`. The tag is appended if the record does not have it.
    pub fn set_tag(&mut self, name: &str, value: String) {
        match self.tags.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = value,
            None => self.tags.push((name.to_owned(), value)),
        }
    }

    /// Returns the start position from the `FEN` tag, or `None` if the tag is missing or empty.
    pub fn start(&self) -> Result<Option<FenRecord>, FenError> {
        self.known_tag("FEN").map(str::parse).transpose()
    }

    /// Returns the variant named by the `GameType` tag or, if that is missing, by the `Variant` tag. Returns `None` if
    /// the record has neither tag.
    ///
    /// A record may have both tags because some variants have no standard number. For example, py-draughts writes the
    /// number 20 for breakthrough. `Variant` therefore takes precedence if it names such a variant, and the boards of
    /// both variants are the same.
    pub fn variant(&self) -> Result<Option<Variant>, GameTypeError> {
        let named = |name: &str| Variant::any_named(name).ok_or_else(|| GameTypeError::unknown(name));
        let by_name = self.known_tag("Variant").map(named);
        let Some(text) = self.known_tag("GameType") else { return by_name.transpose() };
        let numbered = variant_of_game_type(text)?;
        let is_without_number =
            |closer: &Variant| closer.game_type().is_none_or(|number| number > MAX_STANDARD_GAME_TYPE);
        let is_on_its_board = |closer: &Variant| closer.spec().shape == numbered.spec().shape;
        let closer = by_name.and_then(Result::ok).filter(is_without_number).filter(is_on_its_board);
        Ok(Some(closer.unwrap_or(numbered)))
    }

    /// Returns the name of the tag from which [`GameRecord::variant`] reads the variant.
    pub fn variant_tag(&self) -> &'static str {
        if self.known_tag("GameType").is_some() { "GameType" } else { "Variant" }
    }

    /// Names `variant` in the tags, unless they already name it. If the moves are not written in the square notation of
    /// the variant, the `GameType` tag contains only the number.
    pub fn set_variant(&mut self, variant: Variant) {
        if self.variant() == Ok(Some(variant)) {
            return;
        }
        self.tags.retain(|(name, _)| !matches!(name.as_str(), "GameType" | "Variant"));
        let (name, text) = write::variant_tag(variant);
        let first = self.moves.first().and_then(|mv| mv.text.chars().next());
        let is_lettered = first.map_or(variant.spec().notation.algebraic, |c| c.is_ascii_alphabetic());
        let is_usual = is_lettered == variant.spec().notation.algebraic;
        let number = variant.game_type().map(|number| number.to_string());
        match number {
            // A number that several variants share denotes the first of them, so any other variant needs its name.
            Some(number) if !is_usual && variant_of_game_type(&number) != Ok(variant) => {
                self.set_tag("Variant", variant.name().to_owned());
            }
            number => self.set_tag(name, number.filter(|_| !is_usual).unwrap_or(text)),
        }
    }

    /// Sets the square notation in the `GameType` tag, if the tag has this field. If the tag would then denote a
    /// different variant, it is removed.
    pub fn set_square_notation(&mut self, notation: Notation) {
        self.tags.retain_mut(|(name, value)| {
            let changed = if name == "GameType" { guess::with_square_notation(value, notation) } else { return true };
            changed.map(|changed| *value = changed).is_some()
        });
    }

    /// Returns the number of moves in the game. Setup positions and unknown moves do not count.
    pub fn move_count(&self) -> usize {
        self.moves.iter().filter(|mv| !mv.is_set_up() && !mv.is_unknown()).count()
    }

    /// Appends `text` to the comment before the first move.
    pub fn add_comment(&mut self, text: &str) {
        add_comment(&mut self.comment, text);
    }

    /// Returns the time control of `side`, or `None` if it is missing or invalid. The tag for this side, under its name
    /// in the standard or in PGN, takes precedence over the tag for both sides.
    pub fn time_control(&self, side: Color) -> Option<TimeControl> {
        let own = side.pick([["TimeControlWhite", "WhiteTimeControl"], ["TimeControlBlack", "BlackTimeControl"]]);
        own.into_iter().chain(["TimeControl"]).find_map(|name| self.tag(name))?.parse().ok()
    }

    /// Returns the value of the `name` tag. Returns `None` if the tag is missing or its value is empty, `?` or `-`,
    /// which programs write for unknown values.
    fn known_tag(&self, name: &str) -> Option<&str> {
        self.tag(name).filter(|text| !matches!(text.trim(), "" | "?" | "-"))
    }
}

impl PdnMove {
    /// Creates a move without a comment, marks or variations.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// Creates a move that has been played. Colons for captures are replaced by `x`, because not every PDN reader
    /// accepts colons.
    pub fn played(text: impl AsRef<str>) -> Self {
        Self::new(text.as_ref().replace(':', "x"))
    }

    /// Appends `text` to the comment on the move.
    pub fn add_comment(&mut self, text: &str) {
        add_comment(&mut self.comment, text);
    }
}

/// Splits a comment into words at ASCII whitespace. If it contains a closing brace, which would end the comment, all
/// its braces are replaced by brackets. Spaces inside a command do not separate words, and line breaks inside a command
/// are replaced by spaces.
fn comment_words(text: &str) -> Vec<String> {
    let text =
        if text.contains('}') { Cow::Owned(text.replace('{', "[").replace('}', "]")) } else { Cow::Borrowed(text) };
    let (mut words, mut commands, mut at) = (vec![String::new()], CommandFinder::new(&text), 0);
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let command = commands.command_at(at);
        match (words.last_mut(), command) {
            (Some(word), Some(command)) => word.push_str(&command.replace(['\n', '\r'], " ")),
            (Some(word), None) if !c.is_ascii_whitespace() => word.push(c),
            _ => words.push(String::new()),
        }
        at += command.map_or(c.len_utf8(), str::len);
    }
    words.retain(|word| !word.is_empty());
    words
}

fn add_comment(comment: &mut Option<String>, text: &str) {
    if text.is_empty() {
        return;
    }
    let text = comment_words(text).join(" ");
    if text.is_empty() {
        return;
    }
    match comment {
        Some(before) => {
            before.push(' ');
            before.push_str(&text);
        }
        None => *comment = Some(text),
    }
}

impl Variation {
    /// Adds a mark to the last move. A mark before the first move refers to the position and is added to the comment.
    fn mark(&mut self, glyph: u16) {
        match self.moves.last_mut() {
            Some(last) if last.glyphs.contains(&glyph) => {}
            Some(last) => last.glyphs.push(glyph),
            None => self.add_comment(&format!("${glyph}")),
        }
    }

    fn keep(&mut self, text: &str) {
        self.moves.last_mut().map_or(&mut self.extra, |last| &mut last.extra).push(text.to_owned());
    }

    fn add_comment(&mut self, text: &str) {
        match self.moves.last_mut() {
            Some(last) => last.add_comment(text),
            None => add_comment(&mut self.comment, text),
        }
    }
}
