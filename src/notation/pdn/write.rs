//! Prints game records, and makes those of games that were played here, with their results.

use super::{GameRecord, PdnMove, TimeControl, Variation, comment_words, game_type};
use crate::rules::{Color, Variant};
use derive_more::Display;
use std::fmt;
use std::str::FromStr;

/// Longest line of moves, as PGN has it for its export format.
const LINE: usize = 79;

impl fmt::Display for GameRecord {
    /// Prints tags, an empty line, and moves with numbers, glyphs, comments and variations, in lines of moderate length.
    /// The result is written as the tag `Result` has it. An empty line ends the game.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.tags {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(char::is_control, " ");
            writeln!(f, "[{name} \"{value}\"]")?;
        }
        let mut words = Words::default();
        words.comment(self.comment.as_deref());
        words.moves(&self.moves, self.first_ply());
        words.0.push(self.result_text());
        f.write_str("\n")?;
        let mut line = LineBreaker { output: f, length: 0 };
        words.0.iter().try_for_each(|word| line.word(word))?;
        f.write_str("\n\n")
    }
}

impl GameRecord {
    /// 1 if the first move is the second of a pair, and otherwise 0. In a game that begins with Black to move readers expect
    /// that.
    pub fn first_ply(&self) -> usize {
        usize::from(self.tag("FEN").is_some_and(|fen| fen.starts_with(['B', 'b'])))
    }

    /// The result as the tag `Result` writes it, if it has the same one.
    pub fn result_text(&self) -> String {
        let written = self.tag("Result").filter(|text| text.parse() == Ok(self.result));
        written.map_or_else(|| self.result.to_string(), str::to_owned)
    }

    /// The number of the move with this index as it is printed, `12.` for the first of a pair and `12...` for the second.
    pub fn number(&self, index: usize) -> String {
        number(self.first_ply() + index)
    }
}

fn number(ply: usize) -> String {
    let dots = if ply.is_multiple_of(2) { "." } else { "..." };
    format!("{}{dots}", ply / 2 + 1)
}

/// The words of a record, to be separated by spaces.
#[derive(Default)]
struct Words(Vec<String>);

impl Words {
    fn comment(&mut self, comment: Option<&str>) {
        if let Some(comment) = comment {
            self.enclosed('{', comment_words(comment), '}');
        }
    }

    /// The moves from the ply `first` on, which is even for the first move of a pair.
    fn moves(&mut self, moves: &[PdnMove], first: usize) {
        let mut is_number_due = true;
        for (ply, mv) in (first..).zip(moves) {
            if ply.is_multiple_of(2) || is_number_due {
                self.0.push(number(ply));
            }
            self.0.push(mv.text.clone());
            self.0.extend(mv.glyphs.iter().map(|glyph| format!("${glyph}")));
            self.comment(mv.comment.as_deref());
            for variation in &mv.variations {
                let mut words = Self::default();
                words.variation(variation, ply);
                self.enclosed('(', words.0, ')');
            }
            is_number_due = !mv.variations.is_empty();
        }
    }

    /// A variation on the move of the ply `first`.
    fn variation(&mut self, variation: &Variation, first: usize) {
        self.comment(variation.comment.as_deref());
        self.moves(&variation.moves, first);
    }

    /// Adds `words` in parentheses or braces.
    fn enclosed(&mut self, open: char, mut words: Vec<String>, close: char) {
        match words.first_mut() {
            Some(word) => word.insert(0, open),
            None => words.push(open.to_string()),
        }
        if let Some(word) = words.last_mut() {
            word.push(close);
        }
        self.0.extend(words);
    }
}

/// Words with spaces between them, broken into lines.
struct LineBreaker<'a, 'b> {
    output: &'a mut fmt::Formatter<'b>,
    length: usize,
}

impl LineBreaker<'_, '_> {
    fn word(&mut self, word: &str) -> fmt::Result {
        let length = word.chars().count();
        if self.length > 0 && self.length + 1 + length > LINE {
            self.output.write_str("\n")?;
            self.length = 0;
        }
        // No line of a comment may look like a tag, or begin with `%`.
        if self.length > 0 || word.starts_with(['[', '%']) {
            self.output.write_str(" ")?;
            self.length += 1;
        }
        self.length += length;
        self.output.write_str(word)
    }
}

/// The form of a date in records, as `strftime` takes it.
pub const DATE_FORMAT: &str = "%Y.%m.%d";

