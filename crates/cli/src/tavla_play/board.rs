//! Draws the board, and the panel beside it: the players, their pips, and the play that was begun.

use super::layout::{self, Place, Spot};
use super::table::Table;
use crate::screen::Layout;
use crate::screen::theme::{self, Mark};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Widget};
use soffio::color::Color;
use soffio_tavla::game::State;
use soffio_tavla::rules::{Hop, facing};

pub(super) struct BoardView<'a> {
    pub(super) state: &'a State,
    pub(super) mark: &'a dyn Fn(Place) -> Mark,
    pub(super) cursor: Place,
}

impl BoardView<'_> {
    /// Draws every place where `layout` has it, with the numbers of the side to move.
    pub(super) fn draw(&self, layout: &Layout, buffer: &mut Buffer) {
        for place in Place::all() {
            self.draw_place(place, layout::place(layout, place), buffer);
            let number = layout::number(layout, place);
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

    fn checkers(&self, place: Place) -> (Color, u8) {
        let (white, black) = self.state.sides();
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
        theme::fill(area, ground, buffer);
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

/// The side to move and the things it can do, in one line.
pub(super) fn title(table: &Table, is_thinking: bool) -> String {
    if let Some(end) = table.end() {
        return format!("GAME OVER: {end}");
    }
    let game = table.game();
    let side = game.state().side;
    let Some(roll) = game.state().dice else { return format!("{side} to roll: Space rolls, :dice 3 1 says the dice") };
    if is_thinking {
        return format!("{side} {roll}: thinking");
    }
    match game.legal() {
        [only] if only.play.hops().is_empty() => format!("{side} {roll}: nothing can be played, Space passes"),
        legal => format!("{side} {roll}: {} plays", legal.len()),
    }
}

/// Draws the panel; `begun` are the hops of the play so far.
pub(super) fn draw_panel(table: &Table, begun: &[Hop], area: Rect, buffer: &mut Buffer) {
    let state = table.game().state();
    let (white, black) = state.sides();
    let mut lines = Vec::new();
    for (color, side) in [(Color::Black, black), (Color::White, white)] {
        let turn = if color == state.side && table.end().is_none() { ">" } else { " " };
        lines.push(format!("{turn} {} {color} {}", theme::sign(color, false), table.name(color)));
        lines.push(format!("    pips {}  off {}", side.pips(), side.off()));
    }
    if let Some(roll) = state.dice {
        lines.push(String::new());
        lines.push(format!("  dice {} {}", roll.high(), roll.low()));
    }
    if !begun.is_empty() {
        let text: Vec<_> = begun.iter().map(ToString::to_string).collect();
        lines.push(format!("  {} ...", text.join(" ")));
    }
    Paragraph::new(lines.into_iter().map(Line::raw).collect::<Vec<_>>()).render(area, buffer);
}
