//! The command line of the screen, the question before leaving an unsaved game, and popup boxes.

use super::theme::strong;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Block, Clear, Padding, Paragraph, Widget};

const MAX_CHARS: usize = 4096;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LineEntry {
    text: Vec<char>,
    cursor: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InputState {
    Editing,
    Done,
    Cancelled,
}

impl LineEntry {
    fn text(&self) -> String {
        self.text.iter().collect()
    }

    fn key(&mut self, key: KeyEvent) -> InputState {
        let is_shortcut = key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
        match key.code {
            KeyCode::Enter => return InputState::Done,
            KeyCode::Esc => return InputState::Cancelled,
            KeyCode::Char('u') if key.modifiers.contains(KeyModifiers::CONTROL) => *self = Self::default(),
            KeyCode::Char(c) if !is_shortcut && self.text.len() < MAX_CHARS && !c.is_control() => {
                self.text.insert(self.cursor, c);
                self.cursor += 1;
            }
            // Some terminals send Ctrl-H for the backspace key.
            KeyCode::Char('h') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                return self.key(KeyEvent::new(KeyCode::Backspace, KeyModifiers::NONE));
            }
            KeyCode::Backspace if self.text.is_empty() => return InputState::Cancelled,
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
        InputState::Editing
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect) {
        // Scroll so that the cursor stays visible in a long line.
        let room = usize::from(area.width).saturating_sub(3);
        let skipped = self.cursor.saturating_sub(room);
        let seen: String = self.text.iter().skip(skipped).collect();
        frame.render_widget(Line::raw(format!("> {seen}")), area);
        let column = area.x + 2 + (self.cursor - skipped) as u16;
        if !area.is_empty() {
            frame.set_cursor_position((column.min(area.right() - 1), area.y));
        }
    }
}

/// What receives the key presses. `F` is the form type of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Focus<F> {
    Board,
    Entry(LineEntry),
    Box(&'static str, Vec<String>),
    Form(F),
    /// Asks one of the questions [`LEAVE`] and [`DISCARD`].
    Confirm(&'static str),
}

pub(crate) const LEAVE: &str = "The game is not saved. y quits, s saves and quits, any other key cancels.";
pub(crate) const DISCARD: &str = "The game is not saved. y discards it, s saves it first, any other key cancels.";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum KeyOutcome {
    Passed,
    Handled,
    Line(String),
    /// Save the game first.
    Save,
    /// Do not save the game.
    Discard,
}

impl<F> Focus<F> {
    pub(crate) fn entry(text: &str) -> Self {
        let text: Vec<_> = text.chars().collect();
        Self::Entry(LineEntry { cursor: text.len(), text })
    }

    pub(crate) fn text_box(title: &'static str, text: &str) -> Self {
        Self::Box(title, text.lines().map(str::to_owned).collect())
    }

    /// Handles a key if the command line, a box or the question has the focus. If the key closes it, the focus returns
    /// to the board.
    pub(crate) fn key(&mut self, key: KeyEvent) -> KeyOutcome {
        let pressed = match self {
            Self::Board | Self::Form(_) => return KeyOutcome::Passed,
            Self::Entry(entry) => match entry.key(key) {
                InputState::Editing => return KeyOutcome::Handled,
                InputState::Cancelled => KeyOutcome::Handled,
                InputState::Done => KeyOutcome::Line(entry.text()),
            },
            Self::Box(..) => KeyOutcome::Handled,
            Self::Confirm(_) => match key.code {
                KeyCode::Char('y' | 'Y') => KeyOutcome::Discard,
                KeyCode::Char('s' | 'S') => KeyOutcome::Save,
                _ => KeyOutcome::Handled,
            },
        };
        *self = Self::Board;
        pressed
    }

    pub(crate) fn draw_line(&self, reminder: &str, frame: &mut Frame<'_>, area: Rect) {
        match self {
            Self::Entry(entry) => entry.draw(frame, area),
            Self::Confirm(question) => frame.render_widget(Line::styled(*question, strong()), area),
            _ => frame.render_widget(Line::raw(reminder), area),
        }
    }

    pub(crate) fn draw_box(&self, area: Rect, buffer: &mut Buffer) {
        if let Self::Box(title, lines) = self {
            popup(title, lines.iter().map(|line| Line::raw(line.as_str())).collect(), 0, area, buffer);
        }
    }
}

/// Draws `lines` in a box over the screen. The box is scrolled so that the line with index `seen` is visible.
pub(crate) fn popup(title: &str, lines: Vec<Line<'_>>, seen: usize, area: Rect, buffer: &mut Buffer) {
    let width = lines.iter().map(Line::width).max().unwrap_or_default().max(title.len()) + 4;
    let (width, height) = (width.min(area.width.into()) as u16, (lines.len() + 2).min(area.height.into()) as u16);
    let (x, y) = (area.x + (area.width - width) / 2, area.y + (area.height - height) / 2);
    let frame = Rect { x, y, width, height };
    let inside = usize::from(height.saturating_sub(2)).max(1);
    let scroll = (seen + 1).saturating_sub(inside) as u16;
    let block = Block::bordered().title(format!(" {title} ")).padding(Padding::horizontal(1));
    Clear.render(frame, buffer);
    Paragraph::new(lines).block(block).scroll((scroll, 0)).render(frame, buffer);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_typed_and_corrected() {
        let Focus::<()>::Entry(mut entry) = Focus::entry("save ") else { panic!("a line") };
        let mut press = |code| entry.key(KeyEvent::new(code, KeyModifiers::NONE));
        for c in "gaxme".chars() {
            assert_eq!(press(KeyCode::Char(c)), InputState::Editing);
        }
        for code in [KeyCode::Left, KeyCode::Left, KeyCode::Backspace, KeyCode::Home, KeyCode::Delete, KeyCode::End] {
            press(code);
        }
        press(KeyCode::Char('1'));
        assert_eq!([press(KeyCode::Enter), press(KeyCode::Esc)], [InputState::Done, InputState::Cancelled]);
        assert_eq!(entry.text(), "ave game1");
        entry.key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL));
        assert_eq!((entry.text(), entry.cursor), (String::new(), 0));
        entry.key(KeyEvent::new(KeyCode::Char('x'), KeyModifiers::NONE));
        let backspace = KeyEvent::new(KeyCode::Char('h'), KeyModifiers::CONTROL);
        assert_eq!((entry.key(backspace), entry.text()), (InputState::Editing, String::new()));
        assert_eq!(entry.key(backspace), InputState::Cancelled);
        entry.key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL));
        assert_eq!(entry.key(KeyEvent::new(KeyCode::Backspace, KeyModifiers::NONE)), InputState::Cancelled);
    }
}