/// A game that was played here.
#[derive(Clone, Debug)]
pub struct PlayedGame<'a> {
    /// The tournament, or the command that played it.
    pub event: &'a str,
    /// The place of the event.
    pub site: &'a str,
    /// Its number there, counted from 1.
    pub round: usize,
    /// The day in universal time, as `2026.01.31`.
    pub date: &'a str,
    /// White and Black.
    pub players: [&'a str; 2],
    /// Its rules.
    pub variant: Variant,
    /// Where it began, if not at the start position.
    pub fen: Option<&'a str>,
    /// The time that White and Black had.
    pub controls: [TimeControl; 2],
    /// The moves.
    pub moves: Vec<PdnMove>,
    /// The result.
    pub result: GameResult,
    /// The reason of the result.
    pub reason: &'a str,
}

impl From<PlayedGame<'_>> for GameRecord {
    fn from(game: PlayedGame<'_>) -> Self {
        let PlayedGame { variant, result, moves, players: [white, black], .. } = game;
        let mut tags = vec![
            ("Event", game.event.to_owned()),
            ("Site", game.site.to_owned()),
            ("Date", game.date.to_owned()),
            ("Round", game.round.to_string()),
            ("White", white.to_owned()),
            ("Black", black.to_owned()),
            ("Result", result.to_string()),
        ];
        tags.push(variant_tag(variant));
        if let Some(fen) = game.fen {
            tags.extend([("SetUp", "1".to_owned()), ("FEN", fen.to_owned())]);
        }
        match game.controls {
            [white, black] if white == black => tags.push(("TimeControl", white.to_string())),
            [white, black] => {
                tags.extend([("TimeControlWhite", white.to_string()), ("TimeControlBlack", black.to_string())]);
            }
        }
        let first = variant.spec().starts;
        let end = match result {
            GameResult::First => format!("{first} wins"),
            GameResult::Second => format!("{} wins", first.opponent()),
            GameResult::Draw => "draw".to_owned(),
            GameResult::BothLost => "both lose".to_owned(),
            GameResult::Unknown => "unfinished".to_owned(),
        };
        tags.push(("Termination", format!("{end}: {}", game.reason)));
        let tags = tags.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Self { tags, comment: None, moves, result }
    }
}

/// The name and value of the tag that says what is played: only some variants have a number, and no reader takes anything
/// else for one.
pub(super) fn variant_tag(variant: Variant) -> (&'static str, String) {
    let game_type = game_type(variant).map(|text| ("GameType", text));
    game_type.unwrap_or_else(|| ("Variant", variant.name().to_owned()))
}

/// The result of a game. The side that begins the game of a variant comes first: White in most, Black in English
/// draughts, as its collections of games have it.
#[derive(Clone, Copy, Debug, Default, Display, PartialEq, Eq)]
pub enum GameResult {
    /// `1-0` or `2-0`: the side that begins has won.
    #[display("1-0")]
    First,
    /// `0-1` or `0-2`: the other side has won.
    #[display("0-1")]
    Second,
    /// `1/2-1/2` or `1-1`.
    #[display("1/2-1/2")]
    Draw,
    /// `0-0`: both have lost.
    #[display("0-0")]
    BothLost,
    /// `*`: not over, or not known.
    #[default]
    #[display("*")]
    Unknown,
}

impl GameResult {
    /// The result of a game of `variant` that `winner` has won.
    pub fn won_by(winner: Color, variant: Variant) -> Self {
        if winner == variant.spec().starts { Self::First } else { Self::Second }
    }

    /// The result of a game of `variant` in words: `1-0` is `Black won` where Black begins.
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

/// The error that a text is no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoResult;

impl FromStr for GameResult {
    type Err = NoResult;

    /// Reads the result at the end of a game or in its tag. An `F` after it says that the game was won by forfeit.
    fn from_str(text: &str) -> Result<Self, NoResult> {
        match text.trim_end_matches(['F', 'f']) {
            "1-0" | "2-0" => Ok(Self::First),
            "0-1" | "0-2" => Ok(Self::Second),
            "1/2-1/2" | "½-½" | "1-1" => Ok(Self::Draw),
            "0-0" => Ok(Self::BothLost),
            _ if text == "*" => Ok(Self::Unknown),
            _ => Err(NoResult),
        }
    }
}
