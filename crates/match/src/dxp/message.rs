//! Messages of DXP, the DamExchange protocol, version 01 (mesander.nl/damexchange): ASCII text with a fixed layout.
//!
//! The first letter identifies the kind of message. Fields that affect a game must be well-formed; names and chat may
//! contain any text.

use anyhow::{Result, ensure};
use nom::bytes::complete::take;
use nom::character::complete::{anychar, char, one_of, satisfy};
use nom::combinator::{all_consuming, map, map_opt, opt, rest, value};
use nom::multi::many_m_n;
use nom::sequence::preceded;
use nom::{IResult, Parser};
use soffio::notation::{FenError, FenRecord, MoveRecord, Placement, SquareName, printable};
use soffio::position::Piece;
use soffio::rules::{Color, RuleSet, Variant};
use std::fmt;
use std::time::Duration;
use strum::VariantArray;

const NAME_LENGTH: usize = 32;

const CHAT_LENGTH: usize = 126;

/// Number of squares on the only board that the protocol supports.
const SQUARES: u8 = 50;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DxpMessage {
    Request(DxpRequest),
    Accept {
        name: String,
        answer: DxpAnswer,
    },
    Move {
        seconds: u16,
        record: MoveRecord,
    },
    End {
        reason: DxpResult,
        stop: bool,
    },
    /// A request to return to the position before `side` made its move `number`.
    Back {
        number: u16,
        side: Color,
    },
    BackAnswer(BackAnswer),
    Chat(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DxpRequest {
    pub name: String,
    pub follower: Color,
    /// Minutes per side for the whole game; 0 for no limit.
    pub minutes: u16,
    /// Maximum number of moves per side in the whole game; 0 for no limit.
    pub moves: u16,
    /// Initial position, or `None` for the start position.
    pub position: Option<Placement>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray)]
pub enum DxpAnswer {
    Yes,
    /// The follower uses a different version of the protocol.
    Version,
    /// The follower declines this game, but may accept a different one.
    NotThis,
    Never,
}

/// The result from the point of view of the program that ends the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray)]
pub enum DxpResult {
    Unknown,
    Loses,
    Draw,
    Wins,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray)]
pub enum BackAnswer {
    Yes,
    /// The program never undoes moves.
    No,
    /// The program declines to return to that position.
    Continue,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageError {
    #[error("not a DXP message: '{0}'")]
    Unknown(String),
    #[error("the game request has an unsupported DXP version")]
    Version,
    #[error("malformed message: '{text}'")]
    Malformed { kind: char, text: String },
}

/// Checks that DXP supports games of `variant`, which must use a 10x10 board.
pub fn check_variant(variant: Variant) -> Result<()> {
    let shape = variant.spec().shape;
    let is_board = shape.squares() == SQUARES && shape.width == shape.height;
    ensure!(is_board, "DXP supports only games on a 10x10 board, not {variant}");
    Ok(())
}

/// Returns the position `fen`, or `None` for the start position of international draughts, because game requests omit
/// it.
pub fn unusual_start(fen: &FenRecord, spec: &RuleSet) -> Result<Option<Placement>, FenError> {
    let placement = Placement::new(spec, &fen.to_setup(spec)?);
    let men = usize::from(SQUARES) * 2 / 5;
    let side = |color| std::iter::repeat_n(Some(Piece { color, king: false }), men);
    let empty = std::iter::repeat_n(None, usize::from(SQUARES) - 2 * men);
    let is_usual = placement.side == spec.starts
        && side(Color::Black).chain(empty).chain(side(Color::White)).eq(placement.squares.iter().copied());
    Ok((!is_usual).then_some(placement))
}

type Parsed<'a, T> = IResult<&'a str, T>;

impl DxpMessage {
    pub(crate) fn new_move(record: MoveRecord, took: Duration) -> Self {
        let seconds = u16::try_from(took.as_secs()).unwrap_or(u16::MAX).min(9999);
        Self::Move { seconds, record }
    }

    /// Parses a message, which does not include the terminating zero byte.
    pub fn read(text: &str) -> Result<Self, MessageError> {
        let shown = || printable(text.chars());
        let kind = text.chars().next().unwrap_or(' ');
        let parsed = match kind {
            'R' if !text.starts_with("R01") => return Err(MessageError::Version),
            'R' => request(text),
            'A' => accept(text),
            'M' => moved(text),
            'E' => end(text),
            'B' => back(text),
            'K' => map(all_consuming(preceded(char('K'), code())), Self::BackAnswer).parse(text),
            'C' => map(preceded(char('C'), rest), |text: &str| Self::Chat(text.to_owned())).parse(text),
            _ => return Err(MessageError::Unknown(shown())),
        };
        parsed.map(|(_, message)| message).map_err(|_| MessageError::Malformed { kind, text: shown() })
    }
}

fn number<'a>(digits: usize) -> impl Parser<&'a str, Output = u16, Error = nom::error::Error<&'a str>> {
    map_opt(take(digits), |text: &str| {
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|_| is_number)
    })
}

fn color(input: &str) -> Parsed<'_, Color> {
    satisfy(|c| matches!(c, 'W' | 'Z')).map(|c| if c == 'W' { Color::White } else { Color::Black }).parse(input)
}

