//! The Position ID and Match ID of GNU Backgammon.
//!
//! Layout: "A technical description of the Position ID" and "of the Match ID" in its manual. The first half of a Position ID is the
//! side that is not to move, as the program itself writes it (`sGfwATDgc/ABMA` after 8/5, 6/5).

use super::IdError;
use crate::game::{Color, State};
use crate::rules::{BAR, Board, CHECKERS, OFF, Roll, Side};

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes of a position, and of a match.
const POSITION: usize = 10;
const MATCH: usize = 9;

/// The bytes of a text in base 64 without padding, if it has exactly as many.
fn decode<const N: usize>(text: &str) -> Option<[u8; N]> {
    if text.len() != (N * 8).div_ceil(6) {
        return None;
    }
    let (mut bytes, mut used) = ([0; N], 0);
    let (mut buffer, mut bits) = (0_u32, 0);
    for letter in text.bytes() {
        let value = ALPHABET.iter().position(|&known| known == letter)?;
        buffer = buffer << 6 | value as u32;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            *bytes.get_mut(used)? = (buffer >> bits) as u8;
            used += 1;
            buffer &= (1 << bits) - 1;
        }
    }
    Some(bytes)
}

fn encode(bytes: &[u8]) -> String {
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let mut buffer = 0_u32;
        for place in 0..3 {
            buffer = buffer << 8 | u32::from(three.get(place).copied().unwrap_or(0));
        }
        for place in 0..=three.len() {
            let value = buffer >> (18 - 6 * place) & 63;
            text.push(ALPHABET.get(value as usize).copied().map_or('A', char::from));
        }
    }
    text
}

fn bit(bytes: &[u8], place: usize) -> bool {
    bytes.get(place / 8).is_some_and(|byte| byte >> (place % 8) & 1 == 1)
}

/// The Position ID of a board.
pub fn position_id(board: &Board) -> String {
    let mut bytes = [0_u8; POSITION];
    let mut place = 0;
    for side in [&board.other, &board.own] {
        for number in 1..=BAR {
            for _ in 0..side.at(number) {
                if let Some(byte) = bytes.get_mut(place / 8) {
                    *byte |= 1 << (place % 8);
                }
                place += 1;
            }
            place += 1;
        }
    }
    encode(&bytes)
}

/// The Position ID and Match ID of a state, as `4HPwATDgc/ABMA:cIkNAAAAAAAA`.
pub fn gnubg_id(state: &State) -> String {
    let turn = u8::from(state.side == Color::White);
    let (high, low) = state.dice.map_or((0, 0), |roll| (roll.high(), roll.low()));
    let mut bytes = [0; MATCH];
    let mut place = 0;
    // Cube, its owner (nobody), who rolls, Crawford, a game that is played, who decides, double, resignation, dice.
    for (value, bits) in [(0, 4), (3, 2), (turn, 1), (0, 1), (1, 3), (turn, 1), (0, 1), (0, 2), (high, 3), (low, 3)] {
        for number in 0..bits {
            bytes[place / 8] |= (value >> number & 1) << (place % 8);
            place += 1;
        }
    }
    format!("{}:{}", position_id(&state.board), encode(&bytes))
}

/// Reads a Position ID, and after a colon perhaps a Match ID. Without one white is to roll.
///
/// # Errors
/// When it is none, or the position is impossible.
pub fn read_gnubg_id(text: &str) -> Result<State, IdError> {
    let (position, of_match) = text.split_once(':').map_or((text, None), |(position, rest)| (position, Some(rest)));
    let bytes: [u8; POSITION] = decode(position).ok_or(IdError::NotAnId("a Position ID has 14 letters of base 64"))?;
    let (side, dice) = match of_match {
        None => (Color::White, None),
        Some(text) => read_match(text)?,
    };
    let mut place = 0;
    let mut sides = [[0_u8; 26]; 2];
    for counts in &mut sides {
        for count in counts.iter_mut().skip(1) {
            while bit(&bytes, place) {
                *count += 1;
                place += 1;
            }
            place += 1;
        }
        let sum: u32 = counts.iter().map(|&count| u32::from(count)).sum();
        counts[OFF] = u32::from(CHECKERS).checked_sub(sum).ok_or(IdError::TooMany)? as u8;
    }
    if place > POSITION * 8 {
        return Err(IdError::NotAnId("a Position ID has 50 places"));
    }
    let [other, own] = sides.map(Side::new);
    let (own, other) = own.zip(other).ok_or(IdError::TooMany)?;
    let board = Board::new(own, other).map_err(IdError::Board)?;
    Ok(State { board, side, dice })
}

fn read_match(text: &str) -> Result<(Color, Option<Roll>), IdError> {
    let bytes: [u8; MATCH] = decode(text).ok_or(IdError::NotAnId("a Match ID has 12 letters of base 64"))?;
    let number =
        |first: usize, bits: usize| (0..bits).fold(0, |sum, place| sum | u8::from(bit(&bytes, first + place)) << place);
    let side = if number(11, 1) == 1 { Color::White } else { Color::Black };
    if number(12, 1) == 1 {
        return Err(IdError::Cube);
    }
    let dice = match (number(15, 3), number(18, 3)) {
        (0, 0) => None,
        (first, second) => Some(Roll::new(first, second).ok_or(IdError::Dice)?),
    };
    Ok((side, dice))
}
