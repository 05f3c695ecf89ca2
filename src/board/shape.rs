//! The shape of a board and the layout of its squares in a bit set.
//!
//! The playable squares are laid out row by row from the top left of the printed board (White at the bottom). On boards
//! with playing squares of one color, between a row whose first playable square is in the leftmost column and the next
//! row stands one *ghost* bit that is no square. With it every diagonal step on the board is one shift by a constant,
//! the same from every row, and a step over the edge lands on a ghost bit or outside the layout.

use super::{Direction, Number, Square};

/// Which bottom corners of the board are playing squares, seen from White.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Corner {
    /// The bottom left corner, as in international and English draughts.
    Left,
    /// The bottom right corner, as in Italian draughts.
    Right,
    /// Both, because every square is a playing square, as in Turkish draughts.
    Both,
}

/// A board.
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
        self.row_length() * self.height
    }

    /// Columns from one playable square of a row to the next.
    const fn spacing(self) -> u8 {
        match self.corner {
            Corner::Left | Corner::Right => 2,
            Corner::Both => 1,
        }
    }

    /// Playable squares in one row.
    pub const fn row_length(self) -> u8 {
        self.width / self.spacing()
    }

    /// The column, counted from 0 at the left, of the first playable square of `row`.
    const fn offset(self, row: u8) -> u8 {
        let from_bottom = (self.height - 1 - row) % 2;
        match self.corner {
            Corner::Left => from_bottom,
            Corner::Right => 1 - from_bottom,
            Corner::Both => 0,
        }
    }

    /// The bit of the first playable square of `row`.
    const fn row_start(self, row: u8) -> u8 {
        let ghosts_before = match self.corner {
            Corner::Both => 0,
            _ if self.offset(0) == 0 => row.div_ceil(2),
            _ => row / 2,
        };
        row * self.row_length() + ghosts_before
    }

    /// The difference between the bits of a square and of its neighbour in `direction`.
    #[inline(always)]
    pub const fn shift(self, direction: Direction) -> i8 {
        let row = self.row_length() as i8;
        // Two rows and the ghost bit between them, or one row of a board without ghosts; and what the diagonals to the
        // up right and down left lack there.
        let (column, lean) = match self.corner {
            Corner::Both => (row, 1),
            Corner::Left | Corner::Right => (2 * row + 1, 0),
        };
        match direction {
            Direction::UpLeft => -row - 1,
            Direction::UpRight => lean - row,
            Direction::DownLeft => row - lean,
            Direction::DownRight => row + 1,
            Direction::Up => -column,
            Direction::Down => column,
            Direction::Left => -1,
            Direction::Right => 1,
        }
    }

    /// The playable square in `row` (counted from 0 at the top) and `column` (from 0 at the left), if there is one.
    pub const fn square_at(self, row: u8, column: u8) -> Option<Square> {
        if row >= self.height || column >= self.width || column % self.spacing() != self.offset(row) {
            return None;
        }
        Some(Square::new(self.row_start(row) + column / self.spacing()))
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
        (square.index() as u8 - self.row_start(row)) * self.spacing() + self.offset(row)
    }

    /// The neighbour of `square` in `direction`, if the board goes on there.
    pub const fn neighbour(self, square: Square, direction: Direction) -> Option<Square> {
        let stride = if direction.is_diagonal() { 1 } else { self.spacing() as i8 };
        let row = self.row(square) as i8 + stride * direction.rows();
        let column = self.column(square) as i8 + stride * direction.columns();
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

    /// The mask of the playable squares at the end of a row in `direction`, [`Direction::Left`] or
    /// [`Direction::Right`].
    pub const fn end_of_rows(self, direction: Direction) -> u128 {
        let mut mask = 0;
        let mut row = 0;
        while row < self.height {
            let last = if direction.columns() < 0 { 0 } else { self.row_length() - 1 };
            mask |= 1 << (self.row_start(row) + last);
            row += 1;
        }
        mask
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

    /// The mask of the diagonal that joins two corners of a square board, the main road of Russian draughts.
    pub const fn main_road(self) -> u128 {
        let mut mask = 0;
        let mut row = 0;
        while row < self.height {
            let column = match self.corner {
                Corner::Left | Corner::Both => self.height - 1 - row,
                Corner::Right => row,
            };
            if let Some(square) = self.square_at(row, column) {
                mask |= 1 << square.index();
            }
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
    use crate::board::{Bits, Board8, Board8Every, Board8Mirrored, Board10, Board10x8, Board12, Geometry};

    /// Calls a function that is generic over the board for every board.
    macro_rules! on_every_board {
        ($function:ident) => {
            $function::<Board8>();
            $function::<Board8Mirrored>();
            $function::<Board8Every>();
            $function::<Board10>();
            $function::<Board10x8>();
            $function::<Board12>();
        };
    }

    fn numbers_of<G: Geometry>() {
        let squares: Vec<_> = G::SHAPE.all_squares().collect();
        assert_eq!(squares.len(), usize::from(G::SHAPE.squares()));
        assert_eq!(G::SHAPE.mask().count_ones(), u32::from(G::SHAPE.squares()));
        for (index, square) in squares.into_iter().enumerate() {
            let number = G::SHAPE.number(square);
            assert_eq!(usize::from(number.get()), index + 1);
            assert_eq!(G::SHAPE.numbered(number), Some(square));
            assert_eq!(G::SHAPE.square_at(G::SHAPE.row(square), G::SHAPE.column(square)), Some(square));
        }
    }

    #[test]
    fn numbers_and_squares_are_one_to_one() {
        on_every_board!(numbers_of);
    }

    fn steps_of<G: Geometry>() {
        for square in G::SHAPE.all_squares() {
            for direction in Direction::ALL {
                let neighbour = G::SHAPE.neighbour(square, direction);
                let step = G::step(G::Bits::of(square), direction) & G::all();
                assert_eq!(step.squares().next(), neighbour, "{:?} {square:?} {direction:?}", G::SHAPE);
                if let Some(neighbour) = neighbour {
                    let shift = i32::from(G::SHAPE.shift(direction));
                    assert_eq!(neighbour.index() as i32 - square.index() as i32, shift);
                }
            }
        }
    }

    #[test]
    fn every_step_leads_to_the_neighbour_or_off_the_board() {
        on_every_board!(steps_of);
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
        assert_eq!(number(Board8Every::SHAPE, 7, 0), Some(57));
        assert_eq!(number(Board12::SHAPE, 11, 0), Some(67));
        assert_eq!(number(Board10x8::SHAPE, 7, 0), Some(36));
    }

    #[test]
    fn the_main_road_joins_two_corners() {
        for shape in [Board8::SHAPE, Board8Mirrored::SHAPE, Board10::SHAPE] {
            let road = shape.main_road();
            assert_eq!(road.count_ones(), u32::from(shape.height), "{shape:?}");
            let bottom = if shape.corner == Corner::Left { 0 } else { shape.width - 1 };
            let corners = [(shape.height - 1, bottom), (0, shape.width - 1 - bottom)];
            for (row, column) in corners {
                assert!(
                    shape.square_at(row, column).is_some_and(|square| road >> square.index() & 1 == 1),
                    "{shape:?}"
                );
            }
        }
    }

    #[test]
    fn inner_squares_keep_off_the_edge() {
        assert_eq!(Board10::SHAPE.inner_mask(0), Board10::SHAPE.mask());
        assert_eq!(Board10::SHAPE.inner_mask(1).count_ones(), 32);
        assert_eq!(Board8::SHAPE.inner_mask(3).count_ones(), 2);
    }
}
