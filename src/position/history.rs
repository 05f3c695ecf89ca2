//! The history of a game: the moves played, those taken back, and how it ended.

use super::{DrawReason, GameRules, Key, Move, Position, Setup, SetupError};
use crate::rules::{Color, RuleSet, Word};
use derive_more::Display;

/// The state of a game: it goes on, or how it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The side to move has a move. `countdown` is the number of moves that each side can still make before a
    /// move-count rule draws the game.
    Playing {
        /// Moves of each side; `None` if no such rule counts.
        countdown: Option<u16>,
    },
    /// A side has won.
    Won {
        /// The winner.
        winner: Color,
        /// How.
        reason: WinReason,
    },
    /// Nobody has won.
    Drawn(DrawReason),
}

/// How a game was won.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
pub enum WinReason {
    /// The side to move has no piece left.
    #[display("no piece left")]
    NoPiece,
    /// The side to move has pieces, but no move.
    #[display("no legal move")]
    NoMove,
    /// The winner has the first king.
    #[display("first king")]
    FirstKing,
}

/// The history of a game from a start position: the moves played and those taken back.
#[derive(Clone, Debug)]
pub struct History<W: Word> {
    start: Position<W>,
    start_number: u16,
    played: Vec<(Move<W>, Position<W>)>,
    undone: Vec<Move<W>>,
}

impl<W: Word> History<W> {
    /// A game from the start position.
    pub fn new(rules: &'static GameRules<W>) -> Self {
        Self { start: Position::start(rules), start_number: 1, played: Vec::new(), undone: Vec::new() }
    }

    /// A game from the position that `setup` describes.
    ///
    /// # Errors
    /// When it cannot be a position of a game.
    pub fn from_setup(rules: &'static GameRules<W>, setup: &Setup) -> Result<Self, SetupError> {
        let start = Position::from_setup(rules, setup)?;
        Ok(Self { start, start_number: setup.move_number, played: Vec::new(), undone: Vec::new() })
    }

    /// The rule set of the variant.
    pub fn spec(&self) -> &'static RuleSet {
        self.start.spec()
    }

    /// The current position.
    pub fn position(&self) -> &Position<W> {
        self.played.last().map_or(&self.start, |(_, position)| position)
    }

    /// The current position square by square, with its move number.
    pub fn setup(&self) -> Setup {
        let plies = self.played.len() + usize::from(self.start.side() != self.spec().starts);
        let number = usize::from(self.start_number) + plies / 2;
        self.position().to_setup(u16::try_from(number).unwrap_or(u16::MAX))
    }

    /// Plays the legal move `mv`; moves that had been taken back are forgotten.
    pub fn play(&mut self, mv: Move<W>) {
        self.undone.clear();
        self.played.push((mv, self.position().play(mv)));
    }

    /// The move that was played last, if one was.
    pub fn last_move(&self) -> Option<Move<W>> {
        self.played.last().map(|&(mv, _)| mv)
    }

    /// Moves that can be taken back.
    pub fn undoable(&self) -> usize {
        self.played.len()
    }

    /// Moves that can be played again.
    pub fn redoable(&self) -> usize {
        self.undone.len()
    }

    /// Takes back the last move, if there is one.
    pub fn undo(&mut self) {
        if let Some((mv, _)) = self.played.pop() {
            self.undone.push(mv);
        }
    }

    /// Plays the move that was taken back last, if there is one.
    pub fn redo(&mut self) {
        if let Some(mv) = self.undone.pop() {
            self.played.push((mv, self.position().play(mv)));
        }
    }

    /// The keys of the positions that can still occur again, oldest first, the current one last.
    pub fn repeatable_keys(&self) -> Vec<Key> {
        let plies = self.played.len().min(usize::from(self.position().quiet_plies()));
        let first = self.played.len() - plies;
        let oldest = if first == 0 { Some(self.start.key()) } else { None };
        let played = &self.played[first.saturating_sub(1)..];
        oldest.into_iter().chain(played.iter().map(|(_, position)| position.key())).collect()
    }

    /// Returns whether the game goes on. A side without a move ends it, even if a draw rule ran out with the last move.
    pub fn status(&self) -> Status {
        let position = self.position();
        if !position.has_move() {
            let reason = if position.is_over_by_king() {
                WinReason::FirstKing
            } else if position.pieces().of(position.side()).is_empty() {
                WinReason::NoPiece
            } else {
                WinReason::NoMove
            };
            return Status::Won { winner: position.winner_without_move(), reason };
        }
        let keys = self.repeatable_keys();
        let occurrences = keys.iter().filter(|&&key| key == position.key()).count();
        if occurrences >= usize::from(self.spec().draws.repetitions) {
            return Status::Drawn(DrawReason::Repetition(self.spec().draws.repetitions));
        }
        if let Some(reason) = position.draw_by_count() {
            return Status::Drawn(reason);
        }
        Status::Playing { countdown: position.plies_to_draw().map(|plies| plies.div_ceil(2)) }
    }
}
