//! Replays a game record.

use soffio::engine::SquareStyle;
use soffio::notation::pdn::{GameRecord, Guesses, PdnMove};
use soffio::notation::{
    FenError, GameError, GameTypeError, IllegalMove, MoveSyntaxError, ReplayError, WrittenGame, fast_move, full_path,
    printable, replay,
};
use soffio::position::paths::Sequence;
use soffio::rules::{RuleSet, Variant};

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnnotateError {
    #[error("no GameType tag, and the moves do not determine the variant")]
    NoVariant,
    #[error(transparent)]
    GameType(#[from] GameTypeError),
    #[error("fen {0}")]
    Fen(#[from] FenError),
    #[error("not a move: {error}")]
    NoMove {
        /// Index of the move, from 0.
        index: usize,
        error: MoveSyntaxError,
    },
    #[error("move {} {reason}", printable(.text.chars()))]
    IllegalMove { index: usize, text: String, reason: IllegalMove },
    #[error(transparent)]
    Game(#[from] GameError),
    #[error("the engine failed: {0}")]
    Engine(String),
    #[error("stopped")]
    Stopped,
}

impl AnnotateError {
    pub fn move_index(&self) -> Option<usize> {
        match self {
            Self::NoMove { index, .. } | Self::IllegalMove { index, .. } => Some(*index),
            _ => None,
        }
    }
}

/// A game record replayed up to its end or to the first illegal move.
#[derive(Clone, Debug)]
pub struct PlayableGame {
    played: WrittenGame,
    moves: Vec<Sequence>,
    /// Moves that are ambiguous by themselves, by index from 0, in the reading that later moves confirm.
    pub settled: Vec<(usize, String)>,
    fault: Option<AnnotateError>,
}

impl PlayableGame {
    /// Replays `record`, with the variant `otherwise` if no tag gives one. An illegal move after the first is not an
    /// error, but recorded as a [`fault`](Self::fault).
    pub fn new(record: &GameRecord, otherwise: Option<Variant>) -> Result<Self, AnnotateError> {
        let (named, start) = (record.variant()?, record.start()?);
        let variant = named.or(otherwise).ok_or_else(|| match start.as_ref().and_then(Guesses::refusal) {
            Some(error) => AnnotateError::Fen(error),
            None => AnnotateError::NoVariant,
        })?;
        let first = record.moves.first().and_then(|mv| mv.text.chars().next());
        let style = match first {
            Some(c) if c.is_ascii_digit() => SquareStyle::Numeric,
            Some(c) if c.is_ascii_alphabetic() => SquareStyle::Algebraic,
            _ => SquareStyle::OfVariant,
        };
        let notation = style.of(variant.spec().notation);
        let spec = RuleSet { notation, ..*variant.spec() };

        let (mut moves, mut fault) = (Vec::new(), None);
        for (index, mv) in record.moves.iter().enumerate() {
            match mv.record() {
                Ok(read) => moves.push(read),
                Err(error) => {
                    fault = Some(AnnotateError::NoMove { index, error });
                    break;
                }
            }
        }
        // A legal game is replayed once; a game with an illegal move a second time, up to that move.
        let replayed = loop {
            match replay(&spec, start.as_ref(), &moves) {
                Ok(replayed) => break replayed,
                Err(ReplayError::Fen(error)) => return Err(error.into()),
                Err(ReplayError::Move { index, reason, .. }) => {
                    let text = record.moves.get(index).map(|mv| mv.text.clone()).unwrap_or_default();
                    fault = Some(AnnotateError::IllegalMove { index, text, reason });
                    moves.truncate(index);
                }
            }
        };
        if let (Some(fault), true) = (&fault, replayed.moves.is_empty()) {
            return Err(fault.clone());
        }
        let mut played = WrittenGame::at(variant, start.as_ref())?;
        played.set_notation(notation);
        for sequence in &replayed.moves {
            played.play_found(fast_move(sequence));
        }
        let path = |&index: &usize| Some((index, full_path(&spec, replayed.moves.get(index)?)));
        let settled = replayed.settled.iter().filter_map(path).collect();
        Ok(Self { played, moves: replayed.moves, settled, fault })
    }

    pub fn variant(&self) -> Variant {
        self.played.variant()
    }

    /// Returns the game after its last legal move, in the notation of the record. All moves can be undone.
    pub fn played(&self) -> &WrittenGame {
        &self.played
    }

    pub fn moves(&self) -> &[Sequence] {
        &self.moves
    }

    pub fn fault(&self) -> Option<&AnnotateError> {
        self.fault.as_ref()
    }

    /// Adds missing information to `record`: the variant tag, or a comment if the variant is a guess, the full paths of
    /// ambiguous moves, and the reason for an illegal move.
    pub fn complete(&self, record: &mut GameRecord, is_guess: bool) {
        if is_guess {
            let guess = format!("guessed variant: {} (no GameType tag)", self.variant());
            if !record.comment.as_ref().is_some_and(|comment| comment.contains(&guess)) {
                record.say(&guess);
            }
        } else if record.variant() == Ok(None) {
            record.set_variant(self.variant());
        }
        for (index, text) in &self.settled {
            if let Some(mv) = record.moves.get_mut(*index) {
                mv.text = PdnMove::played(text).text;
            }
        }
        if let (Some(fault), Some(mv)) = (&self.fault, record.moves.get_mut(self.moves.len())) {
            mv.say(&format!("{fault}; annotated up to here"));
        }
    }
}
