//! Where everything is on the screen, and what the places of the board are.

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

/// Where everything is on the screen. Areas that do not fit are empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Layout {
    /// The side to move, always visible.
    pub(super) title: Rect,
    /// The board with the numbers of its points; empty when the screen is too small for it.
    pub(super) board: Rect,
    /// Columns of a point and lines of a half.
    pub(super) cell: (u16, u16),
    /// The players, beside the board.
    pub(super) panel: Rect,
    /// The events of the game, below the board.
    pub(super) log: Rect,
    /// The keys, or the line that is typed.
    pub(super) entry: Rect,
}

/// Columns and lines of a board with such points: numbers, two halves, and a line between them.
fn board_size((width, height): (u16, u16)) -> (u16, u16) {
    (COLUMNS as u16 * width, 2 * height + 3)
}

impl Layout {
    pub(super) fn new(area: Rect) -> Self {
        let title = Rect { height: 1, ..area }.intersection(area);
        let below =
            Rect { y: area.y.saturating_add(1), height: area.height.saturating_sub(1), ..area }.intersection(area);
        let entry = Rect { y: area.bottom().saturating_sub(1).max(below.y), height: 1, ..area }.intersection(below);
        // A line of what has happened is always seen.
        let room = below.height.saturating_sub(2);
        let fits = |&size: &(u16, u16)| {
            let (width, height) = board_size(size);
            width <= area.width && height <= room
        };
        let leaves_panel = |&size: &(u16, u16)| board_size(size).0 + 1 + PANEL <= area.width;
        let best = SIZES.into_iter().find(|size| fits(size) && leaves_panel(size));
        let cell = best.or_else(|| SIZES.into_iter().find(fits)).unwrap_or_default();
        let (width, height) = if cell == (0, 0) { (0, 0) } else { board_size(cell) };
        let board = Rect { width, height, ..below };
        let beside = (width + 1).min(area.width);
        let panel = Rect { x: area.x + beside, width: area.width - beside, height, ..below };
        let panel = if panel.width < PANEL { Rect::default() } else { panel };
        let log_height = below.height.saturating_sub(height + 1);
        let log = Rect { y: below.y.saturating_add(height), height: log_height, ..below }.intersection(below);
        Self { title, board, cell, panel, log, entry }
    }

    /// The columns and lines that the smallest board needs.
    pub(super) fn least() -> (u16, u16) {
        let [.., smallest] = SIZES;
        let (width, height) = board_size(smallest);
        (width, height + 3)
    }

    pub(super) fn place(&self, place: Place) -> Rect {
        let (width, height) = self.cell;
        let x = self.board.x + place.column as u16 * width;
        let y = self.board.y + 1 + if place.is_lower { height + 1 } else { 0 };
        Rect { x, y, width, height }.intersection(self.board)
    }

    pub(super) fn number(&self, place: Place) -> Rect {
        let area = self.place(place);
        let y = if place.is_lower { area.bottom() } else { area.y.saturating_sub(1) };
        Rect { y, height: 1, ..area }.intersection(self.board)
    }

    /// The place of the board at a place of the screen.
    pub(super) fn place_at(&self, position: Position) -> Option<Place> {
        Place::all().find(|&place| self.place(place).contains(position))
    }
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
    fn nothing_overlaps_and_everything_is_on_the_screen() {
        for (width, height) in (1..=100).flat_map(|width| (1..=40).map(move |height| (width, height))) {
            let area = Rect::new(0, 0, width, height);
            let layout = Layout::new(area);
            let Layout { title, board, panel, log, entry, .. } = layout;
            for part in [title, board, panel, log, entry] {
                assert_eq!(part.intersection(area).area(), part.area(), "{part:?} on {area:?}");
            }
            for (number, part) in [title, board, log, entry].iter().enumerate() {
                let others = [title, board, log, entry, panel];
                let is_free = |(at, other): (usize, &Rect)| at == number || !part.intersects(*other) || part.is_empty();
                assert!(others.iter().enumerate().all(is_free), "{part:?} on {area:?}: {layout:?}");
            }
            let (least_width, least_height) = Layout::least();
            assert_eq!(board.is_empty(), width < least_width || height < least_height, "{area:?}");
        }
    }

    #[test]
    fn a_click_hits_the_place_that_is_drawn_there() {
        let layout = Layout::new(Rect::new(0, 0, 80, 24));
        assert_eq!((layout.cell, layout.panel.width), ((4, 5), 23));
        for place in Place::all() {
            assert!(layout.place(place).positions().all(|position| layout.place_at(position) == Some(place)));
            assert_eq!(layout.number(place).area(), 4);
        }
        assert_eq!(layout.place_at(Position::new(0, 0)), None);
    }
}
