//! Moves and results in the dialects found in existing files.

use super::result::is_hyphen;
use super::token::{Token, TokenKind, Tokens, is_line_end, is_separator};
use super::{GameResult, PdnMove};
use crate::board::SquareName;
use crate::notation::{FenError, FenRecord, MoveRecord, MoveSyntaxError};
use derive_more::Display;

/// How a move is written in a file.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
pub enum Dialect {
    /// The move is written as in the standard or in a similar form.
    #[display("a move")]
    Standard,
    /// The move is written without a separator, as in `1116`.
    #[display("a move without a separator, read as two digits per square")]
    Digits,
    /// The move gives only the file of its piece, as in `cd4`.
    #[display("a move that names only the file of its piece, completed from the position")]
    Short,
    /// The move contains characters from another alphabet: `с3–d4` has a Cyrillic letter and a dash.
    #[display("characters from another alphabet, read as their standard equivalents")]
    Foreign,
    /// The move is unknown and is written as `--` or `...`.
    #[display("an unknown move")]
    NoMove,
    /// The move is a capture that is written jump by jump, as in `22x15 15x6`.
    #[display("a capture written jump by jump, joined to the previous jump")]
    Jumps,
    /// The word is not a move, but looks like one, as in `12-x`.
    #[display("not a move, kept as if it were one")]
    Faulty,
}

/// The text of an unknown move.
const UNKNOWN_MOVE: &str = "--";

/// Returns how the move `text` is written, or `None` if `text` is not a move.
pub(super) fn dialect(text: &str) -> Option<Dialect> {
    if is_plain(text) {
        return Some(Dialect::Standard);
    }
    if text == UNKNOWN_MOVE {
        return Some(Dialect::NoMove);
    }
    // A separator at the start could join the word to the previous move.
    if text.starts_with(is_separator) {
        return None;
    }
    if PdnMove::new(text).record().is_err() {
        let begins = text.starts_with(|c: char| c.is_alphanumeric() && !is_separator(c));
        let is_like_a_move = begins && text.contains(is_separator) && text.contains(|c: char| c.is_ascii_digit());
        // A word that begins or ends with a separator is not kept as a move, because the separator could join it to an
        // adjacent word.
        return (is_like_a_move && !text.ends_with(is_separator)).then_some(Dialect::Faulty);
    }
    Some(match text {
        text if !text.is_ascii() => Dialect::Foreign,
        text if text.bytes().all(|byte| byte.is_ascii_digit()) => Dialect::Digits,
        text if split_short_move(text).is_some() => Dialect::Short,
        _ => Dialect::Standard,
    })
}

