//! The text of a move: its full path, which names one move only, and the form of the Hub protocol.

use crate::board::{Number, Square};
use crate::position::Setup;
use crate::position::reference::{Sequence, legal_sequences};
use crate::rules::RuleSet;
use std::collections::HashSet;

/// The move as `spec` has moves written.
pub fn written(spec: &RuleSet, sequence: &Sequence) -> String {
    if spec.notation.hub_moves { hub_form(spec, sequence) } else { full_path(spec, sequence) }
}

/// The move with every landing square, as the players of the variant write it: `32-28`, `28x19x10`,
/// `c3:e5:g7`.
pub fn full_path(spec: &RuleSet, sequence: &Sequence) -> String {
    path_text(spec, sequence.from, &sequence.landings, &sequence.captured)
}

/// The move as the Hub protocol writes it: the squares of departure and arrival, then those of the pieces taken. These
/// are always numbers with the sign `x` between them.
pub fn hub_form(spec: &RuleSet, sequence: &Sequence) -> String {
    hub_text(spec, sequence.from, sequence.to(), &sequence.captured)
}

/// The move from `from` to `to` that takes at most one piece, and so has one way only, as `spec` has moves written.
pub(super) fn single_step(spec: &RuleSet, from: Square, to: Square, captured: &[Square]) -> String {
    if spec.notation.hub_moves { hub_text(spec, from, to, captured) } else { path_text(spec, from, &[to], captured) }
}

fn path_text(spec: &RuleSet, from: Square, landings: &[Square], captured: &[Square]) -> String {
    let sign = if captured.is_empty() { '-' } else { spec.notation.capture };
    joined(sign, std::iter::once(&from).chain(landings), |square| spec.square_name(square))
}

fn hub_text(spec: &RuleSet, from: Square, to: Square, captured: &[Square]) -> String {
    let sign = if captured.is_empty() { '-' } else { 'x' };
    joined(sign, [from, to].iter().chain(captured), |square| spec.number(square))
}

/// The names of `squares` with `sign` between them.
fn joined<'a, N: ToString>(
    sign: char,
    squares: impl Iterator<Item = &'a Square>,
    name: impl Fn(Square) -> N,
) -> String {
    squares.map(|&square| name(square).to_string()).collect::<Vec<_>>().join(&sign.to_string())
}

/// The pieces that `sequence` takes, as the mask of their squares.
pub fn captured_mask(sequence: &Sequence) -> u128 {
    mask_of(&sequence.captured)
}

/// The mask of `squares`.
pub(super) fn mask_of(squares: &[Square]) -> u128 {
    squares.iter().fold(0, |mask, square| mask | 1 << square.index())
}

/// The legal moves of `setup` as they are printed, ordered by their squares. Of several ways to make one move it is the
/// one that lands nearest to the top left first.
pub fn printed_moves(spec: &RuleSet, setup: &Setup) -> Vec<Sequence> {
    one_way_each(spec, legal_sequences(spec, setup))
}

/// The printed path of the legal move of `setup` whose paths are those for which `is_move` returns true.
pub fn printed_sequence(spec: &RuleSet, setup: &Setup, is_move: impl Fn(&Sequence) -> bool) -> Option<Sequence> {
    legal_sequences(spec, setup).into_iter().filter(is_move).min_by_key(|way| places(spec, &way.landings))
}

/// The sort key of a sequence of squares: where the squares are printed, row by row from the top left.
pub(super) fn places(spec: &RuleSet, squares: &[Square]) -> Vec<Number> {
    squares.iter().map(|&square| spec.shape.number(square)).collect()
}

/// The moves of `sequences`, ordered by their squares, with the first way of each.
pub(super) fn one_way_each(spec: &RuleSet, mut sequences: Vec<Sequence>) -> Vec<Sequence> {
    sequences.sort_by_cached_key(|way| (spec.shape.number(way.from), places(spec, &way.landings)));
    let mut seen = HashSet::new();
    sequences.retain(|way| seen.insert((way.from, way.to(), captured_mask(way), way.crowned_in_passing)));
    sequences
}
