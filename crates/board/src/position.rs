//! Describes positions for the analysis board: legal moves, status and scores. Scores are always from White's point of
//! view.

use serde::{Deserialize, Serialize};
use soffio::board::{Corner, Square};
use soffio::book::ordered_moves;
use soffio::engine::SquareStyle;
use soffio::notation::pdn::PdnMove;
use soffio::notation::{FenError, FenRecord, GameError, MoveRecord, WrittenGame, bitboard_move, full_path};
use soffio::position::paths::{Sequence, legal_sequences, stops};
use soffio::position::{DrawReason, Status, WinReason};
use soffio::rules::{Color, RuleSet, Variant};
use soffio::score::WhiteScore;
use soffio::wire::hub::PositionText;
use soffio_analysis::annotate::{BadMove, moves_of};

/// A variant, a start position, and the moves that are played from this position.
#[derive(Debug, Deserialize)]
pub struct GamePosition {
    variant: String,
    /// Whether squares are written as a letter and a digit. The default is the variant's notation.
    letters: Option<bool>,
    fen: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
}

/// The answer to the `position` and `place` requests.
#[derive(Debug, Serialize)]
pub(crate) struct ShownPosition {
    /// The canonical name of the variant, regardless of the spelling in the request.
    variant: &'static str,
    fen: String,
    /// The side to move, followed by one letter for each square in numeric order.
    position: String,
    side: Color,
    status: ShownStatus,
    /// Whether the side to move must capture.
    forced: bool,
    ways: Vec<MovePath>,
}

/// One path of a legal move. Each square is given as its index in numeric order, counted from 0.
#[derive(Debug, Serialize)]
pub(crate) struct MovePath {
    pub(crate) text: String,
    /// Index of the move in the order that opening books use.
    number: usize,
    /// The origin and all landing squares.
    pub(crate) route: Vec<u8>,
    pub(crate) taken: Vec<u8>,
    /// The possible landing squares after each capture. The list is empty if every capture has only one possible
    /// landing square.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stops: Vec<Vec<u8>>,
}

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

#[derive(Debug, Serialize)]
pub(crate) struct LineMove {
    text: String,
    route: Vec<u8>,
    taken: Vec<u8>,
    position: String,
}

impl GamePosition {
    fn played(&self) -> Result<WrittenGame, String> {
        let wrong = |error: FenError| GameError::from(error).to_string();
        let fen = self.fen.as_deref().map(str::trim).filter(|text| !text.is_empty());
        let start = fen.map(str::parse::<FenRecord>).transpose().map_err(wrong)?;
        let mut game = WrittenGame::from_start(variant(&self.variant)?, start.as_ref()).map_err(wrong)?;
        if let Some(letters) = self.letters {
            game.set_notation(style(letters).apply(game.spec().notation));
        }
        game.play(&records(&self.moves)?).map_err(|error: GameError| error.to_string())?;
        Ok(game)
    }

    pub(crate) fn answer(&self) -> Result<ShownPosition, String> {
        let game = self.played()?;
        Ok(ShownPosition {
            variant: variant(&self.variant)?.name(),
            fen: game.fen().to_string(),
            position: game.hub_position(),
            side: game.side(),
            status: game.status().into(),
            forced: game.spec().compulsory && game.game().can_capture(),
            ways: move_paths(&game),
        })
    }

    pub(crate) fn line(&self, line: &[String]) -> Result<Vec<LineMove>, String> {
        let mut game = self.played()?;
        records(line)?.iter().map(|record| LineMove::play(&mut game, record)).collect()
    }
}

/// A bad move, with the game before the move, the better line, the best reply, and the scores before and after the
/// move.
#[derive(Debug, Deserialize)]
pub struct MoveExplanation {
    #[serde(flatten)]
    game: GamePosition,
    played: String,
    better: Vec<String>,
    reply: Vec<String>,
    before: WhiteScore,
    after: WhiteScore,
}

impl MoveExplanation {
    pub(crate) fn sentence(&self) -> Result<String, String> {
        let before = self.game.played()?;
        let mut after = before.clone();
        let sequence = records(std::slice::from_ref(&self.played))?.first().map(|record| after.play_record(record));
        let sequence = sequence.transpose().map_err(|reason| format!("move {}: {reason}", self.played))?;
        let played = sequence.map(|sequence| bitboard_move(&sequence)).ok_or("no move was played")?;
        let (better, reply) = (moves_of(&before, &self.better), moves_of(&after, &self.reply));
        let scores = (self.before, self.after);
        let bad = BadMove { before: &before, played, better: &better, reply: &reply, scores, given_away: None };
        Ok(bad.sentence())
    }
}

impl LineMove {
    fn play(game: &mut WrittenGame, record: &MoveRecord) -> Result<Self, String> {
        let played = game.play_record(record).map_err(|reason| format!("move {record}: {reason}"))?;
        let MovePath { text, route, taken, .. } = MovePath::new(game.spec(), &played, 0);
        Ok(Self { text, route, taken, position: game.hub_position() })
    }
}

