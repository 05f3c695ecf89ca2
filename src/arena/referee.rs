//! The rules of a game in progress, without the types of its variant.

use crate::notation::{FenError, FenRecord, IllegalMove, MoveRecord, legal_move, move_text};
use crate::position::{Game, Status};
use crate::rules::{Color, Rules, Variant, Visitor};

/// A game of some variant by the rules of this library.
pub trait Referee {
    /// The side to move.
    fn side(&self) -> Color;

    /// Whether the game is over.
    fn status(&self) -> Status;

    /// Plays the move that `record` means, and returns it in its full path.
    ///
    /// # Errors
    /// When it is not legal.
    fn play(&mut self, record: &MoveRecord) -> Result<String, IllegalMove>;

    /// The position as FEN.
    fn fen(&self) -> FenRecord;
}

/// A game of `variant` that begins at `start`, or at the start position.
///
/// # Errors
/// When `start` is no position of the variant.
pub fn referee(variant: Variant, start: Option<&FenRecord>) -> Result<Box<dyn Referee>, FenError> {
    struct Begin<'a>(Option<&'a FenRecord>);
    impl Visitor for Begin<'_> {
        type Output = Result<Box<dyn Referee>, FenError>;
        fn visit<R: Rules>(self) -> Self::Output {
            let game = match self.0 {
                None => Game::<R>::new(),
                Some(fen) => Game::from_setup(&fen.to_setup(&R::SPEC)?)?,
            };
            Ok(Box::new(game))
        }
    }
    variant.with(Begin(start))
}

impl<R: Rules> Referee for Game<R> {
    fn side(&self) -> Color {
        self.position().side()
    }

    fn status(&self) -> Status {
        Self::status(self)
    }

    fn play(&mut self, record: &MoveRecord) -> Result<String, IllegalMove> {
        let mv = legal_move(&R::SPEC, self.position(), record)?;
        let text = move_text(&R::SPEC, self.position(), mv);
        Self::play(self, mv);
        Ok(text)
    }

    fn fen(&self) -> FenRecord {
        FenRecord::from_setup(&R::SPEC, &self.setup())
    }
}
