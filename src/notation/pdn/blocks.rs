//! Reads files of any size in constant memory. The text arrives in blocks, which are split where a tag follows the
//! result of a game. UTF-16 text, and games without tags, are kept in memory as a whole.

use super::result::ends_game;
use super::text::line_ends;
use super::{PdnReader, PdnText, ReadGame, TextEncoding, decode};
use std::io::{self, Read};

/// Number of new bytes that must arrive before the text is searched for a boundary between games.
const MIN_NEW_BYTES: usize = 1 << 16;

/// Number of bytes that are read from a file at a time.
const BLOCK: u64 = 1 << 20;

/// Calls `visit` for each game in `input`, together with the block of text that contains the game. If `encoding` is
/// `None`, the encoding of each block is guessed.
pub fn for_each_game<E: From<io::Error>>(
    mut input: impl Read,
    encoding: Option<TextEncoding>,
    mut visit: impl FnMut(ReadGame<'_>, &PdnText) -> Result<(), E>,
) -> Result<(), E> {
    let mut games = PdnGames::new(encoding);
    while games.read_from(&mut input, usize::MAX, &mut visit)? {}
    Ok(())
}

/// The games in a text that arrives in blocks of bytes.
#[derive(Debug)]
pub struct PdnGames {
    /// The bytes that have not been taken yet. New bytes are appended.
    pub bytes: Vec<u8>,
    /// Whether the end of the input has been reached, after which no more bytes are appended.
    pub is_ended: bool,
    encoding: Option<TextEncoding>,
    /// Length of the prefix of `bytes` that has been searched and contains no boundary between games.
    searched: usize,
    /// The block that has been taken from `bytes`.
    block: PdnText,
    /// Number of bytes of `block` that have been parsed.
    parsed: usize,
    games: usize,
    /// Number of line ends in the parsed text.
    lines: usize,
}

impl PdnGames {
    /// Creates an empty text. If `encoding` is `None`, the encoding of each block is guessed.
    pub fn new(encoding: Option<TextEncoding>) -> Self {
        Self {
            bytes: Vec::new(),
            is_ended: false,
            encoding,
            searched: 0,
            block: decode(&[]),
            parsed: 0,
            games: 0,
            lines: 0,
        }
    }

    /// Returns whether the text so far contains no game.
    pub fn has_no_game(&self) -> bool {
        self.games == 0
    }

    /// Calls `visit` for up to `max_games` games, each with the block of text that contains it. Returns false if more
    /// bytes are needed, or if all games have been read.
    pub fn read<E>(
        &mut self,
        max_games: usize,
        mut visit: impl FnMut(ReadGame<'_>, &PdnText) -> Result<(), E>,
    ) -> Result<bool, E> {
        if self.parsed == self.block.text.len() {
            let Some(block) = self.take() else { return Ok(false) };
            (self.block, self.parsed) = (block, 0);
        }
        let rest = self.block.text.get(self.parsed..).unwrap_or_default();
        let mut length = 0;
        for game in PdnReader::after(rest, self.games, self.lines).take(max_games) {
            (self.games, length) = (game.number, length + game.source.len());
            visit(game, &self.block)?;
        }
        if length == 0 {
            length = rest.len();
        }
        self.lines += line_ends(rest.get(..length).unwrap_or_default());
        self.parsed += length;
        Ok(true)
    }

    /// Like [`Self::read`], but takes more bytes from `input` when they are needed.
    pub fn read_from<E: From<io::Error>>(
        &mut self,
        input: &mut impl Read,
        max_games: usize,
        mut visit: impl FnMut(ReadGame<'_>, &PdnText) -> Result<(), E>,
    ) -> Result<bool, E> {
        while !self.read(max_games, &mut visit)? {
            if self.is_ended {
                return Ok(false);
            }
            self.is_ended = input.take(BLOCK).read_to_end(&mut self.bytes)? == 0;
        }
        Ok(true)
    }

    /// Removes the complete games at the start of `bytes` and returns their text. Until the end of the text has
    /// arrived, the last game is left in `bytes`, because it may continue.
    ///
    /// Returns `None` if more bytes are needed, or if all text has been taken.
    fn take(&mut self) -> Option<PdnText> {
        // UTF-16 cannot be split by searching for single bytes, so it is returned in one piece.
        let is_wide =
            self.encoding.is_some_and(TextEncoding::is_utf_16) || TextEncoding::detect_utf_16(&self.bytes).is_some();
        let end = match self.is_ended {
            true if self.bytes.is_empty() => return None,
            true => self.bytes.len(),
            false if self.bytes.len() - self.searched < MIN_NEW_BYTES || is_wide => return None,
            false => self.last_start()?,
        };
        let rest = self.bytes.split_off(end);
        let taken = std::mem::replace(&mut self.bytes, rest);
        self.searched = 0;
        Some(self.encoding.unwrap_or_else(|| TextEncoding::guess(&taken)).decode_block(&taken))
    }

    /// Finds the last boundary between games: a line that begins with a tag and follows a line that ends with a result.
    /// The PDN parser starts a new game at every such boundary. Returns `None` if there is no boundary.
    fn last_start(&mut self) -> Option<usize> {
        let is_line_end = |byte: u8| matches!(byte, b'\n' | b'\r');
        let mut starts = (self.searched.max(1)..self.bytes.len()).rev();
        let found = starts.find(|&place| {
            let (before, after) = self.bytes.split_at(place);
            after.first() == Some(&b'[') && before.last().copied().is_some_and(is_line_end) && begins_tag(after) && {
                let line = before.trim_ascii_end().rsplit(|&byte| is_line_end(byte)).next().unwrap_or_default();
                ends_game(line)
            }
        });
        if found.is_none() {
            // The last line is searched again, because a tag in it may be incomplete.
            self.searched = self.bytes.iter().rposition(|&byte| is_line_end(byte)).unwrap_or(0);
        }
        found
    }
}

fn begins_tag(bytes: &[u8]) -> bool {
    let name = bytes.get(1..).unwrap_or_default().trim_ascii_start();
    let length = name.iter().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')).count();
    length > 0 && name.get(length..).unwrap_or_default().trim_ascii_start().starts_with(b"\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_a_stream_are_those_of_the_text() {
        let games: String =
            (1..5000).map(|game| format!("[Event \"{game}\"]\n\n1. 32-28 {{[%clk 1]\n}} +/- *\n\n")).collect();
        let (mut number, mut text) = (0, String::new());
        let read = for_each_game(games.as_bytes(), None, |game, _| {
            number += 1;
            assert_eq!((game.number, game.location.line), (number, 5 * number - 4));
            text.push_str(game.source);
            io::Result::Ok(())
        });
        assert!(read.is_ok() && number == 4999 && text == games);
    }
}
