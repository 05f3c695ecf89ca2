//! The parts of the terminal screens that all games share: terminal, command line, boxes and colours.

mod entry;
mod terminal;
pub(crate) mod theme;

pub(crate) use entry::{DISCARD, Focus, InputState, KeyOutcome, LEAVE, popup};
pub(crate) use terminal::{Screen, ScreenEvent};

use ratatui::layout::Rect;

/// Compares screens, as text, with the files in `tests/screens`.
///
/// If `SOFFIO_WRITE_SCREENS=1` is set, the files are rewritten. Review the differences.
#[cfg(test)]
pub(crate) mod written {
    use ratatui::buffer::{Buffer, Cell};
    use std::path::Path;

    pub(crate) fn text(buffer: &Buffer) -> String {
        let line = |cells: &[Cell]| cells.iter().map(Cell::symbol).collect::<String>().trim_end().to_owned() + "\n";
        buffer.content().chunks(buffer.area.width.into()).map(line).collect()
    }

    #[track_caller]
    pub(crate) fn assert_same(name: &str, screen: &str) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/screens").join(format!("{name}.txt"));
        if std::env::var_os("SOFFIO_WRITE_SCREENS").is_some() {
            std::fs::write(&path, screen).unwrap();
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(screen == expected, "{name} is\n{screen}\nand was\n{expected}");
    }
}

pub(crate) struct Sizes<'a> {
    /// Sizes of a board cell in columns and lines, largest first. The first size that fits is used.
    pub(crate) cells: &'a [(u16, u16)],
    pub(crate) board: &'a dyn Fn((u16, u16)) -> (u16, u16),
    pub(crate) panel: u16,
    pub(crate) message: u16,
}

/// The areas of the screen. Areas that do not fit are empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ScreenLayout {
    /// Shown only on screens with at least three lines.
    pub(crate) title: Rect,
    pub(crate) board: Rect,
    pub(crate) cell: (u16, u16),
    pub(crate) panel: Rect,
    pub(crate) message: Rect,
    /// The key reminder or the command line.
    pub(crate) entry: Rect,
}

impl ScreenLayout {
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
                let layout = ScreenLayout::new(area, &Sizes { cells: &cells, board: &board, panel: 20, message });
                let ScreenLayout { title, board, panel, message, entry, .. } = layout;
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
