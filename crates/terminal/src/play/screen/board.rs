//! Lays out the screen and draws the board.

use crate::play::{Cell, Grid};
use crate::screen::theme::{self, SquareMark};
use crate::screen::{ScreenLayout, Sizes};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use soffio::board::Square;

/// Sizes of a square in columns and lines, largest first.
const CELLS: [(u16, u16); 4] = [(6, 3), (4, 2), (3, 1), (2, 1)];

/// Minimum width of the panel next to the board.
const PANEL: u16 = 24;

/// Screens with at least this many lines use two lines for messages.
const USUAL_HEIGHT: u16 = 24;

pub(super) fn layout(area: Rect, (columns, rows): (usize, usize)) -> ScreenLayout {
    let board = |(width, height)| (columns as u16 * width, rows as u16 * height);
    let message = if area.height < USUAL_HEIGHT { 1 } else { 2 };
    ScreenLayout::new(area, &Sizes { cells: &CELLS, board: &board, panel: PANEL, message })
}

pub(super) fn square(layout: &ScreenLayout, row: usize, column: usize) -> Rect {
    let (ScreenLayout { board, .. }, (width, height)) = (layout, layout.cell);
    let (x, y) = (board.x + column as u16 * width, board.y + row as u16 * height);
    Rect { x, y, width, height }.intersection(*board)
}

pub(super) fn square_at(layout: &ScreenLayout, place: Position) -> Option<(usize, usize)> {
    let (ScreenLayout { board, .. }, (width, height)) = (layout, layout.cell);
    let inside = board.contains(place) && width > 0 && height > 0;
    inside.then(|| (usize::from((place.y - board.y) / height), usize::from((place.x - board.x) / width)))
}

pub(super) struct PlayBoardView<'a> {
    pub(super) grid: &'a Grid,
    pub(super) mark: &'a dyn Fn(Square) -> SquareMark,
    pub(super) cursor: (usize, usize),
    pub(super) numbers: bool,
}

impl PlayBoardView<'_> {
    pub(super) fn draw(&self, layout: &ScreenLayout, buffer: &mut Buffer) {
        for (row, cells) in self.grid.rows().enumerate() {
            for (column, cell) in cells.iter().enumerate() {
                self.draw_cell((row, column), cell, square(layout, row, column), buffer);
            }
        }
    }

    fn draw_cell(&self, place: (usize, usize), cell: &Cell, area: Rect, buffer: &mut Buffer) {
        let mark = cell.square.map_or(SquareMark::Plain, self.mark);
        let is_shaded = (place.0 + place.1).is_multiple_of(2);
        let ground = if cell.square.is_some() { theme::ground(mark, is_shaded) } else { theme::light() };
        theme::fill(area, ground, buffer);
        let is_at_cursor = place == self.cursor;
        let has_brackets = is_at_cursor || (mark == SquareMark::Selected && area.width > 3);
        // A cell of three columns and one line has space for the name or the brackets, but not for both.
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
            // Only playing squares have names. A name has at most two characters.
            buffer.set_stringn(area.x, area.y, &cell.name, area.width.min(2).into(), ground);
        }
        if let Some(piece) = cell.piece {
            put(buffer, x, theme::piece_symbol(piece.color, piece.king), ground.patch(theme::piece(piece.color, mark)));
        } else if let Some(symbol) = theme::empty_symbol(mark) {
            put(buffer, x, symbol, ground.patch(theme::strong()));
        }
        if has_brackets {
            let (before, behind) = theme::brackets(is_at_cursor);
            if let Some(left) = x.checked_sub(1) {
                put(buffer, left, before, ground.patch(theme::strong()));
            }
            put(buffer, x + 1, behind, ground.patch(theme::strong()));
        }
    }
}

fn sign_place(area: Rect, beside_name: bool) -> (u16, u16) {
    let (width, height) = (area.width.max(1), area.height.max(1));
    let column = if beside_name && height == 1 { width - 1 } else { (width - 1) / 2 };
    (area.x + column, area.y + height / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_fits_into_the_usual_terminal() {
        let area = Rect::new(0, 0, 80, 24);
        for (size, cell) in [((8, 8), (4, 2)), ((10, 10), (4, 2)), ((12, 12), (3, 1)), ((10, 8), (4, 2))] {
            let layout = layout(area, size);
            assert_eq!(layout.cell, cell);
            assert!(layout.panel.width >= PANEL);
        }
        assert_eq!(layout(Rect::new(0, 0, 200, 60), (12, 12)).cell, (6, 3));
    }

    #[test]
    fn a_click_hits_the_square_that_is_drawn_there() {
        let layout = layout(Rect::new(0, 0, 80, 24), (10, 10));
        for (row, column) in (0..10).flat_map(|row| (0..10).map(move |column| (row, column))) {
            for place in square(&layout, row, column).positions() {
                assert_eq!(square_at(&layout, place), Some((row, column)));
            }
        }
        assert_eq!(square_at(&layout, Position::new(79, 5)), None);
        assert_eq!(square_at(&layout, Position::new(0, 0)), None);
    }
}
