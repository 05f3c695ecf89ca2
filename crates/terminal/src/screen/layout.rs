//! Where everything is on the screen of a game.

use ratatui::layout::Rect;

/// The sizes of the parts of a screen.
pub(crate) struct Sizes<'a> {
    /// Columns and lines of a cell of the board, the largest first. The largest that fits is taken.
    pub(crate) cells: &'a [(u16, u16)],
    /// Returns the columns and lines of a board with such cells.
    pub(crate) board: &'a dyn Fn((u16, u16)) -> (u16, u16),
    /// The least useful width of the panel beside the board.
    pub(crate) panel: u16,
    /// Lines for messages below the board.
    pub(crate) message: u16,
}

/// Where everything is on the screen. Areas that do not fit are empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The state of the game, where there are more lines than for a message and the entry.
    pub(crate) title: Rect,
    /// The board; empty when the screen is too small for it.
    pub(crate) board: Rect,
    /// Columns and lines of a cell of the board.
    pub(crate) cell: (u16, u16),
    /// The panel beside the board.
    pub(crate) panel: Rect,
    /// The messages below the board.
    pub(crate) message: Rect,
    /// The keys, or the line that is typed.
    pub(crate) entry: Rect,
}

impl Layout {
    /// Divides `area` into parts of these `sizes`.
    pub(crate) fn new(area: Rect, sizes: &Sizes<'_>) -> Self {
        let title = Rect { height: u16::from(area.height > 2), ..area };
        let below = Rect { y: title.bottom(), height: area.height - title.height, ..area };
        let entry = Rect { y: below.bottom().saturating_sub(1).max(below.y), height: 1, ..below }.intersection(below);
        let middle = Rect { height: below.height.saturating_sub(sizes.message + 1), ..below };
        let message = Rect { y: middle.bottom(), height: entry.y.saturating_sub(middle.bottom()), ..below };
        let fits = |&cell: &(u16, u16)| {
            let (width, height) = (sizes.board)(cell);
            width <= middle.width && height <= middle.height
        };
        let leaves_panel = |&cell: &(u16, u16)| (sizes.board)(cell).0 + 1 + sizes.panel <= middle.width;
        let with_panel = sizes.cells.iter().find(|cell| fits(cell) && leaves_panel(cell));
        let cell = with_panel.or_else(|| sizes.cells.iter().find(|cell| fits(cell))).copied();
        let (width, height) = cell.map_or((0, 0), sizes.board);
        let board = Rect { width, height, ..middle };
        let beside = (width + 1).min(middle.width);
        let panel = Rect { x: middle.x + beside, width: middle.width - beside, ..middle };
        let panel = if panel.width < sizes.panel { Rect::default() } else { panel };
        Self { title, board, cell: cell.unwrap_or_default(), panel, message, entry }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_overlaps_and_everything_is_on_the_screen() {
        for (width, height) in (1..=100).flat_map(|width| (1..=40).map(move |height| (width, height))) {
            let area = Rect::new(0, 0, width, height);
            for (columns, rows, message) in [(8, 8, 1), (10, 10, 2), (12, 12, 2), (10, 8, 1), (14, 3, 1)] {
                let board = |(width, height)| (columns * width, rows * height);
                let cells = [(6, 3), (4, 2), (3, 1), (2, 1)];
                let layout = Layout::new(area, &Sizes { cells: &cells, board: &board, panel: 20, message });
                let Layout { title, board, panel, message, entry, .. } = layout;
                let parts = [title, board, panel, message, entry];
                for (number, part) in parts.iter().enumerate() {
                    assert_eq!(part.intersection(area).area(), part.area(), "{part:?} on {area:?}");
                    let is_free = |other: &Rect| !part.intersects(*other) || part.is_empty() || other.is_empty();
                    assert!(parts.iter().skip(number + 1).all(is_free), "{part:?} on {area:?}: {layout:?}");
                }
            }
        }
    }
}
