//! A game whose moves and positions are read and written as text.

use super::{
    FenError, FenRecord, IllegalMove, MoveRecord, Placement, bitboard_move, legal_move, move_text, only_move_between,
    printable, printed_moves, resolve, written,
};
use crate::game::{Game, Move};
use crate::position::paths::{Sequence, simple};
use crate::position::{Position, Status, with_width};
use crate::rules::{Color, Notation, RuleSet, Variant, Word};

/// A game together with the notation for its moves and positions. A method that fails does not change the game.
#[derive(Clone, Debug)]
pub struct WrittenGame {
    game: Game,
    spec: RuleSet,
}

/// Why a game cannot be changed as requested. Each message begins with `fen`, `move`, `undo` or `redo`, depending on
/// what failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// The position is invalid.
    #[error("fen {0}")]
    Fen(#[from] FenError),
    /// A move is illegal.
    #[error(
        "move {}: {reason}{}",
        printable(.text.chars()),
        if *.count == 1 { String::new() } else { format!(" (move {index} of {count})") }
    )]
    Move {
        /// Text of the move.
        text: String,
        /// Index of the move, counted from 1.
        index: usize,
        /// Number of moves in the request that contains the move.
        count: usize,
        /// Why the move is illegal.
        reason: IllegalMove,
    },
    /// The request was to undo more moves than have been played. The number is how many moves can be undone.
    #[error("undo {}", limit_message(*.0, "no move has been played", "undone"))]
    Undo(usize),
    /// The request was to redo more moves than have been undone. The number is how many moves can be redone.
    #[error("redo {}", limit_message(*.0, "no move has been undone", "redone"))]
    Redo(usize),
}

fn limit_message(possible: usize, nothing: &str, done: &str) -> String {
    match possible {
        0 => nothing.to_owned(),
        1 => format!("only 1 move can be {done}"),
        _ => format!("only {possible} moves can be {done}"),
    }
}

impl From<Game> for WrittenGame {
    fn from(game: Game) -> Self {
        Self { spec: *game.spec(), game }
    }
}

impl WrittenGame {
    /// Creates a game of `variant` from its start position, in the notation of the variant.
    pub fn new(variant: Variant) -> Self {
        Self { game: Game::new(variant), spec: *variant.spec() }
    }

    /// Creates a game of `variant` that starts from `start`, or from the start position of the variant if `start` is
    /// `None`.
    pub fn from_start(variant: Variant, start: Option<&FenRecord>) -> Result<Self, FenError> {
        Self::begin(variant, *variant.spec(), start)
    }

    fn begin(variant: Variant, spec: RuleSet, start: Option<&FenRecord>) -> Result<Self, FenError> {
        let game = match start {
            Some(fen) => Game::from_setup(variant, &fen.to_setup(&spec)?)?,
            None => Game::new(variant),
        };
        Ok(Self { game, spec })
    }

    /// Sets the notation in which squares and moves are printed.
    pub fn set_notation(&mut self, notation: Notation) {
        self.spec.notation = notation;
    }

    /// Returns the game without its notation.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the variant of the game.
    pub fn variant(&self) -> Variant {
        self.game.variant()
    }

    /// Returns the rules of the game, with the notation in use.
    pub fn spec(&self) -> &RuleSet {
        &self.spec
    }

    /// Sets up `start`, or the start position of the variant if `start` is `None`, and plays `moves` from there.
    pub fn set_position(&mut self, start: Option<&FenRecord>, moves: &[MoveRecord]) -> Result<(), GameError> {
        let mut next = Self::begin(self.variant(), self.spec, start)?;
        next.play(moves)?;
        *self = next;
        Ok(())
    }

    /// Plays all of `moves`, or none of them if one is illegal.
    pub fn play(&mut self, moves: &[MoveRecord]) -> Result<(), GameError> {
        let mut next = self.game.clone();
        for (index, record) in moves.iter().enumerate() {
            next.play_legal(resolve_move(&self.spec, &next, record, (index, moves.len()))?);
        }
        self.game = next;
        Ok(())
    }

    /// Plays the move that `record` denotes and returns its path.
    pub fn play_record(&mut self, record: &MoveRecord) -> Result<Sequence, IllegalMove> {
        let sequence = resolve(&self.spec, &self.game.setup(), record)?;
        self.game.play_legal(bitboard_move(&sequence));
        Ok(sequence)
    }

    /// Returns the path of the move that `record` denotes. Returns `None` if other legal moves have the same origin and
    /// destination, or if the move captures more than one piece.
    ///
    /// This method is far faster than [`resolve`].
    pub(super) fn plain_move(&self, record: &MoveRecord) -> Option<Sequence> {
        fn found<W: Word>(spec: &RuleSet, position: &Position<W>, record: &MoveRecord) -> Option<Sequence> {
            let mv = only_move_between(spec, position, record)?;
            simple(spec, mv.widened(), position.is_king(mv.from))
        }
        with_width!(self.game.history(), history => found(&self.spec, history.position(), record))
    }

