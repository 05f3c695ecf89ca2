//! The result of a game, in the forms found in files.

use super::GameRecord;
use crate::rules::{Color, Variant};
use derive_more::Display;
use std::cmp::Ordering;
use std::str::FromStr;

/// The result for the side that starts, as in collections of games. In most variants this side is White, and in English
/// draughts it is Black.
#[derive(Clone, Copy, Debug, Default, Display, PartialEq, Eq)]
pub enum GameResult {
    /// `1-0` or `2-0`: the starting side has won.
    #[display("1-0")]
    First,
    /// `0-1` or `0-2`: the other side has won.
    #[display("0-1")]
    Second,
    /// `1/2-1/2` or `1-1`: the game is a draw.
    #[display("1/2-1/2")]
    Draw,
    /// `0-0`: both sides have lost.
    #[display("0-0")]
    BothLost,
    /// `*`: the game is unfinished or its result is unknown.
    #[default]
    #[display("*")]
    Unknown,
}

impl GameResult {
    /// Returns the result of a game of `variant` won by `winner`.
    pub fn won_by(winner: Color, variant: Variant) -> Self {
        if winner == variant.spec().starts { Self::First } else { Self::Second }
    }

    /// Describes the result in words. For example, `1-0` is `Black won` in a variant in which Black starts.
    pub fn in_words(self, variant: Variant) -> &'static str {
        match (self, variant.spec().starts) {
            (Self::First, Color::White) | (Self::Second, Color::Black) => "White won",
            (Self::First, Color::Black) | (Self::Second, Color::White) => "Black won",
            (Self::Draw, _) => "a draw",
            (Self::BothLost, _) => "both lost",
            (Self::Unknown, _) => "not finished",
        }
    }
}

impl FromStr for GameResult {
    type Err = ();

    /// Parses the result at the end of a game or in the `Result` tag. A trailing `F` marks a win by forfeit. Instead of
    /// the hyphen, any dash or a colon is accepted, with or without blanks around it.
    fn from_str(text: &str) -> Result<Self, ()> {
        if text == "*" {
            return Ok(Self::Unknown);
        }
        match scores(text).ok_or(())? {
            ("1" | "2", "0") => Ok(Self::First),
            ("0", "1" | "2") => Ok(Self::Second),
            ("1/2", "1/2") | ("½", "½") | ("1", "1") => Ok(Self::Draw),
            ("0", "0") => Ok(Self::BothLost),
            _ => Err(()),
        }
    }
}

pub(super) fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '‐' | '‑' | '–' | '—' | '−')
}

/// Returns whether a line ends with the result of a game, outside comments.
pub(super) fn ends_game(line: &[u8]) -> bool {
    let word = line.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    let is_remark = line.contains(&b';') || line.starts_with(b"%");
    let is_result = |word: &str| word.parse::<GameResult>().is_ok();
    !is_remark && std::str::from_utf8(word).is_ok_and(is_result)
}

/// Splits a result into the scores of both sides.
fn scores(text: &str) -> Option<(&str, &str)> {
    let (first, second) = text.trim_end_matches(['F', 'f']).split_once(|c| is_hyphen(c) || c == ':')?;
    Some((first.trim_ascii(), second.trim_ascii()))
}

/// Compares the scores of both sides in a result such as `12-8`. Returns `None` if they are not numbers.
fn order(text: &str) -> Option<Ordering> {
    let number = |score: &str| if matches!(score, "1/2" | "½") { Some(0.5) } else { score.parse::<f64>().ok() };
    let (first, second) = scores(text)?;
    number(first)?.partial_cmp(&number(second)?)
}

impl GameRecord {
    /// Returns the text of the result. If the end of the moves or the `Result` tag contains this result, its spelling
    /// is kept. Otherwise, the standard spelling is used. The result is `*` only if neither of them contains another
    /// text: a result such as `12-8` is recorded, although [`GameResult`] does not represent it.
    pub fn result_text(&self) -> String {
        let is_other = |tag: &&str| *tag != "*" && tag.parse::<GameResult>().is_err();
        let tag = self.known_tag("Result").map(str::trim).filter(is_other);
        match tag.filter(|_| self.result == GameResult::Unknown && self.ending.is_none()) {
            Some(tag) => tag.to_owned(),
            None => self.end_text(),
        }
    }

    /// Describes the result in words, such as `White won`, `a draw`, `result 12-8` or `not finished`.
    pub fn result_in_words(&self, variant: Variant) -> String {
        match self.result_text() {
            text if self.result == GameResult::Unknown && text != "*" => format!("result {text}"),
            _ => self.result.in_words(variant).to_owned(),
        }
    }

    /// Returns whether the result at the end of the moves contradicts the `Result` tag. An asterisk contradicts no
    /// result.
    pub fn contradicts_tag(&self) -> bool {
        let (Some(tag), end) = (self.known_tag("Result"), self.result_text()) else { return false };
        match (end.parse::<GameResult>(), tag.parse::<GameResult>()) {
            (Ok(GameResult::Unknown), _) | (_, Ok(GameResult::Unknown)) => false,
            (Ok(end), Ok(tag)) => end != tag,
            _ => order(&end).zip(order(tag)).is_some_and(|(end, tag)| end != tag),
        }
    }

    /// Returns the result as it is written at the end of the moves.
    pub(super) fn end_text(&self) -> String {
        if let Some(ending) = &self.ending
            && ending.parse::<GameResult>().unwrap_or_default() == self.result
        {
            return ending.clone();
        }
        // A result with a colon can be read as a capture if another game follows.
        let written = self.tag("Result").filter(|text| !text.contains(':') && text.parse() == Ok(self.result));
        written.map_or_else(|| self.result.to_string(), |text| text.split_ascii_whitespace().collect())
    }

    /// Sets the result from `text`, the text at the end of the game. If `text` is `*` or missing, the result is read
    /// from the `Result` tag, because some files only mark the end of each game.
    pub(super) fn end(&mut self, text: Option<&str>) {
        let read = text.map(str::parse::<GameResult>);
        let tagged = || self.tag("Result").and_then(|text| text.parse().ok());
        self.result = match read {
            Some(Err(())) => GameResult::Unknown,
            Some(Ok(result)) if result != GameResult::Unknown => result,
            _ => tagged().unwrap_or_default(),
        };
        let is_own = read.is_some_and(|read| read.is_err() || read == Ok(self.result));
        self.ending = text.filter(|&text| is_own && text != self.end_text()).map(str::to_owned);
    }
}
