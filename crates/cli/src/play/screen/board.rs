//! Where everything is on the screen, and how the board is drawn.

use crate::play::{Cell, Grid};
use crate::screen::theme::{self, Mark};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use soffio::board::Square;

/// Columns and rows of a square, the largest first. The largest that fits is taken.
const SIZES: [(u16, u16); 4] = [(6, 3), (4, 2), (3, 1), (2, 1)];

/// The least useful width of the panel beside the board.
const PANEL: u16 = 24;

/// Lines above the board, for the title.
const TITLE: u16 = 1;

/// Lines for the message, where a screen has room for it.
const MESSAGE: u16 = 2;

/// From so many lines on a screen has room for a long message.
const USUAL_HEIGHT: u16 = 24;

/// Where everything is on the screen. Areas that do not fit are empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Layout {
    /// The state of the game, always visible.
    pub(super) title: Rect,
    /// The board; empty when the screen is too small for it.
    pub(super) board: Rect,
    pub(super) cell: (u16, u16),
    /// The panel: players, moves, search.
    pub(super) panel: Rect,
    /// The answer to the last command.
    pub(super) message: Rect,
    /// The keys, or the line that is typed.
    pub(super) entry: Rect,
}

impl Layout {
    /// The layout of `area` for a board of so many columns and rows.
    pub(super) fn new(area: Rect, (columns, rows): (usize, usize)) -> Self {
        let message_height = if area.height < USUAL_HEIGHT { 1 } else { MESSAGE };
        let bottom = message_height + 1;
        let from_bottom = |lines: u16, height: u16| {
            let y = area.bottom().saturating_sub(lines).max(area.y);
            Rect { y, height, ..area }.intersection(area)
        };
        let title = Rect { height: TITLE, ..area }.intersection(area);
        let middle_height = area.height.saturating_sub(TITLE + bottom);
        let middle = Rect { y: area.y.saturating_add(TITLE), height: middle_height, ..area }.intersection(area);
        let (columns, rows) = (columns as u16, rows as u16);
        let fits = |&(width, height): &(u16, u16)| columns * width <= middle.width && rows * height <= middle.height;
        let leaves_panel = |&(width, _): &(u16, u16)| columns * width + 1 + PANEL <= middle.width;
        let with_panel = SIZES.into_iter().find(|size| fits(size) && leaves_panel(size));
        let cell = with_panel.or_else(|| SIZES.into_iter().find(fits)).unwrap_or_default();
        let board = Rect { width: columns * cell.0, height: rows * cell.1, ..middle };
        let beside = (board.width + 1).min(middle.width);
        let panel = Rect { x: middle.x + beside, width: middle.width - beside, ..middle };
        let panel = if panel.width < PANEL { Rect::default() } else { panel };
        Self { title, board, cell, panel, message: from_bottom(bottom, message_height), entry: from_bottom(1, 1) }
    }

    /// The area of the square in `row` and `column`.
    pub(super) fn square(&self, row: usize, column: usize) -> Rect {
        let (width, height) = self.cell;
        let (x, y) = (self.board.x + column as u16 * width, self.board.y + row as u16 * height);
        Rect { x, y, width, height }.intersection(self.board)
    }

    /// Row and column of the square at a place of the screen.
    pub(super) fn square_at(&self, place: Position) -> Option<(usize, usize)> {
        let (width, height) = self.cell;
        let inside = self.board.contains(place) && width > 0 && height > 0;
        let row = inside.then(|| usize::from((place.y - self.board.y) / height))?;
        Some((row, usize::from((place.x - self.board.x) / width)))
    }
}

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
        theme::fill(area, ground, buffer);
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
            let (before, behind) = theme::brackets(is_at_cursor);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_fits_into_the_usual_terminal() {
        let area = Rect::new(0, 0, 80, 24);
        for (size, cell) in [((8, 8), (4, 2)), ((10, 10), (4, 2)), ((12, 12), (3, 1)), ((10, 8), (4, 2))] {
            let layout = Layout::new(area, size);
            assert_eq!(layout.cell, cell);
            assert!(layout.panel.width >= PANEL);
        }
        assert_eq!(Layout::new(Rect::new(0, 0, 200, 60), (12, 12)).cell, (6, 3));
    }

    #[test]
    fn nothing_overlaps_and_everything_is_on_the_screen() {
        for (width, height) in (1..=100).flat_map(|width| (1..=40).map(move |height| (width, height))) {
            let area = Rect::new(0, 0, width, height);
            for size in [(8, 8), (10, 10), (12, 12), (10, 8)] {
                let Layout { title, board, panel, message, entry, .. } = Layout::new(area, size);
                for part in [title, board, panel, message, entry] {
                    assert_eq!(part.intersection(area).area(), part.area(), "{part:?} on {area:?}");
                }
                for part in [title, message, entry, panel] {
                    assert!(!board.intersects(part) || board.is_empty(), "{board:?} and {part:?} on {area:?}");
                }
                assert!(!panel.intersects(message) && !panel.intersects(entry) && !panel.intersects(title));
            }
        }
    }

    #[test]
    fn a_click_hits_the_square_that_is_drawn_there() {
        let layout = Layout::new(Rect::new(0, 0, 80, 24), (10, 10));
        for (row, column) in (0..10).flat_map(|row| (0..10).map(move |column| (row, column))) {
            for place in layout.square(row, column).positions() {
                assert_eq!(layout.square_at(place), Some((row, column)));
            }
        }
        assert_eq!(layout.square_at(Position::new(79, 5)), None);
        assert_eq!(layout.square_at(Position::new(0, 0)), None);
    }
}
