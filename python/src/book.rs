use crate::board::PyBoard;
use crate::convert::{BookError, at_path, check_file, scored, to_py_err, whole};
use crate::moves::{PyMove, move_of};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use soffio::WrittenGame;
use soffio::book::{Book, BookMove, candidates, choose, first_score, key, ordered_moves};
use soffio::rules::Variant;
use std::path::{Path, PathBuf};

/// An opening book that can be probed by position.
#[pyclass(frozen, module = "soffio")]
pub struct BookReader {
    book: Book,
    variant: Variant,
}

/// A book move, its score, weight and search depth, whether the book continues after it, and whether the score is
/// proved.
type BookEntry = (PyMove, Option<(&'static str, i32)>, u16, u8, bool, bool);

pub fn open_book(path: &Path) -> PyResult<(Book, Variant)> {
    check_file(path)?;
    let book = Book::open(path).map_err(at_path::<BookError, _>(path))?;
    let name = &book.header().identity.variant;
    let unknown = || format!("the book is for unknown variant {name:?}");
    let variant = Variant::called(name).ok_or_else(unknown).map_err(at_path::<BookError, _>(path))?;
    book.header().check_variant(variant).map_err(at_path::<BookError, _>(path))?;
    Ok((book, variant))
}

impl BookReader {
    fn check_variant(&self, board: &WrittenGame) -> PyResult<()> {
        self.book.header().check_variant(board.variant()).map_err(to_py_err::<BookError>)
    }
}

fn listed(board: &WrittenGame, mv: soffio::game::Move, record: BookMove) -> BookEntry {
    let has = |flag| record.flags & flag != 0;
    let score = record.score.value().map(scored);
    let (continues, is_proved) = (has(BookMove::CONTINUES), has(BookMove::PROVED));
    (move_of(board.game(), mv), score, record.weight, record.depth, continues, is_proved)
}

#[pymethods]
impl BookReader {
    #[new]
    fn new(path: PathBuf) -> PyResult<Self> {
        let (book, variant) = open_book(&path)?;
        Ok(Self { book, variant })
    }

    #[getter]
    fn variant(&self) -> &'static str {
        self.variant.name()
    }

    /// Returns the metadata in the file header.
    fn header<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (header, table) = (self.book.header(), PyDict::new(py));
        table.set_item("author", &header.author)?;
        table.set_item("licence", &header.licence)?;
        table.set_item("engine", &header.engine)?;
        table.set_item("nodes", header.nodes)?;
        table.set_item("plan", &header.plan)?;
        table.set_item("roots", &header.roots)?;
        Ok(table)
    }

    fn __len__(&self) -> usize {
        self.book.len()
    }

    /// Returns all book moves in the position, best first. Raises ``BookError`` if their records are damaged.
    fn probe(&self, board: &PyBoard) -> PyResult<Vec<BookEntry>> {
        let board = board.played();
        self.check_variant(&board)?;
        let mut records = self.book.try_moves(key(board.game())).map_err(to_py_err::<BookError>)?;
        records.sort_by_key(|record| std::cmp::Reverse((record.score, record.weight)));
        let (moves, legal) = (ordered_moves(board.game()), board.game().legal_moves());
        let known = |record: BookMove| {
            let mv = moves.get(usize::from(record.index)).filter(|mv| legal.contains(mv))?;
            Some(listed(&board, *mv, record))
        };
        Ok(records.into_iter().filter_map(known).collect())
    }

    /// Chooses a book move to play. Returns ``None`` if there is no move to choose.
    fn choose(
        &self,
        board: &PyBoard,
        margin: &Bound<'_, PyAny>,
        seed: &Bound<'_, PyAny>,
    ) -> PyResult<Option<BookEntry>> {
        let board = board.played();
        self.check_variant(&board)?;
        let margin = whole("margin", margin, 0..=u32::MAX)?;
        let seed = whole("seed", seed, 0..=u64::MAX)?;
        let (game, book) = (board.game(), &self.book);
        let chosen = choose(&candidates(book, game), margin, first_score(book, game), seed);
        Ok(chosen.map(|chosen| listed(&board, chosen.mv, chosen.record)))
    }
}
