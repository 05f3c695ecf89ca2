//! The tables of a variant, in files and in memory.

use super::board::TableBoard;
use super::draw_rules::DrawRuleLimits;
use super::file::{SliceFile, SpareCaches, open_all};
use super::index::size;
use super::{Counts, Index, Material, MaterialTable, Prober, Slice, SliceTable, TableOutcome, TableValue};
use crate::position::{ByWidth, GameRules, Pieces, Position, Setup, any_rules, map_width, with_width};
use crate::rules::{Color, Objective, RuleSet, Variant, Word};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

#[derive(Clone, Debug)]
pub(super) enum Source<W: Word> {
    Memory(MaterialTable<W>),
    /// Table number within the file of its slice.
    File(Index<W>, Arc<SliceFile>, usize),
}

impl<W: Word> Source<W> {
    fn material(&self) -> Material {
        match self {
            Self::Memory(MaterialTable { index, .. }) | Self::File(index, ..) => index.material(),
        }
    }

    pub(super) fn counts(&self) -> Counts {
        match self {
            Self::Memory(table) => table.counts,
            Self::File(_, file, table) => {
                file.header().tables.get(*table).map_or_else(Counts::default, |table| table.1)
            }
        }
    }
}

/// Endgame tables of one variant. Slices can be added while searches probe them.
#[derive(Debug)]
pub struct Tables<W: Word> {
    pub(super) board: Arc<TableBoard<W>>,
    /// Indexed by [`Material::number`].
    sources: Vec<OnceLock<Source<W>>>,
    most_pieces: AtomicU8,
    draw_rule_limits: OnceLock<DrawRuleLimits>,
    /// Cached blocks of the files; reset when the tables change.
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
    /// Creates an empty collection.
    pub fn new(rules: &'static GameRules<W>) -> Self {
        let sources = (0..Material::NUMBERS).map(|_| OnceLock::new()).collect();
        let (board, caches) = (Arc::new(TableBoard::new(rules)), SpareCaches::default());
        Self { board, sources, most_pieces: AtomicU8::new(0), draw_rule_limits: OnceLock::new(), caches }
    }

    /// Returns the rules of the variant.
    pub fn rules(&self) -> &'static GameRules<W> {
        self.board.rules
    }

    /// Returns the largest number of pieces in any table, or 0 without tables.
    #[inline]
    pub fn most_pieces(&self) -> u8 {
        self.most_pieces.load(Relaxed)
    }

    /// Returns the index of the positions of `material`.
    pub fn index(&self, material: Material) -> Index<W> {
        Index::new(&self.board, material)
    }

    /// Returns the number of indices of `slice`, with either side to move.
    pub fn size(&self, slice: Slice) -> u64 {
        let (squares, row_length) = (self.board.squares.len(), self.board.row_length);
        slice.materials().map(|material| size(squares, row_length, material)).fold(0, u64::saturating_add)
    }

    /// Adds a slice in memory.
    pub fn add(&mut self, table: SliceTable<W>) {
        for table in table.tables {
            self.put(table.index.material(), Source::Memory(table));
        }
    }

    /// Adds a slice in memory unless there is already a table for it. Other threads may probe meanwhile.
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

    fn add_from(&mut self, others: &Self, slices: &[Slice]) {
        for material in slices.iter().flat_map(|slice| slice.materials()) {
            if let Some(source) = others.source(material) {
                self.put(material, source.clone());
            }
        }
    }

    /// Adds a file, which must be of the same variant.
    pub fn add_file(&mut self, file: SliceFile) {
        let file = Arc::new(file);
        for (number, material) in file.header().slice.materials().enumerate() {
            let index = self.index(material);
            self.put(material, Source::File(index, Arc::clone(&file), number));
        }
    }

    /// Drops all slices except those that are `wanted`.
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

    /// Returns the size in bytes of the values in memory.
    pub fn bytes_in_memory(&self) -> u64 {
        let bytes = |source: &Source<W>| match source {
            Source::Memory(table) => table.index.size(),
            Source::File(..) => 0,
        };
        self.sources.iter().filter_map(OnceLock::get).map(bytes).sum()
    }

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

    #[inline]
    pub(super) fn source(&self, material: Material) -> Option<&Source<W>> {
        self.sources.get(material.number()?)?.get()
    }

    /// Returns the result statistics of `material`, or `None` without a table.
    pub fn counts(&self, material: Material) -> Option<Counts> {
        self.source(material).map(Source::counts)
    }

    pub(super) fn draw_rule_limits(&self) -> &DrawRuleLimits {
        self.draw_rule_limits.get_or_init(|| DrawRuleLimits::of(self))
    }

    /// Returns whether there is a table for `slice`.
    pub fn has(&self, slice: Slice) -> bool {
        self.source(slice.material()).is_some()
    }

    /// Returns the value if the game has ended, White to move.
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

/// Endgame tables of a variant with either bitboard width.
pub type AnyTables = ByWidth<Tables<u64>, Tables<u128>>;

impl AnyTables {
    /// Creates an empty collection for `variant`.
    pub fn new(variant: Variant) -> Self {
        map_width!(any_rules(variant), rules => Tables::new(rules))
    }

    /// Adds those of `slices` that `others`, of the same variant, contain. The memory is shared.
    pub fn add_from(&mut self, others: &Self, slices: &[Slice]) {
        match (self, others) {
            (Self::Narrow(tables), Self::Narrow(others)) => tables.add_from(others, slices),
            (Self::Wide(tables), Self::Wide(others)) => tables.add_from(others, slices),
            _ => {}
        }
    }
}

