//! The history of a game: the moves that were played and undone, and the result.

use super::{DrawReason, GameRules, Key, Move, Position, Setup, SetupError};
use crate::rules::{Color, RuleSet, Word};
use derive_more::Display;
use std::collections::HashMap;

/// Whether a game is in progress, or how it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The side to move has a legal move and no draw rule applies.
    Playing {
        /// Number of moves left for each side before a move-count rule draws the game, or `None` if no such rule is
        /// active.
        countdown: Option<u16>,
    },
    /// One side has won the game.
    Won {
        /// The side that won.
        winner: Color,
        /// How the game was won.
        reason: WinReason,
    },
    /// The game is drawn.
    Drawn(DrawReason),
}

/// Why a game is won. In losing variants, a side that has no piece or no move left wins.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
pub enum WinReason {
    /// The side to move has no pieces left.
    #[display("no piece left")]
    NoPiece,
    /// The side to move has pieces, but no legal move.
    #[display("no legal move")]
    NoMove,
    /// The winner was the first side to get a king.
    #[display("first king")]
    FirstKing,
}

/// A game from a start position, with the moves played so far and the undone moves that can be redone.
#[derive(Clone, Debug)]
pub struct History<W: Word> {
    start: Position<W>,
    start_number: u16,
    played: Vec<(Move<W>, Position<W>)>,
    undone: Vec<Move<W>>,
}

impl<W: Word> History<W> {
    /// Starts a game from the variant's start position.
    pub fn new(rules: &'static GameRules<W>) -> Self {
        Self { start: Position::start(rules), start_number: 1, played: Vec::new(), undone: Vec::new() }
    }

    /// Starts a game from `setup`. Returns an error if `setup` does not pass [`Setup::check`].
    pub fn from_setup(rules: &'static GameRules<W>, setup: &Setup) -> Result<Self, SetupError> {
        let start = Position::from_setup(rules, setup)?;
        Ok(Self { start, start_number: setup.move_number, played: Vec::new(), undone: Vec::new() })
    }

    /// Starts a game from the current position, with all counters at 0.
    pub fn restarted(&self) -> Self {
        let position = self.position();
        let start = Position::from_pieces(position.rules(), *position.pieces(), position.side());
        Self { start, start_number: 1, played: Vec::new(), undone: Vec::new() }
    }

    /// Returns the rule set of the variant.
    pub fn spec(&self) -> &'static RuleSet {
        self.start.spec()
    }

    /// Returns the current position.
    pub fn position(&self) -> &Position<W> {
        self.played.last().map_or(&self.start, |(_, position)| position)
    }

    /// Returns the current position as a [`Setup`], with its move number.
    pub fn setup(&self) -> Setup {
        let plies = self.played.len() + usize::from(self.start.side() != self.spec().starts);
        let number = usize::from(self.start_number) + plies / 2;
        self.position().to_setup(u16::try_from(number).unwrap_or(u16::MAX))
    }

    /// Plays the legal move `mv` and discards the undone moves.
    pub fn play(&mut self, mv: Move<W>) {
        self.undone.clear();
        self.played.push((mv, self.position().play(mv)));
    }

    /// Returns the last move played, or `None` if no move has been played.
    pub fn last_move(&self) -> Option<Move<W>> {
        self.played.last().map(|&(mv, _)| mv)
    }

    /// Returns the number of moves played, which is also the number of moves that can be undone.
    pub fn ply(&self) -> usize {
        self.played.len()
    }

    /// Returns the number of undone moves that can be redone.
    pub fn redo_count(&self) -> usize {
        self.undone.len()
    }

    /// Undoes the last move, if there is one.
    pub fn undo(&mut self) {
        if let Some((mv, _)) = self.played.pop() {
            self.undone.push(mv);
        }
    }

    /// Redoes the last undone move, if there is one.
    pub fn redo(&mut self) {
        if let Some(mv) = self.undone.pop() {
            self.played.push((mv, self.position().play(mv)));
        }
    }

    /// Returns the keys of the positions that can still repeat, from the oldest position to the current one.
    pub fn repeatable_keys(&self) -> Vec<Key> {
        self.repeatable().map(Position::key).collect()
    }

    fn repeatable(&self) -> impl Iterator<Item = &Position<W>> {
        let plies = self.played.len().min(usize::from(self.position().quiet_plies()));
        let first = self.played.len() - plies;
        let oldest = if first == 0 { Some(&self.start) } else { None };
        let played = &self.played[first.saturating_sub(1)..];
        oldest.into_iter().chain(played.iter().map(|(_, position)| position))
    }

    /// Returns the positions whose next occurrence draws the game, in the order in which they occurred.
    pub fn drawn_if_repeated(&self) -> Vec<Position<W>> {
        let enough = usize::from(self.spec().draws.repetitions).saturating_sub(1);
        let mut occurrences = HashMap::new();
        let mut count = |position: &&Position<W>| {
            let count: &mut usize = occurrences.entry(position.key()).or_default();
            *count += 1;
            *count == enough
        };
        self.repeatable().filter(|position| count(position)).copied().collect()
    }

    /// Returns the state of the game. If the side to move has no legal move, the game is won, even if a draw rule also
    /// applies.
    pub fn status(&self) -> Status {
        let position = self.position();
        if !position.has_move() {
            let reason = if position.is_won_by_king() {
                WinReason::FirstKing
            } else if position.pieces().side(position.side()).is_empty() {
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
