//! What an option can be set to.

use super::SquareStyle;
use crate::engine::{EvaluationKind, Level};
use crate::rules::Variant;
use crate::search::PlainPlayer;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// An option with a new value, which is within its bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Play another game.
    Variant(Variant),
    /// Play with or without the duty to capture.
    ForcedCapture(bool),
    /// Use a table of so many MiB.
    Hash(usize),
    /// Forget what is in the table.
    ClearHash,
    /// Search with so many threads.
    Threads(NonZeroUsize),
    /// Report so many of the best moves.
    Lines(NonZeroUsize),
    /// Expect to be asked to think while the opponent does, or not.
    Ponder(bool),
    /// Analyse positions, or play a game.
    Analysis(bool),
    /// Play at this level.
    Level(Level),
    /// Play at the strength of the rating, or not.
    LimitStrength(bool),
    /// The rating to play at.
    Rating(u16),
    /// Let this plain player move, or the full search.
    Player(Option<PlainPlayer>),
    /// Evaluate positions in this way.
    Evaluation(EvaluationKind),
    /// Use the weights in this file for the learned evaluation; without one those that the engine has.
    EvalFile(Option<PathBuf>),
    /// Let a plain evaluation give way to that of kings from this ply of the game on; 0 for never.
    KingsAfter(u16),
    /// Make the choices of a weak player repeatable, unless it is 0.
    Seed(u64),
    /// Print squares so.
    Squares(SquareStyle),
    /// Keep back so much time.
    Overhead(Duration),
}
