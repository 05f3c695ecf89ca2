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

/// The rows of the middle half.
pub(super) const fn centre_rows(shape: Shape) -> u128 {
    rows(shape, shape.height / 4, shape.height - 1 - shape.height / 4)
}

/// The columns of the middle half.
pub(super) const fn centre_columns(shape: Shape) -> u128 {
    columns(shape, shape.width / 4, shape.width - 1 - shape.width / 4)
}

/// Where the middle rows and columns cross.
pub(super) const fn centre(shape: Shape) -> u128 {
    centre_rows(shape) & centre_columns(shape)
}

/// The back rows of both sides.
pub(super) const fn back_rows(shape: Shape) -> u128 {
    rows(shape, 0, 0) | rows(shape, shape.height - 1, shape.height - 1)
}

/// The rows next to the back rows.
pub(super) const fn next_rows(shape: Shape) -> u128 {
    rows(shape, 1, 1) | rows(shape, shape.height - 2, shape.height - 2)
}

/// The own back row of `color`.
pub(super) const fn home_row(spec: &RuleSet, color: Color) -> u128 {
    spec.shape.row_mask(spec.promotion_row(color.opponent()))
}

/// The rows on the enemy's side of the board.
pub(super) const fn enemy_half(spec: &RuleSet, color: Color) -> u128 {
    last_rows(spec, color, spec.shape.height / 2)
}

/// The third of the rows that is farthest from the own back row.
pub(super) const fn far_third(spec: &RuleSet, color: Color) -> u128 {
    last_rows(spec, color, third(spec.shape))
}

/// The rows between the far third of one side and that of the other.
pub(super) const fn middle_rows(shape: Shape) -> u128 {
    rows(shape, third(shape), shape.height - 1 - third(shape))
}

/// The squares at the border of the board.
pub(super) const fn edge(shape: Shape) -> u128 {
    shape.mask() & !shape.inner_mask(1)
}

/// The squares at two borders.
pub(super) const fn corners(shape: Shape) -> u128 {
    (columns(shape, 0, 0) | columns(shape, shape.width - 1, shape.width - 1)) & back_rows(shape)
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
    use crate::rules::{Canadian, English, International, Rules};

    /// The squares of a region by their numbers.
    fn numbers<R: Rules>(mask: u128) -> Vec<u8> {
        let spec = &R::SPEC;
        let inside = spec.shape.all_squares().filter(|square| mask >> square.index() & 1 == 1);
        inside.map(|square| spec.shape.number(square).get()).collect()
    }

    #[test]
    fn regions_of_the_small_board() {
        let spec = &English::SPEC;
        assert_eq!(numbers::<English>(centre(spec.shape)), [10, 11, 14, 15, 18, 19, 22, 23]);
        assert_eq!(numbers::<English>(middle_rows(spec.shape)), [13, 14, 15, 16, 17, 18, 19, 20]);
        assert_eq!(numbers::<English>(far_third(spec, Color::White)), (1..=12).collect::<Vec<_>>());
        assert_eq!(numbers::<English>(far_third(spec, Color::Black)), (21..=32).collect::<Vec<_>>());
        assert_eq!(numbers::<English>(enemy_half(spec, Color::Black)), (17..=32).collect::<Vec<_>>());
        assert_eq!(numbers::<English>(home_row(spec, Color::White)), [29, 30, 31, 32]);
        assert_eq!(numbers::<English>(corners(spec.shape)), [4, 29]);
        assert_eq!(numbers::<English>(edge(spec.shape)).len(), 14);
        assert_eq!(numbers::<English>(next_rows(spec.shape)), [5, 6, 7, 8, 25, 26, 27, 28]);
    }

    #[test]
    fn regions_grow_with_the_board() {
        let (ten, twelve) = (International::SPEC.shape, Canadian::SPEC.shape);
        assert_eq!((third(ten), third(twelve)), (3, 4));
        assert_eq!(middle_rows(ten).count_ones(), 20);
        assert_eq!(middle_rows(twelve).count_ones(), 24);
        assert_eq!(centre(ten).count_ones(), 18);
        assert_eq!(centre(twelve).count_ones(), 18);
        assert_eq!(numbers::<International>(corners(ten)), [5, 46]);
    }
}
