//! Prints game records.

use super::{GameRecord, GameResult};
use std::fmt;

/// Longest line of moves, as PGN has it for its export format.
const LINE: usize = 79;

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::First => "1-0",
            Self::Second => "0-1",
            Self::Draw => "1/2-1/2",
            Self::BothLost => "0-0",
            Self::Unknown => "*",
        })
    }
}

impl fmt::Display for GameRecord {
    /// Prints tags, an empty line, and moves with numbers and comments in lines of moderate length. An empty line ends
    /// the game.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.tags {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(char::is_control, " ");
            writeln!(f, "[{name} \"{value}\"]")?;
        }
        // Readers expect of a game where Black is to move that its first move stands alone.
        let begins_alone = self.tag("FEN").is_some_and(|fen| fen.starts_with(['B', 'b']));
        let mut line = Line { output: f, length: 0 };
        line.output.write_str("\n")?;
        for (index, mv) in self.moves.iter().enumerate() {
            let ply = index + usize::from(begins_alone);
            if index == 0 && begins_alone {
                line.word("1...")?;
            } else if ply.is_multiple_of(2) {
                line.word(&format!("{}.", ply / 2 + 1))?;
            }
            line.word(&mv.text)?;
            if let Some(comment) = &mv.comment {
                let comment = comment.replace('{', "[").replace('}', "]");
                let text = format!("{{{}}}", comment.split_whitespace().collect::<Vec<_>>().join(" "));
                text.split(' ').try_for_each(|word| line.word(word))?;
            }
        }
        line.word(&self.result.to_string())?;
        f.write_str("\n\n")
    }
}

/// Words with spaces between them, broken into lines.
struct Line<'a, 'b> {
    output: &'a mut fmt::Formatter<'b>,
    length: usize,
}

impl Line<'_, '_> {
    fn word(&mut self, word: &str) -> fmt::Result {
        let length = word.chars().count();
        if self.length > 0 && self.length + 1 + length > LINE {
            self.output.write_str("\n")?;
            self.length = 0;
        } else if self.length > 0 {
            self.output.write_str(" ")?;
            self.length += 1;
        }
        self.length += length;
        self.output.write_str(word)
    }
}
