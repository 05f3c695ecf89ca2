//! Parts of the board, each seen from one side: the mask of Black is that of White turned by half a turn.

use crate::board::Shape;
use crate::rules::{Color, RuleSet};

/// Distance from the edge at which the middle of the board begins.
const CENTRE: u8 = 2;

/// The row that is `rows` before the row where the men of the side are crowned.
pub(super) const fn row_before_far(spec: &RuleSet, white: bool, rows: u8) -> u8 {
    spec.promotion_row(Color::of(white)).abs_diff(rows)
}

/// The rows from `first` to `last` rows before the row where the men of the side are crowned.
pub(super) const fn rows_before_far(spec: &RuleSet, white: bool, first: u8, last: u8) -> u128 {
    let mut mask = 0;
    let mut rows = first;
    while rows <= last {
        mask |= spec.shape.row_mask(row_before_far(spec, white, rows));
        rows += 1;
    }
    mask
}

/// The row where the men of the side begin and those of the enemy are crowned.
pub(super) const fn home_row(spec: &RuleSet, white: bool) -> u128 {
    spec.shape.row_mask(spec.promotion_row(Color::of(!white)))
}

/// The rows whose number, counted from the home row of the side, has bit `bit` set.
pub(super) const fn advance_bit(spec: &RuleSet, white: bool, bit: u8) -> u128 {
    let mut mask = 0;
    let mut advance = 0;
    while advance < spec.shape.height {
        if advance >> bit & 1 == 1 {
            mask |= spec.shape.row_mask(row_before_far(spec, white, spec.shape.height - 1 - advance));
        }
        advance += 1;
    }
    mask
}

/// The columns from `first` to `last`, every `step`-th one.
pub(super) const fn columns(shape: Shape, first: u8, last: u8, step: u8) -> u128 {
    let mut mask = 0;
    let mut column = first;
    while column <= last {
        let mut row = 0;
        while row < shape.height {
            if let Some(square) = shape.square_at(row, column) {
                mask |= 1 << square.index();
            }
            row += 1;
        }
        column += step;
    }
    mask
}

/// The left half of the board.
pub(super) const fn left_half(shape: Shape) -> u128 {
    columns(shape, 0, shape.width / 2 - 1, 1)
}

/// The two side columns.
pub(super) const fn sides(shape: Shape) -> u128 {
    columns(shape, 0, shape.width - 1, shape.width - 1)
}

/// The squares on the edge of the board.
pub(super) const fn edge(shape: Shape) -> u128 {
    shape.mask() & !shape.inner_mask(1)
}

/// The middle of the board.
pub(super) const fn centre(shape: Shape) -> u128 {
    shape.inner_mask(CENTRE)
}

/// The columns that have a playing square on the home row of the side.
pub(super) const fn home_columns(spec: &RuleSet, white: bool) -> u128 {
    let row = spec.promotion_row(Color::of(!white));
    let first = if spec.shape.square_at(row, 0).is_some() { 0 } else { 1 };
    columns(spec.shape, first, spec.shape.width - 1, 2)
}

/// Every other square of the home row of the side, without the one in the corner. On the 8x8 board two men there are
/// enough to leave the enemy no safe way to be crowned.
pub(super) const fn bridge(spec: &RuleSet, white: bool) -> u128 {
    let row = spec.promotion_row(Color::of(!white));
    let in_corner = spec.shape.square_at(row, 0).is_some();
    let first = if in_corner { 2 } else { spec.shape.width - 3 } % 4;
    home_row(spec, white) & columns(spec.shape, first, spec.shape.width - 1, 4)
}

/// The squares where a chased king is hardest to catch: the long diagonal for kings that fly; for others the two squares
/// beside each corner that is not played on, between which they step to and fro.
pub(super) const fn refuge(spec: &RuleSet) -> u128 {
    let shape = spec.shape;
    let (right, bottom) = (shape.width - 1, shape.height - 1);
    let mut mask = 0;
    let mut row = 0;
    while row <= bottom {
        let mut column = 0;
        while column <= right {
            let to_edge = if column < right - column { column } else { right - column };
            let to_end = if row < bottom - row { row } else { bottom - row };
            let wanted = if spec.flying_kings { to_edge == to_end } else { to_edge + to_end == 1 };
            if let Some(square) = shape.square_at(row, column)
                && wanted
            {
                mask |= 1 << square.index();
            }
            column += 1;
        }
        row += 1;
    }
    mask
}
