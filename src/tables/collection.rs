//! The tables that there are for a variant.

use super::board::TableBoard;
use super::draw_rules::DrawRuleLimits;
use super::file::{SliceFile, SpareCaches};
use super::index::size;
use super::{Counts, Index, Material, Slice, SliceTable, TableValue};
use crate::position::{AnyRules, GameRules, Pieces, any_rules};
use crate::rules::{Color, Objective, Variant, Word};
use std::any::Any;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

/// Where the values of a material are.
#[derive(Clone, Debug)]
pub(super) enum Source<W: Word> {
    /// In memory.
    Memory(super::slice::MaterialTable<W>),
    /// In the file of its slice, as the table with this number.
    File(Index<W>, Arc<SliceFile>, usize),
}

impl<W: Word> Source<W> {
    fn material(&self) -> Material {
        match self {
            Self::Memory(super::slice::MaterialTable { index, .. }) | Self::File(index, ..) => index.material(),
        }
    }

    /// How many positions have which value, as it is stored.
    pub(super) fn counts(&self) -> Counts {
        match self {
            Self::Memory(table) => table.counts,
            Self::File(_, file, table) => {
                file.header().tables.get(*table).map_or_else(Counts::default, |table| table.1)
            }
        }
    }
}

/// Endgame tables of one variant. Slices that are solved can be added while searches ask, which see them at once.
#[derive(Debug)]
pub struct Tables<W: Word> {
    pub(super) board: Arc<TableBoard<W>>,
    /// By the numbers of materials.
    sources: Vec<OnceLock<Source<W>>>,
    most_pieces: AtomicU8,
    /// Found when they are first needed.
    draw_rule_limits: OnceLock<DrawRuleLimits>,
    /// Blocks of the current files: when files are added the caches begin again.
    pub(super) caches: SpareCaches,
}

impl<W: Word> Clone for Tables<W> {
    fn clone(&self) -> Self {
        let most_pieces = self.most_pieces().into();
        let (board, sources) = (Arc::clone(&self.board), self.sources.clone());
        Self { board, sources, most_pieces, draw_rule_limits: OnceLock::new(), caches: SpareCaches::default() }
    }
}

impl<W: Word> Tables<W> {
    /// No tables yet.
    pub fn new(rules: &'static GameRules<W>) -> Self {
        let sources = (0..Material::NUMBERS).map(|_| OnceLock::new()).collect();
        let (board, caches) = (Arc::new(TableBoard::new(rules)), SpareCaches::default());
        Self { board, sources, most_pieces: AtomicU8::new(0), draw_rule_limits: OnceLock::new(), caches }
    }