/// Returns whether `text` consists of squares with separators between them. A square is a number, or a letter and a
/// number.
fn is_plain(text: &str) -> bool {
    let is_square = |text: &str| {
        let digits = text.strip_prefix(|c: char| c.is_ascii_alphabetic() && !is_separator(c)).unwrap_or(text);
        matches!(digits.len(), 1 | 2) && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    text.contains(['-', 'x', ':']) && text.split(['-', 'x', ':']).all(is_square)
}

impl PdnMove {
    /// Returns whether the text sets up a position, such as `/FEN "W:W31:B20"/`, rather than being a move.
    pub fn is_set_up(&self) -> bool {
        self.text.starts_with('/')
    }

    /// Creates an unknown move, which is written as `--`.
    pub(super) fn unknown() -> Self {
        Self::new(UNKNOWN_MOVE)
    }

    /// Returns whether the move is unknown, that is, written as `--`.
    pub fn is_unknown(&self) -> bool {
        self.text == UNKNOWN_MOVE
    }

    /// Parses the position that the text sets up. Returns `None` if the text is a move.
    pub fn set_up(&self) -> Option<Result<FenRecord, FenError>> {
        let inner = self.text.strip_prefix('/')?.trim_end_matches('/').trim();
        Some(inner.strip_prefix("FEN").unwrap_or(inner).trim().trim_matches('"').parse())
    }

    /// Parses a move as people type it: as in a file, or with spaces between the squares, as in `11 15`.
    ///
    /// # Errors
    ///
    /// Returns the error of the notation with separators if `text` is not a move.
    pub fn typed(text: &str) -> Result<MoveRecord, MoveSyntaxError> {
        text.parse().or_else(|error| {
            let words: Vec<_> = text.split_whitespace().collect();
            let begins_square = |word: &&str| word.chars().nth(1).is_none_or(|second| second.is_ascii_digit());
            let is_squares = |word: &&str| begins_square(word) && word.chars().all(|c| c.is_ascii_alphanumeric());
            match Self::new(words.join("-")).record() {
                Ok(record) if words.iter().all(is_squares) => Ok(record),
                _ => Err(error),
            }
        })
    }

    /// Parses the move in any dialect. In a move such as `cd4`, the rank of the origin is stored as 0, because it can
    /// be found only when the move is played.
    pub fn record(&self) -> Result<MoveRecord, MoveSyntaxError> {
        let text = self.text.as_str();
        if is_plain(text) {
            return text.parse();
        }
        let joined = jumps(&text.chars().map(standard).collect::<String>());
        if is_plain(&joined) {
            return joined.parse();
        }
        let is_squares = joined.chars().all(|c| c.is_ascii_alphanumeric());
        if let Some((file, to)) = split_short_move(&joined) {
            let mut record = format!("{file}1{to}").parse::<MoveRecord>().or_else(|_| text.parse())?;
            record.from = SquareName::Algebraic { file: file.to_ascii_lowercase(), rank: 0 };
            return Ok(record);
        }
        // Hyphens are inserted between the squares of captures too, because a move with hyphens may be a capture.
        let spread = match joined.len() {
            _ if is_squares && joined.starts_with(|c: char| c.is_ascii_alphabetic()) => {
                spread(&joined, |c, _| c.is_ascii_alphabetic())
            }
            4.. if joined.len().is_multiple_of(2) && joined.bytes().all(|byte| byte.is_ascii_digit()) => {
                spread(&joined, |_, index| index.is_multiple_of(2))
            }
            _ => joined,
        };
        spread.parse().or_else(|_| text.parse())
    }
}

/// Inserts a hyphen before each character that begins a square, except the first.
fn spread(text: &str, begins: impl Fn(char, usize) -> bool) -> String {
    let mut spread = String::new();
    for (index, c) in text.chars().enumerate() {
        if index > 0 && begins(c, index) {
            spread.push('-');
        }
        spread.push(c);
    }
    spread
}

/// Returns the standard character that looks like `c`, or that stands for the same sound as `c` in Russian.
/// Returns `c` if there is none.
fn standard(c: char) -> char {
    match c {
        c if is_hyphen(c) => '-',
        '×' | 'х' | 'Х' => 'x',
        'а' | 'А' => 'a',
        'в' | 'В' | 'б' | 'Б' => 'b',
        'с' | 'С' | 'ц' | 'Ц' => 'c',
        'д' | 'Д' => 'd',
        'е' | 'Е' => 'e',
        'ф' | 'Ф' => 'f',
        'г' | 'Г' => 'g',
        'н' | 'Н' => 'h',
        c => c,
    }
}

/// Splits `cd4`, `c:e5` or `cxe5` into two parts: the file of the piece, and the separator with the destination. If
/// there is no separator, a hyphen is added.
fn split_short_move(text: &str) -> Option<(char, String)> {
    let mut chars = text.chars();
    let (file, rest) = (chars.next()?, chars.as_str());
    let (sign, to) = match rest.strip_prefix(['-', ':', 'x']) {
        Some(to) => (rest.get(..1)?, to),
        None => ("-", rest),
    };
    let digits = to.strip_prefix(|c: char| c.is_ascii_alphabetic() && c != 'x')?;
    let is_square = matches!(digits.len(), 1 | 2) && digits.bytes().all(|byte| byte.is_ascii_digit());
    (file.is_ascii_alphabetic() && is_square).then(|| (file, format!("{sign}{to}")))
}

/// Joins the jumps of a capture that is written jump by jump: `22x15 15x6` becomes `22x15x6`.
fn jumps(text: &str) -> String {
    let mut words = text.split(' ');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |joined, word| {
        let after = word.find(is_separator).and_then(|sign| word.get(sign..));
        joined + after.unwrap_or(word)
    })
}

/// Returns whether the captures `before` and `text` are jumps of the same move. This is the case if `text` begins where
/// `before` ends: a different move cannot begin there, because the opponent has just moved to that square.
pub(super) fn joins(before: &str, text: &str) -> bool {
    let parts = |text: &str| text.rsplit_once([':', 'x']).map(|(_, to)| to.to_owned());
    let from = text.split_once([':', 'x']).map(|(from, _)| from);
    from.is_some() && parts(before).as_deref() == from
}

/// Minimum number of letters in a remark that directly follows a move. Fewer letters are treated as a typing error.
const SHORTEST_REMARK: usize = 3;

/// Splits `text` into a numeric move and the remark or character that directly follows the move, as in `8-11Resigns` or
/// `25x18+`. The remark is empty if there is none.
pub(super) fn split_remark(text: &str) -> (&str, &str) {
    if is_plain(text) {
        return (text, "");
    }
    let is_of_numbers = text.starts_with(|c: char| c.is_ascii_digit());
    let begins_remark = |c: char| c.is_alphabetic() && !is_separator(c) || matches!(c, '+' | '#' | '=' | '±' | '∓');
    let (mv, remark) = text.find(begins_remark).and_then(|end| text.split_at_checked(end)).unwrap_or((text, ""));
    let is_move = is_of_numbers && mv.ends_with(|c: char| c.is_ascii_digit()) && mv.contains(is_separator);
    let is_evaluation = !remark.contains(char::is_alphanumeric);
    let is_remark = is_evaluation || remark.chars().take_while(|c| c.is_alphabetic()).count() >= SHORTEST_REMARK;
    // Without the remark, the move would be parsed as a result.
    let is_result = mv.parse::<GameResult>().is_ok();
    if is_move && is_remark && !is_result { (mv, remark) } else { (text, "") }
}

