//! The rules of a game in progress, without the types of its variant.

use super::MoveTexts;
use crate::notation::{
    FenError, FenRecord, IllegalMove, MoveRecord, fast_move, full_path, hub_form, hub_position, printed_moves, resolve,
};
use crate::position::reference::Sequence;
use crate::position::{Game, Status};
use crate::rules::{Color, Rules, Variant, Visitor};

/// A game of some variant by the rules of this library.
pub trait Referee {
    /// The side to move.
    fn side(&self) -> Color;

    /// Whether the game is over.
    fn status(&self) -> Status;

    /// Plays the move that `record` means, and returns it as each protocol writes it.
    ///
    /// # Errors
    /// When it is not legal.
    fn play(&mut self, record: &MoveRecord) -> Result<MoveTexts, IllegalMove>;

    /// The legal moves, as each protocol writes them.
    fn legal_moves(&self) -> Vec<MoveTexts>;

    /// The position as Hub writes it.
    fn hub_position(&self) -> String;

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

fn texts<R: Rules>(sequence: &Sequence) -> MoveTexts {
    MoveTexts { path: full_path(&R::SPEC, sequence), hub: hub_form(&R::SPEC, sequence) }
}

impl<R: Rules> Referee for Game<R> {
    fn side(&self) -> Color {
        self.position().side()
    }

    fn status(&self) -> Status {
        Self::status(self)
    }

    fn play(&mut self, record: &MoveRecord) -> Result<MoveTexts, IllegalMove> {
        let sequence = resolve(&R::SPEC, &self.setup(), record)?;
        Self::play(self, fast_move(&sequence));
        Ok(texts::<R>(&sequence))
    }

    fn legal_moves(&self) -> Vec<MoveTexts> {
        printed_moves(&R::SPEC, &self.setup()).iter().map(texts::<R>).collect()
    }

    fn hub_position(&self) -> String {
        hub_position(&R::SPEC, &self.setup())
    }

    fn fen(&self) -> FenRecord {
        FenRecord::from_setup(&R::SPEC, &self.setup())
    }
}
