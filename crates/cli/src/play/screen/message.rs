//! The answer to the last command.

use crate::play::PlayError;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Paragraph, Widget};

/// A line for the person at the keyboard.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Message {
    text: String,
    is_new: bool,
}

impl Message {
    /// Shows `text`.
    pub(super) fn told(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_new: true }
    }

    /// Shows why a command was not obeyed.
    pub(super) fn refused(reason: impl ToString) -> Self {
        Self::told(format!("No: {}", reason.to_string()))
    }

    /// The line.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether it came with the last key or after it.
    pub(super) fn is_new(&self) -> bool {
        self.is_new
    }

    /// Another key was pressed.
    pub(super) fn read(&mut self) {
        self.is_new = false;
    }
}

impl From<Result<String, PlayError>> for Message {
    fn from(result: Result<String, PlayError>) -> Self {
        result.map_or_else(Self::refused, Self::told)
    }
}

/// Lines that `text` takes over the whole width of `screen`; at most those of the screen.
pub(super) fn height(text: &Paragraph<'_>, screen: Rect) -> u16 {
    let mut drawn = Buffer::empty(screen);
    text.render(screen, &mut drawn);
    let is_used = |row: &u16| (screen.left()..screen.right()).any(|column| is_written(&drawn, column, *row));
    let last = (screen.top()..screen.bottom()).rev().find(is_used);
    last.map_or(0, |row| row + 1 - screen.top())
}

fn is_written(drawn: &Buffer, column: u16, row: u16) -> bool {
    drawn.cell((column, row)).is_some_and(|cell| cell.symbol() != " ")
}
