//! A box of lines in the middle of the screen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Block, Clear, Padding, Paragraph, Widget};

/// Draws `lines` in a box; if they do not all fit, it is scrolled so that the line of index `seen` is visible.
pub(crate) fn popup(title: &str, lines: Vec<Line<'_>>, seen: usize, area: Rect, buffer: &mut Buffer) {
    // A line of the border on either side, and a space within it.
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
