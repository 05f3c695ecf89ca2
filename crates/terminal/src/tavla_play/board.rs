//! Lays out the screen, and draws the board and the panel next to it.

use super::table::TavlaPlayState;
use crate::screen::theme::{self, SquareMark};
use crate::screen::{ScreenLayout, Sizes};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Widget};
use soffio::board::Color;
use soffio_support::words::counted;
use soffio_tavla::game::TavlaState;
use soffio_tavla::rules::{BAR, Hop, OFF, facing};

pub(super) struct TavlaBoardView<'a> {
    pub(super) state: &'a TavlaState,
    pub(super) mark: &'a dyn Fn(TavlaPlace) -> SquareMark,
    pub(super) cursor: TavlaPlace,
}

impl TavlaBoardView<'_> {
    pub(super) fn draw(&self, layout: &ScreenLayout, buffer: &mut Buffer) {
        for place in TavlaPlace::all() {
            self.draw_place(place, place_area(layout, place), buffer);
            let number = number_area(layout, place);
            // Narrow points show only the last digit of their number.
            let is_narrow = number.width < 3;
            let text = match (place.spot(), place.number(self.state.side)) {
                (Spot::Point(_), Some(number)) => (if is_narrow { number % 10 } else { number }).to_string(),
                (Spot::Bar(_), _) if place.is_lower && !is_narrow => "bar".to_owned(),
                (Spot::Off(_), _) if !is_narrow => "off".to_owned(),
                _ => String::new(),
            };
            buffer.set_stringn(number.x, number.y, text, number.width.into(), Style::default());
        }
    }

    fn checkers(&self, place: TavlaPlace) -> (Color, u8) {
        let (white, black) = self.state.sides();
        let of = |color: Color| color.pick([white, black]);
        match place.spot() {
            Spot::Bar(color) => (color, of(color).bar()),
            Spot::Off(color) => (color, of(color).off()),
            Spot::Point(number) => match (white.count_at(number), black.count_at(facing(number))) {
                (0, count) => (Color::Black, count),
                (count, _) => (Color::White, count),
            },
        }
    }

    fn draw_place(&self, place: TavlaPlace, area: Rect, buffer: &mut Buffer) {
        let mark = (self.mark)(place);
        let is_shaded = (place.column + usize::from(place.is_lower)).is_multiple_of(2);
        let ground = match place.spot() {
            Spot::Point(_) => theme::ground(mark, is_shaded),
            Spot::Bar(_) | Spot::Off(_) if mark == SquareMark::Plain => theme::light(),
            Spot::Bar(_) | Spot::Off(_) => theme::ground(mark, false),
        };
        theme::fill(area, ground, buffer);
        let (color, count) = self.checkers(place);
        let style = ground.patch(theme::piece(color, mark));
        let style = if ground == theme::light() { style.fg(ratatui::style::Color::Indexed(16)) } else { style };
        let x = area.x + area.width.saturating_sub(1) / 2;
        // Checkers are drawn from the edge of the board towards its middle.
        let line = |step: u16| {
            if place.is_lower { area.bottom().saturating_sub(1 + step) } else { area.y + step }
        };
        for step in 0..area.height.min(count.into()) {
            let is_number = step + 1 == area.height && u16::from(count) > area.height;
            let text = if is_number { count.to_string() } else { theme::piece_symbol(color, false).to_owned() };
            buffer.set_stringn(x, line(step), text, (area.right() - x).into(), style);
        }
        if let Some(symbol) = theme::empty_symbol(mark).filter(|_| mark == SquareMark::Target)
            && u16::from(count) < area.height
        {
            buffer.set_stringn(x, line(count.into()), symbol, 1, ground.patch(theme::strong()));
        }
        let is_at_cursor = place == self.cursor;
        if !area.is_empty() && (is_at_cursor || mark == SquareMark::Selected) {
            let (before, behind) = theme::brackets(is_at_cursor);
            let style = ground.patch(theme::strong());
            if x > area.x {
                buffer.set_stringn(x - 1, line(0), before, 1, style);
            }
            if x + 1 < area.right() {
                buffer.set_stringn(x + 1, line(0), behind, 1, style);
            }
        }
    }
}

pub(super) fn title(table: &TavlaPlayState, is_thinking: bool) -> String {
    if let Some(end) = table.end() {
        return format!("GAME OVER: {end}");
    }
    let game = &table.game;
    let side = game.state().side;
    let Some(roll) = game.state().dice else {
        return format!("{side} to roll: press Space, or :dice 3 1 to set the dice");
    };
    if is_thinking {
        return format!("{side} {roll}: thinking");
    }
    if game.must_pass() {
        return format!("{side} {roll}: no legal play; press Space to pass");
    }
    format!("{side} {roll}: {}", counted(game.legal().len(), "play"))
}

