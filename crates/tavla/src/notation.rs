//! Board diagrams, position IDs from other programs, and the `.mat` format for games.
//!
//! The supported IDs are the Position ID and Match ID of GNU Backgammon, and the XGID of eXtreme Gammon.
//!
//! The GNU Backgammon manual specifies the Position ID and the Match ID ("A technical description of the Position ID"
//! and "of the Match ID"). The first half of a Position ID describes the side that is not to move. GNU Backgammon
//! itself writes it this way: `sGfwATDgc/ABMA` is the position after 8/5, 6/5.
//!
//! An XGID such as `XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10` begins with 26 characters: the top player's
//! bar, the points in the bottom player's numbering, and the bottom player's bar. Capital letters stand for the bottom
//! player, who is White here. The fields after them are the cube, its owner, the turn (1 for bottom, -1 for top), the
//! dice (00 before the roll), both scores, Crawford or Jacoby, the match length, and the cube limit.
#![allow(clippy::indexing_slicing, reason = "the length of an identifier is checked first")]

use crate::game::{Color, TavlaGame, TavlaState, TavlaStatus, TavlaTurn};
use crate::rules::{BAR, Checkers, OFF, Roll, TavlaBoard, facing};
use anyhow::{Context, Result, bail};
use base64::engine::general_purpose::{self, GeneralPurpose};
use base64::{Engine, alphabet};
use std::fmt::Write;

const ROWS: u8 = 5;

