//! Draws the panel beside the board: the players, their pips, and the play that was begun.

use super::board::sides;
use crate::screen::theme;
use crate::tavla_play::Table;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Widget};
use soffio::color::Color;
use soffio_tavla::rules::Hop;

/// Whose turn it is and what can be done, in one line.
pub(super) fn title(table: &Table, is_thinking: bool) -> String {
    if let Some(end) = table.end() {
        return format!("GAME OVER: {end}");
    }
    let game = table.game();
    let side = game.state().side;
    let Some(roll) = game.state().dice else { return format!("{side} to roll: Space rolls, :dice 3 1 says the dice") };
    if is_thinking {
        return format!("{side} {roll}: thinking");
    }
    match game.legal() {
        [only] if only.play.hops().is_empty() => format!("{side} {roll}: nothing can be played, Space passes"),
        legal => format!("{side} {roll}: {} plays", legal.len()),
    }
}

/// Draws the panel; `begun` are the hops of the play so far.
pub(super) fn draw(table: &Table, begun: &[Hop], area: Rect, buffer: &mut Buffer) {
    let state = table.game().state();
    let (white, black) = sides(state);
    let mut lines = Vec::new();
    for (color, side) in [(Color::Black, black), (Color::White, white)] {
        let turn = if color == state.side && table.end().is_none() { ">" } else { " " };
        lines.push(format!("{turn} {} {color} {}", theme::sign(color, false), table.name(color)));
        lines.push(format!("    pips {}  off {}", side.pips(), side.off()));
    }
    if let Some(roll) = state.dice {
        lines.push(String::new());
        lines.push(format!("  dice {} {}", roll.high(), roll.low()));
    }
    if !begun.is_empty() {
        let text: Vec<_> = begun.iter().map(ToString::to_string).collect();
        lines.push(format!("  {} ...", text.join(" ")));
    }
    Paragraph::new(lines.into_iter().map(Line::raw).collect::<Vec<_>>()).render(area, buffer);
}
