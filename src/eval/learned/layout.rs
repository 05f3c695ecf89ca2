//! Which squares a pattern has.

use crate::board::{Corner, Shape};

/// The most squares of a pattern: its table has three entries to the power of their number.
pub const MAX_PATTERN_SQUARES: u8 = 12;

/// How the board is cut into overlapping patterns: rectangles of neighbouring playable squares in some consecutive rows.
///
/// On boards with playing squares of one colour, `columns` playable squares of each row are twice as many columns of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Playable squares of a pattern in each row.
    pub columns: u8,
    /// Rows of a pattern.
    pub rows: u8,
    /// Rows from one pattern to the next one below it. To the side the next one begins one playable square further.
    pub step: u8,
}

impl Layout {
    /// The layout that is used where nothing else is said: two dark columns and four rows, two of which the next pattern shares,
    /// as in Scan 2.0 (Fabien Letouzey, 2015); where all squares are playing squares, 3x3 squares everywhere.
    pub const fn standard(shape: Shape) -> Self {
        match shape.corner {
            Corner::Both => Self { columns: 3, rows: 3, step: 1 },
            Corner::Left | Corner::Right => Self { columns: 2, rows: 4, step: 2 },
        }
    }

    /// Whether the patterns fit on the board, reach both its ends, and are small enough for tables.
    pub const fn fits(self, shape: Shape) -> bool {
        0 < self.columns
            && self.columns <= shape.row_length()
            && 0 < self.rows
            && self.rows <= shape.height
            && self.columns as u32 * self.rows as u32 <= MAX_PATTERN_SQUARES as u32
            && 0 < self.step
            && (shape.height - self.rows).is_multiple_of(self.step)
    }

    /// Squares of a pattern.
    pub const fn squares(self) -> u8 {
        self.columns * self.rows
    }

    /// Entries of the table of one pattern: every square is empty or has a man of one of the sides.
    pub const fn table_size(self) -> usize {
        3usize.pow(self.squares() as u32)
    }

    /// Patterns from the left to the right of the board.
    pub(super) const fn across(self, shape: Shape) -> u8 {
        shape.row_length() - self.columns + 1
    }

    /// Patterns from the top to the bottom of the board.
    pub(super) const fn down(self, shape: Shape) -> u8 {
        (shape.height - self.rows) / self.step + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board8, Board10, Board10x8, Geometry};

    #[test]
    fn layouts_reach_both_ends_of_the_board() {
        let layout = |columns, rows, step| Layout { columns, rows, step };
        for (shape, layout, fits) in [
            (Board8::SHAPE, layout(2, 4, 2), true),
            (Board10::SHAPE, layout(2, 6, 4), true),
            (Board10::SHAPE, layout(2, 5, 5), true),
            (Board10x8::SHAPE, layout(2, 5, 2), false),
            (Board10::SHAPE, layout(3, 5, 5), false),
            (Board10::SHAPE, layout(2, 4, 0), false),
            (Board10::SHAPE, layout(0, 4, 2), false),
            (Board10::SHAPE, layout(2, 0, 2), false),
            (Board8::SHAPE, layout(5, 1, 1), false),
            (Board8::SHAPE, layout(1, 9, 1), false),
            (Board8::SHAPE, layout(255, 255, 255), false),
        ] {
            assert_eq!(layout.fits(shape), fits, "{layout:?} {shape:?}");
        }
    }
}
