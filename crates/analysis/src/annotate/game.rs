//! From a game record to a game that has been played.

use soffio::engine::SquareStyle;
use soffio::notation::pdn::{GameRecord, Guesses, PdnMove};
use soffio::notation::{
    FenError, GameError, GameTypeError, IllegalMove, MoveSyntaxError, ReplayError, WrittenGame, fast_move, full_path,
    printable, replay,
};
use soffio::position::reference::Sequence;
use soffio::rules::{RuleSet, Variant};

/// The reason why a game cannot be judged, or not to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnnotateError {
    /// Neither a tag nor a guess says which variant is played.
    #[error("no tag GameType says which variant is played, and the moves do not show it")]
    NoVariant,
    /// The variant is not known.
    #[error(transparent)]
    GameType(#[from] GameTypeError),
    /// The start position is not possible.
    #[error("fen {0}")]
    Fen(#[from] FenError),
    /// The text of a move is not one.
    #[error("no move: {error}")]
    NoMove {
        /// Its place among the moves, from 0.
        index: usize,
        /// The fault of the text.
        error: MoveSyntaxError,
    },
    /// A move is not legal.
    #[error("move {} {reason}", printable(.text.chars()))]
    IllegalMove {
        /// Its place among the moves, from 0.
        index: usize,
        /// The move as it is written.
        text: String,
        /// The rule against it.
        reason: IllegalMove,
    },
    /// The game cannot be changed as the analysis wants it.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The engine failed.
    #[error("the engine failed: {0}")]
    Engine(String),
    /// The signal to stop was given.
    #[error("stopped")]
    Stopped,
}

impl AnnotateError {
    /// The place among the moves, from 0, of the one that is wrong.
    pub fn move_index(&self) -> Option<usize> {
        match self {
            Self::NoMove { index, .. } | Self::IllegalMove { index, .. } => Some(*index),
            _ => None,
        }
    }
}

/// A game of a record: its variant, and its moves up to the end or to the first one that cannot be played.
#[derive(Clone, Debug)]
pub struct PlayableGame {
    /// The game after its last move, in the notation of the record.
    played: WrittenGame,
    moves: Vec<Sequence>,
    /// The moves that are ambiguous by themselves, by their index from 0, with the reading that later moves confirm.
    pub settled: Vec<(usize, String)>,
    fault: Option<AnnotateError>,
}

impl PlayableGame {
    /// The game of `record`, which is of the variant `otherwise` if no tag says another one.
    ///
    /// # Errors
    /// When tags cannot be read, nothing says which variant it is, the position is impossible, or not even the first move
    /// can be played.
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
        // A whole game is replayed once; of one with an illegal move the part before it once more.
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

    /// Its variant.
    pub fn variant(&self) -> Variant {
        self.played.variant()
    }

    /// The game after its last move that can be played, in the notation of the record; all its moves can be taken back.
    pub fn played(&self) -> &WrittenGame {
        &self.played
    }

    /// The moves by their paths.
    pub fn moves(&self) -> &[Sequence] {
        &self.moves
    }

    /// The reason why the game cannot be played any further, if moves of the record are left over.
    pub fn fault(&self) -> Option<&AnnotateError> {
        self.fault.as_ref()
    }

    /// Adds to its `record` what that lacks: the tag of the variant, or a comment where the variant is a guess, the full paths of
    /// ambiguous moves, and the reason why the next move cannot be played.
    pub fn complete(&self, record: &mut GameRecord, is_guess: bool) {
        if is_guess {
            let guess = format!("{} as guessed: no tag GameType", self.variant());
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
            mv.say(&format!("{fault}; judged up to here"));
        }
    }
}
