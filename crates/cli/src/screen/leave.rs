//! The question before a game that is not saved is left.

use super::theme::strong;
use ratatui::Frame;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::text::Line;

/// The answer to the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeaveAnswer {
    /// Leave without saving.
    Leave,
    /// Save first.
    Save,
    /// Do not leave.
    Stay,
}

impl LeaveAnswer {
    /// The answer that a key gives.
    pub(crate) fn of(key: KeyCode) -> Self {
        match key {
            KeyCode::Char('y' | 'Y') => Self::Leave,
            KeyCode::Char('s' | 'S') => Self::Save,
            _ => Self::Stay,
        }
    }
}

/// Draws the question into `area`.
pub(crate) fn draw_leave_question(frame: &mut Frame<'_>, area: Rect) {
    let question = "The game is not saved. y leaves, s saves, any other key stays.";
    frame.render_widget(Line::styled(question, strong()), area);
}