    /// The rules of the variant.
    pub fn rules(&self) -> &'static GameRules<W> {
        self.board.rules
    }

    /// Most pieces on the board that there is a table for; 0 if there is none.
    #[inline]
    pub fn most_pieces(&self) -> u8 {
        self.most_pieces.load(Relaxed)
    }

    /// The numbers of the positions of `material`.
    pub fn index(&self, material: Material) -> Index<W> {
        Index::new(&self.board, material)
    }

    /// How many numbers the positions of `slice` have, both sides to move.
    pub fn size(&self, slice: Slice) -> u64 {
        let (squares, row_length) = (self.board.squares.len(), self.board.row_length);
        slice.materials().map(|material| size(squares, row_length, material)).fold(0, u64::saturating_add)
    }

    /// Adds a slice that is kept in memory.
    pub fn add(&mut self, table: SliceTable<W>) {
        for table in table.tables {
            self.put(table.index.material(), Source::Memory(table));
        }
    }

    /// Adds a slice that is kept in memory, if there is no table for it, for searches that go on too.
    pub fn add_beside(&self, table: SliceTable<W>) {
        for table in table.tables {
            let material = table.index.material();
            if let Some(place) = material.number().and_then(|number| self.sources.get(number)) {
                place.get_or_init(|| Source::Memory(table));
                self.most_pieces.fetch_max(material.pieces(), Relaxed);
            }
        }
        self.draw_rule_limits().update(self);
    }

    /// Adds those of `slices` that `others` have.
    fn add_from(&mut self, others: &Self, slices: &[Slice]) {
        for material in slices.iter().flat_map(|slice| slice.materials()) {
            if let Some(source) = others.source(material) {
                self.put(material, source.clone());
            }
        }
    }

    /// Adds the slice of a file. It must be one of the variant.
    pub fn add_file(&mut self, file: SliceFile) {
        let file = Arc::new(file);
        for (number, material) in file.header().slice.materials().enumerate() {
            let index = self.index(material);
            self.put(material, Source::File(index, Arc::clone(&file), number));
        }
    }

    /// Lets go of all slices but those that are `wanted`.
    pub fn keep(&mut self, wanted: impl Fn(Slice) -> bool) {
        for source in &mut self.sources {
            if source.get().is_some_and(|source| !wanted(Slice::of(source.material()))) {
                source.take();
            }
        }
        let pieces = self.sources.iter().filter_map(OnceLock::get).map(|source| source.material().pieces());
        self.most_pieces = pieces.max().unwrap_or(0).into();
        self.forget();
    }

    /// Bytes of the values that are in memory.
    pub fn bytes_in_memory(&self) -> u64 {
        let bytes = |source: &Source<W>| match source {
            Source::Memory(table) => table.index.len(),
            Source::File(..) => 0,
        };
        self.sources.iter().filter_map(OnceLock::get).map(bytes).sum()
    }

    /// Forgets what was derived from the tables before one was added or removed.
    fn forget(&mut self) {
        (self.draw_rule_limits, self.caches) = (OnceLock::new(), SpareCaches::default());
    }

    fn put(&mut self, material: Material, source: Source<W>) {
        if let Some(place) = material.number().and_then(|number| self.sources.get_mut(number)) {
            *place = source.into();
            self.most_pieces.fetch_max(material.pieces(), Relaxed);
            self.forget();
        }
    }

    /// Where the values of `material` are, if there is a table.
    #[inline]
    pub(super) fn source(&self, material: Material) -> Option<&Source<W>> {
        self.sources.get(material.number()?)?.get()
    }

    /// How many positions of `material` have which value, if there is a table.
    pub fn counts(&self, material: Material) -> Option<Counts> {
        self.source(material).map(Source::counts)
    }

    /// Which draw rules can come before the end of a game.
    pub(super) fn draw_rule_limits(&self) -> &DrawRuleLimits {
        self.draw_rule_limits.get_or_init(|| DrawRuleLimits::of(self))
    }

    /// Whether there is a table for `slice`.
    pub fn has(&self, slice: Slice) -> bool {
        self.source(slice.material()).is_some()
    }

    /// The value of a game that is over, White to move, and `None` while it goes on.
    #[inline]
    pub(super) fn value_of_end(&self, pieces: &Pieces<W>) -> Option<TableValue> {
        let is_over_by_king = || {
            self.rules().spec().objective == Objective::FirstKing
                && !pieces.kings(Color::Black).is_empty()
                && pieces.kings(Color::White).is_empty()
        };
        (pieces.white.is_empty() || is_over_by_king()).then_some(TableValue::END)
    }
}

/// Endgame tables of a variant of either width.
#[derive(Clone, Debug)]
pub enum AnyTables {
    /// Of a board of up to 64 squares.
    Narrow(Tables<u64>),
    /// Of a larger board.
    Wide(Tables<u128>),
}

impl AnyTables {
    /// No tables yet of `variant`.
    pub fn new(variant: Variant) -> Self {
        match any_rules(variant) {
            AnyRules::Narrow(rules) => Self::Narrow(Tables::new(rules)),
            AnyRules::Wide(rules) => Self::Wide(Tables::new(rules)),
        }
    }

    /// Adds those of `slices` that `others` of the same variant have. They share the memory.
    pub fn add_from(&mut self, others: &Self, slices: &[Slice]) {
        match (self, others) {
            (Self::Narrow(tables), Self::Narrow(others)) => tables.add_from(others, slices),
            (Self::Wide(tables), Self::Wide(others)) => tables.add_from(others, slices),
            _ => {}
        }
    }

    /// The tables for sets of squares of this width, if they are.
    pub fn of_width<W: Word>(&self) -> Option<&Tables<W>> {
        let tables: &dyn Any = match self {
            Self::Narrow(tables) => tables,
            Self::Wide(tables) => tables,
        };
        tables.downcast_ref()
    }
}

/// Runs an expression for the tables of a variant, whatever their width.
#[macro_export]
macro_rules! with_tables {
    ($any:expr, $tables:ident => $body:expr) => {
        match $any {
            $crate::tables::AnyTables::Narrow($tables) => $body,
            $crate::tables::AnyTables::Wide($tables) => $body,
        }
    };
}
pub use with_tables;
