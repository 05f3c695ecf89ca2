//! Game records: Portable Draughts Notation (PDN).
//!
//! A record is text with a structure: its moves are those of a game only when they have been played, see
//! [`GameRecord::start`], [`GameRecord::variant`] and [`PdnMove::record`].
//!
//! The reader accepts PDN 3.0 and what older files have: results or asterisks after games, comments in braces and after
//! semicolons, marks such as `?!` beside glyphs, an asterisk for a forced move, positions set up between the moves, moves
//! with and without numbers. The writer keeps to what every reader accepts. A game that is written and read again is the
//! same, except that the first reading can change the order of a comment and the variations of the same move, and drops
//! everything from a `%` to the end of its line, which is for other programs.

mod command;
mod guess;
mod read;
#[cfg(test)]
mod tests;
mod text;
mod time_control;
mod write;

pub use command::{BoardMark, ClockReading, Command, CommentPart, Evaluation, clock_text, clock_time, comment_parts};
pub use guess::{GameTypeError, Guesses, game_type, variant_of_game_type};
pub use read::{PdnReader, ReadGame, read_games};
pub use text::{PdnError, PdnText, Place, TextEncoding, UnknownEncoding, decode};
pub use time_control::{NoTimeControl, Period, TimeControl};
pub use write::{DATE_FORMAT, GameResult, NoResult, PlayedGame};

use super::{FenError, FenRecord, MoveRecord, MoveSyntaxError};
use crate::rules::{Color, Variant};

/// A game as a file has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameRecord {
    /// Names and values of the tags, in file order. Control characters in a value become spaces.
    pub tags: Vec<(String, String)>,
    /// The comment before the first move, as [`PdnMove::comment`].
    pub comment: Option<String>,
    /// The moves.
    pub moves: Vec<PdnMove>,
    /// Its result.
    pub result: GameResult,
}

/// A move of a game record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PdnMove {
    /// The move as it is written; or a position that the game goes on from, as `/FEN "W:W31:B20"/`.
    pub text: String,
    /// Numeric annotation glyphs: 1 for `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`, 7 for a forced move, and others, of
    /// which those above 255 are the own ones of some program.
    pub glyphs: Vec<u16>,
    /// The comment on it: words with single spaces between them, several comments joined. Braces in it become
    /// brackets, for a comment cannot contain them. Commands such as `[%clk 1:55:21]` keep their spaces;
    /// [`comment_parts`] reads them.
    pub comment: Option<String>,
    /// Lines that could have been played instead.
    pub variations: Vec<Variation>,
}

/// Moves that were not played, from the position before the move that they are an alternative to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variation {
    /// The comment before its first move, as [`PdnMove::comment`].
    pub comment: Option<String>,
    /// The moves.
    pub moves: Vec<PdnMove>,
}

/// The last number that the standard gives to a game; programs have larger ones of their own.
const LAST_OF_STANDARD: u8 = 49;

impl GameRecord {
    /// The value of the tag `name`.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Sets the tag `name`; a new tag comes after all others.
    pub fn set_tag(&mut self, name: &str, value: String) {
        match self.tags.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = value,
            None => self.tags.push((name.to_owned(), value)),
        }
    }

    /// The position where the game begins, if a tag says so.
    ///
    /// # Errors
    /// When that is no FEN.
    pub fn start(&self) -> Result<Option<FenRecord>, FenError> {
        self.said("FEN").map(str::parse).transpose()
    }

    /// The game that is played: what the tag `GameType` says, or the tag `Variant` with a name, if there is one of them. With both, a
    /// game on that board for which the standard has no number is that of the name: py-draughts gives breakthrough the number 20.
    ///
    /// # Errors
    /// When that is no game that is known here.
    pub fn variant(&self) -> Result<Option<Variant>, GameTypeError> {
        let is_called = |variant: &Variant, name: &str| variant.name().eq_ignore_ascii_case(name);
        // Records written by Soffio can also name a rule set that only an option leads to.
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

    /// Writes the tag that says that `variant` is played, unless the tags say so. Where squares are not written as its players do, the
    /// tag has the number of the variant alone.
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
            // Of several variants with one number it means the first.
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

    /// The time of `side`, where the tag for both sides or the one for this side can be read. The names of the latter are those
    /// of the standard, or those that PGN programs write.
    pub fn time_control(&self, side: Color) -> Option<TimeControl> {
        let own = side.pick([["TimeControlWhite", "WhiteTimeControl"], ["TimeControlBlack", "BlackTimeControl"]]);
        own.into_iter().chain(["TimeControl"]).find_map(|name| self.tag(name))?.parse().ok()
    }

    /// The value of the tag `name`, unless it is empty, `?` or `-`, as programs write for unknown values.
    fn said(&self, name: &str) -> Option<&str> {
        self.tag(name).filter(|text| !matches!(text.trim(), "" | "?" | "-"))
    }
}

impl PdnMove {
    /// The move `text` without comment, glyphs or variations.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// The move `text` as records have it: some players write a colon for captures, but not every reader of PDN knows it.
    pub fn played(text: impl AsRef<str>) -> Self {
        Self::new(text.as_ref().replace(':', "x"))
    }

    /// Appends `text` to the comment on the move.
    pub fn say(&mut self, text: &str) {
        add_comment(&mut self.comment, text);
    }

    /// The squares of the move. Between squares of letter and digit there need be no sign, as in `c3d4`.
    ///
    /// # Errors
    /// When it is no move.
    pub fn record(&self) -> Result<MoveRecord, MoveSyntaxError> {
        let text = self.text.as_str();
        let has_signs = !text.chars().all(|c| c.is_ascii_alphanumeric());
        if has_signs || !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return text.parse();
        }
        let mut spread = String::new();
        for c in text.chars() {
            if c.is_ascii_alphabetic() && !spread.is_empty() {
                // A hyphen leaves open whether something is taken.
                spread.push('-');
            }
            spread.push(c);
        }
        spread.parse().or_else(|_| text.parse())
    }
}

/// The words of a comment, with brackets for braces. A command is one word, in which line breaks have become spaces.
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
    /// Appends `text` to the comment on the last move, or to the one before the first move.
    fn say(&mut self, text: &str) {
        match self.moves.last_mut() {
            Some(last) => last.say(text),
            None => add_comment(&mut self.comment, text),
        }
    }
}
