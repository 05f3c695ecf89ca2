//! A game of any variant, with its history, its legal moves and its result.
//!
//! The layers below this module are compiled for each bitboard width, and a [`Game`] hides the width. A [`Move`] has
//! the same type for every board, and only the `notation` layer converts moves to and from text.

use crate::position::{
    ByWidth, CaptureOrder, History, IsStopped, Key, PartialPerft, Setup, SetupError, Status, any_rules, divide,
    map_width, perft, with_width,
};
use crate::rules::{Color, RuleSet, Variant};

/// A move. The captured pieces are stored as a bitboard.
pub type Move = crate::position::Move<u128>;

/// The history of a game, with narrow or wide bitboards.
pub type AnyHistory = ByWidth<History<u64>, History<u128>>;

/// A game: its start position, the moves played so far, and the undone moves that can be redone.
#[derive(Clone, Debug)]
pub struct Game(AnyHistory);

impl Game {
    /// Creates a game of `variant` from its start position.
    pub fn new(variant: Variant) -> Self {
        Self(map_width!(any_rules(variant), rules => History::new(rules)))
    }

    /// Creates a game of `variant` from the position in `setup`.
    pub fn from_setup(variant: Variant, setup: &Setup) -> Result<Self, SetupError> {
        Ok(Self(map_width!(any_rules(variant), rules => History::from_setup(rules, setup)?)))
    }

    /// Creates a game that starts from the current position, with all counters at 0.
    #[must_use]
    pub fn restarted(&self) -> Self {
        Self(map_width!(&self.0, history => history.restarted()))
    }

    /// Returns the history, for code that is generic over the bitboard width.
    pub fn history(&self) -> &AnyHistory {
        &self.0
    }

    /// Returns the variant being played.
    pub fn variant(&self) -> Variant {
        with_width!(&self.0, history => history.position().rules().variant())
    }

    /// Returns the rule set of the variant.
    pub fn spec(&self) -> &'static RuleSet {
        with_width!(&self.0, history => history.spec())
    }

    /// Returns the side to move.
    pub fn side(&self) -> Color {
        with_width!(&self.0, history => history.position().side())
    }

    /// Returns the current position as a list of pieces, with the move number and the counters.
    pub fn setup(&self) -> Setup {
        with_width!(&self.0, history => history.setup())
    }

    /// Returns a hash of the pieces, the side to move and, in Frisian draughts, the recent moves of each side's king.
    pub fn key(&self) -> Key {
        with_width!(&self.0, history => history.position().key())
    }

    /// Returns whether the game is still being played or, if it has ended, its result.
    pub fn status(&self) -> Status {
        with_width!(&self.0, history => history.status())
    }

    /// Returns how many plies without progress are left before a move-count rule draws the game, or `None` if no such
    /// rule is active.
    pub fn plies_to_draw(&self) -> Option<u16> {
        with_width!(&self.0, history => history.position().plies_to_draw())
    }

    /// Returns the legal moves. Captures of the same pieces in a different order count as one move.
    pub fn legal_moves(&self) -> Vec<Move> {
        with_width!(&self.0, history => history.position().legal_moves().iter().map(|mv| mv.widened()).collect())
    }

    /// Returns whether the side to move has a capture.
    pub fn can_capture(&self) -> bool {
        with_width!(&self.0, history => history.position().can_capture(history.position().side()))
    }

    /// If `mv` is legal, plays it and discards all undone moves. Returns whether `mv` was played.
    pub fn play(&mut self, mv: Move) -> bool {
        with_width!(&mut self.0, history => {
            let mv = mv.narrowed();
            let is_legal = history.position().legal_moves().contains(&mv);
            if is_legal {
                history.play(mv);
            }
            is_legal
        })
    }

    /// Plays `mv`, which must be one of [`Game::legal_moves`], and discards the undone moves.
    pub(crate) fn play_legal(&mut self, mv: Move) {
        with_width!(&mut self.0, history => history.play(mv.narrowed()));
    }

    /// Counts the sequences of `depth` legal moves (see [`perft`](crate::position::perft())).
    pub fn perft(&self, depth: u8, order: CaptureOrder, is_stopped: IsStopped<'_>) -> Result<u64, PartialPerft> {
        with_width!(&self.0, history => perft(history.position(), depth, order, is_stopped))
    }

    /// Counts the sequences of `depth` legal moves separately for each first move (see
    /// [`divide`](crate::position::divide())).
    pub fn divide(
        &self,
        depth: u8,
        order: CaptureOrder,
        is_stopped: IsStopped<'_>,
    ) -> Result<Vec<(Move, u64)>, PartialPerft> {
        with_width!(&self.0, history => {
            let counts = divide(history.position(), depth, order, is_stopped)?;
            Ok(counts.into_iter().map(|(mv, count)| (mv.widened(), count)).collect())
        })
    }

    /// Returns the last move that was played, or `None` if there is none.
    pub fn last_move(&self) -> Option<Move> {
        with_width!(&self.0, history => history.last_move().map(|mv| mv.widened()))
    }

    /// Returns the ply of the game, which is the number of moves that can be undone.
    pub fn ply(&self) -> usize {
        with_width!(&self.0, history => history.ply())
    }

    /// Returns the number of undone moves that can be redone.
    pub fn redo_count(&self) -> usize {
        with_width!(&self.0, history => history.redo_count())
    }

    /// Undoes the last move, if any.
    pub fn undo(&mut self) {
        with_width!(&mut self.0, history => history.undo());
    }

    /// Redoes the last undone move, if any.
    pub fn redo(&mut self) {
        with_width!(&mut self.0, history => history.redo());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_of_any_variant_is_played_undone_and_redone() {
        let mut random = fastrand::Rng::with_seed(1);
        for &variant in Variant::ALL {
            let mut game = Game::new(variant);
            let mut keys = vec![game.key()];
            while game.ply() < 30
                && let Some(&mv) = random.choice(&game.legal_moves())
            {
                assert!(game.play(mv));
                assert_eq!(game.last_move(), Some(mv));
                keys.push(game.key());
            }
            let plies = game.ply();
            assert!(plies > 5, "{variant}");
            for key in keys.iter().rev() {
                assert_eq!(game.key(), *key, "{variant}");
                game.undo();
            }
            (0..plies).for_each(|_| game.redo());
            assert_eq!((Some(&game.key()), game.redo_count()), (keys.last(), 0));
            assert_eq!((game.variant(), game.spec()), (variant, variant.spec()));
        }
    }

    #[test]
    fn an_illegal_move_is_not_played() {
        let mut game = Game::new(Variant::English);
        let first = game.legal_moves()[0];
        assert!(game.play(first));
        let after = game.key();
        assert!(!game.play(first));
        assert_eq!((game.key(), game.ply()), (after, 1));
    }

    #[test]
    fn moves_have_the_same_values_on_narrow_and_wide_boards() {
        for variant in [Variant::International, Variant::Canadian] {
            let game = Game::new(variant);
            let counts = game.divide(4, CaptureOrder::Merged, &|| false).unwrap();
            assert_eq!(counts.iter().map(|&(mv, _)| mv).collect::<Vec<_>>(), game.legal_moves());
            let sum: u64 = counts.iter().map(|&(_, count)| count).sum();
            assert_eq!(game.perft(4, CaptureOrder::Merged, &|| false), Ok(sum));
        }
    }
}
