//! Portable Draughts Notation (PDN) game records. Moves are checked only when they are played.
//!
//! The reader accepts PDN 3.0 and the dialects of existing files. It never fails: text that is not understood stays in
//! the record, and every deviation is noted with its place. The writer uses only what every reader accepts, except for
//! that text. Reading a written game returns the same record, but the first reading can reorder a comment, the
//! variations and the text that is not understood, of one move.

mod blocks;
mod command;
mod guess;
mod moves;
mod read;
#[cfg(test)]
mod tests;
mod text;
mod time_control;
mod token;
mod write;

pub use blocks::{PdnBlocks, for_each_game};
pub use command::{BoardMark, ClockReading, Command, CommentPart, clock_text, clock_time, comment_parts};
pub use guess::{GameTypeError, Guesses, game_type, variant_of_game_type};
pub use moves::Dialect;
pub use read::{NoteKind, PdnNote, PdnReader, ReadGame, read_games};
pub use text::{PdnText, Place, TextEncoding, decode};
pub use time_control::{Period, TimeControl};
pub use token::{Token, TokenKind, Tokens};
pub use write::{DATE_FORMAT, GameResult, PlayedGame};

use super::{FenError, FenRecord};
use crate::rules::{Color, Variant};

/// A game record as found in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameRecord {
    /// Names and values of the tags, in file order. Control characters in values become spaces.
    pub tags: Vec<(String, String)>,
    /// The comment before the first move; see [`PdnMove::comment`].
    pub comment: Option<String>,
    /// Moves in playing order.
    pub moves: Vec<PdnMove>,
    /// Result of the game.
    pub result: GameResult,
    /// The result as written, unless it is the usual text of `result` or that of the tag.
    pub ending: Option<String>,
    /// Text before the first move that is not understood, and lines for other programs.
    pub extra: Vec<String>,
}

/// A move of a game record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PdnMove {
    /// The move as written, or a position setup such as `/FEN "W:W31:B20"/`.
    pub text: String,
    /// Numeric annotation glyphs: 1 `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`, 7 forced move; custom ones above 255.
    pub glyphs: Vec<u16>,
    /// The comment on the move: words separated by single spaces, several comments joined, braces replaced by brackets.
    /// Commands such as `[%clk 1:55:21]` keep their spaces; [`comment_parts`] parses them.
    pub comment: Option<String>,
    /// Alternatives to this move.
    pub variations: Vec<Variation>,
    /// Text after the move that is not understood, and lines for other programs.
    pub extra: Vec<String>,
}

/// An alternative line, from the position before the move that it replaces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variation {
    /// The comment before its first move; see [`PdnMove::comment`].
    pub comment: Option<String>,
    /// Moves in playing order.
    pub moves: Vec<PdnMove>,
    /// Text before the first move that is not understood, and lines for other programs.
    pub extra: Vec<String>,
}

/// The last game number assigned by the standard; programs use larger numbers of their own.
const LAST_OF_STANDARD: u8 = 49;

