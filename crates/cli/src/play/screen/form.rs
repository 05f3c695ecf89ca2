//! A form: rows with a few choices each.

use crate::screen::popup;
use crate::screen::theme::reversed;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;

/// A row of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    label: String,
    choices: Vec<String>,
    chosen: usize,
}

impl Row {
    /// A row that offers `choices`, with `value` chosen, which is offered too if it is not among them.
    pub(super) fn new(label: &str, choices: impl IntoIterator<Item = impl Into<String>>, value: &str) -> Self {
        let mut choices: Vec<String> = choices.into_iter().map(Into::into).collect();
        let chosen = choices.iter().position(|choice| choice.eq_ignore_ascii_case(value));
        let chosen = chosen.unwrap_or_else(|| {
            choices.push(value.to_owned());
            choices.len() - 1
        });
        Self { label: label.to_owned(), choices, chosen }
    }

    /// What is chosen.
    pub(super) fn value(&self) -> &str {
        self.choices.get(self.chosen).map_or("", String::as_str)
    }

    /// What the row is about.
    pub(super) fn label(&self) -> &str {
        &self.label
    }

    /// Chooses the next one, or the one before.
    fn turn(&mut self, forward: bool) {
        let count = self.choices.len();
        self.chosen = (self.chosen + if forward { 1 } else { count - 1 }) % count;
    }
}

/// A form, with a cursor on one of its rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Form {
    title: String,
    rows: Vec<Row>,
    cursor: usize,
}

/// The state of a form after a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FormState {
    /// It is not complete yet.
    Editing,
    /// It is complete.
    Done,
    /// It is cancelled.
    Cancelled,
}

impl Form {
    /// A form of at least one row.
    pub(super) fn new(title: String, rows: Vec<Row>) -> Self {
        Self { title, rows, cursor: 0 }
    }

    /// The rows.
    pub(super) fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// What is chosen in the row with this label.
    pub(super) fn value(&self, label: &str) -> &str {
        self.rows.iter().find(|row| row.label == label).map_or("", Row::value)
    }

    /// Handles a key.
    pub(super) fn key(&mut self, key: KeyEvent) -> FormState {
        let count = self.rows.len().max(1);
        match key.code {
            KeyCode::Enter => return FormState::Done,
            KeyCode::Esc | KeyCode::Char('q') => return FormState::Cancelled,
            KeyCode::Up | KeyCode::BackTab => self.cursor = (self.cursor + count - 1) % count,
            KeyCode::Down | KeyCode::Tab => self.cursor = (self.cursor + 1) % count,
            KeyCode::Left => self.turn(false),
            KeyCode::Right | KeyCode::Char(' ') => self.turn(true),
            _ => {}
        }
        FormState::Editing
    }

    fn turn(&mut self, forward: bool) {
        if let Some(row) = self.rows.get_mut(self.cursor) {
            row.turn(forward);
        }
    }

    /// Draws the form over everything else.
    pub(super) fn draw(&self, area: Rect, buffer: &mut Buffer) {
        let label = self.rows.iter().map(|row| row.label.len()).max().unwrap_or_default();
        let value = self.rows.iter().flat_map(|row| &row.choices).map(String::len).max().unwrap_or_default();
        let line = |(index, row): (usize, &Row)| {
            let is_at_cursor = index == self.cursor;
            let (sign, style) = if is_at_cursor { (">", reversed()) } else { (" ", Style::new()) };
            Line::styled(format!("{sign} {:<label$}  < {:<value$} >", row.label, row.value()), style)
        };
        let mut lines: Vec<_> = self.rows.iter().enumerate().map(line).collect();
        lines.extend([Line::raw(""), Line::raw("arrows choose, Enter takes it, Esc leaves it")]);
        popup(&self.title, lines, self.cursor, area, buffer);
    }
}
