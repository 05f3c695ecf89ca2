//! Games as text in the `.mat` format of Jellyfish, which gnubg and others read.

use crate::game::{Color, Game, Status};
use std::fmt::Write;

/// Width of the column of the first player.
const COLUMN: usize = 32;

/// The game as a session of one game. The first column is white.
pub fn mat(game: &Game, white: &str, black: &str) -> String {
    let mut text = String::from(" 0 point match\n\n Game 1\n");
    let name = |name: &str| name.replace(['\n', '\r', ':'], " ");
    let _ = writeln!(text, " {:<COLUMN$}  {} : 0", format!("{} : 0", name(white)), name(black));
    let cell = |turn: &crate::game::Turn| {
        let play = if turn.play.hops().is_empty() { String::new() } else { turn.play.to_string().replace(',', " ") };
        format!("{}: {play}", turn.roll)
    };
    let mut turns = game.turns().iter().peekable();
    let mut number = 0;
    while let Some(first) = turns.next() {
        number += 1;
        let (left, right) = match first.before.side {
            Color::Black => (String::new(), Some(first)),
            Color::White => (cell(first), turns.next_if(|turn| turn.before.side == Color::Black)),
        };
        let right = right.map(cell).unwrap_or_default();
        let line = format!("{number:>3}) {left:<COLUMN$}{right}");
        let _ = writeln!(text, "{}", line.trim_end());
    }
    if let Status::Won { winner, points, .. } = game.status() {
        let indent = if winner == Color::White { 6 } else { 6 + COLUMN };
        let _ = writeln!(text, "{:indent$}Wins {points} point{}", "", if points == 1 { "" } else { "s" });
    }
    text
}
