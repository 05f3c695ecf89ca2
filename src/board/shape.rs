//! Board shapes, and the layout of squares in a bitboard.
//!
//! Playable squares are laid out row by row from the top left of the printed board, with White at the bottom. If only
//! squares of one colour are playing squares, each row that starts in the leftmost column is followed by a *ghost* bit,
//! which is not a square. With this layout, a diagonal step in a given direction is a shift by the same constant in
//! every row, and a step over the edge ends on a ghost bit or outside the layout.
//!
//! A board with a dark square in the bottom right corner uses the layout of its mirror image. Only the names of squares
//! and directions differ, so both boards share one move generator.

use super::{Bits, Direction, Number, Square};

/// The bottom corners that are playing squares, from White's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Corner {
    /// The bottom left corner, as in international and English draughts.
    Left,
    /// The bottom right corner, as in Italian draughts.
    Right,
    /// Both corners. Every square is a playing square, as in Turkish draughts.
    Both,
}

/// The size of a board and the colour of its playing squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Number of columns, which must be even.
    pub width: u8,
    /// Number of rows, which must be even.
    pub height: u8,
    /// The bottom corners that are playing squares.
    pub corner: Corner,
}

impl Shape {
    /// The 8x8 board with a dark square in the bottom left corner, as in English, Russian and Brazilian draughts.
    pub const BOARD8: Self = Self { width: 8, height: 8, corner: Corner::Left };
    /// The 8x8 board with a dark square in the bottom right corner, as in Italian and Spanish draughts.
    pub const BOARD8_MIRRORED: Self = Self { corner: Corner::Right, ..Self::BOARD8 };
    /// The 8x8 board on which every square is a playing square, as in Turkish draughts.
    pub const BOARD8_EVERY: Self = Self { corner: Corner::Both, ..Self::BOARD8 };
    /// The board with ten columns and eight rows, as in Spantsiretti.
    pub const BOARD10X8: Self = Self { width: 10, height: 8, corner: Corner::Left };
    /// The 10x10 board of international draughts.
    pub const BOARD10: Self = Self { width: 10, height: 10, corner: Corner::Left };
    /// The 12x12 board of Canadian draughts.
    pub const BOARD12: Self = Self { width: 12, height: 12, corner: Corner::Left };
    /// The 12x12 board with a dark square in the bottom right corner, as in Sri Lankan draughts.
    pub const BOARD12_MIRRORED: Self = Self { corner: Corner::Right, ..Self::BOARD12 };
    /// The 14x14 board of dumm.
    pub const BOARD14: Self = Self { width: 14, height: 14, corner: Corner::Left };

    /// Returns the number of playable squares.
    pub const fn squares(self) -> u8 {
        self.row_length() * self.height
    }

    /// Returns whether all squares are playing squares.
    pub const fn is_full(self) -> bool {
        matches!(self.corner, Corner::Both)
    }

    /// Returns whether the squares and ghost bits need more than 64 bits.
    pub const fn is_wide(self) -> bool {
        self.mask() >> u64::BITS != 0
    }

    const fn spacing(self) -> u8 {
        match self.corner {
            Corner::Left | Corner::Right => 2,
            Corner::Both => 1,
        }
    }

    /// Returns the number of playable squares in each row.
    pub const fn row_length(self) -> u8 {
        self.width / self.spacing()
    }

    const fn is_mirrored(self) -> bool {
        matches!(self.corner, Corner::Right)
    }

    /// Returns the unmirrored board with the same layout.
    pub const fn unmirrored(self) -> Self {
        if self.is_mirrored() { Self { corner: Corner::Left, ..self } } else { self }
    }

    /// Converts a column of the printed board to a column of the layout, or the reverse.
    const fn laid_out(self, column: u8) -> u8 {
        if self.is_mirrored() { self.width - 1 - column } else { column }
    }

    /// Returns the layout column of the first playable square in `row`.
    const fn offset(self, row: u8) -> u8 {
        match self.corner {
            Corner::Left | Corner::Right => (self.height - 1 - row) % 2,
            Corner::Both => 0,
        }
    }

    /// Returns the bit index of the first playable square in `row`.
    const fn row_start(self, row: u8) -> u8 {
        let ghosts_before = match self.corner {
            Corner::Both => 0,
            _ if self.offset(0) == 0 => row.div_ceil(2),
            _ => row / 2,
        };
        row * self.row_length() + ghosts_before
    }

