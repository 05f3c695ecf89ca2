//! Adjudication by endgame tables.

use super::file::open_all;
use super::{AnyTables, Prober, TableOutcome, Verdict, with_tables};
use crate::position::Position;
use crate::rules::{Variant, Word};
use std::fmt;
use std::path::{Path, PathBuf};

/// Adjudicates games by the files of endgame tables in a folder.
#[derive(Debug)]
pub struct Adjudicator {
    tables: AnyTables,
    /// How many slices have a file.
    slices: usize,
}

/// Why nothing can be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoTables {
    folder: PathBuf,
    variant: Variant,
}

impl fmt::Display for NoTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: there are no endgame tables of {} that can be used", self.folder.display(), self.variant)
    }
}

impl std::error::Error for NoTables {}

impl Adjudicator {
    /// By the tables of `variant` in `folder`. What is wrong with a file is logged.
    ///
    /// # Errors
    /// When there is none that can be used.
    pub fn open(folder: &Path, variant: Variant) -> Result<Self, NoTables> {
        let files = open_all(folder, variant, u8::MAX);
        let slices = files.len();
        if slices == 0 {
            return Err(NoTables { folder: folder.to_owned(), variant });
        }
        let mut tables = AnyTables::new(variant);
        with_tables!(&mut tables, tables => files.into_iter().for_each(|file| tables.add_file(file)));
        Ok(Self { tables, slices })
    }

    /// How many slices have a file.
    pub fn slices(&self) -> usize {
        self.slices
    }

    /// The tables.
    pub fn tables(&self) -> &AnyTables {
        &self.tables
    }

    /// How the game ends from `position`, for the side to move, if there is a table for it and no draw rule can come before.
    pub fn outcome<W: Word>(&self, position: &Position<W>) -> Option<TableOutcome> {
        match Prober::new(self.tables.of_width()?).judge(position)? {
            Verdict::Sure(outcome) => Some(outcome),
            Verdict::Cursed(_) => None,
        }
    }
}
