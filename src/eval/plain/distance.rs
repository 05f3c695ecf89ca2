//! The distance between the kings of an ending.

use super::both;
use crate::board::{Lines, Square};
use crate::position::Pieces;
use crate::rules::{Color, RuleSet, Word};

/// What a step is worth in 1/100 man, in the mean of all pairs of kings: even 14 steps, the most on any board, are worth less
/// than a piece.
const STEP: i32 = 7;

/// Only in endings of kings, and not when both sides have as many: the mean of the steps between each own piece and each
/// of the enemy is bad for the side with more pieces and good for the other.
pub(super) fn value<W: Word>(spec: &RuleSet, pieces: &Pieces<W>, own: Color) -> i32 {
    let (mine, theirs) = both(pieces, own);
    let excess = mine.count() as i32 - theirs.count() as i32;
    if excess == 0 || !(pieces.all() & !pieces.kings).is_empty() {
        return 0;
    }
    let steps = |from: Square| theirs.squares().map(|to| steps(spec, from, to)).sum::<i32>();
    let pairs = (mine.count() * theirs.count()).max(1) as i32;
    let value = STEP * mine.squares().map(steps).sum::<i32>() / pairs;
    if excess > 0 { -value } else { value }
}

/// Steps of a king that may go one square at a time over occupied squares.
fn steps(spec: &RuleSet, from: Square, to: Square) -> i32 {
    let shape = spec.shape;
    let rows = i32::from(shape.row(from).abs_diff(shape.row(to)));
    let columns = i32::from(shape.column(from).abs_diff(shape.column(to)));
    match spec.moves {
        Lines::Diagonal => rows.max(columns),
        Lines::Orthogonal => rows + columns,
        Lines::Both => rows.max(columns),
    }
}
