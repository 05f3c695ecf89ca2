use super::token::is_separator;
use super::{
    GameRecord, GameResult, PdnMove, TimeControl, Variation, add_comment, comment_words, game_type, read_games,
};
use crate::rules::{Color, Variant};
use std::fmt;

/// Maximum length of a line in the PGN export format, in characters.
const LINE: usize = 79;

impl fmt::Display for GameRecord {
    /// Prints the tags, an empty line, the movetext and another empty line. The movetext is broken into lines and ends
    /// with the result.
    ///
    /// Unrecognised text is printed as it was read. If the printed game would then be read differently, all its
    /// unrecognised text is printed in comments instead.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.text();
        let is_plain = self.ending.is_none() && self.extra.is_empty() && !self.moves.iter().any(PdnMove::has_extra);
        // Before a game without tags, unrecognised text could be added to the previous game.
        let is_separate = !self.tags.is_empty() || self.extra.iter().all(|text| text.starts_with('%'));
        if is_plain || is_separate && self.is_read_from(&text) {
            return f.write_str(&text);
        }
        let mut record = self.with_extra_in_comments();
        if !record.is_read_from(&record.text()) {
            record.move_ending_to_comment();
        }
        f.write_str(&record.text())
    }
}

impl GameRecord {
    /// Returns whether `text` is read as this game. The ending is missing from a record if it is spelled as in the
    /// `Result` tag, so the text of the result is compared instead.
    fn is_read_from(&self, text: &str) -> bool {
        let mut games = read_games(text);
        let [game] = games.as_mut_slice() else { return false };
        let is_same_result = game.end_text() == self.end_text();
        game.ending.clone_from(&self.ending);
        is_same_result && game == self
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for (name, value) in &self.tags {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(|c: char| c.is_ascii_control(), " ");
            text.extend(["[", name, " \"", &value, "\"]\n"]);
        }
        let mut words = Words { starts: self.starts(), words: Vec::new() };
        words.comment(self.comment.as_deref());
        words.extra(&self.extra);
        // Without tags, only the number shows that a new game begins.
        if self.tags.is_empty() && self.moves.first().is_some_and(PdnMove::is_set_up) {
            words.words.push(number(0));
        }
        words.moves(&self.moves, self.first_ply());
        words.words.push(self.end_text());
        text.push('\n');
        let mut line = LineBreaker { output: &mut text, length: 0 };
        words.words.iter().for_each(|word| line.word(word));
        text + "\n\n"
    }

    /// Returns the record with its unrecognised text in the comments.
    fn with_extra_in_comments(&self) -> Self {
        let mut record = self.clone();
        move_to_comment(&mut record.extra, &mut record.comment);
        record.moves.iter_mut().for_each(PdnMove::move_extra_to_comment);
        record
    }

    /// Moves an unusual result to the last comment.
    fn move_ending_to_comment(&mut self) {
        let Some(ending) = self.ending.take() else { return };
        let last = self.moves.last_mut();
        add_comment(last.map_or(&mut self.comment, |last| &mut last.comment), &ending);
        if ending.parse::<GameResult>().is_err() {
            self.end(Some("*"));
        }
    }
}

impl PdnMove {
    fn has_extra(&self) -> bool {
        let has_extra = |line: &Variation| !line.extra.is_empty() || line.moves.iter().any(Self::has_extra);
        !self.extra.is_empty() || self.variations.iter().any(has_extra)
    }

    fn move_extra_to_comment(&mut self) {
        move_to_comment(&mut self.extra, &mut self.comment);
        for line in &mut self.variations {
            move_to_comment(&mut line.extra, &mut line.comment);
            line.moves.iter_mut().for_each(Self::move_extra_to_comment);
        }
    }
}

fn move_to_comment(extra: &mut Vec<String>, comment: &mut Option<String>) {
    extra.drain(..).for_each(|text| add_comment(comment, &text));
}

impl GameRecord {
    /// Returns the ply at which move numbering starts: 1 if the side to move according to the `FEN` tag is not the side
    /// that starts in the variant, and 0 otherwise.
    pub fn first_ply(&self) -> usize {
        let side = match self.known_tag("FEN").and_then(|fen| fen.trim_start().chars().next()) {
            Some('B' | 'b') => Color::Black,
            Some('W' | 'w') => Color::White,
            _ => return 0,
        };
        usize::from(side != self.starts())
    }

    /// Returns the side that starts in the variant. If no tag names the variant, this is White.
    fn starts(&self) -> Color {
        self.variant().ok().flatten().map_or(Color::White, |variant| variant.spec().starts)
    }

    /// Returns the number that is printed before the move at `index`, such as `12.` for the first move of a pair and
    /// `12...` for the second.
    pub fn number(&self, index: usize) -> String {
        number(self.first_ply() + index)
    }
}

fn number(ply: usize) -> String {
    let dots = if ply.is_multiple_of(2) { "." } else { "..." };
    format!("{}{dots}", ply / 2 + 1)
}

struct Words {
    /// The side that moves first in each numbered pair of moves.
    starts: Color,
    words: Vec<String>,
}

impl Words {
    fn comment(&mut self, comment: Option<&str>) {
        if let Some(comment) = comment {
            self.enclosed('{', comment_words(comment), '}');
        }
    }

