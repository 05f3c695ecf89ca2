//! The shape of a board and the layout of its squares in a bit set.
//!
//! The playable squares are laid out row by row from the top left of the printed board (White at the bottom). Between
//! a row whose first playable square is in the leftmost column and the next row stands one *ghost* bit that is no
//! square. With it every diagonal step on the board is one shift by a constant, the same from every row, and a step
//! over the edge lands on a ghost bit or outside the layout.

use super::{Direction, Number, Square};

/// Which bottom corner of the board is a playing square, seen from White.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Corner {
    /// The bottom left corner, as in international and English draughts.
    Left,
    /// The bottom right corner, as in Italian draughts.
    Right,
}

/// A board that is played on one half of its squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Columns, an even number.
    pub width: u8,
    /// Rows, an even number.
    pub height: u8,
    /// The bottom corner that is a playing square.
    pub corner: Corner,
}

impl Shape {
    /// Number of playable squares.
    pub const fn squares(self) -> u8 {
        self.width / 2 * self.height
    }

    /// Playable squares in one row.
    pub const fn row_length(self) -> u8 {
        self.width / 2
    }

    /// The column, counted from 0 at the left, of the first playable square of `row`.
    const fn offset(self, row: u8) -> u8 {
        let from_bottom = (self.height - 1 - row) % 2;
        match self.corner {
            Corner::Left => from_bottom,
            Corner::Right => 1 - from_bottom,
        }
    }

    /// The bit of the first playable square of `row`.
    const fn row_start(self, row: u8) -> u8 {
        let ghosts_before = if self.offset(0) == 0 { row.div_ceil(2) } else { row / 2 };
        row * self.row_length() + ghosts_before
    }

    /// The playable square in `row` (counted from 0 at the top) and `column` (from 0 at the left), if there is one.
    pub const fn square_at(self, row: u8, column: u8) -> Option<Square> {
        if row >= self.height || column >= self.width || column % 2 != self.offset(row) {
            return None;
        }
        Some(Square::new(self.row_start(row) + column / 2))
    }

    /// Row of `square`, counted from 0 at the top of the printed board.
    pub const fn row(self, square: Square) -> u8 {
        let mut row = self.height - 1;
        while self.row_start(row) as usize > square.index() {
            row -= 1;
        }
        row
    }

    /// Column of `square`, counted from 0 at the left of the printed board.
    pub const fn column(self, square: Square) -> u8 {
        let row = self.row(square);
        (square.index() as u8 - self.row_start(row)) * 2 + self.offset(row)
    }

    /// The neighbour of `square` in `direction`, if the board goes on there.
    pub const fn neighbour(self, square: Square, direction: Direction) -> Option<Square> {
        let row = self.row(square) as i8 + direction.rows();
        let column = self.column(square) as i8 + direction.columns();
        if row < 0 || column < 0 {
            return None;
        }
        self.square_at(row as u8, column as u8)
    }

    /// The printed number of `square`, which runs row by row from the top left.
    pub const fn number(self, square: Square) -> Number {
        let row = self.row(square);
        let before = row * self.row_length();
        match Number::new(before + (square.index() as u8 - self.row_start(row)) + 1) {
            Some(number) => number,
            None => unreachable!(),
        }
    }

    /// The square with the printed `number`, if the board has so many.
    pub const fn numbered(self, number: Number) -> Option<Square> {
        if number.get() > self.squares() {
            return None;
        }
        let index = number.get() - 1;
        Some(Square::new(self.row_start(index / self.row_length()) + index % self.row_length()))
    }

    /// All playable squares in the order of their numbers.
    pub fn all_squares(self) -> impl Iterator<Item = Square> {
        (0..self.squares())
            .map(move |index| Square::new(self.row_start(index / self.row_length()) + index % self.row_length()))
    }

    /// The mask of the playable squares of `row`.
    pub const fn row_mask(self, row: u8) -> u128 {
        ((1u128 << self.row_length()) - 1) << self.row_start(row)
    }

    /// The mask of all playable squares.
    pub const fn mask(self) -> u128 {
        let mut mask = 0;
        let mut row = 0;
        while row < self.height {
            mask |= self.row_mask(row);
            row += 1;
        }
        mask
    }

    /// The mask of the playable squares whose distance to the nearest edge, in rows or columns, is at least `distance`.
    pub const fn inner_mask(self, distance: u8) -> u128 {
        let mut mask = 0;
        let mut row = distance;
        while row + distance < self.height {
            let mut column = distance;
            while column + distance < self.width {
                if let Some(square) = self.square_at(row, column) {
                    mask |= 1 << square.index();
                }
                column += 1;
            }
            row += 1;
        }
        mask
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board8, Board8Mirrored, Board10, Geometry};

    const CANADIAN: Shape = Shape { width: 12, height: 12, corner: Corner::Left };
    const SPANTSIRETTI: Shape = Shape { width: 10, height: 8, corner: Corner::Left };

    fn shapes() -> [Shape; 5] {
        [Board8::SHAPE, Board8Mirrored::SHAPE, Board10::SHAPE, CANADIAN, SPANTSIRETTI]
    }

    #[test]
    fn numbers_and_squares_are_one_to_one() {
        for shape in shapes() {
            let squares: Vec<_> = shape.all_squares().collect();
            assert_eq!(squares.len(), usize::from(shape.squares()));
            assert_eq!(shape.mask().count_ones(), u32::from(shape.squares()));
            for (index, square) in squares.into_iter().enumerate() {
                let number = shape.number(square);
                assert_eq!(usize::from(number.get()), index + 1);
                assert_eq!(shape.numbered(number), Some(square));
                assert_eq!(shape.square_at(shape.row(square), shape.column(square)), Some(square));
            }
        }
    }

    #[test]
    fn every_step_is_one_shift() {
        for shape in shapes() {
            for square in shape.all_squares() {
                for direction in Direction::ALL {
                    let shift = i32::from(shape.row_length() + (direction.rows() == direction.columns()) as u8)
                        * i32::from(direction.rows());
                    let target = square.index() as i32 + shift;
                    let on_board = target >= 0 && shape.mask() >> target & 1 == 1;
                    let neighbour = shape.neighbour(square, direction);
                    assert_eq!(neighbour.map(|n| n.index() as i32), on_board.then_some(target));
                }
            }
        }
    }

    #[test]
    fn corners_are_where_the_books_print_them() {
        let number = |shape: Shape, row, column| shape.square_at(row, column).map(|s| shape.number(s).get());
        assert_eq!(number(Board10::SHAPE, 9, 0), Some(46));
        assert_eq!(number(Board10::SHAPE, 0, 9), Some(5));
        assert_eq!(number(Board8::SHAPE, 7, 0), Some(29));
        assert_eq!(number(Board8Mirrored::SHAPE, 0, 0), Some(1));
        assert_eq!(number(Board8Mirrored::SHAPE, 7, 7), Some(32));
        assert_eq!(number(Board8Mirrored::SHAPE, 7, 0), None);
    }

    #[test]
    fn inner_squares_keep_off_the_edge() {
        assert_eq!(Board10::SHAPE.inner_mask(0), Board10::SHAPE.mask());
        assert_eq!(Board10::SHAPE.inner_mask(1).count_ones(), 32);
        assert_eq!(Board8::SHAPE.inner_mask(3).count_ones(), 2);
    }
}
