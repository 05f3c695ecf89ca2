//! The patterns of men on a board: where they lie, and which entries of the tables a position has.

use super::Layout;
use crate::board::{Bits, Corner, Extractor, Shape};

/// The patterns of a board, ready to be read.
///
/// A pattern and its image on the board turned by 180 degrees share one table: the men of the sides change places and the value
/// changes its sign. So a position and the one turned, with the colors swapped, have opposite values whatever the tables hold.
/// Where all squares are playing squares the mirror image from left to right shares the table too.
///
/// The entry of a pattern is a number to the base 3, one digit for each of its squares in rows from the top left: 0 for empty, 1
/// for a man of the own side, 2 for one of the other; of the image, seen from the other side of the board.
#[derive(Clone, Debug)]
pub struct Windows {
    strips: Vec<Strip>,
    /// For each [`View`], and for each set of squares of a pattern in the order of the board, the number to the base 3 that has a
    /// digit 1 for each of them.
    ternary: Vec<u32>,
    /// Squares of a pattern.
    squares: u32,
    tables: usize,
    table_size: usize,
}

/// Some neighbouring squares of every row, from the top to the bottom of the board.
#[derive(Clone, Debug)]
struct Strip {
    extractor: Extractor,
    /// The patterns that are read for White, which add to White's score.
    for_white: Vec<Reading>,
    /// The patterns that are read for Black.
    for_black: Vec<Reading>,
}

/// A pattern that is read from one side.
#[derive(Clone, Copy, Debug)]
struct Reading {
    /// The first bit of the pattern in the strip.
    shift: u32,
    /// Where the numbers of its view begin among the ternary ones.
    view: u32,
    /// The first entry of its table.
    table: u32,
}

/// How a pattern is seen by the one that owns the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum View {
    Plain,
    Turned,
    Mirrored,
    MirroredAndTurned,
}

impl View {
    const ALL: [Self; 4] = [Self::Plain, Self::Turned, Self::Mirrored, Self::MirroredAndTurned];

    /// Whether rows and columns are counted from the other end.
    const fn reversed(self) -> (bool, bool) {
        match self {
            Self::Plain => (false, false),
            Self::Turned => (true, true),
            Self::Mirrored => (false, true),
            Self::MirroredAndTurned => (true, false),
        }
    }

    const fn is_for_white(self) -> bool {
        matches!(self, Self::Plain | Self::Mirrored)
    }

    /// The place, or the square of a pattern, that this view has at `(row, column)` of `rows` and `columns`.
    fn place(self, (row, column): (u8, u8), (rows, columns): (u8, u8)) -> (u8, u8) {
        let (by_row, by_column) = self.reversed();
        (if by_row { rows - 1 - row } else { row }, if by_column { columns - 1 - column } else { column })
    }
}

impl Windows {
    /// The patterns of a board; the layout must fit on it.
    pub fn new(shape: Shape, layout: Layout) -> Self {
        debug_assert!(layout.fits(shape));
        let views = if shape.corner == Corner::Both { &View::ALL[..] } else { &View::ALL[..2] };
        let mut strips: Vec<_> = (0..layout.across(shape)).map(|column| Strip::new(shape, layout, column)).collect();
        let places = (layout.down(shape), layout.across(shape));
        let mut tables = 0;
        for place in (0..places.0).flat_map(|row| (0..places.1).map(move |column| (row, column))) {
            // Of a pattern and its images, the first one brings the table.
            if views.iter().any(|view| view.place(place, places) < place) {
                continue;
            }
            for &view in views {
                let (row, column) = view.place(place, places);
                let strip = &mut strips[usize::from(column)];
                let readings = if view.is_for_white() { &mut strip.for_white } else { &mut strip.for_black };
                readings.push(Reading {
                    shift: u32::from(row * layout.step * layout.columns),
                    view: (view as u32) << layout.squares(),
                    table: (tables * layout.table_size()) as u32,
                });
            }
            tables += 1;
        }
        let ternary = views.iter().flat_map(|&view| ternary(layout, view)).collect();
        let squares = u32::from(layout.squares());
        Self { strips, ternary, squares, tables, table_size: layout.table_size() }
    }

    /// Number of tables.
    pub fn tables(&self) -> usize {
        self.tables
    }

    /// Entries of all tables, which lie one after the other.
    pub fn entries(&self) -> usize {
        self.tables * self.table_size
    }

    /// For each call that [`Windows::for_each`] makes, in their order, the number of the table that it is about.
    pub fn readings(&self) -> Vec<usize> {
        let strips = self.strips.iter();
        let readings = strips.flat_map(|strip| strip.for_white.iter().chain(&strip.for_black));
        readings.map(|reading| reading.table as usize / self.table_size).collect()
    }

    /// Calls `visit` with each entry that men on these squares have, and with whether its value adds to White's score or is taken
    /// from it. Every position has the same number of entries.
    #[inline(always)]
    pub fn for_each<B: Bits>(&self, white_men: B, black_men: B, mut visit: impl FnMut(usize, bool)) {
        let mask = (1u64 << self.squares) - 1;
        let ternary = &self.ternary[..];
        for strip in &self.strips {
            let white = strip.extractor.extract(white_men);
            let black = strip.extractor.extract(black_men);
            let entry = |reading: &Reading, own: u64, other: u64| {
                let number = |men: u64| ternary[reading.view as usize | (men >> reading.shift & mask) as usize];
                (reading.table + number(own) + 2 * number(other)) as usize
            };
            for reading in &strip.for_white {
                visit(entry(reading, white, black), true);
            }
            for reading in &strip.for_black {
                visit(entry(reading, black, white), false);
            }
        }
    }
}

impl Strip {
    fn new(shape: Shape, layout: Layout, column: u8) -> Self {
        let squares = ((1u128 << layout.columns) - 1) << column;
        let row = |row| (squares << shape.row_mask(row).trailing_zeros()) & shape.row_mask(row);
        let mask = (0..shape.height).fold(0, |mask, next| mask | row(next));
        Self { extractor: Extractor::new(mask), for_white: Vec::new(), for_black: Vec::new() }
    }
}

/// For each set of squares of a pattern its number to the base 3, where the squares have the places that `view` gives them.
fn ternary(layout: Layout, view: View) -> Vec<u32> {
    let size = (layout.rows, layout.columns);
    let digit = |square: u8| {
        let (row, column) = view.place((square / layout.columns, square % layout.columns), size);
        3u32.pow(u32::from(row * layout.columns + column))
    };
    let number = |set: u32| (0..layout.squares()).filter(|square| set >> square & 1 == 1).map(digit).sum();
    (0..1 << layout.squares()).map(number).collect()
}
