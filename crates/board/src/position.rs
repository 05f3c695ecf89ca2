//! Positions: what can be played in them, and how a game stands.

use crate::request::variant;
use serde::{Deserialize, Serialize};
use soffio::board::Square;
use soffio::engine::SquareStyle;
use soffio::notation::{FenRecord, GameError, MoveRecord, Placement, WrittenGame, full_path};
use soffio::position::reference::{Sequence, legal_sequences, stops};
use soffio::position::{DrawReason, Piece, Status, WinReason};
use soffio::rules::{Color, RuleSet};

/// A game up to some move.
#[derive(Debug, Deserialize)]
pub struct GamePosition {
    /// The variant.
    variant: String,
    /// True if squares are written as letter and digit; if not said, as is usual in the variant.
    #[serde(default)]
    letters: Option<bool>,
    /// Where it begins, if not at the start position.
    #[serde(default)]
    fen: Option<String>,
    /// The moves.
    #[serde(default)]
    moves: Vec<String>,
}

/// A position.
#[derive(Debug, Serialize)]
pub(crate) struct Shown {
    fen: String,
    /// The side to move and the pieces, square by square in the order of the numbers.
    position: String,
    side: Color,
    status: ShownStatus,
    /// True if something must be taken.
    forced: bool,
    /// The legal moves by every way.
    ways: Vec<Way>,
}

/// A way of a legal move. Squares are places in the order of their numbers, from 0.
#[derive(Debug, Serialize)]
pub(crate) struct Way {
    pub(crate) text: String,
    /// Which move it is a way of.
    number: usize,
    /// The squares of departure and of each landing.
    pub(crate) route: Vec<u8>,
    pub(crate) taken: Vec<u8>,
    /// The squares where it can be thought to land for each piece taken, if those are more than one somewhere.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stops: Vec<Vec<u8>>,
}

/// How a game stands.
#[derive(Debug, Serialize)]
#[serde(tag = "state", rename_all = "camelCase")]
enum ShownStatus {
    Playing { countdown: Option<u16> },
    Won { winner: Color, reason: &'static str },
    Drawn { reason: &'static str, moves: u16 },
}

impl From<Status> for ShownStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::Playing { countdown } => Self::Playing { countdown },
            Status::Won { winner, reason } => {
                let reason = match reason {
                    WinReason::NoPiece => "noPiece",
                    WinReason::NoMove => "noMove",
                    WinReason::FirstKing => "firstKing",
                };
                Self::Won { winner, reason }
            }
            Status::Drawn(DrawReason::Repetition(times)) => Self::Drawn { reason: "repetition", moves: times.into() },
            Status::Drawn(DrawReason::Quiet(moves) | DrawReason::Ending(moves)) => {
                Self::Drawn { reason: "moveRule", moves }
            }
        }
    }
}

/// A move of a line, and the position after it.
#[derive(Debug, Serialize)]
pub(crate) struct LineMove {
    text: String,
    route: Vec<u8>,
    taken: Vec<u8>,
    position: String,
}

impl GamePosition {
    /// The game after its moves.
    ///
    /// # Errors
    /// When the variant is not known, the position is impossible, or a move is not legal.
    fn played(&self) -> Result<WrittenGame, String> {
        let start: Option<FenRecord> = match self.fen.as_deref().map(str::trim).filter(|text| !text.is_empty()) {
            Some(text) => Some(text.parse().map_err(|error| format!("fen {error}"))?),
            None => None,
        };
        let mut game =
            WrittenGame::at(variant(&self.variant)?, start.as_ref()).map_err(|error| format!("fen {error}"))?;
        if let Some(letters) = self.letters {
            game.set_notation(style(letters).of(game.spec().notation));
        }
        game.play(&records(&self.moves)?).map_err(|error: GameError| error.to_string())?;
        Ok(game)
    }

    /// The position, and what can be played in it.
    ///
    /// # Errors
    /// As [`Self::played`].
    pub(crate) fn answer(&self) -> Result<Shown, String> {
        let game = self.played()?;
        Ok(Shown {
            fen: game.fen().to_string(),
            position: game.hub_position(),
            side: game.side(),
            status: game.status().into(),
            forced: game.spec().compulsory && game.game().can_capture(),
            ways: ways(&game),
        })
    }

