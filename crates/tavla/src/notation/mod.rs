//! Board diagrams, position IDs of other programs, and the `.mat` format for games.
#![allow(clippy::indexing_slicing, reason = "the digits of an identifier are counted before")]

mod ids;

pub use ids::{gnubg_id, position_id, read_gnubg_id, read_xgid, xgid};

use super::game::{Color, TavlaGame, TavlaState, TavlaStatus, TavlaTurn};
use super::rules::{BAR, facing};
use std::fmt::Write;

const ROWS: u8 = 5;

/// Draws the board from White's side. White is `O` and moves from point 24 to point 1; Black is `X`. A column shows at
/// most five checkers. If a point holds more, the number of checkers replaces the innermost one.
pub fn drawing(state: &TavlaState) -> String {
    let (white, black) = state.sides();
    let at = |number: usize| match (white.at(number), black.at(facing(number))) {
        (0, 0) => (0, ' '),
        (0, count) => (count, 'X'),
        (count, _) => (count, 'O'),
    };
    let cell = |(count, letter): (u8, char), row: u8| match count {
        count if count > ROWS && row == ROWS => format!("{count:^3}"),
        count if count >= row => format!(" {letter} "),
        _ => "   ".to_owned(),
    };
    let half =
        |rows: &mut dyn Iterator<Item = u8>, left: [usize; 6], right: [usize; 6], bar: (u8, char), off: String| {
            let mut text = String::new();
            for row in rows {
                let line =
                    |numbers: [usize; 6]| -> String { numbers.iter().map(|&number| cell(at(number), row)).collect() };
                let off = if row == 1 { off.as_str() } else { "" };
                text += format!("|{}|{}|{}|{off}", line(left), cell(bar, row), line(right)).trim_end();
                text.push('\n');
            }
            text
        };
    let numbers = |left: [usize; 6], right: [usize; 6]| {
        let line = |numbers: [usize; 6]| -> String { numbers.iter().map(|number| format!("{number:^3}")).collect() };
        format!(" {}     {}", line(left), line(right)).trim_end().to_owned() + "\n"
    };
    let (upper_left, upper_right) = ([13, 14, 15, 16, 17, 18], [19, 20, 21, 22, 23, 24]);
    let (lower_left, lower_right) = ([12, 11, 10, 9, 8, 7], [6, 5, 4, 3, 2, 1]);
    let off = |count: u8, letter: char| if count == 0 { String::new() } else { format!(" {letter} off {count}") };
    let edge = format!("+{0}+---+{0}+\n", "-".repeat(18));
    let (white_bar, black_bar) = ((white.at(BAR), 'O'), (black.at(BAR), 'X'));
    [
        numbers(upper_left, upper_right),
        edge.clone(),
        half(&mut (1..=ROWS), upper_left, upper_right, white_bar, off(black.off(), 'X')),
        format!("|{0}|BAR|{0}|\n", " ".repeat(18)),
        half(&mut (1..=ROWS).rev(), lower_left, lower_right, black_bar, off(white.off(), 'O')),
        edge,
        numbers(lower_left, lower_right),
    ]
    .concat()
}

const COLUMN: usize = 32;

/// Formats the game as a session with one game in the `.mat` format of JellyFish and GNU Backgammon. White is in the
/// first column.
pub fn mat(game: &TavlaGame, white: &str, black: &str) -> String {
    let mut text = String::from(" 0 point match\n\n Game 1\n");
    let name = |name: &str| name.replace(['\n', '\r', ':'], " ");
    let _ = writeln!(text, " {:<COLUMN$}  {} : 0", format!("{} : 0", name(white)), name(black));
    let cell = |turn: &TavlaTurn| {
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
    if let TavlaStatus::Won { winner, points, .. } = game.status() {
        let indent = if winner == Color::White { 6 } else { 6 + COLUMN };
        let _ = writeln!(text, "{:indent$}Wins {points} point{}", "", if points == 1 { "" } else { "s" });
    }
    text
}
