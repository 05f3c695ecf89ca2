//! Reads the games in PDN text one by one. No text is skipped: text that the reader does not recognise is kept and
//! noted.

use super::moves::{
    Dialect, dialect, is_at_end, is_result, is_unmistakable, joins, next_of_game, parenthesised, split_remark,
};
use super::text::{Locator, line_ends};
use super::token::{Token, TokenKind, Tokens, is_blank, is_line_end, is_space};
use super::{GameRecord, Location, PdnMove, Variation, add_comment};
use crate::notation::printable;
use derive_more::Display;
use std::borrow::Cow;

/// A game that has been read from a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadGame<'a> {
    /// Number of the game in the file, counted from 1.
    pub number: usize,
    /// The tags, moves, comments and variations of the game.
    pub record: GameRecord,
    /// Where the game starts.
    pub location: Location,
    /// Where each tag starts.
    pub tags: Vec<Location>,
    /// Where each move starts.
    pub moves: Vec<Location>,
    /// Where the result after the moves starts.
    pub result: Option<Location>,
    /// Notes on unusual and unrecognised text, in the order of the text.
    pub notes: Vec<PdnNote>,
    /// The text of this game. The concatenated sources of all games are the complete text, provided that it contains at
    /// least one game.
    pub source: &'a str,
}

/// A note on something unusual in a game, and on what the reader did about it.
#[derive(Clone, Debug, Display, PartialEq, Eq)]
#[display("{location}: {kind} '{text}'")]
pub struct PdnNote {
    /// Where the unusual text begins.
    pub location: Location,
    /// The beginning of the unusual text, made printable.
    pub text: String,
    /// What is unusual, and what the reader did.
    pub kind: NoteKind,
}

/// A kind of deviation from the standard.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
pub enum NoteKind {
    /// The text is not recognised.
    #[display("unrecognised text, kept as is:")]
    Unknown,
    /// The value of a tag is not in quotation marks, or contains a quotation mark.
    #[display("misquoted tag value, corrected:")]
    Quotes,
    /// A comment has no closing brace.
    #[display("unclosed comment, closed:")]
    OpenComment,
    /// A comment to the end of the line contains a closing brace, which would end a comment in braces.
    #[display("braces in a comment, replaced by brackets:")]
    Braces,
    /// A variation has no closing parenthesis.
    #[display("unclosed variation, closed:")]
    OpenVariation,
    /// A move is written in a dialect.
    #[display("{_0}:")]
    Dialect(Dialect),
    /// A move number does not follow from the previous number and the moves after it.
    #[display("a wrong move number, ignored:")]
    Number,
    /// A result has an unusual form.
    #[display("an unusual result, kept as is:")]
    Result,
    /// A result follows the result of a game or precedes the first game. If the game has no result, it is the result
    /// of the game.
    #[display("a result outside the game, kept as a comment unless the game has none:")]
    OtherResult,
    /// The marks after a move are unusual, as in `!!!`.
    #[display("unusual marks, read as the nearest usual ones:")]
    Strength,
    /// A remark follows the result.
    #[display("a remark, kept as a comment:")]
    Remark,
    /// The details in a `GameType` tag do not match the variant.
    #[display("details that do not match the game type, ignored:")]
    GameType,
}

/// An iterator over the games in a text.
#[derive(Clone, Debug)]
pub struct PdnReader<'a> {
    text: &'a str,
    rest: &'a str,
    locator: Locator<'a>,
    number: usize,
    ahead: Option<ReadGame<'a>>,
}

/// Reads all games in a text.
pub fn read_games(text: &str) -> Vec<GameRecord> {
    PdnReader::new(text).map(|game| game.record).collect()
}

