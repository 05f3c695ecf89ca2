//! The endgame tables of a variant, in files and in memory.

use super::board::TableBoard;
use super::caches::SpareCaches;
use super::distances::{self, SliceFile};
use super::draw_limits::{DrawRuleLimits, GameLengths};
use super::file::FileError;
use super::index::{Cursor, size};
use super::wld::{self, MemoryOrder, ResultSource, WldFile};
use super::{Counts, Index, Material, MaterialTable, Slice, SliceTable, TableValue};
use crate::position::{ByWidth, GameRules, Pieces, Position, any_rules, map_width};
use crate::rules::{Color, Objective, RuleSet, Variant, Word};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

/// Number of results in a byte without compression.
const RESULTS_PER_BYTE: u64 = 4;

#[derive(Clone, Debug)]
pub(super) enum TableSource<W: Word> {
    Memory(MaterialTable<W>),
    /// A table in a file: its index, the file of its slice, and the number of the table in that file.
    File(Index<W>, Arc<SliceFile>, usize),
}

impl<W: Word> TableSource<W> {
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

/// The endgame tables of one variant. Slices can be added while searches probe the tables.
#[derive(Debug)]
pub struct Tables<W: Word> {
    pub(super) board: Arc<TableBoard<W>>,
    /// The source of each table with distances, indexed by [`Material::number`].
    sources: Vec<OnceLock<TableSource<W>>>,
    /// The source of each table without distances, indexed by [`Material::number`].
    results: Vec<Option<ResultSource<W>>>,
    max_pieces: AtomicU8,
    draw_rule_limits: OnceLock<DrawRuleLimits>,
    /// Cached blocks of the files. The caches are reset when the tables change.
    pub(super) caches: SpareCaches,
}

impl<W: Word> Clone for Tables<W> {
    fn clone(&self) -> Self {
        let max_pieces = self.max_pieces().into();
        let (board, sources, results) = (Arc::clone(&self.board), self.sources.clone(), self.results.clone());
        // The caches are not cloned, because they identify a file by its address. A clone may open other files, and the
        // address of a closed file can be reused.
        Self { board, sources, results, max_pieces, draw_rule_limits: OnceLock::new(), caches: SpareCaches::default() }
    }
}

impl<W: Word> Tables<W> {
    /// Creates an empty collection.
    pub fn new(rules: &'static GameRules<W>) -> Self {
        let sources = (0..Material::NUMBERS).map(|_| OnceLock::new()).collect();
        let (board, caches) = (Arc::new(TableBoard::new(rules)), SpareCaches::default());
        let (results, max_pieces) = (vec![None; Material::NUMBERS], AtomicU8::new(0));
        Self { board, sources, results, max_pieces, draw_rule_limits: OnceLock::new(), caches }
    }

    /// Returns the rules of the variant.
    pub fn rules(&self) -> &'static GameRules<W> {
        self.board.rules
    }

    /// Returns the maximum number of pieces in any table, or 0 if there are no tables.
    #[inline]
    pub fn max_pieces(&self) -> u8 {
        self.max_pieces.load(Relaxed)
    }

    /// Returns the index that numbers the positions of `material`.
    pub fn index(&self, material: Material) -> Index<W> {
        Index::new(&self.board, material)
    }

    /// Returns the total number of indices of `slice`, with either side to move.
    pub fn size(&self, slice: Slice) -> u64 {
        let (squares, row_length) = (self.board.squares.len(), self.board.row_length);
        slice.materials().map(|material| size(squares, row_length, material)).fold(0, u64::saturating_add)
    }

    /// Adds the tables of a slice and keeps them in memory.
    pub fn add(&mut self, table: SliceTable<W>) {
        for table in table.tables {
            self.put(table.index.material(), TableSource::Memory(table));
        }
    }

    /// Adds the tables of a slice and keeps them in memory, except tables that are already present. Other threads may
    /// probe the collection at the same time.
    pub fn add_concurrently(&self, table: SliceTable<W>) {
        for table in table.tables {
            let material = table.index.material();
            if let Some(place) = material.number().and_then(|number| self.sources.get(number)) {
                place.get_or_init(|| TableSource::Memory(table));
                self.max_pieces.fetch_max(material.pieces(), Relaxed);
            }
        }
        self.update_limits(self.draw_rule_limits());
    }

