//! The displayed board and cursor movement on it.

use soffio::board::Square;
use soffio::position::{Piece, Setup};
use soffio::rules::RuleSet;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    pub square: Option<Square>,
    pub name: String,
    pub piece: Option<Piece>,
}

/// All squares of the board, starting at the top left of the display.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    width: usize,
    cells: Vec<Cell>,
}

impl Grid {
    /// Lays out the board. If `flipped` is true, Black is at the bottom.
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

    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[Cell]> {
        self.cells.chunks(self.width)
    }

    pub fn size(&self) -> (usize, usize) {
        (self.width, self.cells.len() / self.width)
    }

    pub fn cell(&self, row: usize, column: usize) -> Option<&Cell> {
        (column < self.width).then(|| self.cells.get(row * self.width + column)).flatten()
    }

    pub fn place(&self, square: Square) -> Option<(usize, usize)> {
        let index = self.cells.iter().position(|cell| cell.square == Some(square))?;
        Some((index / self.width, index % self.width))
    }
}

/// An arrow key as an offset: the number of rows down, and the number of columns to the right.
pub(in crate::play) type Arrow = (isize, isize);

pub(in crate::play) const UP: Arrow = (-1, 0);
pub(in crate::play) const DOWN: Arrow = (1, 0);
pub(in crate::play) const LEFT: Arrow = (0, -1);
pub(in crate::play) const RIGHT: Arrow = (0, 1);

impl Grid {
    /// Returns the next playing square from `place` in the direction of the arrow, or `place` itself at the edge.
    /// Vertical movements stay within the same pair of columns, so that up and down undo each other.
    pub(in crate::play) fn next(&self, place: (usize, usize), (rows, columns): Arrow) -> (usize, usize) {
        let (row, column) = place;
        let Some(row) = row.checked_add_signed(rows) else { return place };
        let tried = if rows == 0 {
            [column.checked_add_signed(columns), column.checked_add_signed(2 * columns)]
        } else {
            [Some(column), Some(column ^ 1)]
        };
        let is_playable = |&column: &usize| self.cell(row, column).is_some_and(|cell| cell.square.is_some());
        tried.into_iter().flatten().find(is_playable).map_or(place, |column| (row, column))
    }

    pub(in crate::play) fn first_place(&self) -> (usize, usize) {
        let (columns, rows) = self.size();
        self.next((rows.saturating_sub(4), columns / 2), DOWN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use soffio::rules::Variant;

    #[test]
    fn the_flipped_board_is_rotated_by_180_degrees() {
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
    fn the_flipped_drawing_is_rotated_too() {
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

    #[test]
    fn the_cursor_reaches_exactly_the_playing_squares() {
        for &variant in Variant::ALL {
            let spec = variant.spec();
            for flipped in [false, true] {
                let grid = Grid::new(spec, &Setup::start(spec), flipped);
                let mut reached = vec![grid.first_place()];
                let mut next = 0;
                while let Some(&place) = reached.get(next) {
                    for arrow in [UP, DOWN, LEFT, RIGHT] {
                        let place = grid.next(place, arrow);
                        if !reached.contains(&place) {
                            reached.push(place);
                        }
                    }
                    next += 1;
                }
                assert_eq!(reached.len(), usize::from(spec.shape.squares()), "{variant}");
                assert!(reached.iter().all(|&(row, column)| grid.cell(row, column).unwrap().square.is_some()));
            }
        }
    }

    #[test]
    fn every_arrow_reverses_its_opposite() {
        let spec = Variant::International.spec();
        let grid = Grid::new(spec, &Setup::start(spec), false);
        let start = grid.first_place();
        for (there, back) in [(UP, DOWN), (LEFT, RIGHT)] {
            assert_ne!(grid.next(start, there), start);
            assert_eq!(grid.next(grid.next(start, there), back), start);
            assert_eq!(grid.next(grid.next(start, back), there), start);
        }
    }
}