    /// Returns the difference between the bit indices of a square and its neighbour in `direction`.
    #[inline(always)]
    pub const fn shift(self, direction: Direction) -> i8 {
        let direction = if self.is_mirrored() { direction.mirrored() } else { direction };
        let row = self.row_length() as i8;
        // A shift by `column` bits leads to the next playing square above or below. It spans two rows and the ghost bit
        // between them, or one row on a board without ghost bits. Steps up right and down left are `lean` bits shorter
        // than a row.
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

    /// Returns the playable square at `row` and `column`, or `None` if there is no such square. Rows are counted from 0
    /// at the top, columns from 0 at the left.
    pub const fn square_at(self, row: u8, column: u8) -> Option<Square> {
        if row >= self.height || column >= self.width {
            return None;
        }
        let column = self.laid_out(column);
        if column % self.spacing() != self.offset(row) {
            return None;
        }
        Some(Square::new(self.row_start(row) + column / self.spacing()))
    }

    /// Returns the row of `square`, counted from 0 at the top of the printed board.
    pub const fn row(self, square: Square) -> u8 {
        let mut row = self.height - 1;
        while self.row_start(row) as usize > square.index() {
            row -= 1;
        }
        row
    }

    /// Returns the column of `square`, counted from 0 at the left of the printed board.
    pub const fn column(self, square: Square) -> u8 {
        let row = self.row(square);
        self.laid_out((square.index() as u8 - self.row_start(row)) * self.spacing() + self.offset(row))
    }

    /// Returns the adjacent playing square in `direction`, or `None` if the step leads off the board.
    pub const fn neighbour(self, square: Square, direction: Direction) -> Option<Square> {
        let stride = if direction.is_diagonal() { 1 } else { self.spacing() as i8 };
        let row = self.row(square) as i8 + stride * direction.rows();
        let column = self.column(square) as i8 + stride * direction.columns();
        if row < 0 || column < 0 {
            return None;
        }
        self.square_at(row as u8, column as u8)
    }

    /// Returns the number of `square`, counted row by row from the top left.
    pub const fn number(self, square: Square) -> Number {
        let row = self.row(square);
        let place = self.counted_from_left(square.index() as u8 - self.row_start(row));
        match Number::new(row * self.row_length() + place + 1) {
            Some(number) => number,
            None => unreachable!(),
        }
    }

    /// Returns the square with this number, or `None` if the board has fewer squares.
    pub const fn numbered(self, number: Number) -> Option<Square> {
        if number.get() > self.squares() {
            return None;
        }
        let index = number.get() - 1;
        let place = self.counted_from_left(index % self.row_length());
        Some(Square::new(self.row_start(index / self.row_length()) + place))
    }

    /// Converts the index of a square within its row from the printed board to the layout, or the reverse.
    const fn counted_from_left(self, place: u8) -> u8 {
        if self.is_mirrored() { self.row_length() - 1 - place } else { place }
    }

    /// Returns all playable squares in the order of their numbers.
    pub fn all_squares(self) -> impl Iterator<Item = Square> {
        (1..=self.squares()).filter_map(Number::new).filter_map(move |number| self.numbered(number))
    }

    /// Returns the mask of the playable squares in `row`.
    pub const fn row_mask(self, row: u8) -> u128 {
        ((1u128 << self.row_length()) - 1) << self.row_start(row)
    }

    /// Moves every square in `squares` one step in `direction`. Steps over the edge end outside [`Shape::mask`].
    #[inline(always)]
    pub fn step<W: Bits>(self, squares: W, direction: Direction) -> W {
        let squares = match direction {
            Direction::Left | Direction::Right => squares & !W::from_mask(self.end_of_rows(direction)),
            _ if direction.is_diagonal() && matches!(self.corner, Corner::Both) => {
                // On boards without ghost bits, a diagonal step could wrap around the edge.
                let side = if direction.columns() < 0 { Direction::Left } else { Direction::Right };
                squares & !W::from_mask(self.end_of_rows(side))
            }
            _ => squares,
        };
        let shift = self.shift(direction);
        if shift > 0 { squares << shift as u32 } else { squares >> shift.unsigned_abs() as u32 }
    }

    /// Returns the mask of the outermost playable square of every row on one side of the board. `direction` must be
    /// [`Direction::Left`] or [`Direction::Right`].
    pub const fn end_of_rows(self, direction: Direction) -> u128 {
        let mut mask = 0;
        let mut row = 0;
        while row < self.height {
            let last = if direction.columns() < 0 { 0 } else { self.row_length() - 1 };
            mask |= 1 << (self.row_start(row) + self.counted_from_left(last));
            row += 1;
        }
        mask
    }

    /// Returns the mask of all playable squares.
    pub const fn mask(self) -> u128 {
        let mut mask = 0;
        let mut row = 0;
        while row < self.height {
            mask |= self.row_mask(row);
            row += 1;
        }
        mask
    }

    /// Returns the mask of the diagonal that joins two corners of a square board. It is called the main road in Russian
    /// draughts.
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

    /// Returns the playable squares that are at least `distance` rows and columns away from every edge.
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

    const ALL: [Shape; 8] = [
        Shape::BOARD8,
        Shape::BOARD8_MIRRORED,
        Shape::BOARD8_EVERY,
        Shape::BOARD10X8,
        Shape::BOARD10,
        Shape::BOARD12,
        Shape::BOARD12_MIRRORED,
        Shape::BOARD14,
    ];

    fn check_numbers(shape: Shape) {
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

    #[test]
    fn numbers_and_squares_are_one_to_one() {
        ALL.into_iter().for_each(check_numbers);
    }

    fn check_steps(shape: Shape) {
        for square in shape.all_squares() {
            for direction in Direction::ALL {
                let neighbour = shape.neighbour(square, direction);
                let step = shape.step(u128::from_square(square), direction) & shape.mask();
                assert_eq!(step.squares().next(), neighbour, "{:?} {square:?} {direction:?}", shape);
                if let Some(neighbour) = neighbour {
                    let shift = i32::from(shape.shift(direction));
                    assert_eq!(neighbour.index() as i32 - square.index() as i32, shift);
                }
            }
        }
    }

    #[test]
    fn every_step_leads_to_the_neighbour_or_off_the_board() {
        ALL.into_iter().for_each(check_steps);
    }

    #[test]
    fn corners_match_printed_diagrams() {
        let number = |shape: Shape, row, column| shape.square_at(row, column).map(|s| shape.number(s).get());
        assert_eq!(number(Shape::BOARD10, 9, 0), Some(46));
        assert_eq!(number(Shape::BOARD10, 0, 9), Some(5));
        assert_eq!(number(Shape::BOARD8, 7, 0), Some(29));
        assert_eq!(number(Shape::BOARD8_MIRRORED, 0, 0), Some(1));
        assert_eq!(number(Shape::BOARD8_MIRRORED, 7, 7), Some(32));
        assert_eq!(number(Shape::BOARD8_MIRRORED, 7, 0), None);
        assert_eq!(number(Shape::BOARD8_EVERY, 7, 0), Some(57));
        assert_eq!(number(Shape::BOARD12, 11, 0), Some(67));
        assert_eq!(number(Shape::BOARD14, 13, 0), Some(92));
        assert_eq!(number(Shape::BOARD14, 0, 13), Some(7));
        assert_eq!(number(Shape::BOARD10X8, 7, 0), Some(36));
    }

    #[test]
    fn the_main_road_joins_two_corners() {
        for shape in [Shape::BOARD8, Shape::BOARD8_MIRRORED, Shape::BOARD10] {
            let road = shape.main_road();
            assert_eq!(road.count_ones(), u32::from(shape.height), "{shape:?}");
            let bottom = if shape.corner == Corner::Left { 0 } else { shape.width - 1 };
            for (row, column) in [(shape.height - 1, bottom), (0, shape.width - 1 - bottom)] {
                let corner = shape.square_at(row, column).unwrap();
                assert!(road.contains(corner), "{shape:?}");
            }
        }
    }

    #[test]
    fn inner_squares_exclude_the_edge() {
        assert_eq!(Shape::BOARD10.inner_mask(0), Shape::BOARD10.mask());
        assert_eq!(Shape::BOARD10.inner_mask(1).count_ones(), 32);
        assert_eq!(Shape::BOARD8.inner_mask(3).count_ones(), 2);
    }
}