/// Returns the text to write between `game` and `next`, the texts of games from different sources, so that they are
/// read as two games. If `game` has no result, the text contains one. If its last comment or variations are open, the
/// text closes them.
pub fn game_separator(game: &str, next: &str) -> String {
    // Other readers continue an open game or comment even if `next` begins with a tag. The separator must therefore be
    // sufficient before a move, too.
    const MOVES: &str = "1. 1-2 *";
    let is_line_open = !game.trim_end_matches('\u{feff}').ends_with(is_line_end);
    let line = if is_line_open { "\n" } else { "" };
    let games: Vec<_> = PdnReader::new(game).collect();
    let notes = games.iter().flat_map(|game| &game.notes);
    // Only the last game can have an open variation before the end of the text.
    let closed = ")".repeat(notes.filter(|note| note.kind == NoteKind::OpenVariation).count());
    let own: Vec<_> = games.into_iter().map(|game| game.record).collect();
    let ends = ["", "*\n", "}\n*\n", &format!("{closed}\n*\n"), &format!("}}{closed}\n*\n")];
    let separators = ends.map(|end| format!("{line}{end}"));
    let joined = |separator: &String, next| read_games(&[game, separator, next].concat());
    let is_apart = |separator: &&String, next| joined(separator, next) == [&own[..], &read_games(next)].concat();
    // Text before the first tag or move of `next` can become part of `game`.
    let is_separate = |separator: &&String, next| joined(separator, next).len() == own.len() + read_games(next).len();
    let find = |is_enough: &dyn Fn(&&String) -> bool| separators.iter().find(is_enough);
    // A result with a colon ends a game without moves only if a tag follows, so neither moves nor `*` may follow it.
    find(&|separator| is_apart(separator, next) && is_apart(separator, MOVES))
        .or_else(|| find(&|separator| is_apart(separator, next) && is_separate(separator, MOVES)))
        .or_else(|| find(&|separator| is_apart(separator, next)))
        .or_else(|| find(&|separator| is_separate(separator, next) && is_separate(separator, MOVES)))
        .or_else(|| find(&|separator| is_separate(separator, next)))
        .cloned()
        .unwrap_or_else(|| line.to_owned())
}

/// Returns the text to write after `game` so that any other game can follow. See [`game_separator`].
pub fn game_end(game: &str) -> String {
    game_separator(game, "[Event \"\"]\n\n1. 1-2 *")
}

impl<'a> PdnReader<'a> {
    /// Creates an iterator over the games in `text`.
    pub fn new(text: &'a str) -> Self {
        Self::after(text, 0, 0)
    }

    /// Creates an iterator over the games in `text`, which is the rest of a file. The earlier part of the file contains
    /// `games` games and `lines` lines.
    pub fn after(text: &'a str, games: usize, lines: usize) -> Self {
        Self { text, rest: text, locator: Locator::new(text, lines + 1), number: games, ahead: None }
    }

    /// Reads the next game, or text between games that does not belong to a game.
    fn read(&mut self) -> Option<ReadGame<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let begin = self.rest;
        let before = self.text.get(..self.text.len() - begin.len()).unwrap_or_default();
        let before = before.trim_end_matches(is_blank);
        let mut game = GameParser {
            tokens: Tokens::within(begin, before.is_empty() || before.ends_with(is_line_end)),
            whole: self.text,
            locator: &mut self.locator,
            record: GameRecord::default(),
            location: None,
            tags: Vec::new(),
            moves: Vec::new(),
            result: None,
            notes: Vec::new(),
            main: Line { numbered: Some((1, 0)), ..Line::default() },
            variations: Vec::new(),
            has_body: false,
            has_stray_number: false,
        };
        game.read();
        let GameParser { tokens: Tokens { rest, .. }, record, location, tags, moves, result, notes, .. } = game;
        let rest = rest.trim_start_matches(is_space);
        self.rest = rest;
        let source = begin.get(..begin.len() - rest.len()).unwrap_or_default();
        let location = location.unwrap_or_else(|| self.locator.locate(self.text.len() - rest.len()));
        Some(ReadGame { number: 0, record, location, tags, moves, result, notes, source })
    }
}

impl<'a> Iterator for PdnReader<'a> {
    type Item = ReadGame<'a>;

    fn next(&mut self) -> Option<ReadGame<'a>> {
        let start = self.text.len() - self.rest.len();
        let mut game = match self.ahead.take() {
            Some(game) => game,
            None => {
                let mut lone = Vec::new();
                let mut game = loop {
                    let game = self.read()?;
                    if game.is_game() {
                        break game;
                    }
                    lone.push(game);
                };
                lone.into_iter().for_each(|lone| game.add(lone));
                let end = self.text.len() - self.rest.len();
                ReadGame { source: self.text.get(start..end).unwrap_or_default(), ..game }
            }
        };
        // A result or comment between games belongs to the previous game or, if there is none, to the first game.
        let begin = self.text.len() - self.rest.len() - game.source.len();
        while let Some(next) = self.read() {
            if next.is_game() {
                self.ahead = Some(next);
                break;
            }
            let end = self.text.len() - self.rest.len();
            game.source = self.text.get(begin..end).unwrap_or_default();
            game.add(next);
        }
        self.number += 1;
        Some(ReadGame { number: self.number, ..game })
    }
}