    /// Appends `moves`. `first` is the ply of the first move; it is even if this move is the first of a pair.
    fn moves(&mut self, moves: &[PdnMove], first: usize) {
        let (mut ply, mut is_number_due) = (first, true);
        for mv in moves {
            if !mv.is_set_up() && (ply.is_multiple_of(2) || is_number_due) {
                self.words.push(number(ply));
            }
            self.words.push(mv.text.clone());
            self.words.extend(mv.glyphs.iter().map(|glyph| format!("${glyph}")));
            self.comment(mv.comment.as_deref());
            // After a move, a bracket that is never closed would turn the rest of the game into a variation.
            let closed = |text: &String| if text == "(" { "{(}".to_owned() } else { text.clone() };
            self.extra(&mv.extra.iter().map(closed).collect::<Vec<_>>());
            for variation in &mv.variations {
                let mut words = Self { starts: self.starts, words: Vec::new() };
                words.variation(variation, ply);
                self.enclosed('(', words.words, ')');
            }
            is_number_due = !mv.variations.is_empty() || mv.is_set_up();
            ply = match mv.set_up() {
                Some(position) => {
                    let is_second = position.is_ok_and(|position| position.side != self.starts);
                    ply.next_multiple_of(2) + usize::from(is_second)
                }
                None => ply + 1,
            };
        }
    }

    fn extra(&mut self, texts: &[String]) {
        // Text needs a line of its own if it extends to the end of its line, or if it would combine the adjacent words
        // into a move or a setup position.
        let is_open = |text: &str| text.starts_with('[') && !text.ends_with(']');
        let is_square = |text: &str| text.starts_with(char::is_alphanumeric);
        let has_sign = |text: &str| text.starts_with(is_separator) || (is_square(text) && text.ends_with(is_separator));
        let is_line = |text: &str| text.starts_with(['%', '/']) || is_open(text) || has_sign(text);
        // A quotation mark after a bracket would begin a tag value that extends to the next quotation mark on the line.
        let ends_line = |text: &str| text.starts_with('[') && text.contains('"');
        self.words.extend(texts.iter().map(|text| match text.as_str() {
            text if is_line(text) => format!("\n{text}"),
            text if ends_line(text) => format!("{text}\n"),
            text => text.to_owned(),
        }));
    }

    fn variation(&mut self, variation: &Variation, first: usize) {
        self.comment(variation.comment.as_deref());
        self.extra(&variation.extra);
        self.moves(&variation.moves, first);
    }

    fn enclosed(&mut self, open: char, mut words: Vec<String>, close: char) {
        // A word that needs a line of its own, or ends its line, is not joined to the bracket.
        let is_word = |word: &&mut String| !word.starts_with('\n') && !word.ends_with('\n');
        match words.first_mut().filter(is_word) {
            Some(word) => word.insert(0, open),
            None => words.insert(0, open.to_string()),
        }
        match words.last_mut().filter(is_word) {
            Some(word) => word.push(close),
            None => words.push(close.to_string()),
        }
        self.words.extend(words);
    }
}

struct LineBreaker<'a> {
    output: &'a mut String,
    length: usize,
}

impl LineBreaker<'_> {
    /// Writes `word`. If it begins with a line feed, it is written on a line of its own. If it ends with a line feed,
    /// the next word begins a new line.
    fn word(&mut self, word: &str) {
        if let Some(line) = word.strip_prefix('\n') {
            let before = if self.length > 0 { "\n" } else { "" };
            self.length = 0;
            return self.output.extend([before, line, "\n"]);
        }
        let length = word.chars().count();
        if self.length > 0 && self.length + 1 + length > LINE {
            self.output.push('\n');
            self.length = 0;
        }
        // A line of a comment must not look like a tag or start with `%`.
        if self.length > 0 || word.starts_with(['[', '%']) {
            self.output.push(' ');
            self.length += 1;
        }
        self.length = if word.ends_with('\n') { 0 } else { self.length + length };
        self.output.push_str(word);
    }
}

/// Format of the dates in game records, as a format string for `strftime`.
pub const DATE_FORMAT: &str = "%Y.%m.%d";

/// A played game that can be converted to a [`GameRecord`].
#[derive(Clone, Debug)]
pub struct PlayedGame<'a> {
    /// Name of the tournament, or of the command that ran the game.
    pub event: &'a str,
    /// Place of the event.
    pub site: &'a str,
    /// Number of the game in the event, counted from 1.
    pub round: usize,
    /// Date in UTC, such as `2026.01.31`.
    pub date: &'a str,
    /// Names of White and Black.
    pub players: [&'a str; 2],
    /// Variant that was played.
    pub variant: Variant,
    /// FEN of the start position, or `None` if it is the start position of the variant.
    pub fen: Option<&'a str>,
    /// Time controls of White and Black.
    pub controls: [TimeControl; 2],
    /// Moves in the order in which they were played.
    pub moves: Vec<PdnMove>,
    /// Result of the game.
    pub result: GameResult,
    /// Reason for the result, written to the `Termination` tag.
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
        Self { tags, moves, result, ..Self::default() }
    }
}

/// Returns the tag that names the variant: `GameType` with a number or, if the variant has no number, `Variant` with a
/// name. Readers accept only numbers in `GameType`.
pub(super) fn variant_tag(variant: Variant) -> (&'static str, String) {
    let game_type = game_type(variant).map(|text| ("GameType", text));
    game_type.unwrap_or_else(|| ("Variant", variant.name().to_owned()))
}