impl GameRecord {
    /// Returns the value of the tag `name`.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Sets the tag `name`; a new tag is appended.
    pub fn set_tag(&mut self, name: &str, value: String) {
        match self.tags.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = value,
            None => self.tags.push((name.to_owned(), value)),
        }
    }

    /// Returns the start position from the tag `FEN`, if set.
    pub fn start(&self) -> Result<Option<FenRecord>, FenError> {
        self.said("FEN").map(str::parse).transpose()
    }

    /// Returns the variant from the tag `GameType` or, by name, `Variant`. With both, the name wins for a variant on
    /// the same board that has no number in the standard: py-draughts gives breakthrough the number 20.
    pub fn variant(&self) -> Result<Option<Variant>, GameTypeError> {
        let is_called = |variant: &Variant, name: &str| variant.name().eq_ignore_ascii_case(name);
        // Records written by Soffio can also name rule sets that only an option selects.
        let named = |name: &str| {
            let variant = Variant::ALL.iter().copied().find(|variant| is_called(variant, name));
            variant.or_else(|| Variant::named(name)).ok_or_else(|| GameTypeError::unknown(name))
        };
        let by_name = self.said("Variant").map(named);
        let Some(text) = self.said("GameType") else { return by_name.transpose() };
        let numbered = variant_of_game_type(text)?;
        let is_without_number = |closer: &Variant| closer.game_type().is_none_or(|number| number > LAST_OF_STANDARD);
        let is_on_its_board = |closer: &Variant| closer.spec().shape == numbered.spec().shape;
        let closer = by_name.and_then(Result::ok).filter(is_without_number).filter(is_on_its_board);
        Ok(Some(closer.unwrap_or(numbered)))
    }

    /// Sets the tag for `variant`, unless the tags name it; only its number if squares are written in another style.
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
            // A number shared by several variants stands for the first one.
            Some(number) if !is_usual && variant_of_game_type(&number) != Ok(variant) => {
                self.set_tag("Variant", variant.name().to_owned());
            }
            number => self.set_tag(name, number.filter(|_| !is_usual).unwrap_or(text)),
        }
    }

    /// Appends `text` to the comment before the first move.
    pub fn say(&mut self, text: &str) {
        add_comment(&mut self.comment, text);
    }

    /// Returns the time control of `side`, from its own tag (as in the standard or in PGN) or from that for both sides.
    pub fn time_control(&self, side: Color) -> Option<TimeControl> {
        let own = side.pick([["TimeControlWhite", "WhiteTimeControl"], ["TimeControlBlack", "BlackTimeControl"]]);
        own.into_iter().chain(["TimeControl"]).find_map(|name| self.tag(name))?.parse().ok()
    }

    /// Returns the value of the tag `name` unless it is empty, `?` or `-`, which programs write for unknown values.
    fn said(&self, name: &str) -> Option<&str> {
        self.tag(name).filter(|text| !matches!(text.trim(), "" | "?" | "-"))
    }
}

impl PdnMove {
    /// Creates a move without comment, glyphs or variations.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// Creates a move with `x` for captures instead of a colon, which not every PDN reader accepts.
    pub fn played(text: impl AsRef<str>) -> Self {
        Self::new(text.as_ref().replace(':', "x"))
    }

    /// Appends `text` to the comment on the move.
    pub fn say(&mut self, text: &str) {
        add_comment(&mut self.comment, text);
    }
}

/// Splits a comment into words, with brackets for braces. A command is one word, with line breaks replaced by spaces.
fn comment_words(text: &str) -> Vec<String> {
    let text = text.replace('{', "[").replace('}', "]");
    let (mut words, mut rest) = (vec![String::new()], text.as_str());
    while let Some(c) = rest.chars().next() {
        let command = command::command_at(rest);
        match (words.last_mut(), command) {
            (Some(word), Some(command)) => word.push_str(&command.replace(['\n', '\r'], " ")),
            (Some(word), None) if !c.is_whitespace() => word.push(c),
            _ => words.push(String::new()),
        }
        rest = rest.get(command.map_or(c.len_utf8(), str::len)..).unwrap_or_default();
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
    /// Adds a glyph to the last move. Before the first move it refers to the position and becomes a comment.
    fn mark(&mut self, glyph: u16) {
        match self.moves.last_mut() {
            Some(last) if last.glyphs.contains(&glyph) => {}
            Some(last) => last.glyphs.push(glyph),
            None => self.say(&format!("${glyph}")),
        }
    }

    fn keep(&mut self, text: &str) {
        self.moves.last_mut().map_or(&mut self.extra, |last| &mut last.extra).push(text.to_owned());
    }

    fn say(&mut self, text: &str) {
        match self.moves.last_mut() {
            Some(last) => last.say(text),
            None => add_comment(&mut self.comment, text),
        }
    }
}
