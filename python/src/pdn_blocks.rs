//! Splits PDN text that arrives in blocks at the ends of games.

use soffio::notation::pdn::{GameResult, decode};

/// Minimum number of new bytes before the text is split.
const LEAST: usize = 1 << 16;

#[derive(Debug, Default)]
pub struct Blocks {
    pub bytes: Vec<u8>,
    /// Length of the prefix in which no game ends.
    searched: usize,
    pub is_ended: bool,
}

impl Blocks {
    /// Returns the next complete games: all but the last one, which may continue, or all of them after the end.
    /// `None` if more bytes are needed, and at the end.
    pub fn take(&mut self) -> Option<String> {
        // UTF-16 cannot be split by bytes.
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

    /// Finds the last boundary between games: a line starting with a tag after a line ending with a result, where the
    /// PDN parser starts a new game in any state.
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
            // A tag on the last line may be incomplete.
            self.searched = self.bytes.iter().rposition(|&byte| is_line_end(byte)).unwrap_or(0);
        }
        found
    }
}

fn begins_tag(bytes: &[u8]) -> bool {
    let name = bytes.get(1..).unwrap_or_default().trim_ascii_start();
    let length = name.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    length > 0 && name.get(length..).unwrap_or_default().trim_ascii_start().starts_with(b"\"")
}

/// Returns true if a line ends with a game result outside a comment.
fn ends_game(line: &[u8]) -> bool {
    let word = line.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    let is_remark = line.contains(&b';') || line.starts_with(b"%");
    let is_result = |word: &str| word.parse::<GameResult>().is_ok();
    !is_remark && std::str::from_utf8(word).is_ok_and(is_result)
}
