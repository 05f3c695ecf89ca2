//! From a game record to a game that can be played.

use super::AnnotateError;
use crate::engine::SquareStyle;
use crate::notation::pdn::{GameRecord, PdnMove};
use crate::notation::{FenRecord, MoveRecord, ReplayError, WrittenGame, full_path, replay};
use crate::position::reference::Sequence;
use crate::rules::{RuleSet, Variant};

/// A game of a record: its variant, start position and moves, all of them legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayableGame {
    variant: Variant,
    start: Option<FenRecord>,
    /// The moves by their full paths.
    moves: Vec<MoveRecord>,
    /// How squares are written in it.
    style: SquareStyle,
    settled: Vec<(usize, String)>,
}

impl PlayableGame {
    /// The game of `record`, which is of the variant `otherwise` if no tag says another one.
    ///
    /// # Errors
    /// When tags or moves cannot be read, nothing says which variant it is, the position is impossible, or a move is not
    /// legal or ambiguous.
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
        let spec = RuleSet { notation: style.of(variant.spec().notation), ..*variant.spec() };
        let moves = read.collect::<Result<Vec<_>, _>>()?;
        let text = |index: usize| record.moves.get(index).map(|mv| mv.text.clone()).unwrap_or_default();
        let replayed = replay(&spec, start.as_ref(), &moves).map_err(|error| match error {
            ReplayError::Fen(error) => AnnotateError::Fen(error),
            ReplayError::Move { index, reason, .. } => AnnotateError::IllegalMove { index, text: text(index), reason },
        })?;
        let path = |mv: &Sequence| full_path(&spec, mv);
        let settled = replayed.settled.iter().filter_map(|&index| Some((index, path(replayed.moves.get(index)?))));
        let settled = settled.collect();
        let moves = replayed.moves.iter().filter_map(|mv| path(mv).parse().ok()).collect();
        Ok(Self { variant, start, moves, style, settled })
    }

    /// Its variant.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// Its first position, in the notation of the record.
    ///
    /// # Errors
    /// None: the position has been set up before.
    pub fn at_start(&self) -> Result<WrittenGame, AnnotateError> {
        let mut game = WrittenGame::at(self.variant, self.start.as_ref()).map_err(AnnotateError::Fen)?;
        game.set_notation(self.style.of(self.variant.spec().notation));
        Ok(game)
    }

    /// The moves by their full paths, which are legal one after the other from [`PlayableGame::at_start`] on.
    pub fn moves(&self) -> &[MoveRecord] {
        &self.moves
    }

    /// The moves that are ambiguous by themselves, by their index from 0, with the reading that later moves confirm.
    pub fn settled(&self) -> &[(usize, String)] {
        &self.settled
    }

    /// Adds to its `record` what that lacks: the tag of the variant, and the full paths of ambiguous moves.
    pub fn complete(&self, record: &mut GameRecord) {
        if record.variant() == Ok(None) {
            record.set_variant(self.variant);
        }
        for (index, text) in &self.settled {
            if let Some(mv) = record.moves.get_mut(*index) {
                mv.text = PdnMove::played(text).text;
            }
        }
    }
}
