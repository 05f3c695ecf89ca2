//! The text of game records that is given block by block, cut where a game ends.

use soffio::notation::pdn::{GameResult, decode};

/// A part is cut off when so many bytes have come.
const LEAST: usize = 1 << 16;

/// The bytes of game records that have come, and have not been taken.
#[derive(Debug, Default)]
pub struct Blocks {
    bytes: Vec<u8>,
    /// Bytes at the start in which there is no end of a game.
    searched: usize,
    /// True when all have come.
    is_ended: bool,
}

impl Blocks {
    /// Adds the next bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Says that all bytes have come.
    pub fn end(&mut self) {
        self.is_ended = true;
    }

    /// Returns whether all bytes have come.
    pub fn is_ended(&self) -> bool {
        self.is_ended
    }

    /// The text of the next whole games: of all that have come, except the last, which can go on. `None` if more bytes are needed, and at
    /// the end.
    pub fn take(&mut self) -> Option<String> {
        // In UTF-16 no byte is a character, and it can only be read whole.
        let is_wide = self.bytes.starts_with(b"\xff\xfe") || self.bytes.starts_with(b"\xfe\xff");
        let end = match self.is_ended {
            true if self.bytes.is_empty() => return None,
            true => self.bytes.len(),
            false if self.bytes.len() - self.searched < LEAST || is_wide => return None,
            false => self.last_start()?,
        };
        let rest = self.bytes.split_off(end);
        let taken = std::mem::replace(&mut self.bytes, rest);
        self.searched = 0;
        Some(decode(&taken).text)
    }

    /// The last place where one game has ended and the next one begins: a line that begins with a tag, behind one that ends with a result.
    /// There the reader of records begins a new game, whatever came before.
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
            // A tag on the last line may not have come whole.
            self.searched = self.bytes.iter().rposition(|&byte| is_line_end(byte)).unwrap_or(0);
        }
        found
    }
}

/// Returns whether `bytes` begin with a bracket, the name of a tag, and a quotation mark.
fn begins_tag(bytes: &[u8]) -> bool {
    let name = bytes.get(1..).unwrap_or_default().trim_ascii_start();
    let length = name.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    length > 0 && name.get(length..).unwrap_or_default().trim_ascii_start().starts_with(b"\"")
}

/// Returns whether the last word of a line is the result of a game, and not part of a remark.
fn ends_game(line: &[u8]) -> bool {
    let word = line.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    let is_remark = line.contains(&b';') || line.starts_with(b"%");
    let is_result = |word: &str| word.parse::<GameResult>().is_ok();
    !is_remark && std::str::from_utf8(word).is_ok_and(is_result)
}
