//! The line in which commands and moves are typed.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// The longest line that can be typed.
const LONGEST: usize = 4096;

/// A line that is being typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    text: Vec<char>,
    /// Characters before the cursor.
    cursor: usize,
}

/// The state of the line after a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum EntryState {
    /// It is not complete yet.
    Editing,
    /// It is complete.
    Done(String),
    /// It is cancelled.
    Cancelled,
}

impl Entry {
    /// A line that begins with `text`.
    pub(super) fn new(text: &str) -> Self {
        let text: Vec<_> = text.chars().collect();
        Self { cursor: text.len(), text }
    }

    /// The text typed so far.
    pub(super) fn text(&self) -> String {
        self.text.iter().collect()
    }

    /// Characters before the cursor.
    pub(super) fn cursor(&self) -> usize {
        self.cursor
    }

    /// Handles a key.
    pub(super) fn key(&mut self, key: KeyEvent) -> EntryState {
        match key.code {
            KeyCode::Enter => return EntryState::Done(self.text()),
            KeyCode::Esc => return EntryState::Cancelled,
            KeyCode::Char('u') if key.modifiers.contains(KeyModifiers::CONTROL) => *self = Self::default(),
            KeyCode::Char(c) if !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) => self.insert(c),
            // Some terminals send this for the backspace key.
            KeyCode::Char('h') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                return self.key(KeyEvent::new(KeyCode::Backspace, KeyModifiers::NONE));
            }
            KeyCode::Backspace if self.text.is_empty() => return EntryState::Cancelled,
            KeyCode::Backspace if self.cursor > 0 => {
                self.cursor -= 1;
                self.text.remove(self.cursor);
            }
            KeyCode::Delete if self.cursor < self.text.len() => drop(self.text.remove(self.cursor)),
            KeyCode::Left => self.cursor = self.cursor.saturating_sub(1),
            KeyCode::Right => self.cursor = (self.cursor + 1).min(self.text.len()),
            KeyCode::Home => self.cursor = 0,
            KeyCode::End => self.cursor = self.text.len(),
            _ => {}
        }
        EntryState::Editing
    }

    fn insert(&mut self, c: char) {
        if self.text.len() < LONGEST && !c.is_control() {
            self.text.insert(self.cursor, c);
            self.cursor += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_typed_and_corrected() {
        let mut entry = Entry::new("save ");
        let mut press = |code| entry.key(KeyEvent::new(code, KeyModifiers::NONE));
        for c in "gaxme".chars() {
            assert_eq!(press(KeyCode::Char(c)), EntryState::Editing);
        }
        for code in [KeyCode::Left, KeyCode::Left, KeyCode::Backspace, KeyCode::Home, KeyCode::Delete, KeyCode::End] {
            press(code);
        }
        press(KeyCode::Char('1'));
        assert_eq!(press(KeyCode::Enter), EntryState::Done("ave game1".to_owned()));
        assert_eq!(press(KeyCode::Esc), EntryState::Cancelled);
        entry.key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL));
        assert_eq!((entry.text(), entry.cursor()), (String::new(), 0));
        entry.key(KeyEvent::new(KeyCode::Char('x'), KeyModifiers::NONE));
        let backspace = KeyEvent::new(KeyCode::Char('h'), KeyModifiers::CONTROL);
        assert_eq!((entry.key(backspace), entry.text()), (EntryState::Editing, String::new()));
        assert_eq!(entry.key(backspace), EntryState::Cancelled);
        entry.key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL));
        assert_eq!(entry.key(KeyEvent::new(KeyCode::Backspace, KeyModifiers::NONE)), EntryState::Cancelled);
    }
}