/// Draws the board from White's side. White is `O` and moves from point 24 to point 1; Black is `X`. A column shows at
/// most five checkers. If a point holds more, the number of checkers replaces the innermost one.
pub fn drawing(state: &TavlaState) -> String {
    let (white, black) = state.sides();
    let at = |number: usize| match (white.count_at(number), black.count_at(facing(number))) {
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
    let (white_bar, black_bar) = ((white.count_at(BAR), 'O'), (black.count_at(BAR), 'X'));
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

const TOO_MANY: &str = "a side has more than 15 checkers";
const NO_DICE: &str = "the dice must be two numbers from 1 to 6";
const CUBE: &str = "the position is a doubling cube decision, which tavla does not have";

/// Base 64 without padding. Trailing bits that do not fill a byte are ignored.
const BASE64: GeneralPurpose =
    GeneralPurpose::new(&alphabet::STANDARD, general_purpose::NO_PAD.with_decode_allow_trailing_bits(true));

/// Sizes in bytes of a Position ID and a Match ID.
const POSITION_ID_BYTES: usize = 10;
const MATCH_ID_BYTES: usize = 9;

fn encode<const N: usize>(bits: u128) -> String {
    BASE64.encode(&bits.to_le_bytes()[..N])
}

fn decode<const N: usize>(text: &str) -> Option<u128> {
    let bytes = BASE64.decode(text).ok().filter(|bytes| bytes.len() == N)?;
    Some(bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u128::from(byte)))
}

pub fn position_id(board: &TavlaBoard) -> String {
    let (mut bits, mut place) = (0, 0);
    for side in [&board.other, &board.own] {
        for number in 1..=BAR {
            let count = side.count_at(number);
            bits |= ((1 << count) - 1) << place;
            place += u32::from(count) + 1;
        }
    }
    encode::<POSITION_ID_BYTES>(bits)
}

pub fn gnubg_id(state: &TavlaState) -> String {
    let turn = u8::from(state.side == Color::White);
    let (high, low) = state.dice.map_or((0, 0), |roll| (roll.high(), roll.low()));
    let (mut bits, mut place) = (0, 0);
    // Fields of the Match ID: cube, cube owner (nobody), side to roll, Crawford, game state (playing), side to decide,
    // double, resignation, and the two dice.
    for (value, width) in [(0, 4), (3, 2), (turn, 1), (0, 1), (1, 3), (turn, 1), (0, 1), (0, 2), (high, 3), (low, 3)] {
        bits |= u128::from(value) << place;
        place += width;
    }
    format!("{}:{}", position_id(&state.board), encode::<MATCH_ID_BYTES>(bits))
}

/// Parses a Position ID, optionally followed by a colon and a Match ID. White is to roll if the Match ID is missing.
pub fn read_gnubg_id(text: &str) -> Result<TavlaState> {
    let (position, of_match) = text.split_once(':').map_or((text, None), |(position, rest)| (position, Some(rest)));
    let bits = decode::<POSITION_ID_BYTES>(position).context("a Position ID must have 14 base64 characters")?;
    let (side, dice) = match of_match {
        None => (Color::White, None),
        Some(text) => read_match(text)?,
    };
    let mut place = 0;
    let mut sides = [[0_u8; 26]; 2];
    for counts in &mut sides {
        for count in counts.iter_mut().skip(1) {
            let ones = bits.checked_shr(place).unwrap_or(0).trailing_ones();
            *count = ones as u8;
            place += ones + 1;
        }
    }
    if place > 8 * POSITION_ID_BYTES as u32 {
        bail!("a Position ID must encode 25 points for each side");
    }
    let [other, own] = sides.map(Checkers::with_rest_off);
    let (own, other) = own.zip(other).context(TOO_MANY)?;
    Ok(TavlaState { board: TavlaBoard::new(own, other)?, side, dice })
}

fn read_match(text: &str) -> Result<(Color, Option<Roll>)> {
    let bits = decode::<MATCH_ID_BYTES>(text).context("a Match ID must have 12 base64 characters")?;
    let number = |first: u32, width: u32| (bits >> first) as u8 & ((1 << width) - 1);
    let side = if number(11, 1) == 1 { Color::White } else { Color::Black };
    if number(12, 1) == 1 {
        bail!(CUBE);
    }
    let dice = match (number(15, 3), number(18, 3)) {
        (0, 0) => None,
        (first, second) => Some(Roll::new(first, second).context(NO_DICE)?),
    };
    Ok((side, dice))
}

pub fn xgid(state: &TavlaState) -> String {
    let (white, black) = state.sides();
    let turn = if state.side == Color::White { 1 } else { -1 };
    let letter = |count: u8, first: u8| char::from(first + count - 1);
    let places: String = (0..=BAR)
        .map(|number| {
            let white = if number == OFF { 0 } else { white.count_at(number) };
            let black = if number == BAR { 0 } else { black.count_at(facing(number)) };
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

/// Parses an XGID with or without the `XGID=` prefix. The cube, the scores and the match length are ignored.
pub fn read_xgid(text: &str) -> Result<TavlaState> {
    let text = text.strip_prefix("XGID=").unwrap_or(text);
    let mut fields = text.split(':');
    let places = fields.next().unwrap_or_default().as_bytes();
    if places.len() != BAR + 1 {
        bail!("an XGID must begin with 26 characters, one per point and bar");
    }
    let fields: Vec<&str> = fields.collect();
    let [_, _, turn, dice, ..] = fields[..] else {
        bail!("an XGID must have cube, owner, turn and dice after the first 26 characters");
    };
    let (mut white, mut black) = ([0_u8; 26], [0_u8; 26]);
    for (number, &place) in places.iter().enumerate() {
        match place {
            b'-' => {}
            b'A'..=b'O' if number != OFF => white[number] = place - b'A' + 1,
            b'a'..=b'o' if number != BAR => black[facing(number)] = place - b'a' + 1,
            _ => bail!(
                "XGID: each point must be '-', 'A' to 'O' or 'a' to 'o', and each bar may hold only its own side's \
                 checkers"
            ),
        }
    }
    let sides = Checkers::with_rest_off(white).zip(Checkers::with_rest_off(black));
    let (white, black) = sides.context(TOO_MANY)?;
    let (side, own, other) = match turn {
        "1" => (Color::White, white, black),
        "-1" => (Color::Black, black, white),
        _ => bail!("the turn of an XGID must be 1 or -1"),
    };
    let dice = match dice {
        "00" => None,
        "D" | "B" | "R" => bail!(CUBE),
        dice => Some(dice.parse::<Roll>().ok().context(NO_DICE)?),
    };
    Ok(TavlaState { board: TavlaBoard::new(own, other)?, side, dice })
}