    /// Plays `moves` up to the first one that is illegal or is ambiguous without later moves. A wrong separator is
    /// ignored if only one move fits. Returns whether all moves were played.
    pub(super) fn play_clear_moves(&mut self, moves: &[MoveRecord]) -> bool {
        moves.iter().all(|record| {
            let only = with_width!(self.game.history(), history => {
                only_move_between(&self.spec, history.position(), record).map(|mv| mv.widened())
            });
            let resolved =
                || resolve(&self.spec, &self.game.setup(), record).ok().map(|sequence| bitboard_move(&sequence));
            only.or_else(resolved).inspect(|&mv| self.game.play_legal(mv)).is_some()
        })
    }

    /// Plays a move that a search has found. Returns whether the move was legal and has been played.
    pub fn play_found(&mut self, mv: Move) -> bool {
        self.game.play(mv)
    }

    pub(super) fn play_legal(&mut self, mv: Move) {
        self.game.play_legal(mv);
    }

    /// Undoes `count` moves.
    pub fn undo(&mut self, count: usize) -> Result<(), GameError> {
        let possible = self.game.ply();
        if count > possible {
            return Err(GameError::Undo(possible));
        }
        (0..count).for_each(|_| self.game.undo());
        Ok(())
    }

    /// Redoes `count` undone moves.
    pub fn redo(&mut self, count: usize) -> Result<(), GameError> {
        let possible = self.game.redo_count();
        if count > possible {
            return Err(GameError::Redo(possible));
        }
        (0..count).for_each(|_| self.game.redo());
        Ok(())
    }

    /// Returns the legal moves in the current position that `records` denote, one for each record.
    pub fn resolve(&self, records: &[MoveRecord]) -> Result<Vec<Move>, GameError> {
        let moves = records.iter().enumerate();
        moves.map(|(index, record)| resolve_move(&self.spec, &self.game, record, (index, records.len()))).collect()
    }

    /// Returns the legal moves in the order of their squares, each with the path that is printed for it.
    pub fn sequences(&self) -> Vec<Sequence> {
        printed_moves(&self.spec, &self.game.setup())
    }

    /// Returns the legal moves as text, ordered by their squares.
    pub fn legal_moves(&self) -> Vec<String> {
        self.sequences().iter().map(|sequence| written(&self.spec, sequence)).collect()
    }

    /// Sorts `moves` in the order of [`WrittenGame::legal_moves`]. Illegal moves come last; a perft can report some
    /// because it ignores the limit on king moves.
    pub fn in_printed_order<T>(&self, mut moves: Vec<(Move, T)>) -> Vec<(Move, T)> {
        let legal: Vec<Move> = self.sequences().iter().map(bitboard_move).collect();
        let place = |mv| legal.iter().position(|&known| known == mv).unwrap_or(legal.len());
        moves.sort_by_cached_key(|&(mv, _)| place(mv));
        moves
    }

    /// Returns the text of a legal move.
    pub fn text(&self, mv: Move) -> String {
        self.line_text(&[mv]).concat()
    }

    /// Returns the path to print for a move, or `None` if the move is illegal.
    pub fn sequence(&self, mv: Move) -> Option<Sequence> {
        self.sequences().into_iter().find(|sequence| bitboard_move(sequence) == mv)
    }

    /// Formats the moves of a line that starts from the current position.
    pub fn line_text(&self, line: &[Move]) -> Vec<String> {
        fn texts<W: Word>(spec: &RuleSet, mut position: Position<W>, line: &[Move]) -> Vec<String> {
            let text = |mv: &Move| {
                let mv = mv.narrowed();
                let text = move_text(spec, &position, mv);
                position = position.play(mv);
                text
            };
            line.iter().map(text).collect()
        }
        with_width!(self.game.history(), history => texts(&self.spec, *history.position(), line))
    }

    /// Returns the current position as a FEN.
    pub fn fen(&self) -> FenRecord {
        FenRecord::from_setup(&self.spec, &self.game.setup())
    }

    /// Returns the current position in the form of the Hub protocol.
    pub fn hub_position(&self) -> String {
        Placement::new(&self.spec, &self.game.setup()).to_string()
    }

    /// Returns a drawing of the board as text.
    pub fn drawing(&self) -> String {
        self.game.setup().draw(&self.spec)
    }

    /// Returns the side to move.
    pub fn side(&self) -> Color {
        self.game.side()
    }

    /// Returns whether the game continues and, if not, how it ended.
    pub fn status(&self) -> Status {
        self.game.status()
    }
}

fn resolve_move(spec: &RuleSet, game: &Game, record: &MoveRecord, place: (usize, usize)) -> Result<Move, GameError> {
    let resolved = with_width!(game.history(), history => {
        legal_move(spec, history.position(), record).map(|mv| mv.widened())
    });
    let (index, count) = (place.0 + 1, place.1);
    resolved.map_err(|reason| GameError::Move { text: record.to_string(), index, count, reason })
}
