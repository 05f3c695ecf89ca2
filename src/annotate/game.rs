//! From a game record to a game that can be played.

use super::AnnotateError;
use crate::engine::{EngineError, Handle, SquareStyle};
use crate::notation::pdn::GameRecord;
use crate::notation::{FenRecord, MoveRecord};
use crate::rules::Variant;

/// What a record says about a game: which it is, where it begins, and its moves, of which nobody knows yet whether they
/// are legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayableGame {
    pub(super) variant: Variant,
    pub(super) start: Option<FenRecord>,
    pub(super) moves: Vec<MoveRecord>,
    /// How squares are written in it.
    pub(super) style: SquareStyle,
}

impl PlayableGame {
    /// The game of `record`, which is of the variant `otherwise` if no tag says another one.
    ///
    /// # Errors
    /// When tags or moves cannot be read, or nothing says which variant it is.
    pub fn new(record: &GameRecord, otherwise: Option<Variant>) -> Result<Self, AnnotateError> {
        let variant = record.variant().map_err(AnnotateError::GameType)?;
        let variant = variant.or(otherwise).ok_or(AnnotateError::NoVariant)?;
        let start = record.start().map_err(AnnotateError::Fen)?;
        let read = record.moves.iter().enumerate().map(|(index, mv)| {
            let error = |error| AnnotateError::NoMove { index, error };
            mv.record().map_err(error)
        });
        let first = record.moves.first().and_then(|mv| mv.text.chars().next());
        let style = match first {
            Some(c) if c.is_ascii_digit() => SquareStyle::Numeric,
            Some(c) if c.is_ascii_alphabetic() => SquareStyle::Algebraic,
            _ => SquareStyle::OfVariant,
        };
        Ok(Self { variant, start, moves: read.collect::<Result<_, _>>()?, style })
    }

    /// Its variant.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// Plays the game to its end on `engine`. Old files write the sign of captures in moves that take nothing: they are
    /// played if they are legal with a hyphen.
    ///
    /// # Errors
    /// When the position is impossible or a move is not legal.
    pub(super) fn play(&mut self, engine: &mut dyn Handle) -> Result<(), EngineError> {
        let mut refused: Option<(usize, EngineError)> = None;
        loop {
            let error = match engine.set_position(self.start.as_ref(), &self.moves) {
                Ok(()) => return Ok(()),
                Err(error) => error,
            };
            let EngineError::Move { index, .. } = error else { return Err(error) };
            let first = refused.filter(|&(refused, _)| refused == index);
            let record = index.checked_sub(1).and_then(|index| self.moves.get_mut(index));
            match (first, record) {
                // The hyphen did not help: what is wrong is wrong with the move as it is written.
                (Some((_, first)), _) => return Err(first),
                (None, Some(record)) if record.capture => record.capture = false,
                (None, _) => return Err(error),
            }
            refused = Some((index, error));
        }
    }
}