pub(crate) fn style(letters: bool) -> SquareStyle {
    if letters { SquareStyle::Algebraic } else { SquareStyle::Numeric }
}

fn records(texts: &[String]) -> Result<Vec<MoveRecord>, String> {
    texts.iter().map(|text| PdnMove::typed(text).map_err(|error| format!("move {error}"))).collect()
}

/// Returns all paths of all legal moves, sorted by [`MovePath::number`].
pub(crate) fn move_paths(game: &WrittenGame) -> Vec<MovePath> {
    let spec = game.spec();
    let ordered = ordered_moves(game.game());
    let number =
        |sequence: &Sequence| ordered.iter().position(|&known| known == bitboard_move(sequence)).unwrap_or_default();
    let mut paths: Vec<_> = legal_sequences(spec, &game.game().setup())
        .iter()
        .map(|sequence| MovePath {
            stops: open_stops(spec, sequence),
            ..MovePath::new(spec, sequence, number(sequence))
        })
        .collect();
    paths.sort_by_key(|path| path.number);
    paths
}

fn open_stops(spec: &RuleSet, sequence: &Sequence) -> Vec<Vec<u8>> {
    let stops = if sequence.captured.len() > 1 { stops(spec, sequence) } else { Vec::new() };
    if stops.iter().all(|stops| stops.len() == 1) {
        return Vec::new();
    }
    stops.iter().map(|stops| stops.iter().map(|&square| place(spec, square)).collect()).collect()
}

impl MovePath {
    pub(crate) fn new(spec: &RuleSet, sequence: &Sequence, number: usize) -> Self {
        let places = |squares: &[Square]| squares.iter().map(|&square| place(spec, square)).collect();
        let route = [&[sequence.from], &sequence.landings[..]].concat();
        Self {
            text: full_path(spec, sequence),
            number,
            route: places(&route),
            taken: places(&sequence.captured),
            stops: Vec::new(),
        }
    }
}

fn place(spec: &RuleSet, square: Square) -> u8 {
    spec.number(square).get() - 1
}

/// Reads a position that is given square by square.
pub(crate) fn parse_position(variant: Variant, position: &str) -> Result<FenRecord, String> {
    let parsed = PositionText::new(position, []).position(variant.spec());
    parsed.map_err(|_| "position: expected W or B and a letter for each square".to_owned())
}

/// A position that is given square by square.
#[derive(Debug, Deserialize)]
pub struct PlacedPosition {
    variant: String,
    letters: Option<bool>,
    /// The position, in the format of the answer to a `position` request.
    position: String,
}

impl PlacedPosition {
    pub(crate) fn answer(self) -> Result<ShownPosition, String> {
        let fen = parse_position(variant(&self.variant)?, &self.position)?.to_string();
        GamePosition { variant: self.variant, letters: self.letters, fen: Some(fen), moves: Vec::new() }.answer()
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct VariantBoard {
    name: &'static str,
    aliases: &'static [&'static str],
    /// The name of the same variant with forced captures. It is set only if this variant must be selected with the
    /// `Forced Capture` option.
    #[serde(skip_serializing_if = "Option::is_none")]
    optional: Option<&'static str>,
    width: u8,
    height: u8,
    /// Whether every square is playable.
    full: bool,
    letters: bool,
    starts: Color,
    men: u8,
    fen: String,
    position: String,
    /// The squares in numeric order. Each square is given by its row from the top, its column from the left, its number
    /// and its algebraic name.
    squares: Vec<(u8, u8, String, String)>,
}

/// Returns the variant with this name. Variants that can be selected only by an option are included.
pub(crate) fn variant(name: &str) -> Result<Variant, String> {
    let unknown = || format!("unknown variant '{}'", soffio::notation::printable(name.chars()));
    Variant::any_named(name).ok_or_else(unknown)
}

pub(crate) fn boards() -> Vec<VariantBoard> {
    Variant::ALL.iter().copied().map(VariantBoard::new).collect()
}

impl VariantBoard {
    fn new(variant: Variant) -> Self {
        let spec = variant.spec();
        let styled = |style: SquareStyle| RuleSet { notation: style.apply(spec.notation), ..*spec };
        let (numbers, letters) = (styled(SquareStyle::Numeric), styled(SquareStyle::Algebraic));
        let mut squares: Vec<_> = spec.shape.all_squares().collect();
        squares.sort_by_key(|&square| spec.number(square));
        let names = squares.into_iter().map(|square| {
            let name = |spec: &RuleSet| spec.square_name(square).to_string();
            (spec.shape.row(square), spec.shape.column(square), name(&numbers), name(&letters))
        });
        let game = WrittenGame::new(variant);
        Self {
            name: variant.name(),
            aliases: variant.aliases(),
            optional: variant.with_forced_capture().map(Variant::name),
            width: spec.shape.width,
            height: spec.shape.height,
            full: spec.shape.corner == Corner::Both,
            letters: spec.notation.algebraic,
            starts: spec.starts,
            men: spec.men(),
            fen: game.fen().to_string(),
            position: game.hub_position(),
            squares: names.collect(),
        }
    }
}