/// Maximum number of pieces of a slice that a search solves by itself.
const MOST_PIECES: u8 = 4;

/// Maximum number of pieces at the root for solving: with more, the search reaches too few table positions.
const MOST_AT_ROOT: u32 = 8;

impl<W: Word> Tables<W> {
    /// Returns the slices worth solving in memory for a search from `position`, in solving order.
    ///
    /// These are all reachable slices with two and three pieces, and those with four that fit `room` bytes in total.
    /// The list ends before the unsolved positions exceed `most`, and is empty if the board still has too many pieces.
    pub fn worth_solving(&self, position: &Position<W>, room: u64, mut most: u64) -> Vec<Slice> {
        let pieces = position.pieces();
        let smallest = self.board.squares.len() as u64 * self.board.row_length as u64;
        if pieces.all().count() > MOST_AT_ROOT || room == 0 || most < smallest {
            return Vec::new();
        }
        let root = Material::of(pieces);
        let spec = self.rules().spec();
        let mut left = room;
        let mut chosen: Vec<Slice> = Vec::new();
        for slice in Slice::all(spec, MOST_PIECES) {
            let is_small = slice.material().pieces() < MOST_PIECES;
            let size = self.size(slice);
            let has_promotions = |slice: Slice| slice.promotions().all(|to| chosen.contains(&to) || to.is_over(spec));
            if slice.is_within(root) && (is_small || (size <= left && has_promotions(slice))) {
                left = left.saturating_sub(size);
                chosen.push(slice);
            }
        }
        chosen.retain(|&slice| !self.has(slice));
        let fits = |slice: &Slice| match most.checked_sub(self.size(*slice)) {
            Some(rest) => {
                most = rest;
                true
            }
            None => false,
        };
        chosen.into_iter().take_while(fits).collect()
    }
}

impl Slice {
    fn is_over(self, spec: &RuleSet) -> bool {
        !self.is_solvable(spec) && spec.king_moves.is_none()
    }
}

/// Adjudicates games with the endgame tables of a folder.
#[derive(Debug)]
pub struct Adjudicator {
    /// The tables.
    pub tables: AnyTables,
    /// Number of slices with a usable file.
    pub slices: usize,
}

/// No table in the folder is usable for the variant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: there are no endgame tables of {variant} that can be used", .folder.display())]
pub struct NoTables {
    folder: PathBuf,
    variant: Variant,
}

impl Adjudicator {
    /// Opens the tables of `variant` in `folder`. Unusable files are logged and skipped.
    pub fn open(folder: &Path, variant: Variant) -> Result<Self, NoTables> {
        let files = open_all(folder, variant, u8::MAX);
        let slices = files.len();
        if slices == 0 {
            return Err(NoTables { folder: folder.to_owned(), variant });
        }
        let mut tables = AnyTables::new(variant);
        with_width!(&mut tables, tables => files.into_iter().for_each(|file| tables.add_file(file)));
        Ok(Self { tables, slices })
    }

    /// Returns the outcome for the side to move, or `None` without a table or if a draw rule can come first.
    pub fn outcome<W: Word>(&self, position: &Position<W>) -> Option<TableOutcome> {
        Prober::new(self.tables.of_width()?).judge(position)?.sure()
    }

    /// Returns the outcome of a position whose move counters are zero.
    pub fn outcome_of(&self, setup: &Setup) -> Option<TableOutcome> {
        with_width!(&self.tables, tables => self.outcome(&Position::from_setup(tables.rules(), setup).ok()?))
    }

    /// Returns the largest number of pieces in any table.
    pub fn most_pieces(&self) -> u8 {
        with_width!(&self.tables, tables => tables.most_pieces())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::{Piece, Setup};

    fn chosen(variant: Variant, [white_kings, black_kings, black_men]: [usize; 3], room: u64) -> Vec<String> {
        let rules = GameRules::<u64>::of(variant).unwrap();
        let squares: Vec<_> = rules.spec().shape.all_squares().collect();
        let mut setup = Setup { pieces: [].into(), ..Setup::start(rules.spec()) };
        let colors =
            [(Color::White, true, white_kings), (Color::Black, true, black_kings), (Color::Black, false, black_men)];
        let pieces =
            colors.into_iter().flat_map(|(color, king, count)| std::iter::repeat_n(Piece { color, king }, count));
        setup.pieces.extend(squares.iter().copied().zip(pieces));
        let position = Position::from_setup(rules, &setup).unwrap();
        let slices = Tables::new(rules).worth_solving(&position, room, u64::MAX);
        slices.into_iter().map(|slice| slice.to_string()).collect()
    }

    #[test]
    fn only_what_a_game_can_come_to_is_solved() {
        assert_eq!(chosen(Variant::Russian, [2, 1, 0], 1 << 22), ["0m1k-0m1k", "0m2k-0m1k"]);
        let with_man = ["0m1k-0m1k", "0m1k-1m0k", "0m2k-0m1k", "0m2k-1m0k"];
        assert_eq!(chosen(Variant::Russian, [2, 0, 1], 1 << 22), with_man);
        assert!(chosen(Variant::Russian, [3, 1, 0], 1 << 22).contains(&"0m3k-0m1k".to_owned()));
        assert!(!chosen(Variant::Russian, [3, 1, 0], 1 << 16).contains(&"0m3k-0m1k".to_owned()));
        assert!(chosen(Variant::Russian, [6, 3, 0], 1 << 22).is_empty());
        assert!(chosen(Variant::Russian, [2, 1, 0], 0).is_empty());
    }
}
