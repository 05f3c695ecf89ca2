//! Defines colours and piece symbols.
//!
//! Squares set both foreground and background, so they look the same on light and dark terminals. Everything else uses
//! the colours of the terminal. Blue and orange can be distinguished with every kind of colour blindness, and every
//! colour is combined with a symbol or an underline.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use soffio::board::Color as Side;

/// The highlight on a square. Later variants take precedence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SquareMark {
    #[default]
    Plain,
    LastMove,
    Movable,
    Hint,
    /// The chosen piece can land here in the course of its move.
    OnTheWay,
    /// The chosen piece can end its move here.
    Target,
    /// The chosen piece, or a square on its chosen path.
    Selected,
}

pub(crate) fn light() -> Style {
    Style::new().fg(Color::Indexed(16)).bg(Color::Indexed(252))
}

/// Returns the style of a playing square. `shaded` marks alternate squares on boards that use all squares.
pub(crate) fn ground(mark: SquareMark, shaded: bool) -> Style {
    let color = match mark {
        SquareMark::Plain if shaded => 60,
        SquareMark::Plain => 67,
        SquareMark::LastMove => 25,
        SquareMark::Hint => 96,
        SquareMark::Movable | SquareMark::OnTheWay => 130,
        SquareMark::Target => 166,
        SquareMark::Selected => 94,
    };
    Style::new().fg(Color::Indexed(231)).bg(Color::Indexed(color))
}

/// Returns the symbol of a piece: a ring for White, a disc for Black, a crown for a king.
pub(crate) fn piece_symbol(side: Side, is_king: bool) -> &'static str {
    match (side, is_king) {
        (Side::White, false) => "○",
        (Side::White, true) => "♔",
        (Side::Black, false) => "●",
        (Side::Black, true) => "♚",
    }
}

pub(crate) fn piece(side: Side, mark: SquareMark) -> Style {
    let color = if side == Side::White { Color::Indexed(231) } else { Color::Indexed(16) };
    let style = Style::new().fg(color).add_modifier(Modifier::BOLD);
    let can_move = matches!(mark, SquareMark::Movable | SquareMark::Hint);
    if can_move { style.add_modifier(Modifier::UNDERLINED) } else { style }
}

pub(crate) fn empty_symbol(mark: SquareMark) -> Option<&'static str> {
    match mark {
        SquareMark::Target => Some("•"),
        SquareMark::OnTheWay => Some("◦"),
        SquareMark::Selected => Some("+"),
        SquareMark::Plain | SquareMark::LastMove | SquareMark::Hint | SquareMark::Movable => None,
    }
}

pub(crate) fn fill(area: Rect, ground: Style, buffer: &mut Buffer) {
    for position in area.positions() {
        if let Some(cell) = buffer.cell_mut(position) {
            cell.set_symbol(" ").set_style(ground);
        }
    }
}

pub(crate) fn brackets(is_at_cursor: bool) -> (&'static str, &'static str) {
    if is_at_cursor { ("[", "]") } else { ("<", ">") }
}

pub(crate) fn strong() -> Style {
    Style::new().add_modifier(Modifier::BOLD)
}

pub(crate) fn reversed() -> Style {
    Style::new().add_modifier(Modifier::REVERSED)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    const MARKS: [SquareMark; 7] = [
        SquareMark::Plain,
        SquareMark::LastMove,
        SquareMark::Hint,
        SquareMark::Movable,
        SquareMark::OnTheWay,
        SquareMark::Target,
        SquareMark::Selected,
    ];

    /// Returns the relative luminance (WCAG) of an indexed colour from the 6x6x6 cube or the grey ramp.
    fn luminance(color: Color) -> f64 {
        let Color::Indexed(index) = color else { panic!("{color:?}") };
        let step = |value: u8| if value == 0 { 0.0 } else { f64::from(55 + 40 * value) };
        let [red, green, blue] = match index {
            16..232 => [(index - 16) / 36, (index - 16) / 6 % 6, (index - 16) % 6].map(step),
            232.. => [f64::from(8 + 10 * u16::from(index - 232)); 3],
            _ => panic!("{index} differs between terminals"),
        };
        let linear = |value: f64| {
            let value = value / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    fn contrast(style: Style) -> f64 {
        let (a, b) = (luminance(style.fg.unwrap()), luminance(style.bg.unwrap()));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn pieces_and_symbols_contrast_with_every_background() {
        for mark in MARKS {
            for shaded in [false, true] {
                let ground = ground(mark, shaded);
                assert!(contrast(ground) >= 3.0, "{mark:?} {}", contrast(ground));
                for color in [Side::White, Side::Black] {
                    let style = ground.patch(piece(color, mark));
                    assert!(contrast(style) >= 3.0, "{color} on {mark:?} {}", contrast(style));
                }
            }
        }
    }

    #[test]
    fn every_piece_has_its_own_symbol() {
        let pieces = [Side::White, Side::Black].map(|color| [false, true].map(|king| piece_symbol(color, king)));
        let signs: Vec<_> = pieces.into_iter().flatten().chain(MARKS.into_iter().filter_map(empty_symbol)).collect();
        assert_eq!((signs.iter().collect::<HashSet<_>>().len(), signs.len()), (7, 7));
    }
}
