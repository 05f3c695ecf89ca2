//! The XGID of eXtreme Gammon.
//!
//! `XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10`: 26 places, from the bar of the player at the top over the points of the one
//! at the bottom to the bar of that one, who has capital letters; then cube, its owner, the turn (1 bottom, -1 top), the dice (00
//! before the roll), the score of both, Crawford or Jacoby, the length of the match, and the limit of the cube. Here the player at the
//! bottom is white.

use super::IdError;
use crate::game::{Color, State};
use crate::rules::{BAR, Board, CHECKERS, OFF, Roll, Side, facing};

/// The XGID of a state.
pub fn xgid(state: &State) -> String {
    let (white, black, turn) = match state.side {
        Color::White => (&state.board.own, &state.board.other, 1),
        Color::Black => (&state.board.other, &state.board.own, -1),
    };
    let letter = |count: u8, first: u8| char::from(first + count - 1);
    let places: String = (0..=BAR)
        .map(|number| {
            let white = if number == OFF { 0 } else { white.at(number) };
            let black = if number == BAR { 0 } else { black.at(facing(number)) };
            match (white, black) {
                (0, 0) => '-',
                (0, black) => letter(black, b'a'),
                (white, _) => letter(white, b'A'),
            }
        })
        .collect();
    let dice = state.dice.map_or("00".to_owned(), |roll| roll.to_string());
    format!("XGID={places}:0:0:{turn}:{dice}:0:0:0:0:10")
}

/// Reads an XGID, with or without the word before it. Cube, score and match length are not used.
///
/// # Errors
/// When it is none, asks for a decision about the cube, or the position is impossible.
pub fn read_xgid(text: &str) -> Result<State, IdError> {
    let text = text.strip_prefix("XGID=").unwrap_or(text);
    let mut fields = text.split(':');
    let places = fields.next().unwrap_or_default().as_bytes();
    if places.len() != BAR + 1 {
        return Err(IdError::NotAnId("an XGID begins with 26 places"));
    }
    let fields: Vec<&str> = fields.collect();
    let [_, _, turn, dice, ..] = fields[..] else {
        return Err(IdError::NotAnId("an XGID has cube, owner, turn and dice after the places"));
    };
    let (mut white, mut black) = ([0_u8; 26], [0_u8; 26]);
    for (number, &place) in places.iter().enumerate() {
        match place {
            b'-' => {}
            b'A'..=b'O' if number != OFF => white[number] = place - b'A' + 1,
            b'a'..=b'o' if number != BAR => black[facing(number)] = place - b'a' + 1,
            _ => return Err(IdError::NotAnId("a place of an XGID is -, A to O or a to o, and each bar has its side")),
        }
    }
    for counts in [&mut white, &mut black] {
        let sum: u32 = counts.iter().map(|&count| u32::from(count)).sum();
        counts[OFF] = u32::from(CHECKERS).checked_sub(sum).ok_or(IdError::TooMany)? as u8;
    }
    let (white, black) = Side::new(white).zip(Side::new(black)).ok_or(IdError::TooMany)?;
    let (side, own, other) = match turn {
        "1" => (Color::White, white, black),
        "-1" => (Color::Black, black, white),
        _ => return Err(IdError::NotAnId("the turn of an XGID is 1 or -1")),
    };
    let dice = match dice {
        "00" => None,
        "D" | "B" | "R" => return Err(IdError::Cube),
        dice => Some(dice.parse::<Roll>().map_err(|_| IdError::Dice)?),
    };
    let board = Board::new(own, other).map_err(IdError::Board)?;
    Ok(State { board, side, dice })
}