/// Returns whether `text` is a result wherever it is found. A result with a colon, such as `1:1`, can be a capture.
pub(super) fn is_unmistakable(text: &str) -> bool {
    !text.contains(':') && text.parse::<GameResult>().is_ok()
}

/// Returns whether `text`, found at the end of a game, is the result of the game. This is the case if it has the form
/// of a result, if it is written as in the `Result` tag, or if it cannot be a move on any board. Moves along a row are
/// possible only if `is_full` is true, that is, if every square is a playing square.
pub(super) fn is_result(text: &str, tagged: Option<&str>, is_full: bool) -> bool {
    if text.parse::<GameResult>().is_ok() {
        return true;
    }
    let is_of_signs = |c: char| c.is_ascii_digit() || matches!(c, '.' | '+' | '-' | '/' | '½');
    let has_hyphen = text.trim_end_matches('-').contains('-');
    if !text.starts_with(|c: char| c.is_ascii_digit() || c == '½') || !text.chars().all(is_of_signs) || !has_hyphen {
        return false;
    }
    let squares = text.split_once('-').and_then(|(one, other)| Some((one.parse().ok()?, other.parse().ok()?)));
    tagged.is_some_and(|tagged| tagged.replace(' ', "") == text)
        || squares.is_none_or(|(from, to)| !(is_line(from, to) || is_full && is_row(from, to)))
            && PdnMove::new(text).record().map_or(true, |mv| mv.path.len() == 1)
}

/// Returns whether a piece could move between two numbered squares along a diagonal or a column of some board.
fn is_line(from: u16, to: u16) -> bool {
    let (Some(from), Some(to)) = (from.checked_sub(1), to.checked_sub(1)) else { return false };
    (4..=6).any(|width| {
        let place = |square: u16| (i32::from(square / width), i32::from(square % width));
        let ((row, column), (other_row, other_column)) = (place(from), place(to));
        let (rows, columns) = ((row - other_row).abs(), 2 * (column - other_column).abs());
        // Distances are in half columns, because each row is shifted by half a column relative to the previous row.
        let is_near = |columns: i32| columns == rows || (columns == 0 && rows > 1);
        rows > 0 && if rows % 2 == 0 { is_near(columns) } else { is_near(columns - 1) || is_near(columns + 1) }
    })
}

/// Returns whether two numbered squares are in the same row of the 8x8 board on which every square is a playing square.
fn is_row(from: u16, to: u16) -> bool {
    let row = |square: u16| square.checked_sub(1).map(|square| square / 8);
    row(from).is_some() && row(from) == row(to)
}

/// Returns the next token that is not whitespace, a comment or a `%` line.
pub(super) fn next_of_game<'a>(tokens: &mut Tokens<'a>) -> Option<Token<'a>> {
    let is_skipped =
        |kind| matches!(kind, TokenKind::Space | TokenKind::Comment | TokenKind::LineComment | TokenKind::Escape);
    tokens.find(|token| !is_skipped(token.kind))
}

/// Splits text after an opening parenthesis into a remark and the text after the closing parenthesis. Returns `None` if
/// the remark does not end on the same line, or if it contains another parenthesis.
pub(super) fn parenthesised(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c| matches!(c, '(' | ')') || is_line_end(c))?;
    Some((text.get(..end)?, text.get(end..)?.strip_prefix(')')?))
}

/// Returns whether no more moves follow in this game: the next token, except for a remark in parentheses on the same
/// line, is a tag, the move number `1.`, or the end of the text. Before the first move, the number begins this game.
pub(super) fn is_at_end(tokens: &Tokens<'_>, has_moves: bool) -> bool {
    let remark = tokens.rest.trim_start_matches([' ', '\t']).strip_prefix('(').and_then(parenthesised);
    let mut tokens = remark.map_or_else(|| tokens.clone(), |(_, rest)| Tokens::within(rest, false));
    let rest = tokens.rest.trim_start();
    if rest.starts_with(|c: char| c.is_ascii_alphanumeric()) && !rest.starts_with("1.") {
        return false;
    }
    let is_end = |token: Token<'_>| match token.kind {
        TokenKind::Tag => true,
        TokenKind::Number => has_moves && token.text.strip_suffix('.') == Some("1"),
        _ => false,
    };
    next_of_game(&mut tokens).is_none_or(is_end)
}
