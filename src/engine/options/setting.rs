//! The values of options.

use super::SquareStyle;
use crate::engine::{EvaluationKind, Level};
use crate::plain::PlainPlayer;
use crate::rules::Variant;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// An option with a new value, which is within its bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Play another game.
    Variant(Variant),
    /// Make captures compulsory, or not.
    ForcedCapture(bool),
    /// Use a transposition table of so many MiB.
    Hash(usize),
    /// Clear the transposition table.
    ClearHash,
    /// Search with so many threads.
    Threads(NonZeroUsize),
    /// Report so many of the best moves.
    Lines(NonZeroUsize),
    /// Expect to be asked to ponder, or not.
    Ponder(bool),
    /// Analyse positions, or play a game.
    Analysis(bool),
    /// Play at this level.
    Level(Level),
    /// Limit the strength to the rating, or not.
    LimitStrength(bool),
    /// The rating to play at.
    Rating(u16),
    /// Choose moves with this plain player, or with the full search.
    Player(Option<PlainPlayer>),
    /// Use this evaluation.
    Evaluation(EvaluationKind),
    /// Use the weights in this file for the learned evaluation; without one, the built-in ones.
    EvalFile(Option<PathBuf>),
    /// Use the files of endgame tables in this folder; without one, none.
    TablePath(Option<PathBuf>),
    /// Use endgame tables of at most so many pieces.
    TablePieces(u8),
    /// Solve endings of up to so many MiB in memory.
    TableMemory(usize),
    /// Replace a plain evaluation by that of kings from this ply of the game on; 0 for never.
    KingsAfter(u16),
    /// Seed of the choices of a weakened player, which makes them reproducible; 0 for random choices.
    Seed(u64),
    /// Print squares in this style.
    Squares(SquareStyle),
    /// Reserve so much time for each move.
    Overhead(Duration),
}
