//! Where everything is on the screen.

use ratatui::layout::{Position, Rect};

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
    /// Columns and rows of a square.
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