    fn add_from(&mut self, others: &Self, slices: &[Slice]) {
        for material in slices.iter().flat_map(|slice| slice.materials()) {
            if let Some(source) = others.source(material) {
                self.put(material, source.clone());
            }
        }
    }

    /// Adds the tables in a file. The file must be for the same variant.
    pub fn add_file(&mut self, file: SliceFile) {
        let file = Arc::new(file);
        for (number, material) in file.header().slice.materials().enumerate() {
            let index = self.index(material);
            self.put(material, TableSource::File(index, Arc::clone(&file), number));
        }
    }

    /// Adds the results from a file. A probe uses them if there is no table with distances for a position. The file
    /// must be for the same variant.
    pub fn add_results(&mut self, file: WldFile) {
        let file = Arc::new(file);
        for (number, material) in file.header().slice.materials().enumerate() {
            let source = ResultSource::new(self.index(material), &file, number);
            if let Some(place) = material.number().and_then(|number| self.results.get_mut(number)) {
                *place = source;
                self.max_pieces.fetch_max(material.pieces(), Relaxed);
                self.forget();
            }
        }
    }

    /// Decompresses the results of a slice into memory, which makes probes faster. Also verifies the whole file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file is damaged.
    pub fn unpack(&mut self, slice: Slice, order: MemoryOrder) -> Result<(), FileError> {
        for number in slice.materials().filter_map(Material::number) {
            if let Some(source) = self.results.get_mut(number).and_then(Option::as_mut) {
                source.unpack(order)?;
            }
        }
        Ok(())
    }

    /// Unpacks the results of the first `slices` that together fit into `bytes`, and frees the unpacked results of all
    /// other slices. Damaged files stay packed.
    pub fn unpack_only(&mut self, slices: &[Slice], bytes: u64, order: MemoryOrder) {
        let mut total: u64 = 0;
        let fits = |slice: &&Slice| {
            total = total.saturating_add(self.unpacked_size(**slice));
            total <= bytes
        };
        let slices: Vec<_> = slices.iter().take_while(fits).copied().collect();
        for source in self.results.iter_mut().flatten() {
            if !slices.contains(&Slice::containing(source.material())) {
                source.free();
            }
        }
        for slice in slices {
            if let Err(error) = self.unpack(slice, order) {
                log::warn!("{slice} cannot be unpacked: {error}");
            }
        }
    }

    /// Returns how many bytes the results of a slice take without compression.
    pub fn unpacked_size(&self, slice: Slice) -> u64 {
        self.size(slice).div_ceil(RESULTS_PER_BYTE)
    }

    /// Adds all files in `folder` for slices with at most `pieces` pieces, with and without distances. Unusable files
    /// are logged and skipped. Returns the slices that were added.
    pub fn add_folder(&mut self, folder: &Path, pieces: u8) -> BTreeSet<Slice> {
        let variant = self.rules().variant();
        let mut slices = BTreeSet::new();
        for file in distances::open_all(folder, variant, pieces) {
            slices.insert(file.header().slice);
            self.add_file(file);
        }
        for file in wld::open_all(folder, variant, pieces) {
            slices.insert(file.header().slice);
            self.add_results(file);
        }
        slices
    }

    /// Returns the paths in `folder` of the files in which probes have found damaged blocks. A probe that needs such a
    /// block finds nothing, as if the table were missing.
    pub fn damaged_files(&self, folder: &Path) -> BTreeSet<PathBuf> {
        let variant = self.rules().variant();
        let with_distances = self.sources.iter().filter_map(OnceLock::get).filter_map(|source| match source {
            TableSource::File(_, file, _) if file.is_damaged() => Some(file.header().slice),
            _ => None,
        });
        let with_distances = with_distances.map(|slice| distances::path_of(folder, variant, slice));
        let without = self.results.iter().flatten().filter_map(ResultSource::damaged_slice);
        with_distances.chain(without.map(|slice| wld::path_of(folder, variant, slice))).collect()
    }

