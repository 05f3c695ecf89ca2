//! A game whose moves and positions are read and written as text.

use super::{
    FenError, FenRecord, IllegalMove, MoveRecord, Placement, fast_move, legal_move, move_text, printable,
    printed_moves, resolve, written,
};
use crate::game::{Game, Move};
use crate::position::reference::Sequence;
use crate::position::{Position, Status, with_width};
use crate::rules::{Color, Notation, RuleSet, Variant, Word};

/// A game, and the notation in which its moves and positions are printed. A call that fails changes nothing.
#[derive(Clone, Debug)]
pub struct WrittenGame {
    game: Game,
    /// The rules, with the notation that was asked for.
    spec: RuleSet,
}

/// The reason why a game cannot be changed as asked. It prints what is wrong first, then why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// The position is impossible.
    #[error("fen {0}")]
    Fen(#[from] FenError),
    /// A move is not legal.
    #[error(
        "move {}: {reason}{}",
        printable(.text.chars()),
        if *.count == 1 { String::new() } else { format!(" (move {index} of {count})") }
    )]
    Move {
        /// The move as it was given.
        text: String,
        /// Its place among the moves, counted from 1.
        index: usize,
        /// Number of moves given.
        count: usize,
        /// The rule against it.
        reason: IllegalMove,
    },
    /// Only so many moves can be taken back.
    #[error("undo {}", fewer(*.0, "no move has been played", "taken back"))]
    Undo(usize),
    /// Only so many moves can be played again.
    #[error("redo {}", fewer(*.0, "no move has been taken back", "played again"))]
    Redo(usize),
}

/// The error that only so many moves are `possible`; `nothing` says it where there is no move.
fn fewer(possible: usize, nothing: &str, done: &str) -> String {
    if possible == 0 { nothing.to_owned() } else { format!("only {possible} can be {done}") }
}

/// A game in the notation of its variant.
impl From<Game> for WrittenGame {
    fn from(game: Game) -> Self {
        Self { spec: *game.spec(), game }
    }
}

impl WrittenGame {
    /// A game of `variant` from its start position, in the notation of the variant.
    pub fn new(variant: Variant) -> Self {
        Self { game: Game::new(variant), spec: *variant.spec() }
    }

    /// A game of `variant` that begins at `start`, or at the start position.
    ///
    /// # Errors
    /// When `start` is no position of the variant.
    pub fn at(variant: Variant, start: Option<&FenRecord>) -> Result<Self, FenError> {
        Self::begin(variant, *variant.spec(), start)
    }

    fn begin(variant: Variant, spec: RuleSet, start: Option<&FenRecord>) -> Result<Self, FenError> {
        let game = match start {
            Some(fen) => Game::from_setup(variant, &fen.to_setup(&spec)?)?,
            None => Game::new(variant),
        };
        Ok(Self { game, spec })
    }

    /// Prints squares and moves in `notation` from now on.
    pub fn set_notation(&mut self, notation: Notation) {
        self.spec.notation = notation;
    }

    /// The game without its notation.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The variant.
    pub fn variant(&self) -> Variant {
        self.game.variant()
    }

    /// The rules, with the notation in use.
    pub fn spec(&self) -> &RuleSet {
        &self.spec
    }

    /// Sets up `start`, or the start position, and plays `moves`.
    ///
    /// # Errors
    /// When the position is impossible or a move is not legal.
    pub fn set_position(&mut self, start: Option<&FenRecord>, moves: &[MoveRecord]) -> Result<(), GameError> {
        let mut next = Self::begin(self.variant(), self.spec, start)?;
        next.play(moves)?;
        *self = next;
        Ok(())
    }

    /// Plays `moves`.
    ///
    /// # Errors
    /// When one of them is not legal.
    pub fn play(&mut self, moves: &[MoveRecord]) -> Result<(), GameError> {
        let mut next = self.game.clone();
        for (index, record) in moves.iter().enumerate() {
            next.play(meant(&self.spec, &next, record, (index, moves.len()))?);
        }
        self.game = next;
        Ok(())
    }

