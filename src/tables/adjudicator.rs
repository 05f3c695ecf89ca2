//! Adjudicates games with endgame tables.

use super::{AnyTables, Prober, RepetitionLimits, TableOutcome, Verdict};
use crate::position::{History, Setup, with_width};
use crate::rules::{Variant, Word};
use std::path::{Path, PathBuf};

/// Adjudicates games with the endgame tables in a folder.
#[derive(Debug)]
pub struct Adjudicator {
    /// The tables of the variant.
    pub tables: AnyTables,
    /// Number of slices that have a usable file.
    pub slices: usize,
}

/// The error for a folder that contains no usable tables for the variant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: no usable endgame tables for {variant}", .folder.display())]
pub struct NoTables {
    folder: PathBuf,
    variant: Variant,
}

impl Adjudicator {
    /// Opens the tables for `variant` in `folder`. Unusable files are logged and skipped.
    pub fn open(folder: &Path, variant: Variant) -> Result<Self, NoTables> {
        let mut tables = AnyTables::new(variant);
        let slices = with_width!(&mut tables, tables => tables.add_folder(folder, u8::MAX)).len();
        if slices == 0 { Err(NoTables { folder: folder.to_owned(), variant }) } else { Ok(Self { tables, slices }) }
    }

    /// Returns the outcome of `game` for the side to move, or `None` if there is no table or a draw rule may end the
    /// game first.
    pub fn outcome<W: Word>(&self, game: &History<W>) -> Option<TableOutcome> {
        self.verdict(game)?.sure()
    }

    /// Like [`Self::outcome`], but also returns outcomes that are only [likely](Verdict::likely).
    pub fn likely_outcome<W: Word>(&self, game: &History<W>) -> Option<TableOutcome> {
        self.verdict(game)?.likely(game.position().plies_to_draw())
    }

    fn verdict<W: Word>(&self, game: &History<W>) -> Option<Verdict> {
        let mut prober = Prober::new(self.tables.downcast_ref()?);
        let verdict = prober.verdict(game.position())?;
        Some(RepetitionLimits::for_game(&mut prober, game).apply(verdict, game.position(), 0))
    }

    /// Like [`Self::likely_outcome`], but for a position. Returns `None` if the position is invalid.
    pub fn likely_outcome_of(&self, setup: &Setup) -> Option<TableOutcome> {
        with_width!(&self.tables, tables => self.likely_outcome(&History::from_setup(tables.rules(), setup).ok()?))
    }

    /// Returns the maximum number of pieces in any table.
    pub fn max_pieces(&self) -> u8 {
        with_width!(&self.tables, tables => tables.max_pieces())
    }
}
