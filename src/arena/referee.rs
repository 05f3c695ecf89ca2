//! The rules of a game in progress, with its moves as each protocol writes them.

use super::MoveTexts;
use crate::game::Game;
use crate::notation::{
    FenError, FenRecord, IllegalMove, MoveRecord, fast_move, full_path, hub_form, hub_position, printed_moves, resolve,
};
use crate::position::Status;
use crate::position::reference::Sequence;
use crate::rules::{Color, Variant};

/// A game of some variant by the rules of this library.
#[derive(Debug)]
pub struct Referee(Game);

impl Referee {
    /// A game of `variant` that begins at `start`, or at the start position.
    ///
    /// # Errors
    /// When `start` is no position of the variant.
    pub fn new(variant: Variant, start: Option<&FenRecord>) -> Result<Self, FenError> {
        Ok(Self(match start {
            None => Game::new(variant),
            Some(fen) => Game::from_setup(variant, &fen.to_setup(variant.spec())?)?,
        }))
    }

    /// The side to move.
    pub fn side(&self) -> Color {
        self.0.side()
    }

    /// Whether the game is over.
    pub fn status(&self) -> Status {
        self.0.status()
    }

    /// Plays the move that `record` means, and returns it as each protocol writes it.
    ///
    /// # Errors
    /// When it is not legal.
    pub fn play(&mut self, record: &MoveRecord) -> Result<MoveTexts, IllegalMove> {
        let sequence = resolve(self.0.spec(), &self.0.setup(), record)?;
        self.0.play(fast_move(&sequence));
        Ok(self.texts(&sequence))
    }

    /// The legal moves, as each protocol writes them.
    pub fn legal_moves(&self) -> Vec<MoveTexts> {
        printed_moves(self.0.spec(), &self.0.setup()).iter().map(|sequence| self.texts(sequence)).collect()
    }

    /// The position as Hub writes it.
    pub fn hub_position(&self) -> String {
        hub_position(self.0.spec(), &self.0.setup())
    }

    /// The position as FEN.
    pub fn fen(&self) -> FenRecord {
        FenRecord::from_setup(self.0.spec(), &self.0.setup())
    }

    fn texts(&self, sequence: &Sequence) -> MoveTexts {
        MoveTexts { path: full_path(self.0.spec(), sequence), hub: hub_form(self.0.spec(), sequence) }
    }
}