    /// The positions along `line`.
    ///
    /// # Errors
    /// As [`Self::played`], or when a move of the line is not legal.
    pub(crate) fn line(&self, line: &[String]) -> Result<Vec<LineMove>, String> {
        let mut game = self.played()?;
        records(line)?.iter().map(|record| LineMove::play(&mut game, record)).collect()
    }
}

impl LineMove {
    /// Plays the move that `record` means.
    ///
    /// # Errors
    /// When it is not legal.
    fn play(game: &mut WrittenGame, record: &MoveRecord) -> Result<Self, String> {
        let played = game.play_way(record).map_err(|reason| format!("move {record}: {reason}"))?;
        let Way { text, route, taken, .. } = Way::new(game.spec(), &played, 0);
        Ok(Self { text, route, taken, position: game.hub_position() })
    }
}

/// How squares are written.
pub(crate) fn style(letters: bool) -> SquareStyle {
    if letters { SquareStyle::Algebraic } else { SquareStyle::Numeric }
}

fn records(texts: &[String]) -> Result<Vec<MoveRecord>, String> {
    texts.iter().map(|text| text.parse().map_err(|error| format!("move {error}"))).collect()
}

/// The legal moves of `game` by every way.
fn ways(game: &WrittenGame) -> Vec<Way> {
    let spec = game.spec();
    let printed = game.sequences();
    let number = |way: &Sequence| printed.iter().position(|known| known.same_move(way)).unwrap_or_default();
    let mut ways: Vec<_> = legal_sequences(spec, &game.game().setup())
        .iter()
        .map(|way| Way { stops: open_stops(spec, way), ..Way::new(spec, way, number(way)) })
        .collect();
    ways.sort_by_key(|way| way.number);
    ways
}

/// The squares where `way` can be thought to land, if somewhere there are several.
fn open_stops(spec: &RuleSet, way: &Sequence) -> Vec<Vec<u8>> {
    let stops = if way.captured.len() > 1 { stops(spec, way) } else { Vec::new() };
    if stops.iter().all(|stops| stops.len() == 1) {
        return Vec::new();
    }
    stops.iter().map(|stops| stops.iter().map(|&square| place(spec, square)).collect()).collect()
}

impl Way {
    /// The `way` of the move with this number.
    pub(crate) fn new(spec: &RuleSet, way: &Sequence, number: usize) -> Self {
        let places = |squares: &[Square]| squares.iter().map(|&square| place(spec, square)).collect();
        let route = [&[way.from], &way.landings[..]].concat();
        Self {
            text: full_path(spec, way),
            number,
            route: places(&route),
            taken: places(&way.captured),
            stops: Vec::new(),
        }
    }
}

/// The place of `square` in the order of the numbers.
fn place(spec: &RuleSet, square: Square) -> u8 {
    spec.number(square).get() - 1
}

/// A position given square by square.
#[derive(Debug, Deserialize)]
pub struct Placed {
    variant: String,
    #[serde(default)]
    letters: Option<bool>,
    /// The side to move and the pieces, as in the answer to `position`.
    position: String,
}

impl Placed {
    /// The position, and what can be played in it.
    ///
    /// # Errors
    /// When the text is none, or the position is impossible.
    pub(crate) fn answer(self) -> Result<Shown, String> {
        let no_position = || "position expected W or B and a letter for each square".to_owned();
        let mut letters = self.position.chars();
        let side = match letters.next() {
            Some('W') => Color::White,
            Some('B') => Color::Black,
            _ => return Err(no_position()),
        };
        let piece = |letter| {
            let color = if matches!(letter, 'w' | 'W') { Color::White } else { Color::Black };
            match letter {
                'e' => Some(None),
                'w' | 'W' | 'b' | 'B' => Some(Some(Piece { color, king: letter.is_ascii_uppercase() })),
                _ => None,
            }
        };
        let squares: Vec<_> = letters.map(piece).collect::<Option<_>>().ok_or_else(no_position)?;
        if squares.len() != usize::from(variant(&self.variant)?.spec().shape.squares()) {
            return Err(no_position());
        }
        let fen = Placement { side, squares }.record().to_string();
        GamePosition { variant: self.variant, letters: self.letters, fen: Some(fen), moves: Vec::new() }.answer()
    }
}
