//! A game of any variant: its history, the legal moves, the result.
//!
//! The modules below this one are compiled for each width of a set of squares; a [`Game`] hides the width. Its [`Move`]s are
//! values of one type for every board; only `notation` turns them into text and back.

use crate::position::{
    ByWidth, CaptureOrder, History, IsStopped, Key, Setup, SetupError, Status, Stopped, any_rules, divide, map_width,
    perft, with_width,
};
use crate::rules::{Color, RuleSet, Variant};

/// A legal move of some position, with the pieces taken as a mask of their squares.
pub type Move = crate::position::Move<u128>;

/// The history of a game by the width of a set of squares.
pub type AnyHistory = ByWidth<History<u64>, History<u128>>;

/// A game from a start position, with the moves played and those taken back.
#[derive(Clone, Debug)]
pub struct Game(AnyHistory);

impl Game {
    /// A game of `variant` from its start position.
    pub fn new(variant: Variant) -> Self {
        Self(map_width!(any_rules(variant), rules => History::new(rules)))
    }

    /// A game of `variant` from the position that `setup` describes.
    ///
    /// # Errors
    /// When it cannot be a position of a game.
    pub fn from_setup(variant: Variant, setup: &Setup) -> Result<Self, SetupError> {
        Ok(Self(map_width!(any_rules(variant), rules => History::from_setup(rules, setup)?)))
    }

    /// The history, for code that is compiled for each width.
    pub fn history(&self) -> &AnyHistory {
        &self.0
    }

    /// The variant.
    pub fn variant(&self) -> Variant {
        with_width!(&self.0, history => history.position().rules().variant())
    }

    /// The rule set of the variant.
    pub fn spec(&self) -> &'static RuleSet {
        with_width!(&self.0, history => history.spec())
    }

    /// The side to move.
    pub fn side(&self) -> Color {
        with_width!(&self.0, history => history.position().side())
    }

    /// The current position square by square, with its move number.
    pub fn setup(&self) -> Setup {
        with_width!(&self.0, history => history.setup())
    }

    /// A hash of the pieces and the side to move.
    pub fn key(&self) -> Key {
        with_width!(&self.0, history => history.position().key())
    }

    /// Returns whether the game goes on, and if not, how it ended.
    pub fn status(&self) -> Status {
        with_width!(&self.0, history => history.status())
    }

    /// The legal moves. Captures that take the same pieces in another order are one move.
    pub fn legal_moves(&self) -> Vec<Move> {
        with_width!(&self.0, history => history.position().legal_moves().iter().map(|mv| mv.widened()).collect())
    }

    /// Returns whether the side to move has a capture.
    pub fn can_capture(&self) -> bool {
        with_width!(&self.0, history => history.position().can_capture(history.position().side()))
    }

    /// Plays `mv`, if it is legal; moves that had been taken back are forgotten then. Returns whether it was played.
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

    /// Number of sequences of `depth` legal moves; see [`perft`](crate::position::perft()).
    ///
    /// # Errors
    /// When `is_stopped` said so before the end.
    pub fn perft(&self, depth: u8, order: CaptureOrder, is_stopped: IsStopped<'_>) -> Result<u64, Stopped> {
        with_width!(&self.0, history => perft(history.position(), depth, order, is_stopped))
    }

    /// The legal moves, each with the number of sequences of `depth` moves that begin with it; see
    /// [`divide`](crate::position::divide()).
    ///
    /// # Errors
    /// When `is_stopped` said so before the end.
    pub fn divide(
        &self,
        depth: u8,
        order: CaptureOrder,
        is_stopped: IsStopped<'_>,
    ) -> Result<Vec<(Move, u64)>, Stopped> {
        with_width!(&self.0, history => {
            let counts = divide(history.position(), depth, order, is_stopped)?;
            Ok(counts.into_iter().map(|(mv, count)| (mv.widened(), count)).collect())
        })
    }

    /// The move that was played last, if one was.
    pub fn last_move(&self) -> Option<Move> {
        with_width!(&self.0, history => history.last_move().map(|mv| mv.widened()))
    }

    /// Moves that can be taken back.
    pub fn undoable(&self) -> usize {
        with_width!(&self.0, history => history.undoable())
    }

    /// Moves that can be played again.
    pub fn redoable(&self) -> usize {
        with_width!(&self.0, history => history.redoable())
    }

    /// Takes back the last move, if there is one.
    pub fn undo(&mut self) {
        with_width!(&mut self.0, history => history.undo());
    }

    /// Plays the move that was taken back last, if there is one.
    pub fn redo(&mut self) {
        with_width!(&mut self.0, history => history.redo());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_of_any_variant_is_played_taken_back_and_played_again() {
        let mut random = fastrand::Rng::with_seed(1);
        for &variant in Variant::ALL {
            let mut game = Game::new(variant);
            let mut keys = vec![game.key()];
            while game.undoable() < 30
                && let Some(&mv) = random.choice(&game.legal_moves())
            {
                assert!(game.play(mv));
                assert_eq!(game.last_move(), Some(mv));
                keys.push(game.key());
            }
            let plies = game.undoable();
            assert!(plies > 5, "{variant}");
            for key in keys.iter().rev() {
                assert_eq!(game.key(), *key, "{variant}");
                game.undo();
            }
            (0..plies).for_each(|_| game.redo());
            assert_eq!((Some(&game.key()), game.redoable()), (keys.last(), 0));
            assert_eq!((game.variant(), game.spec()), (variant, variant.spec()));
        }
    }

    #[test]
    fn a_move_that_is_not_legal_is_not_played() {
        let mut game = Game::new(Variant::English);
        let first = game.legal_moves()[0];
        assert!(game.play(first));
        let after = game.key();
        assert!(!game.play(first));
        assert_eq!((game.key(), game.undoable()), (after, 1));
    }

    #[test]
    fn moves_are_the_same_values_on_narrow_and_wide_boards() {
        for variant in [Variant::International, Variant::Canadian] {
            let game = Game::new(variant);
            let counts = game.divide(4, CaptureOrder::Merged, &|| false).unwrap();
            assert_eq!(counts.iter().map(|&(mv, _)| mv).collect::<Vec<_>>(), game.legal_moves());
            let sum: u64 = counts.iter().map(|&(_, count)| count).sum();
            assert_eq!(game.perft(4, CaptureOrder::Merged, &|| false), Ok(sum));
        }
    }
}
