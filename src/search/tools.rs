//! What a search works with.

use super::TranspositionTable;
use crate::eval::Evaluation;
use crate::rules::Word;
use crate::tables::Tables;

/// What a search works with, besides the game and its limits.
#[derive(Debug)]
pub struct Tools<'a, W: Word> {
    /// The transposition table.
    pub table: &'a TranspositionTable,
    /// The evaluation of positions.
    pub evaluation: &'a Evaluation<W>,
    /// The endgame tables, if there are any.
    pub endgames: Option<&'a Tables<W>>,
}

impl<W: Word> Clone for Tools<'_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W: Word> Copy for Tools<'_, W> {}
