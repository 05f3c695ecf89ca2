//! Replays game records.

use super::own_text::FAULT_END;
use soffio::engine::SquareStyle;
use soffio::notation::pdn::{GameRecord, Guesses, Location, PdnMove, ReadGame};
use soffio::notation::{
    FenError, GameError, GameTypeError, IllegalMove, MoveRecord, MoveSyntaxError, ReplayError, WrittenGame, full_path,
    placements, printable, replay,
};
use soffio::position::paths::Sequence;
use soffio::rules::Variant;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnnotateError {
    #[error("no GameType tag, and the variant cannot be guessed from the moves")]
    NoVariant,
    #[error(transparent)]
    GameType(#[from] GameTypeError),
    #[error("not a move: {error}")]
    NoMove { index: usize, error: MoveSyntaxError },
    /// The record has an unknown move, which is written as `--`.
    #[error("unknown move --")]
    UnknownMove { index: usize },
    #[error("not a position: {error}")]
    SetUp {
        /// Index of the setup position in the list of moves, starting from 0.
        index: usize,
        error: FenError,
    },
    #[error("move {}: {reason}", printable(.text.chars()))]
    IllegalMove { index: usize, text: String, reason: IllegalMove },
    #[error(transparent)]
    Game(#[from] GameError),
    #[error("the engine failed: {0}")]
    Engine(String),
    #[error("stopped")]
    Stopped,
}

impl AnnotateError {
    fn move_index(&self) -> Option<usize> {
        match self {
            Self::NoMove { index, .. }
            | Self::UnknownMove { index }
            | Self::SetUp { index, .. }
            | Self::IllegalMove { index, .. } => Some(*index),
            _ => None,
        }
    }

    /// Returns where the tag or move that causes this error starts, or otherwise where `game` starts.
    pub fn location(&self, game: &ReadGame<'_>) -> Location {
        match (self, self.move_index()) {
            (_, Some(index)) => game.move_location(index),
            (Self::GameType(_), _) => game.tag_location(game.record.variant_tag()),
            (Self::Game(GameError::Fen(_)), _) => game.tag_location("FEN"),
            _ => game.location,
        }
    }

    /// Parses `mv`, the move with this `index` in its line.
    pub fn read(index: usize, mv: &PdnMove) -> Result<MoveRecord, Self> {
        mv.record().map_err(|error| match mv.is_unknown() {
            true => Self::UnknownMove { index },
            false => Self::NoMove { index, error },
        })
    }

    /// Returns whether the error is only an unknown move in the record, which is not a fault of the record.
    pub fn is_unknown_move(&self) -> bool {
        matches!(self, Self::UnknownMove { .. })
    }
}

/// Returns a game at the position before the move with index `first` in `record`. The game uses the notation of that
/// move.
fn begin(record: &GameRecord, default_variant: Option<Variant>, first: usize) -> Result<WrittenGame, AnnotateError> {
    let set_up = first.checked_sub(1).and_then(|index| Some((index, record.moves.get(index)?.set_up()?)));
    let start = match set_up {
        Some((index, position)) => Some(position.map_err(|error| AnnotateError::SetUp { index, error })?),
        None => record.start().map_err(GameError::from)?,
    };
    let variant = record.variant()?.or(default_variant).ok_or_else(|| {
        match start.as_ref().and_then(Guesses::rejection_reason) {
            Some(error) => AnnotateError::Game(error.into()),
            None => AnnotateError::NoVariant,
        }
    })?;
    let style = match record.moves.get(first).and_then(|mv| mv.text.chars().next()) {
        Some(c) if c.is_ascii_digit() => SquareStyle::Numeric,
        Some(c) if c.is_alphabetic() => SquareStyle::Algebraic,
        _ => SquareStyle::OfVariant,
    };
    let mut game = WrittenGame::from_start(variant, start.as_ref()).map_err(GameError::from)?;
    game.set_notation(style.apply(variant.spec().notation));
    Ok(game)
}

/// Returns the moves of `record` from index `first` up to the next setup position or the first text that is not a move.
/// In the second case, also returns the error.
fn readable(record: &GameRecord, first: usize) -> (Vec<MoveRecord>, Option<AnnotateError>) {
    let written = (first..).zip(record.moves.get(first..).unwrap_or_default());
    let mut moves = Vec::new();
    for (index, mv) in written.take_while(|(_, mv)| !mv.is_set_up()) {
        match AnnotateError::read(index, mv) {
            Ok(read) => moves.push(read),
            Err(error) => return (moves, Some(error)),
        }
    }
    (moves, None)
}

/// A game record replayed up to its end, to a setup position between moves, or to the first illegal move.
#[derive(Clone, Debug)]
pub struct PlayableGame {
    played: WrittenGame,
    moves: Vec<Sequence>,
    /// Index in the record of the first move after setup positions and placements.
    first: usize,
    first_ply: usize,
    /// Number of moves at the start of the record that only place a piece, as in flying openings.
    placements: usize,
    /// Full paths of the moves whose notation is ambiguous, each with its index in the record. The later moves of the
    /// game show which path was played.
    pub settled: Vec<(usize, String)>,
    fault: Option<AnnotateError>,
}

impl PlayableGame {
    /// Replays `record` up to its end or to a setup position between moves. The variant is `default_variant` if no tag
    /// names one. An illegal move after the first move is not an error, but is recorded as a [`fault`](Self::fault).
    pub fn new(record: &GameRecord, default_variant: Option<Variant>) -> Result<Self, AnnotateError> {
        let leading = record.moves.iter().take_while(|mv| mv.is_set_up()).count();
        Self::part(record, default_variant, leading)
    }

    /// Replays all parts of `record`. Each setup position between moves begins a new part. A later part that cannot be
    /// played is skipped; the last part then reports the first such error.
    pub fn parts(record: &GameRecord, default_variant: Option<Variant>) -> Result<Vec<Self>, AnnotateError> {
        let game = Self::new(record, default_variant)?;
        let begin = game.first;
        let mut parts = vec![game];
        let mut fault = None;
        for (index, pair) in (1..).zip(record.moves.windows(2)) {
            if let [before, mv] = pair
                && before.is_set_up()
                && !mv.is_set_up()
                && index > begin
            {
                match Self::part(record, default_variant, index) {
                    Ok(part) => parts.push(Self { first_ply: part.first - begin, ..part }),
                    Err(error) => fault = fault.or(Some(error)),
                }
            }
        }
        if let Some(last) = parts.last_mut() {
            last.fault = last.fault.take().or(fault);
        }
        Ok(parts)
    }

    /// Replays the moves of `record` from index `first` up to the next setup position. If there is a move before
    /// `first`, it sets up the first position.
    fn part(record: &GameRecord, default_variant: Option<Variant>, first: usize) -> Result<Self, AnnotateError> {
        let mut begin = begin(record, default_variant, first)?;
        let (mut moves, mut fault) = readable(record, first);
        let (mut first, mut placed) = (first, 0);
        // A legal game is replayed once. A game with an illegal move is replayed a second time, up to that move.
        let replayed = loop {
            match replay(&begin, &moves) {
                Ok(replayed) => break replayed,
                Err(ReplayError { index: 0 | 1, .. })
                    if placed == 0
                        && let Some((start, count)) = placements(begin.spec(), Some(&begin.fen()), &moves) =>
                {
                    begin.set_position(Some(&start), &[])?;
                    moves.drain(..count);
                    (first, placed) = (first + count, count);
                }
                Err(ReplayError { index, reason, .. }) => {
                    moves.truncate(index);
                    let index = first + index;
                    let text = record.moves.get(index).map(|mv| mv.text.clone()).unwrap_or_default();
                    fault = Some(AnnotateError::IllegalMove { index, text, reason });
                }
            }
        };
        if let (Some(fault), true) = (&fault, replayed.moves.is_empty() && placed == 0) {
            return Err(fault.clone());
        }
        let path = |&index: &usize| Some((first + index, full_path(begin.spec(), replayed.moves.get(index)?)));
        let settled = replayed.settled.iter().filter_map(path).collect();
        Ok(Self {
            played: replayed.game,
            moves: replayed.moves,
            first,
            first_ply: 0,
            placements: placed,
            settled,
            fault,
        })
    }

    pub fn variant(&self) -> Variant {
        self.played.variant()
    }

    /// Returns the game after its last legal move, in the notation of the record. All moves can be undone.
    pub fn played(&self) -> &WrittenGame {
        &self.played
    }

    pub fn moves(&self) -> &[Sequence] {
        &self.moves
    }

    /// Returns the index in the record of the first move of this game.
    pub fn first(&self) -> usize {
        self.first
    }

    /// Returns the ply of the first position. It is 0, except in later parts of a game, where it is the number of moves
    /// and setup positions before the part.
    pub fn first_ply(&self) -> usize {
        self.first_ply
    }

    /// Returns the number of moves at the start of the record that only place a piece.
    pub fn placements(&self) -> usize {
        self.placements
    }

    /// Returns the moves of `record`, starting with the first move of this game.
    pub fn written<'a>(&self, record: &'a GameRecord) -> &'a [PdnMove] {
        record.moves.get(self.first..).unwrap_or_default()
    }

    pub fn fault_index(&self) -> usize {
        let index = self.fault.as_ref().and_then(AnnotateError::move_index);
        index.unwrap_or(self.first + self.moves.len())
    }

    pub fn fault(&self) -> Option<&AnnotateError> {
        self.fault.as_ref()
    }

    /// Returns the mistake at which the game ends. Unlike a [`fault`](Self::fault), this is never an unknown move.
    pub fn mistake(&self) -> Option<&AnnotateError> {
        self.fault().filter(|fault| !fault.is_unknown_move())
    }

    /// Adds missing information to `record`: the variant as a tag (or as a comment if it is a guess), the full paths of
    /// ambiguous moves, and the reason why a move is illegal.
    pub fn complete(&self, record: &mut GameRecord, is_guess: bool) {
        if is_guess {
            let guess = format!("guessed variant: {} (no GameType tag)", self.variant());
            if !record.comment.as_ref().is_some_and(|comment| comment.contains(&guess)) {
                record.add_comment(&guess);
            }
        } else if record.variant() == Ok(None) {
            record.set_variant(self.variant());
        }
        for (index, text) in &self.settled {
            if let Some(mv) = record.moves.get_mut(*index) {
                mv.text = PdnMove::played(text).text;
            }
        }
        if let (Some(fault), Some(mv)) = (&self.fault, record.moves.get_mut(self.fault_index())) {
            mv.add_comment(&format!("{fault}{FAULT_END}"));
        }
    }
}
