//! Draws the board.

use super::layout::Layout;
use crate::play::{Cell, Grid};
use crate::screen::theme::{self, Mark};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use soffio::board::Square;

/// A board to be drawn.
pub(super) struct BoardView<'a> {
    pub(super) grid: &'a Grid,
    /// The highlight of a square.
    pub(super) mark: &'a dyn Fn(Square) -> Mark,
    /// Row and column of the cursor.
    pub(super) cursor: (usize, usize),
    /// Whether the names of the squares are shown.
    pub(super) numbers: bool,
}

impl BoardView<'_> {
    /// Draws every square of the board where `layout` has it.
    pub(super) fn draw(&self, layout: &Layout, buffer: &mut Buffer) {
        for (row, cells) in self.grid.rows().enumerate() {
            for (column, cell) in cells.iter().enumerate() {
                self.draw_cell((row, column), cell, layout.square(row, column), buffer);
            }
        }
    }

    fn draw_cell(&self, place: (usize, usize), cell: &Cell, area: Rect, buffer: &mut Buffer) {
        let mark = cell.square.map_or(Mark::Plain, self.mark);
        let is_shaded = (place.0 + place.1).is_multiple_of(2);
        let ground = if cell.square.is_some() { theme::ground(mark, is_shaded) } else { theme::light() };
        for position in area.positions() {
            if let Some(cell) = buffer.cell_mut(position) {
                cell.set_symbol(" ").set_style(ground);
            }
        }
        let is_at_cursor = place == self.cursor;
        let has_brackets = is_at_cursor || (mark == Mark::Chosen && area.width > 3);
        // In a row of three columns there is room for the name or for brackets.
        let names = self.numbers && (area.height > 1 || (area.width > 2 && !has_brackets));
        let (x, y) = sign_place(area, names);
        let put = |buffer: &mut Buffer, x: u16, text: &str, style: Style| {
            if area.contains((x, y).into())
                && let Some(cell) = buffer.cell_mut((x, y))
            {
                cell.set_symbol(text).set_style(style);
            }
        };
        if names {
            // Only playing squares have names, of at most two characters.
            buffer.set_stringn(area.x, area.y, &cell.name, area.width.min(2).into(), ground);
        }
        if let Some(piece) = cell.piece {
            put(buffer, x, theme::sign(piece.color, piece.king), ground.patch(theme::piece(piece.color, mark)));
        } else if let Some(sign) = theme::empty_sign(mark) {
            put(buffer, x, sign, ground.patch(theme::strong()));
        }
        if has_brackets {
            let (before, behind) = if is_at_cursor { ("[", "]") } else { ("<", ">") };
            if let Some(left) = x.checked_sub(1) {
                put(buffer, left, before, ground.patch(theme::strong()));
            }
            put(buffer, x + 1, behind, ground.patch(theme::strong()));
        }
    }
}

/// Where in `area` the sign of a piece is drawn; `beside_name` if the name of the square is there too.
fn sign_place(area: Rect, beside_name: bool) -> (u16, u16) {
    let (width, height) = (area.width.max(1), area.height.max(1));
    let column = if beside_name && height == 1 { width - 1 } else { (width - 1) / 2 };
    (area.x + column, area.y + height / 2)
}