impl<'a> ReadGame<'a> {
    /// Returns where the move with this index starts.
    pub fn move_location(&self, index: usize) -> Location {
        self.moves.get(index).copied().unwrap_or(self.location)
    }

    /// Returns where the first tag with this name starts, or where the game starts if there is no such tag.
    pub fn tag_location(&self, name: &str) -> Location {
        let index = self.record.tags.iter().position(|(known, _)| known == name);
        index.and_then(|index| self.tags.get(index)).copied().unwrap_or(self.location)
    }

    /// Returns the text of the game, to be written on lines of its own. How `%` and misquoted tags are read depends on
    /// the rest of the line, so a game that shares a line with another one may have to be written in standard form.
    pub fn on_own_lines(&self) -> Cow<'a, str> {
        let has_own_lines = self.location.column == 1 && self.source.ends_with(is_line_end);
        if has_own_lines || read_games(self.source) == [self.record.clone()] {
            Cow::Borrowed(self.source)
        } else {
            Cow::Owned(self.record.to_string())
        }
    }

    fn is_game(&self) -> bool {
        !self.record.tags.is_empty() || !self.record.moves.is_empty()
    }

    /// Adds text from before or after the game. A result becomes a comment unless the game has none.
    fn add(&mut self, lone: Self) {
        let record = &mut self.record;
        let result = lone.record.result_text();
        let is_result = result != "*" && record.result_text() == "*";
        if is_result {
            record.end(Some(&result));
            self.result = lone.result;
        }
        let (comment, extra) = match record.moves.last_mut() {
            Some(last) => (&mut last.comment, &mut last.extra),
            None => (&mut record.comment, &mut record.extra),
        };
        add_comment(comment, lone.record.comment.as_deref().unwrap_or_default());
        if !is_result && result != "*" {
            add_comment(comment, &result);
        }
        for text in lone.record.extra {
            // After a move, a parenthesis would begin a variation.
            if text == "(" { add_comment(comment, &text) } else { extra.push(text) }
        }
        self.notes.extend(lone.notes);
    }
}

fn without_blanks(text: &str) -> Cow<'_, str> {
    let blanks = [' ', '\t'];
    if text.contains(blanks) { Cow::Owned(text.replace(blanks, "")) } else { Cow::Borrowed(text) }
}

/// Maximum nesting depth of variations. No real game reaches this depth. The limit prevents a stack overflow in
/// functions that visit the variations recursively.
const MAX_NESTING: usize = 100;

/// Numbers without a dot that are larger than this are not read as move numbers, because they may be moves without a
/// separator, such as `611`.
const MAX_BARE_NUMBER: u16 = 500;

/// A line of moves that is being read.
#[derive(Default)]
struct Line {
    read: Variation,
    /// A move number of this line, and the number of moves before it. `None` if the next number can be any.
    numbered: Option<(u16, usize)>,
    /// Whether the first number of this line has no dot.
    is_bare: bool,
}

struct GameParser<'a, 'b> {
    tokens: Tokens<'a>,
    whole: &'a str,
    locator: &'b mut Locator<'a>,
    record: GameRecord,
    location: Option<Location>,
    tags: Vec<Location>,
    moves: Vec<Location>,
    result: Option<Location>,
    notes: Vec<PdnNote>,
    main: Line,
    /// Variations that have not been closed yet, from the outermost to the innermost.
    variations: Vec<Line>,
    has_body: bool,
    /// Whether there was a number without a dot that is not a move number, such as a thinking time.
    has_stray_number: bool,
}

