//! Draws the board.

use super::layout::{Layout, Place, Spot};
use crate::screen::theme::{self, Mark};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use soffio::color::Color;
use soffio_tavla::game::State;
use soffio_tavla::rules::{Side, facing};

/// A board to be drawn.
pub(super) struct BoardView<'a> {
    /// The position.
    pub(super) state: &'a State,
    /// The highlight of a place.
    pub(super) mark: &'a dyn Fn(Place) -> Mark,
    /// The place of the cursor.
    pub(super) cursor: Place,
}

/// The checkers of `state`: those of White, and those of Black.
pub(super) fn sides(state: &State) -> (&Side, &Side) {
    let (own, other) = (&state.board.own, &state.board.other);
    if state.side == Color::White { (own, other) } else { (other, own) }
}

impl BoardView<'_> {
    /// Draws every place where `layout` has it, with the numbers of the side to move.
    pub(super) fn draw(&self, layout: &Layout, buffer: &mut Buffer) {
        for place in Place::all() {
            self.draw_place(place, layout.place(place), buffer);
            let number = layout.number(place);
            let text = match place.spot() {
                // Where numbers would run together there is room for their last digit.
                Spot::Point(_) if number.width < 3 => {
                    place.number(self.state.side).map_or(String::new(), |number| (number % 10).to_string())
                }
                Spot::Bar(_) | Spot::Off(_) if number.width < 3 => String::new(),
                Spot::Point(_) => place.number(self.state.side).map_or(String::new(), |number| number.to_string()),
                Spot::Bar(_) if place.is_lower => "bar".to_owned(),
                Spot::Off(_) => "off".to_owned(),
                Spot::Bar(_) => String::new(),
            };
            buffer.set_stringn(number.x, number.y, text, number.width.into(), Style::default());
        }
    }

    /// The checkers at a place.
    fn checkers(&self, place: Place) -> (Color, u8) {
        let (white, black) = sides(self.state);
        let of = |color: Color| if color == Color::White { white } else { black };
        match place.spot() {
            Spot::Bar(color) => (color, of(color).bar()),
            Spot::Off(color) => (color, of(color).off()),
            Spot::Point(number) => match (white.at(number), black.at(facing(number))) {
                (0, count) => (Color::Black, count),
                (count, _) => (Color::White, count),
            },
        }
    }

    fn draw_place(&self, place: Place, area: Rect, buffer: &mut Buffer) {
        let mark = (self.mark)(place);
        let is_shaded = (place.column + usize::from(place.is_lower)).is_multiple_of(2);
        let ground = match place.spot() {
            Spot::Point(_) => theme::ground(mark, is_shaded),
            Spot::Bar(_) | Spot::Off(_) if mark == Mark::Plain => theme::light(),
            Spot::Bar(_) | Spot::Off(_) => theme::ground(mark, false),
        };
        for position in area.positions() {
            if let Some(cell) = buffer.cell_mut(position) {
                cell.set_symbol(" ").set_style(ground);
            }
        }
        let (color, count) = self.checkers(place);
        let style = ground.patch(theme::piece(color, mark));
        let style = if ground == theme::light() { style.fg(ratatui::style::Color::Indexed(16)) } else { style };
        let x = area.x + area.width.saturating_sub(1) / 2;
        // From the edge of the board towards its middle.
        let line = |step: u16| {
            if place.is_lower { area.bottom().saturating_sub(1 + step) } else { area.y + step }
        };
        for step in 0..area.height.min(count.into()) {
            let is_number = step + 1 == area.height && u16::from(count) > area.height;
            let text = if is_number { count.to_string() } else { theme::sign(color, false).to_owned() };
            buffer.set_stringn(x, line(step), text, (area.right() - x).into(), style);
        }
        if let Some(sign) = theme::empty_sign(mark).filter(|_| mark == Mark::Target)
            && u16::from(count) < area.height
        {
            buffer.set_stringn(x, line(count.into()), sign, 1, ground.patch(theme::strong()));
        }
        let is_at_cursor = place == self.cursor;
        if !area.is_empty() && (is_at_cursor || mark == Mark::Chosen) {
            let (before, behind) = if is_at_cursor { ("[", "]") } else { ("<", ">") };
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
