//! The line in which commands and moves are typed.

use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Rect;
use ratatui::text::Line;

/// The longest line that can be typed.
const LONGEST: usize = 4096;

/// A line that is being typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Entry {
    text: Vec<char>,
    /// Characters before the cursor.
    cursor: usize,
}

/// The state of the line after a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EntryState {
    /// It is not complete yet.
    Editing,
    /// It is complete.
    Done(String),
    /// It is cancelled.
    Cancelled,
}

impl Entry {
    /// A line that begins with `text`.
    pub(crate) fn new(text: &str) -> Self {
        let text: Vec<_> = text.chars().collect();
        Self { cursor: text.len(), text }
    }

    /// The text typed so far.
    pub(crate) fn text(&self) -> String {
        self.text.iter().collect()
    }

    /// Handles a key.
    pub(crate) fn key(&mut self, key: KeyEvent) -> EntryState {
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

    /// Draws the line into `area`, with the cursor of the terminal.
    pub(crate) fn draw(&self, frame: &mut Frame<'_>, area: Rect) {
        // The cursor has to stay visible in a long line.
        let room = usize::from(area.width).saturating_sub(3);
        let skipped = self.cursor.saturating_sub(room);
        let seen: String = self.text.iter().skip(skipped).collect();
        frame.render_widget(Line::raw(format!("> {seen}")), area);
        let column = area.x + 2 + (self.cursor - skipped) as u16;
        if !area.is_empty() {
            frame.set_cursor_position((column.min(area.right() - 1), area.y));
        }
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
        assert_eq!((entry.text(), entry.cursor), (String::new(), 0));
        entry.key(KeyEvent::new(KeyCode::Char('x'), KeyModifiers::NONE));
        let backspace = KeyEvent::new(KeyCode::Char('h'), KeyModifiers::CONTROL);
        assert_eq!((entry.key(backspace), entry.text()), (EntryState::Editing, String::new()));
        assert_eq!(entry.key(backspace), EntryState::Cancelled);
        entry.key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL));
        assert_eq!(entry.key(KeyEvent::new(KeyCode::Backspace, KeyModifiers::NONE)), EntryState::Cancelled);
    }
}