fn name(input: &str) -> Parsed<'_, String> {
    map(take(NAME_LENGTH), |name: &str| name.trim_end().to_owned()).parse(input)
}

fn request(text: &str) -> Parsed<'_, DxpMessage> {
    let (rest, (name, follower, minutes, moves)) =
        preceded(take(3_usize), (name, color, number(3), number(3))).parse(text)?;
    let start = value(None, char('A'));
    let placed = preceded(char('B'), placement).map(Some);
    let (rest, position) = all_consuming(nom::branch::alt((start, placed))).parse(rest)?;
    Ok((rest, DxpMessage::Request(DxpRequest { name, follower, minutes, moves, position })))
}

fn placement(input: &str) -> Parsed<'_, Placement> {
    let square = map_opt(one_of("wWzZe"), |piece| {
        Some(match piece {
            'w' | 'W' => Some(Piece { color: Color::White, king: piece == 'W' }),
            'z' | 'Z' => Some(Piece { color: Color::Black, king: piece == 'Z' }),
            _ => None,
        })
    });
    let squares = usize::from(SQUARES);
    let (rest, (side, squares)) = (color, many_m_n(squares, squares, square)).parse(input)?;
    Ok((rest, Placement { side, squares }))
}

fn accept(text: &str) -> Parsed<'_, DxpMessage> {
    let (rest, (name, answer)) = all_consuming(preceded(char('A'), (name, code()))).parse(text)?;
    Ok((rest, DxpMessage::Accept { name, answer }))
}

fn square(input: &str) -> Parsed<'_, SquareName> {
    map_opt(number(2), |number| u8::try_from(number).ok().and_then(SquareName::numbered)).parse(input)
}

fn moved(text: &str) -> Parsed<'_, DxpMessage> {
    let (rest, (seconds, from, to, count)) = preceded(char('M'), (number(4), square, square, number(2))).parse(text)?;
    let count = usize::from(count);
    let (rest, captured) = all_consuming(many_m_n(count, count, square)).parse(rest)?;
    let record = MoveRecord { from, path: std::iter::once(to).chain(captured).collect(), capture: count > 0 };
    Ok((rest, DxpMessage::Move { seconds, record }))
}

fn end(text: &str) -> Parsed<'_, DxpMessage> {
    let stop = one_of("01").map(|stop| stop == '1');
    // Some programs omit the stop code.
    let (rest, (reason, stop)) = all_consuming(preceded(char('E'), (code(), opt(stop)))).parse(text)?;
    Ok((rest, DxpMessage::End { reason, stop: stop.unwrap_or(false) }))
}

fn back(text: &str) -> Parsed<'_, DxpMessage> {
    let (rest, (number, side)) = all_consuming(preceded(char('B'), (number(3), color))).parse(text)?;
    Ok((rest, DxpMessage::Back { number, side }))
}

/// Parses one digit, which is the index of an enum variant of `C`.
fn code<'a, C: VariantArray + Copy>() -> impl Parser<&'a str, Output = C, Error = nom::error::Error<&'a str>> {
    map_opt(anychar, |digit| C::VARIANTS.get(digit.to_digit(10)? as usize).copied())
}

impl fmt::Display for DxpMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Request(DxpRequest { name, follower, minutes, moves, position }) => {
                write!(f, "R01{}{}{minutes:03}{moves:03}", padded(name), letter(*follower))?;
                match position {
                    None => f.write_str("A"),
                    Some(Placement { side, squares }) => {
                        write!(f, "B{}", letter(*side))?;
                        squares.iter().try_for_each(|piece| write!(f, "{}", piece_letter(*piece)))
                    }
                }
            }
            Self::Accept { name, answer } => write!(f, "A{}{}", padded(name), *answer as u8),
            Self::Move { seconds, record } => {
                write!(f, "M{seconds:04}{:0>2}", record.from)?;
                for (index, square) in record.path.iter().enumerate() {
                    write!(f, "{square:0>2}")?;
                    if index == 0 {
                        write!(f, "{:02}", record.path.len() - 1)?;
                    }
                }
                Ok(())
            }
            Self::End { reason, stop } => write!(f, "E{}{}", *reason as u8, u8::from(*stop)),
            Self::Back { number, side } => write!(f, "B{number:03}{}", letter(*side)),
            Self::BackAnswer(answer) => write!(f, "K{}", *answer as u8),
            Self::Chat(text) => write!(f, "C{}", plain(text, CHAT_LENGTH)),
        }
    }
}

/// Truncates `text` to `length` characters. Characters that messages may not contain become `?`.
fn plain(text: &str, length: usize) -> String {
    text.chars().map(|c| if matches!(c, ' '..='~') { c } else { '?' }).take(length).collect()
}

fn padded(name: &str) -> String {
    format!("{:<NAME_LENGTH$}", plain(name, NAME_LENGTH))
}

fn letter(color: Color) -> char {
    if color == Color::White { 'W' } else { 'Z' }
}

fn piece_letter(piece: Option<Piece>) -> char {
    match piece.map_or('e', Piece::letter) {
        'b' => 'z',
        'B' => 'Z',
        other => other,
    }
}