    /// Plays the move that `record` means, and returns its path.
    ///
    /// # Errors
    /// When it is not legal.
    pub fn play_way(&mut self, record: &MoveRecord) -> Result<Sequence, IllegalMove> {
        let sequence = resolve(&self.spec, &self.game.setup(), record)?;
        self.game.play(fast_move(&sequence));
        Ok(sequence)
    }

    /// Plays a legal move that a search found. Returns whether it was one.
    pub fn play_found(&mut self, mv: Move) -> bool {
        self.game.play(mv)
    }

    /// Takes back `count` moves.
    ///
    /// # Errors
    /// When fewer have been played.
    pub fn undo(&mut self, count: usize) -> Result<(), GameError> {
        let possible = self.game.undoable();
        if count > possible {
            return Err(GameError::Undo(possible));
        }
        (0..count).for_each(|_| self.game.undo());
        Ok(())
    }

    /// Plays `count` moves again that were taken back.
    ///
    /// # Errors
    /// When there are fewer.
    pub fn redo(&mut self, count: usize) -> Result<(), GameError> {
        let possible = self.game.redoable();
        if count > possible {
            return Err(GameError::Redo(possible));
        }
        (0..count).for_each(|_| self.game.redo());
        Ok(())
    }

    /// The legal move that each of `records` means.
    ///
    /// # Errors
    /// When one is not legal.
    pub fn meant(&self, records: &[MoveRecord]) -> Result<Vec<Move>, GameError> {
        let moves = records.iter().enumerate();
        moves.map(|(index, record)| meant(&self.spec, &self.game, record, (index, records.len()))).collect()
    }

    /// The legal moves by their printed paths, ordered by their squares.
    pub fn sequences(&self) -> Vec<Sequence> {
        printed_moves(&self.spec, &self.game.setup())
    }

    /// The legal moves, ordered by their squares.
    pub fn legal_moves(&self) -> Vec<String> {
        self.sequences().iter().map(|way| written(&self.spec, way)).collect()
    }

    /// `moves`, with a value for each, in the order of [`WrittenGame::legal_moves`]. A perft ignores the limit of king moves in a
    /// row, so there can be more moves than the legal ones; these come last.
    pub fn in_printed_order<T>(&self, mut moves: Vec<(Move, T)>) -> Vec<(Move, T)> {
        let legal: Vec<Move> = self.sequences().iter().map(fast_move).collect();
        let place = |mv| legal.iter().position(|&known| known == mv).unwrap_or(legal.len());
        moves.sort_by_cached_key(|&(mv, _)| place(mv));
        moves
    }

    /// The text of a legal move.
    pub fn text(&self, mv: Move) -> String {
        self.line_text(&[mv]).concat()
    }

    /// The printed path of a legal move.
    pub fn sequence(&self, mv: Move) -> Option<Sequence> {
        self.sequences().into_iter().find(|way| fast_move(way) == mv)
    }

    /// The texts of the moves of a line that begins in the current position.
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

    /// The position as FEN.
    pub fn fen(&self) -> FenRecord {
        FenRecord::from_setup(&self.spec, &self.game.setup())
    }

    /// The position as Hub writes it.
    pub fn hub_position(&self) -> String {
        Placement::new(&self.spec, &self.game.setup()).to_string()
    }

    /// The board drawn in text.
    pub fn drawing(&self) -> String {
        self.game.setup().draw(&self.spec)
    }

    /// The side to move.
    pub fn side(&self) -> Color {
        self.game.side()
    }

    /// The state of the game: won, drawn or going on.
    pub fn status(&self) -> Status {
        self.game.status()
    }
}

/// The legal move of `game` that `record` means; `place` is its index, from 0, and the number of moves given. An error is in
/// the notation of `spec`.
fn meant(spec: &RuleSet, game: &Game, record: &MoveRecord, place: (usize, usize)) -> Result<Move, GameError> {
    let meant = with_width!(game.history(), history => {
        legal_move(spec, history.position(), record).map(|mv| mv.widened())
    });
    let (index, count) = (place.0 + 1, place.1);
    meant.map_err(|reason| GameError::Move { text: record.to_string(), index, count, reason })
}
