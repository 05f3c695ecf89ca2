//! The parts of the board that the reports name, for boards of every size.
//!
//! | part | what was chosen | on 8x8, rows counted from the own side |
//! | --- | --- | --- |
//! | centre rows and columns | the middle half | rows 3 to 6, columns c to f |
//! | centre | where these cross | c3 to f6 |
//! | back row, next row | the first and the second | rows 1 and 2; of the enemy 8 and 7 |
//! | far third | a third of the rows, rounded | rows 6 to 8 |
//! | middle rows | between the far third and its counterpart | rows 4 and 5 |
//! | edge, corner | one or two sides of the square are a border | |

use crate::board::Shape;
use crate::rules::{Color, RuleSet};

/// The masks of the parts; of two, that of White and that of Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Regions {
    /// The rows of the middle half.
    pub(super) centre_rows: u128,
    /// The columns of the middle half.
    pub(super) centre_columns: u128,
    /// Where the middle rows and columns cross.
    pub(super) centre: u128,
    /// The back rows of both sides.
    pub(super) back_rows: u128,
    /// The rows next to the back rows.
    pub(super) next_rows: u128,
    /// The own back row.
    pub(super) home_row: [u128; 2],
    /// The rows on the enemy's side of the board.
    pub(super) enemy_half: [u128; 2],
    /// The third of the rows that is farthest from the own back row.
    pub(super) far_third: [u128; 2],
    /// The rows between the far third of one side and that of the other.
    pub(super) middle_rows: u128,
    /// The squares at the border of the board.
    pub(super) edge: u128,
    /// The squares at two borders.
    pub(super) corners: u128,
}

impl Regions {
    /// The parts of the board of `spec`.
    pub(super) fn of(spec: &RuleSet) -> Self {
        let shape = spec.shape;
        let (height, width) = (shape.height, shape.width);
        let third = third(shape);
        let centre_rows = rows(shape, height / 4, height - 1 - height / 4);
        let centre_columns = columns(shape, width / 4, width - 1 - width / 4);
        let back_rows = rows(shape, 0, 0) | rows(shape, height - 1, height - 1);
        let sides = columns(shape, 0, 0) | columns(shape, width - 1, width - 1);
        let both = [Color::White, Color::Black];
        Self {
            centre_rows,
            centre_columns,
            centre: centre_rows & centre_columns,
            back_rows,
            next_rows: rows(shape, 1, 1) | rows(shape, height - 2, height - 2),
            home_row: both.map(|color| shape.row_mask(spec.promotion_row(color.opponent()))),
            enemy_half: both.map(|color| last_rows(spec, color, height / 2)),
            far_third: both.map(|color| last_rows(spec, color, third)),
            middle_rows: rows(shape, third, height - 1 - third),
            edge: shape.mask() & !shape.inner_mask(1),
            corners: sides & back_rows,
        }
    }
}

/// A third of the rows, rounded.
const fn third(shape: Shape) -> u8 {
    (2 * shape.height + 3) / 6
}

/// The last `count` rows on the way of the men of `color`.
const fn last_rows(spec: &RuleSet, color: Color, count: u8) -> u128 {
    let last = spec.promotion_row(color);
    if last == 0 { rows(spec.shape, 0, count - 1) } else { rows(spec.shape, last + 1 - count, last) }
}

/// The rows from `first` to `last`, counted from 0 at the top.
const fn rows(shape: Shape, first: u8, last: u8) -> u128 {
    let mut mask = 0;
    let mut row = first;
    while row <= last {
        mask |= shape.row_mask(row);
        row += 1;
    }
    mask
}

/// The columns from `first` to `last`, counted from 0 at the left.
const fn columns(shape: Shape, first: u8, last: u8) -> u128 {
    crate::eval::masks::columns(shape, first, last, 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    /// The squares of a region by their numbers.
    fn numbers(spec: &RuleSet, mask: u128) -> Vec<u8> {
        let inside = spec.shape.all_squares().filter(|square| mask >> square.index() & 1 == 1);
        inside.map(|square| spec.shape.number(square).get()).collect()
    }

    #[test]
    fn regions_of_the_small_board() {
        let spec = Variant::English.spec();
        let regions = Regions::of(spec);
        let numbers = |mask| numbers(spec, mask);
        assert_eq!(numbers(regions.centre), [10, 11, 14, 15, 18, 19, 22, 23]);
        assert_eq!(numbers(regions.middle_rows), [13, 14, 15, 16, 17, 18, 19, 20]);
        let [white, black] = [Color::White as usize, Color::Black as usize];
        assert_eq!(numbers(regions.far_third[white]), (1..=12).collect::<Vec<_>>());
        assert_eq!(numbers(regions.far_third[black]), (21..=32).collect::<Vec<_>>());
        assert_eq!(numbers(regions.enemy_half[black]), (17..=32).collect::<Vec<_>>());
        assert_eq!(numbers(regions.home_row[white]), [29, 30, 31, 32]);
        assert_eq!(numbers(regions.corners), [4, 29]);
        assert_eq!(numbers(regions.edge).len(), 14);
        assert_eq!(numbers(regions.next_rows), [5, 6, 7, 8, 25, 26, 27, 28]);
    }

    #[test]
    fn regions_grow_with_the_board() {
        let [ten, twelve] = [Variant::International, Variant::Canadian].map(|variant| Regions::of(variant.spec()));
        assert_eq!((third(Shape::BOARD10), third(Shape::BOARD12)), (3, 4));
        assert_eq!(ten.middle_rows.count_ones(), 20);
        assert_eq!(twelve.middle_rows.count_ones(), 24);
        assert_eq!(ten.centre.count_ones(), 18);
        assert_eq!(twelve.centre.count_ones(), 18);
        assert_eq!(numbers(Variant::International.spec(), ten.corners), [5, 46]);
    }
}