    /// Removes all slices with distances for which `wanted` returns false.
    pub fn retain(&mut self, wanted: impl Fn(Slice) -> bool) {
        for source in &mut self.sources {
            if source.get().is_some_and(|source| !wanted(Slice::containing(source.material()))) {
                source.take();
            }
        }
        let with_distances = self.sources.iter().filter_map(OnceLock::get).map(TableSource::material);
        let without = self.results.iter().flatten().map(ResultSource::material);
        self.max_pieces = with_distances.chain(without).map(Material::pieces).max().unwrap_or(0).into();
        self.forget();
    }

    /// Returns the size in bytes of the table values that are in memory.
    pub fn bytes_in_memory(&self) -> u64 {
        let bytes = |source: &TableSource<W>| match source {
            TableSource::Memory(table) => table.index.size(),
            TableSource::File(..) => 0,
        };
        self.sources.iter().filter_map(OnceLock::get).map(bytes).sum()
    }

    fn forget(&mut self) {
        (self.draw_rule_limits, self.caches) = (OnceLock::new(), SpareCaches::default());
    }

    fn put(&mut self, material: Material, source: TableSource<W>) {
        if let Some(place) = material.number().and_then(|number| self.sources.get_mut(number)) {
            *place = source.into();
            self.max_pieces.fetch_max(material.pieces(), Relaxed);
            self.forget();
        }
    }

    #[inline]
    pub(super) fn source(&self, material: Material) -> Option<&TableSource<W>> {
        self.sources.get(material.number()?)?.get()
    }

    #[inline]
    pub(super) fn result_source(&self, material: Material) -> Option<&ResultSource<W>> {
        self.results.get(material.number()?)?.as_ref()
    }

    /// Returns the result statistics of `material`, or `None` if there is no table for it.
    pub fn counts(&self, material: Material) -> Option<Counts> {
        let lengths = self.game_lengths(material)?;
        lengths.with_distances.or(lengths.without_distances)
    }

    /// Returns what the tables of `material` contain about the lengths of games, or `None` if there is no table.
    fn game_lengths(&self, material: Material) -> Option<GameLengths> {
        let with_distances = self.source(material).map(TableSource::counts);
        let without_distances = self.result_source(material).and_then(ResultSource::counts);
        with_distances.or(without_distances)?;
        let index = self.index(material);
        let mut cursor = Cursor::new(&index);
        let pieces = (0..index.size()).find_map(|number| cursor.pieces(number));
        let ending_limit = pieces.and_then(|pieces| self.rules().ending_limit(&pieces));
        Some(GameLengths { with_distances, without_distances, ending_limit })
    }

    pub(super) fn draw_rule_limits(&self) -> &DrawRuleLimits {
        self.draw_rule_limits.get_or_init(|| {
            let limits = DrawRuleLimits::new(self.rules().spec());
            self.update_limits(&limits);
            limits
        })
    }

    fn update_limits(&self, limits: &DrawRuleLimits) {
        limits.update(self.rules().spec(), self.max_pieces(), |material| self.game_lengths(material));
    }

    /// Returns whether there is a table with distances for `slice`.
    pub fn contains(&self, slice: Slice) -> bool {
        self.source(slice.material()).is_some()
    }

    /// Returns the value of a position with White to move if the game has ended, otherwise `None`.
    #[inline]
    pub(super) fn value_of_end(&self, pieces: &Pieces<W>) -> Option<TableValue> {
        let is_won_by_king = || {
            self.rules().spec().objective == Objective::FirstKing
                && !pieces.kings(Color::Black).is_empty()
                && pieces.kings(Color::White).is_empty()
        };
        (pieces.white.is_empty() || is_won_by_king()).then_some(TableValue::END)
    }
}

/// The endgame tables of a variant, for either bitboard width.
pub type AnyTables = ByWidth<Tables<u64>, Tables<u128>>;

impl AnyTables {
    /// Creates an empty collection for `variant`.
    pub fn new(variant: Variant) -> Self {
        map_width!(any_rules(variant), rules => Tables::new(rules))
    }

