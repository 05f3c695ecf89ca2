//! Prints game records.

use super::{GameRecord, PdnMove, Variation, comment_words};
use std::fmt;

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