impl<'a> GameParser<'a, '_> {
    fn read(&mut self) {
        let (mut result, mut is_below_empty_line) = (None, false);
        loop {
            let before = self.tokens.clone();
            let Some(token) = self.tokens.next() else { break };
            if token.kind == TokenKind::Space {
                is_below_empty_line = line_ends(token.text) > 1;
                continue;
            }
            if token.kind == TokenKind::Tag && self.begins_next(token, is_below_empty_line) {
                self.tokens = before;
                break;
            }
            let location = self.locator.locate(self.whole.len() - before.rest.len());
            self.location.get_or_insert(location);
            let is_main = self.variations.is_empty();
            match token.kind {
                TokenKind::Asterisk if is_main => {
                    result = Some("*".to_owned());
                    break;
                }
                TokenKind::Word if is_main && let Some(text) = self.ending(token, &self.tokens) => {
                    result = Some(text);
                    break;
                }
                TokenKind::Word => self.word(token, location),
                _ => self.other(token, location),
            }
        }
        self.end(result);
    }

    fn end(&mut self, result: Option<String>) {
        let location = self.locator.location();
        while !self.variations.is_empty() {
            self.note(NoteKind::OpenVariation, "(", location);
            self.close();
        }
        let is_usual = |text: &str| is_unmistakable(text) && text.chars().all(|c| c.is_ascii() || c == '½');
        if let Some(text) = &result {
            self.result = Some(location);
            let is_other = self.record.tags.is_empty() && self.main.read.moves.is_empty() && text != "*";
            if is_other {
                self.note(NoteKind::OtherResult, text, location);
            } else if !is_usual(text) {
                self.note(NoteKind::Result, text, location);
            }
            self.trailing_comments();
        }
        let Variation { comment, moves, extra } = std::mem::take(&mut self.main.read);
        self.record.comment = comment;
        self.record.moves = moves;
        self.record.extra = extra;
        self.record.end(result.as_deref());
    }

    /// Returns whether a tag begins the next game. This is the case if the tag follows the moves, or if it repeats the
    /// first tag after an empty line.
    fn begins_next(&self, token: Token<'_>, is_below_empty_line: bool) -> bool {
        let first = self.record.tags.first().map(|(name, _)| name.as_str());
        let repeats = || token.tag().is_some_and(|(name, ..)| Some(name) == first);
        self.has_body || (is_below_empty_line && first.is_some() && repeats())
    }

    /// Returns the text of the result if `token`, which precedes `after`, is the result of the game, and otherwise
    /// `None`.
    fn ending(&self, token: Token<'_>, after: &Tokens<'_>) -> Option<String> {
        let is_possible = token.text.starts_with(|c: char| c.is_ascii_digit() || c == '½');
        let joined = is_possible.then(|| without_blanks(token.text))?;
        if is_unmistakable(&joined) {
            return Some(joined.into_owned());
        }
        let is_full = || self.record.variant().ok().flatten().is_some_and(|variant| variant.spec().shape.is_full());
        let is_ending = is_at_end(after, !self.main.read.moves.is_empty())
            && is_result(&joined, self.record.tag("Result"), is_full());
        is_ending.then(|| token.text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    fn note(&mut self, kind: NoteKind, text: &str, location: Location) {
        self.notes.push(PdnNote { location, text: printable(text.chars()), kind });
    }

    fn line(&mut self) -> &mut Variation {
        &mut self.numbered_line().read
    }

    fn numbered_line(&mut self) -> &mut Line {
        self.variations.last_mut().unwrap_or(&mut self.main)
    }

    fn other(&mut self, token: Token<'a>, location: Location) {
        self.has_body |= match token.kind {
            TokenKind::Tag | TokenKind::Escape | TokenKind::Unknown => false,
            // Comments can precede the tags.
            TokenKind::Comment | TokenKind::LineComment => !self.record.tags.is_empty(),
            _ => true,
        };
        let inner = token.text.get(1..).unwrap_or_default();
        match token.kind {
            TokenKind::Tag => self.tag(token, location),
            TokenKind::Comment => {
                if !inner.ends_with('}') {
                    self.note(NoteKind::OpenComment, token.text, location);
                }
                self.line().add_comment(inner.strip_suffix('}').unwrap_or(inner));
            }
            TokenKind::LineComment => {
                if inner.contains('}') {
                    self.note(NoteKind::Braces, token.text, location);
                }
                self.line().add_comment(inner);
            }
            TokenKind::Glyph => match inner.parse() {
                Ok(glyph) => self.line().mark(glyph),
                Err(_) => self.unknown(token, location),
            },
            TokenKind::Strength => {
                if !token.is_usual_strength() {
                    self.note(NoteKind::Strength, token.text, location);
                }
                self.line().mark(token.strength());
            }
            TokenKind::Number if self.is_placeholder(token) => {
                self.note(NoteKind::Dialect(Dialect::NoMove), token.text, location);
                self.push(PdnMove::unknown(), location);
            }
            TokenKind::SetUp => {
                let joined = token.text.split(is_line_end).map(str::trim).collect::<String>();
                let text = joined.split_whitespace().collect::<Vec<_>>().join(" ");
                self.push(PdnMove::new(text), location);
                self.numbered_line().numbered = None;
            }
            TokenKind::Open if self.line().moves.is_empty() => self.unknown(token, location),
            TokenKind::Open if self.variations.len() < MAX_NESTING => self.variations.push(Line::default()),
            TokenKind::Open => {
                self.note(NoteKind::Unknown, token.text, location);
                self.line().add_comment(token.text);
            }
            TokenKind::Close if !self.variations.is_empty() => self.close(),
            TokenKind::Asterisk => self.line().add_comment("*"),
            TokenKind::Escape => self.line().keep(token.text.trim_ascii_end()),
            TokenKind::Number => self.number(token, location),
            TokenKind::Space => {}
            _ => self.unknown(token, location),
        }
    }

    fn unknown(&mut self, token: Token<'_>, location: Location) {
        self.note(NoteKind::Unknown, token.text, location);
        self.line().keep(token.text.trim_ascii_end());
    }

    fn tag(&mut self, token: Token<'_>, location: Location) {
        let Some((name, value, is_strict)) = token.tag() else { return self.unknown(token, location) };
        if !is_strict {
            self.note(NoteKind::Quotes, token.text, location);
        }
        if name == "GameType" && super::guess::has_other_details(&value) {
            self.note(NoteKind::GameType, &value, location);
        }
        if name == "FEN" {
            self.main.numbered = None;
        }
        self.record.tags.push((name.to_owned(), value));
        self.tags.push(location);
    }

    fn close(&mut self) {
        let Some(variation) = self.variations.pop() else { return };
        if let Some(replaced) = self.line().moves.last_mut() {
            replaced.variations.push(variation.read);
        }
    }

    /// Returns whether `token` stands for an unknown move: dots without a number that do not precede a move.
    fn is_placeholder(&self, token: Token<'_>) -> bool {
        let is_move = |next: Token<'_>| match next.kind {
            TokenKind::Number => !next.text.starts_with(|c: char| c.is_ascii_digit()),
            TokenKind::Word => !is_unmistakable(&without_blanks(next.text)),
            kind => matches!(kind, TokenKind::SetUp | TokenKind::Unknown),
        };
        let is_inside = !self.variations.last().unwrap_or(&self.main).read.moves.is_empty();
        is_inside && token.text.starts_with("..") && !next_of_game(&mut self.tokens.clone()).is_some_and(is_move)
    }

    /// Reads a move number with dots, or dots without a number. A game that begins with a given position, and a
    /// variation, can begin with any number.
    fn number(&mut self, token: Token<'_>, location: Location) {
        let digits = token.text.trim_end_matches(|c: char| !c.is_ascii_digit());
        if digits.is_empty() {
            return;
        }
        let line = self.numbered_line();
        let moves = line.read.moves.len();
        let number = digits.parse::<u16>().ok();
        let is_next = number.is_some_and(|number| match line.numbered {
            // The first move can be the second of a pair, as in `1. ... 19-23 2. 28x19`.
            Some((first, before)) => {
                let (number, first, moves) = (usize::from(number), usize::from(first), moves - before);
                (first + moves / 2..=first + moves.div_ceil(2)).contains(&number)
            }
            None => true,
        });
        if !is_next || line.numbered.is_none() {
            line.numbered = number.map(|number| (number, moves)).or(line.numbered);
        }
        if !is_next {
            self.note(NoteKind::Number, token.text, location);
        }
    }

    fn push(&mut self, mv: PdnMove, location: Location) {
        if self.variations.is_empty() {
            self.moves.push(location);
        }
        self.line().moves.push(mv);
    }

    /// Reads a word, which can be a move, a move number without a dot, a result in a variation, or unrecognised text.
    fn word(&mut self, token: Token<'a>, location: Location) {
        self.has_body = true;
        let text = without_blanks(token.text);
        if is_unmistakable(&text) {
            return self.line().add_comment(&text);
        }
        let (text, remark) = split_remark(&text);
        match dialect(text) {
            None if self.is_next_number(text) => return,
            None => {
                self.has_stray_number |= text.starts_with(|c: char| c.is_ascii_digit());
                return self.unknown(token, location);
            }
            Some(Dialect::Standard) => {}
            Some(kind) => self.note(NoteKind::Dialect(kind), token.text, location),
        }
        if let Some(last) = self.line().moves.last_mut()
            && joins(&last.text, text)
        {
            last.text.push(' ');
            last.text.push_str(text);
            last.add_comment(remark);
            return self.note(NoteKind::Dialect(Dialect::Jumps), token.text, location);
        }
        let mut mv = PdnMove::new(text);
        mv.add_comment(remark);
        if let Some(after) = self.tokens.rest.strip_prefix('*') {
            // At the end of a game, an asterisk is its result. Elsewhere it marks a forced move.
            if !is_at_end(&Tokens::within(after, false), true) {
                mv.glyphs.push(7);
                self.tokens.next();
            }
        }
        self.push(mv, location);
    }

    /// Returns whether `text` is the number of the next move, without a dot. Other numbers, such as thinking times, are
    /// not recognised.
    fn is_next_number(&mut self, text: &str) -> bool {
        let Ok(number) = text.parse::<u16>() else { return false };
        let mut after = self.tokens.clone();
        let next = next_of_game(&mut after).filter(|next| matches!(next.kind, TokenKind::Word | TokenKind::SetUp));
        let is_move = |next: Token<'_>| {
            let text = without_blanks(next.text);
            !is_unmistakable(&text) && dialect(split_remark(&text).0).is_some() && self.ending(next, &after).is_none()
        };
        if !next.is_some_and(|next| next.kind == TokenKind::SetUp || is_move(next)) {
            return false;
        }
        let has_stray_number = self.has_stray_number;
        let line = self.numbered_line();
        let moves = line.read.moves.len();
        let Some((first, before)) = line.numbered else {
            let is_first = moves == 0 && number <= MAX_BARE_NUMBER;
            if is_first {
                (line.numbered, line.is_bare) = (Some((number, 0)), true);
            }
            return is_first;
        };
        let passed = moves - before;
        // In a line whose other numbers have dots, the dot is missing.
        let is_likely = line.is_bare || (passed.is_multiple_of(2) && !has_stray_number);
        let is_next = is_likely && usize::from(number) == usize::from(first) + passed.div_ceil(2);
        line.is_bare |= is_next && moves == 0;
        is_next
    }

    /// Reads the comments that follow the result, and remarks in brackets or parentheses on the same line, and adds
    /// them to the end of the game. A comment on a later line is read only if nothing but whitespace follows it.
    fn trailing_comments(&mut self) {
        loop {
            let mut after = self.tokens.clone();
            let mut next = after.next();
            let mut has_line_end = false;
            if let Some(space) = next.filter(|token| token.kind == TokenKind::Space) {
                has_line_end = space.text.contains(is_line_end);
                next = after.next();
            }
            let is_read = |token: &Token<'_>| match token.kind {
                TokenKind::Comment | TokenKind::LineComment => true,
                TokenKind::Unknown => !has_line_end && token.text.starts_with('[') && token.text.ends_with(']'),
                TokenKind::Open => !has_line_end,
                _ => false,
            };
            let Some(token) = next.filter(is_read) else { return };
            if has_line_end && !after.rest.trim_start().is_empty() {
                return;
            }
            let location = self.locator.locate(self.whole.len() - after.rest.len() - token.text.len());
            if token.kind == TokenKind::Open {
                let Some((remark, rest)) = parenthesised(after.rest) else { return };
                let text = format!("({remark})");
                self.note(NoteKind::Remark, &text, location);
                self.line().add_comment(&text);
                self.tokens = Tokens::within(rest, false);
            } else {
                self.other(token, location);
                self.tokens = after;
            }
        }
    }
}
