//! Colours and signs.
//!
//! The squares have colours of their own for pieces and ground, so that they look the same on light and dark terminals;
//! everything else has the colours of the terminal. Blue against orange is told apart by every kind of colour blindness,
//! and what a colour says is also said by a sign or an underline.

use crate::position::Piece;
use crate::rules::Color as Side;
use ratatui::style::{Color, Modifier, Style};

/// What is special about a square. What comes later is more important.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mark {
    /// Nothing.
    #[default]
    Plain,
    /// The last move began or ended here.
    LastMove,
    /// The engine would move from here or to here.
    Hint,
    /// The piece can move.
    Movable,
    /// The chosen piece can land here on its way.
    OnTheWay,
    /// The chosen piece can go here.
    Target,
    /// The piece is chosen, or the way to go leads here.
    Chosen,
}

/// The ground of a light square.
pub(super) fn light() -> Style {
    Style::new().fg(Color::Indexed(16)).bg(Color::Indexed(252))
}

/// The ground of a playing square; `shaded` where all squares are played on and every other one has another tint.
pub(super) fn ground(mark: Mark, shaded: bool) -> Style {
    let color = match mark {
        Mark::Plain if shaded => 60,
        Mark::Plain => 67,
        Mark::LastMove => 24,
        Mark::Hint => 96,
        Mark::Movable | Mark::OnTheWay => 130,
        Mark::Target => 166,
        Mark::Chosen => 94,
    };
    Style::new().fg(Color::Indexed(231)).bg(Color::Indexed(color))
}

/// The sign of a piece: rings are White's, discs Black's, crowns are kings.
pub(super) fn sign(piece: Piece) -> &'static str {
    match (piece.color, piece.king) {
        (Side::White, false) => "○",
        (Side::White, true) => "♔",
        (Side::Black, false) => "●",
        (Side::Black, true) => "♚",
    }
}

/// How the sign of a piece is drawn on its ground.
pub(super) fn piece(piece: Piece, mark: Mark) -> Style {
    let color = if piece.color == Side::White { Color::Indexed(231) } else { Color::Indexed(16) };
    let style = Style::new().fg(color).add_modifier(Modifier::BOLD);
    if mark == Mark::Movable { style.add_modifier(Modifier::UNDERLINED) } else { style }
}

/// The sign of an empty square, if it has one.
pub(super) fn empty_sign(mark: Mark) -> Option<&'static str> {
    match mark {
        Mark::Target => Some("•"),
        Mark::OnTheWay => Some("◦"),
        Mark::Chosen => Some("+"),
        Mark::Plain | Mark::LastMove | Mark::Hint | Mark::Movable => None,
    }
}

/// What is to be seen first.
pub(super) fn strong() -> Style {
    Style::new().add_modifier(Modifier::BOLD)
}

/// What is chosen in a list, and where a text is written.
pub(super) fn reversed() -> Style {
    Style::new().add_modifier(Modifier::REVERSED)
}