    /// Adds each of the `slices` that `others` contains. Both collections must be for the same variant, and they share
    /// the memory of these slices.
    pub fn add_from(&mut self, others: &Self, slices: &[Slice]) {
        match (self, others) {
            (Self::Narrow(tables), Self::Narrow(others)) => tables.add_from(others, slices),
            (Self::Wide(tables), Self::Wide(others)) => tables.add_from(others, slices),
            _ => {}
        }
    }
}

/// Maximum number of pieces in a slice that is solved during a search.
const MAX_PIECES: u8 = 4;

/// Maximum number of pieces at the root of a search that solves slices. With more pieces, the search would reach too
/// few table positions.
const MAX_AT_ROOT: u32 = 8;

impl<W: Word> Tables<W> {
    /// Returns the slices that are worth solving in memory for a search from `position`, in solving order.
    ///
    /// The result contains all reachable slices with two or three pieces, and those slices with four pieces that still
    /// fit in `memory` bytes. The list ends before the number of unsolved positions exceeds `max_positions`. It is
    /// empty if the board still has too many pieces.
    pub fn slices_to_solve(&self, position: &Position<W>, memory: u64, mut max_positions: u64) -> Vec<Slice> {
        let pieces = position.pieces();
        let smallest = self.board.squares.len() as u64 * self.board.row_length as u64;
        if pieces.all().count() > MAX_AT_ROOT || memory == 0 || max_positions < smallest {
            return Vec::new();
        }
        let root = Material::from_pieces(pieces);
        let spec = self.rules().spec();
        let mut left = memory;
        let mut chosen: Vec<Slice> = Vec::new();
        for slice in Slice::all(spec, MAX_PIECES) {
            let is_small = slice.material().pieces() < MAX_PIECES;
            let size = self.size(slice);
            let has_promotions = |slice: Slice| slice.promotions().all(|to| chosen.contains(&to) || to.is_over(spec));
            if slice.is_within(root) && (is_small || (size <= left && has_promotions(slice))) {
                left = left.saturating_sub(size);
                chosen.push(slice);
            }
        }
        chosen.retain(|&slice| !self.contains(slice));
        let fits = |slice: &Slice| match max_positions.checked_sub(self.size(*slice)) {
            Some(rest) => {
                max_positions = rest;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::{Piece, Setup};

    fn chosen(variant: Variant, [white_kings, black_kings, black_men]: [usize; 3], memory: u64) -> Vec<String> {
        let rules = GameRules::<u64>::for_variant(variant).unwrap();
        let squares: Vec<_> = rules.spec().shape.all_squares().collect();
        let mut setup = Setup { pieces: [].into(), ..Setup::start(rules.spec()) };
        let colors =
            [(Color::White, true, white_kings), (Color::Black, true, black_kings), (Color::Black, false, black_men)];
        let pieces =
            colors.into_iter().flat_map(|(color, king, count)| std::iter::repeat_n(Piece { color, king }, count));
        setup.pieces.extend(squares.iter().copied().zip(pieces));
        let position = Position::from_setup(rules, &setup).unwrap();
        let slices = Tables::new(rules).slices_to_solve(&position, memory, u64::MAX);
        slices.into_iter().map(|slice| slice.to_string()).collect()
    }

    #[test]
    fn only_reachable_material_is_built() {
        assert_eq!(chosen(Variant::Russian, [2, 1, 0], 1 << 22), ["0m1k-0m1k", "0m2k-0m1k"]);
        let with_man = ["0m1k-0m1k", "0m1k-1m0k", "0m2k-0m1k", "0m2k-1m0k"];
        assert_eq!(chosen(Variant::Russian, [2, 0, 1], 1 << 22), with_man);
        assert!(chosen(Variant::Russian, [3, 1, 0], 1 << 22).contains(&"0m3k-0m1k".to_owned()));
        assert!(!chosen(Variant::Russian, [3, 1, 0], 1 << 16).contains(&"0m3k-0m1k".to_owned()));
        assert!(chosen(Variant::Russian, [6, 3, 0], 1 << 22).is_empty());
        assert!(chosen(Variant::Russian, [2, 1, 0], 0).is_empty());
    }
}
