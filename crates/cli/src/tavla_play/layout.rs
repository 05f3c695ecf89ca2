//! Where everything is on the screen, and what the places of the board are.

use crate::screen::{Layout, Sizes};
use ratatui::layout::{Position, Rect};
use soffio::color::Color;
use soffio_tavla::rules::{BAR, OFF, facing};

/// Columns of a point and lines of a half of the board, the largest first. The largest that fits is taken.
const SIZES: [(u16, u16); 6] = [(4, 5), (3, 5), (2, 5), (4, 3), (3, 3), (2, 3)];

/// The least useful width of the panel beside the board.
const PANEL: u16 = 20;

/// Columns of places: six points, the bar, six points, the checkers borne off.
pub(super) const COLUMNS: usize = 14;

/// Columns of the bar and of the checkers borne off.
const BAR_COLUMN: usize = 6;
const OFF_COLUMN: usize = 13;

/// A place of the board: in the upper or lower half, in one of [`COLUMNS`] columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) is_lower: bool,
    pub(super) column: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    /// A point, in the numbers of White.
    Point(usize),
    /// The bar of a side: it is in the half in which the side enters.
    Bar(Color),
    /// The checkers that a side has borne off.
    Off(Color),
}

impl Place {
    /// The use of the place. White's home is at the lower right.
    pub(super) fn spot(self) -> Spot {
        let Self { is_lower, column } = self;
        match (column, is_lower) {
            (BAR_COLUMN, false) => Spot::Bar(Color::White),
            (BAR_COLUMN, true) => Spot::Bar(Color::Black),
            (OFF_COLUMN.., false) => Spot::Off(Color::Black),
            (OFF_COLUMN.., true) => Spot::Off(Color::White),
            (..BAR_COLUMN, false) => Spot::Point(13 + column),
            (..BAR_COLUMN, true) => Spot::Point(12 - column),
            (_, false) => Spot::Point(12 + column),
            (_, true) => Spot::Point(13 - column),
        }
    }

    /// The number of the place for `side`, unless it is the other side's bar or what it has borne off.
    pub(super) fn number(self, side: Color) -> Option<usize> {
        match self.spot() {
            Spot::Point(number) => Some(if side == Color::White { number } else { facing(number) }),
            Spot::Bar(owner) => (owner == side).then_some(BAR),
            Spot::Off(owner) => (owner == side).then_some(OFF),
        }
    }

    pub(super) fn all() -> impl Iterator<Item = Self> {
        [false, true].into_iter().flat_map(|is_lower| (0..COLUMNS).map(move |column| Self { is_lower, column }))
    }
}

/// Columns and lines of a board with such points: numbers, two halves, and a line between them.
fn board_size((width, height): (u16, u16)) -> (u16, u16) {
    (COLUMNS as u16 * width, 2 * height + 3)
}

/// The layout of `area`: the messages have all lines below the board, at least one.
pub(super) fn layout(area: Rect) -> Layout {
    let mut layout = Layout::new(area, &Sizes { cells: &SIZES, board: &board_size, panel: PANEL, message: 1 });
    let Layout { board, panel, message, entry, .. } = &mut layout;
    panel.height = panel.height.min(board.height);
    *message = Rect { y: board.bottom(), height: entry.y.saturating_sub(board.bottom()), ..*message };
    layout
}

/// The columns and lines of a screen that has room for the smallest board.
pub(super) fn least() -> (u16, u16) {
    let [.., smallest] = SIZES;
    let (width, height) = board_size(smallest);
    (width, height + 3)
}

/// The area of a place of the board.
pub(super) fn place(layout: &Layout, place: Place) -> Rect {
    let (Layout { board, .. }, (width, height)) = (layout, layout.cell);
    let x = board.x + place.column as u16 * width;
    let y = board.y + 1 + if place.is_lower { height + 1 } else { 0 };
    Rect { x, y, width, height }.intersection(*board)
}

/// The area of its number.
pub(super) fn number(layout: &Layout, of: Place) -> Rect {
    let area = place(layout, of);
    let y = if of.is_lower { area.bottom() } else { area.y.saturating_sub(1) };
    Rect { y, height: 1, ..area }.intersection(layout.board)
}

/// The place of the board at a place of the screen.
pub(super) fn place_at(layout: &Layout, position: Position) -> Option<Place> {
    Place::all().find(|&found| place(layout, found).contains(position))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_one_place_for_each_side() {
        for side in [Color::White, Color::Black] {
            let mut numbers: Vec<_> = Place::all().filter_map(|place| place.number(side)).collect();
            numbers.sort_unstable();
            assert_eq!(numbers, (0..=25).collect::<Vec<_>>(), "{side}");
        }
        let lower_right = Place { is_lower: true, column: 12 };
        assert_eq!((lower_right.number(Color::White), lower_right.number(Color::Black)), (Some(1), Some(24)));
    }

    #[test]
    fn messages_have_the_room_below_the_board() {
        for (width, height) in (1..=100).flat_map(|width| (1..=40).map(move |height| (width, height))) {
            let (found, (least_width, least_height)) = (layout(Rect::new(0, 0, width, height)), least());
            let Layout { board, panel, message, entry, .. } = found;
            assert_eq!(board.is_empty(), width < least_width || height < least_height, "{found:?}");
            assert!(message.bottom() == entry.y && message.y == board.bottom() || height < 3, "{found:?}");
            assert!(panel.is_empty() || panel.bottom() == board.bottom(), "{found:?}");
        }
    }

    #[test]
    fn a_click_hits_the_place_that_is_drawn_there() {
        let layout = layout(Rect::new(0, 0, 80, 24));
        assert_eq!((layout.cell, layout.panel.width), ((4, 5), 23));
        for found in Place::all() {
            assert!(place(&layout, found).positions().all(|position| place_at(&layout, position) == Some(found)));
            assert_eq!(number(&layout, found).area(), 4);
        }
        assert_eq!(place_at(&layout, Position::new(0, 0)), None);
    }
}
