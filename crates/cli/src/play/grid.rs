//! The board square by square, as it is displayed.

use soffio::board::Square;
use soffio::position::{Piece, Setup};
use soffio::rules::RuleSet;

/// A square of the displayed board, whether played on or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The playing square, if it is one.
    pub square: Option<Square>,
    /// Its name; empty if it is none.
    pub name: String,
    /// The piece on it.
    pub piece: Option<Piece>,
}

/// The board square by square, from the top left of the display.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    width: usize,
    cells: Vec<Cell>,
}

impl Grid {
    /// The board of `spec` with `setup` on it; `flipped` with Black at the bottom.
    pub(in crate::play) fn new(spec: &RuleSet, setup: &Setup, flipped: bool) -> Self {
        let shape = spec.shape;
        let places = (0..shape.height).flat_map(|row| (0..shape.width).map(move |column| (row, column)));
        let cell = |(row, column)| {
            let square = shape.square_at(row, column);
            let name = square.map(|square| spec.square_name(square).to_string());
            let piece = square.and_then(|square| setup.pieces.get(&square).copied());
            Cell { square, name: name.unwrap_or_default(), piece }
        };
        let mut cells: Vec<_> = places.map(cell).collect();
        if flipped {
            cells.reverse();
        }
        Self { width: usize::from(shape.width), cells }
    }

    /// The rows from the top.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[Cell]> {
        self.cells.chunks(self.width)
    }

    /// Columns and rows.
    pub fn size(&self) -> (usize, usize) {
        (self.width, self.cells.len() / self.width)
    }

    /// The cell in `row` and `column`, counted from the top left.
    pub fn cell(&self, row: usize, column: usize) -> Option<&Cell> {
        (column < self.width).then(|| self.cells.get(row * self.width + column)).flatten()
    }

    /// Row and column of `square`.
    pub fn place(&self, square: Square) -> Option<(usize, usize)> {
        let index = self.cells.iter().position(|cell| cell.square == Some(square))?;
        Some((index / self.width, index % self.width))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use soffio::rules::Variant;

    #[test]
    fn the_flipped_board_is_turned_by_half_a_circle() {
        let spec = Variant::English.spec();
        let setup = Setup::start(spec);
        let (plain, flipped) = (Grid::new(spec, &setup, false), Grid::new(spec, &setup, true));
        assert_eq!(plain.size(), (8, 8));
        for row in 0..8 {
            for column in 0..8 {
                assert_eq!(plain.cell(row, column), flipped.cell(7 - row, 7 - column));
            }
        }
        assert_eq!((plain.cell(0, 8), plain.cell(8, 0)), (None, None));
        let square = plain.cell(0, 1).unwrap().square.unwrap();
        assert_eq!((plain.place(square), flipped.place(square)), (Some((0, 1)), Some((7, 6))));
    }
    #[test]
    fn the_flipped_drawing_is_turned_too() {
        let spec = Variant::English.spec();
        let mut setup = Setup::start(spec);
        setup.pieces.pop_first();
        let rows = |flipped| -> Vec<Vec<char>> {
            let text = setup.draw_as_seen(spec, flipped, false);
            text.lines().map(|line| format!("{line:<16}").chars().skip(1).step_by(2).collect()).collect()
        };
        let turned: Vec<Vec<char>> = rows(true).into_iter().rev().map(|row| row.into_iter().rev().collect()).collect();
        assert_eq!(rows(false), turned);
        assert_ne!(rows(false), rows(true));
    }
}
