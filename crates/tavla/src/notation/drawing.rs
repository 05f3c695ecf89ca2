//! The board as text.

use crate::game::{Color, State};
use crate::rules::{BAR, facing};

/// Rows of each half.
const ROWS: u8 = 5;

/// The board as white sees it, whose checkers are `O` and move from 24 to 1; those of black are `X`. Each half shows at most five
/// checkers in a row; where there are more, their number stands nearest to the middle.
pub fn drawing(state: &State) -> String {
    let (white, black) = match state.side {
        Color::White => (&state.board.own, &state.board.other),
        Color::Black => (&state.board.other, &state.board.own),
    };
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