pub(super) fn draw_panel(table: &TavlaPlayState, hops_so_far: &[Hop], area: Rect, buffer: &mut Buffer) {
    let state = table.game.state();
    let (white, black) = state.sides();
    let mut lines = Vec::new();
    for (color, side) in [(Color::Black, black), (Color::White, white)] {
        let turn = if color == state.side && table.end().is_none() { ">" } else { " " };
        lines.push(format!("{turn} {} {color} {}", theme::piece_symbol(color, false), table.seat(color).1));
        lines.push(format!("    pips {}  off {}", side.pips(), side.off()));
    }
    if let Some(roll) = state.dice {
        lines.push(String::new());
        lines.push(format!("  dice {} {}", roll.high(), roll.low()));
    }
    if !hops_so_far.is_empty() {
        let text: Vec<_> = hops_so_far.iter().map(ToString::to_string).collect();
        lines.push(format!("  {} ...", text.join(" ")));
    }
    Paragraph::new(lines.into_iter().map(Line::raw).collect::<Vec<_>>()).render(area, buffer);
}

/// Sizes in columns per point and lines per half of the board, largest first. The first size that fits is used.
const SIZES: [(u16, u16); 6] = [(4, 5), (3, 5), (2, 5), (4, 3), (3, 3), (2, 3)];

const PANEL: u16 = 20;

/// Number of columns: six points, the bar, six points, and the borne-off checkers.
pub(super) const COLUMNS: usize = 14;

const BAR_COLUMN: usize = 6;
const OFF_COLUMN: usize = 13;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TavlaPlace {
    pub(super) is_lower: bool,
    pub(super) column: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    /// A point, numbered from White's point of view.
    Point(usize),
    /// A side's bar, drawn in the half where the side enters.
    Bar(Color),
    Off(Color),
}

impl TavlaPlace {
    /// Returns what is drawn at this place: a point, a bar or a side's borne-off checkers. White's home is at the
    /// bottom right.
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

    /// Returns the number of the place for `side`, or `None` if the place is the other side's bar or holds the checkers
    /// that the other side has borne off.
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

fn board_size((width, height): (u16, u16)) -> (u16, u16) {
    (COLUMNS as u16 * width, 2 * height + 3)
}

/// Lays out `area`. Messages get all lines below the board, but at least one line.
pub(super) fn layout(area: Rect) -> ScreenLayout {
    let mut layout = ScreenLayout::new(area, &Sizes { cells: &SIZES, board: &board_size, panel: PANEL, message: 1 });
    let ScreenLayout { board, panel, message, entry, .. } = &mut layout;
    panel.height = panel.height.min(board.height);
    *message = Rect { y: board.bottom(), height: entry.y.saturating_sub(board.bottom()), ..*message };
    layout
}

pub(super) fn least() -> (u16, u16) {
    let [.., smallest] = SIZES;
    let (width, height) = board_size(smallest);
    (width, height + 3)
}

pub(super) fn place_area(layout: &ScreenLayout, place: TavlaPlace) -> Rect {
    let (ScreenLayout { board, .. }, (width, height)) = (layout, layout.cell);
    let x = board.x + place.column as u16 * width;
    let y = board.y + 1 + if place.is_lower { height + 1 } else { 0 };
    Rect { x, y, width, height }.intersection(*board)
}

fn number_area(layout: &ScreenLayout, of: TavlaPlace) -> Rect {
    let area = place_area(layout, of);
    let y = if of.is_lower { area.bottom() } else { area.y.saturating_sub(1) };
    Rect { y, height: 1, ..area }.intersection(layout.board)
}

pub(super) fn place_at(layout: &ScreenLayout, position: Position) -> Option<TavlaPlace> {
    TavlaPlace::all().find(|&found| place_area(layout, found).contains(position))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_one_point_per_side() {
        for side in [Color::White, Color::Black] {
            let mut numbers: Vec<_> = TavlaPlace::all().filter_map(|place| place.number(side)).collect();
            numbers.sort_unstable();
            assert_eq!(numbers, (0..=25).collect::<Vec<_>>(), "{side}");
        }
        let lower_right = TavlaPlace { is_lower: true, column: 12 };
        assert_eq!((lower_right.number(Color::White), lower_right.number(Color::Black)), (Some(1), Some(24)));
    }

    #[test]
    fn messages_fit_below_the_board() {
        for (width, height) in (1..=100).flat_map(|width| (1..=40).map(move |height| (width, height))) {
            let (found, (min_width, min_height)) = (layout(Rect::new(0, 0, width, height)), least());
            let ScreenLayout { board, panel, message, entry, .. } = found;
            assert_eq!(board.is_empty(), width < min_width || height < min_height, "{found:?}");
            assert!(message.bottom() == entry.y && message.y == board.bottom() || height < 3, "{found:?}");
            assert!(panel.is_empty() || panel.bottom() == board.bottom(), "{found:?}");
        }
    }

    #[test]
    fn a_click_hits_the_place_that_is_drawn_there() {
        let layout = layout(Rect::new(0, 0, 80, 24));
        assert_eq!((layout.cell, layout.panel.width), ((4, 5), 23));
        for found in TavlaPlace::all() {
            assert!(place_area(&layout, found).positions().all(|position| place_at(&layout, position) == Some(found)));
            assert_eq!(number_area(&layout, found).area(), 4);
        }
        assert_eq!(place_at(&layout, Position::new(0, 0)), None);
    }
}
