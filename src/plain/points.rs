//! Values and board regions of the plain evaluations.
//!
//! Values are in cp, but the comments on the functions use the points of the reports. In the evaluations of the
//! checkers automaton, a point is worth as much as a man, and the points are added to the material. The report on the
//! automaton values a king at 1.4 to 3 men, but here a king is always worth 2 men. If a piece is in several regions of
//! an evaluation, only the first region counts.
//!
//! The regions are defined for any board size:
//!
//! | region | definition | on 8x8, rows counted from the side's own end |
//! | --- | --- | --- |
//! | centre rows and columns | the middle half of the rows and of the columns | rows 3 to 6, columns c to f |
//! | centre | squares on a centre row and a centre column | c3 to f6 |
//! | back row, next row | the first and the second row of a side | rows 1 and 2; for the enemy rows 8 and 7 |
//! | far third | the third of the rows at the enemy's end, rounded | rows 6 to 8 |
//! | middle rows | the rows between the far thirds of both sides | rows 4 and 5 |
//! | edge, corner | one or two sides of the square are a border | |

use crate::board::{Direction, Lines, Shape, Square};
use crate::position::Pieces;
use crate::rules::{Color, RuleSet, Word};

/// Value of a man in cp, and of one point in the evaluations of the checkers automaton.
const MAN: i32 = 100;

pub(super) const KING: i32 = 2 * MAN;

#[inline(always)]
pub(super) fn material<W: Word>(pieces: &Pieces<W>, own: Color, king: i32) -> i32 {
    let (mine, theirs) = both(pieces, own);
    let count = |set: W| set.count() as i32;
    MAN * (count(mine) - count(theirs)) + (king - MAN) * (count(mine & pieces.kings) - count(theirs & pieces.kings))
}

fn difference<W: Word>(pieces: &Pieces<W>, own: Color, mask: u128, own_points: i32, enemy_points: i32) -> i32 {
    let (mine, theirs) = both(pieces, own);
    MAN * (own_points * within(mine, mask) - enemy_points * within(theirs, mask))
}

#[inline(always)]
fn within<W: Word>(set: W, mask: u128) -> i32 {
    (set & W::from_mask(mask)).count() as i32
}

#[inline(always)]
fn both<W: Word>(pieces: &Pieces<W>, own: Color) -> (W, W) {
    (pieces.side(own), pieces.side(own.opponent()))
}

/// Returns the squares that are adjacent to at least one square of `set`, and those that are adjacent to at least two.
/// Squares are adjacent if they are one step apart along a line on which men move.
fn neighbours<W: Word>(spec: &RuleSet, set: W) -> (W, W) {
    let (mut once, mut twice) = (W::EMPTY, W::EMPTY);
    let all = W::from_mask(spec.shape.mask());
    for direction in Direction::ALL {
        if spec.moves.contains(direction) {
            let beside = spec.shape.step(set, direction) & all;
            twice |= once & beside;
            once |= beside;
        }
    }
    (once, twice)
}

/// In this evaluation, a man is worth 5 points in its own half and 7 points in the enemy's half, and a king is worth 10
/// points. These values correspond to 1, 1.4 and 2 men. Returns the difference between this evaluation and the
/// material.
pub(super) fn advance<W: Word>(regions: &Regions, pieces: &Pieces<W>, own: Color) -> i32 {
    let ahead = |color: Color| within(pieces.men(color), regions.enemy_half[color as usize]);
    (7 * MAN / 5 - MAN) * (ahead(own) - ahead(own.opponent()))
}

/// In king endgames, returns 7 cp for each step of the mean distance between the kings of the two sides. The value is
/// negative for the side with more pieces and positive for the other side. The result is 0 if both sides have the same
/// number of pieces. Even the maximum of 14 steps is worth less than a piece.
pub(super) fn distance<W: Word>(spec: &RuleSet, pieces: &Pieces<W>, own: Color) -> i32 {
    let (mine, theirs) = both(pieces, own);
    let excess = mine.count() as i32 - theirs.count() as i32;
    if excess == 0 || !(pieces.all() & !pieces.kings).is_empty() {
        return 0;
    }
    let steps = |from: Square| theirs.squares().map(|to| steps(spec, from, to)).sum::<i32>();
    let pairs = (mine.count() * theirs.count()).max(1) as i32;
    let value = 7 * mine.squares().map(steps).sum::<i32>() / pairs;
    if excess > 0 { -value } else { value }
}

/// Returns the number of single king steps between two squares, as if the board were empty.
fn steps(spec: &RuleSet, from: Square, to: Square) -> i32 {
    let shape = spec.shape;
    let rows = i32::from(shape.row(from).abs_diff(shape.row(to)));
    let columns = i32::from(shape.column(from).abs_diff(shape.column(to)));
    match spec.moves {
        Lines::Diagonal | Lines::Both => rows.max(columns),
        Lines::Orthogonal => rows + columns,
    }
}

/// Value of a king in the evaluation of moves. In the report, each forward step in a line earns 5 points, each captured
/// man 10, each captured king 15, and each promotion 5. Captures and promotions by the enemy cost the same. A material
/// count with 10 points for a man and 15 for a king is equivalent, so only the steps are counted separately.
pub(super) const KING_OF_MOVES: i32 = 3 * MAN / 2;
pub(super) const STEP_FORWARD: i32 = MAN / 2;

/// Returns a random number of points from 1 to 20. The number is always the same for the same pieces and the same seed.
pub(super) fn random<W: Word>(pieces: &Pieces<W>, seed: u64) -> i32 {
    let sets = [pieces.white, pieces.black, pieces.kings];
    let place = sets.into_iter().fold(seed, |mixed, set| fastrand::Rng::with_seed(mixed ^ set.fold()).u64(..));
    MAN * (1 + fastrand::Rng::with_seed(place).u64(..20) as i32)
}

/// In the centre, adds 8 points for each own piece and subtracts 10 for each enemy piece. The numbers are 6 and 8 on a
/// centre row, and 4 and 6 on a centre column.
pub(super) fn centrality<W: Word>(regions: &Regions, pieces: &Pieces<W>, own: Color) -> i32 {
    let (rows, columns) = (regions.centre_rows & !regions.centre, regions.centre_columns & !regions.centre);
    difference(pieces, own, regions.centre, 8, 10)
        + difference(pieces, own, rows, 6, 8)
        + difference(pieces, own, columns, 4, 6)
}

/// On the back rows of both sides, adds 8 points for each own piece and subtracts 10 for each enemy piece. On the rows
/// next to the back rows, the numbers are 6 and 8.
pub(super) fn back_rows<W: Word>(regions: &Regions, pieces: &Pieces<W>, own: Color) -> i32 {
    difference(pieces, own, regions.back_rows, 8, 10) + difference(pieces, own, regions.next_rows, 6, 8)
}

/// Adds 5 points for each own piece in the centre and 2 for each on the edge, and subtracts 3 for each next to an enemy
/// king. For enemy pieces, subtracts 2 in the centre and 1 on the edge, and adds 1 for each next to a king of `own`.
pub(super) fn complete<W: Word>(spec: &RuleSet, regions: &Regions, pieces: &Pieces<W>, own: Color) -> i32 {
    let (mine, theirs) = both(pieces, own);
    let beside = |set: W, kings: W| (set & neighbours(spec, kings).0).count() as i32;
    let beside_kings = beside(theirs, pieces.kings & mine) - 3 * beside(mine, pieces.kings & theirs);
    difference(pieces, own, regions.centre, 5, 2) + difference(pieces, own, regions.edge, 2, 1) + MAN * beside_kings
}

/// Adds 2 points for each own piece on the middle rows and 5 for each in the far third. A capture earns 7 points.
pub(super) fn offensive<W: Word>(regions: &Regions, pieces: &Pieces<W>, own: Color) -> i32 {
    difference(pieces, own, regions.middle_rows, 2, 0) + difference(pieces, own, regions.far_third[own as usize], 5, 0)
}

pub(super) const CAPTURE: i32 = 7 * MAN;

/// Adds 1 point for each own piece with one friendly neighbour and 2 for each with several. Subtracts 2 points for each
/// own piece with one enemy neighbour and 3 for each with several.
pub(super) fn defensive<W: Word>(spec: &RuleSet, pieces: &Pieces<W>, own: Color) -> i32 {
    let (mine, theirs) = both(pieces, own);
    let graded = |beside: W, one: i32, more: i32| {
        let (once, twice) = neighbours(spec, beside);
        one * (mine & once & !twice).count() as i32 + more * (mine & twice).count() as i32
    };
    MAN * (graded(mine, 1, 2) + graded(theirs, -2, -3))
}

/// Adds 7 points for each own king next to one enemy piece and 5 for each next to several. Also adds 7 for each own
/// king in the centre, and subtracts 10 for each in a corner, 7 for each elsewhere on the side's own back row, and 4
/// for each elsewhere on the edge. A capture by a king earns 15 points, and a capture by a man 10.
pub(super) fn kings<W: Word>(spec: &RuleSet, regions: &Regions, pieces: &Pieces<W>, own: Color) -> i32 {
    let (mine, theirs) = both(pieces, own);
    let kings = mine & pieces.kings;
    let (once, twice) = neighbours(spec, theirs);
    let enemies = 7 * (kings & once & !twice).count() as i32 + 5 * (kings & twice).count() as i32;
    let home = regions.home_row[own as usize] & !regions.corners;
    let edge = regions.edge & !regions.corners & !home;
    let place = 7 * within(kings, regions.centre)
        - 10 * within(kings, regions.corners)
        - 7 * within(kings, home)
        - 4 * within(kings, edge);
    MAN * (enemies + place)
}

pub(super) const CAPTURE_BY_KING: i32 = 15 * MAN;
pub(super) const CAPTURE_BY_MAN: i32 = 10 * MAN;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Regions {
    centre_rows: u128,
    centre_columns: u128,
    centre: u128,
    back_rows: u128,
    next_rows: u128,
    home_row: [u128; 2],
    enemy_half: [u128; 2],
    far_third: [u128; 2],
    middle_rows: u128,
    edge: u128,
    corners: u128,
}

impl Regions {
    pub(super) fn for_rules(spec: &RuleSet) -> Self {
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
            home_row: both.map(|color| shape.row_mask(spec.far_row(color.opponent()))),
            enemy_half: both.map(|color| last_rows(spec, color, height / 2)),
            far_third: both.map(|color| last_rows(spec, color, third)),
            middle_rows: rows(shape, third, height - 1 - third),
            edge: shape.mask() & !shape.inner_mask(1),
            corners: sides & back_rows,
        }
    }
}

const fn third(shape: Shape) -> u8 {
    (2 * shape.height + 3) / 6
}

fn last_rows(spec: &RuleSet, color: Color, count: u8) -> u128 {
    let last = spec.far_row(color);
    if last == 0 { rows(spec.shape, 0, count - 1) } else { rows(spec.shape, last + 1 - count, last) }
}

/// Returns the mask of the rows from `first` to `last`. Rows are counted from 0 at the top.
fn rows(shape: Shape, first: u8, last: u8) -> u128 {
    (first..=last).fold(0, |mask, row| mask | shape.row_mask(row))
}

/// Returns the mask of the columns from `first` to `last`. Columns are counted from 0 at the left.
fn columns(shape: Shape, first: u8, last: u8) -> u128 {
    let inside = shape.all_squares().filter(|&square| (first..=last).contains(&shape.column(square)));
    inside.fold(0, |mask, square| mask | 1 << square.index())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Bits, Number};
    use crate::position::{GameRules, Position};
    use crate::rules::Variant;

    #[test]
    fn random_values_cover_their_range() {
        let mut seen = [0; 22];
        let start = Position::<u64>::start(GameRules::for_variant(Variant::English).unwrap());
        for seed in 0..2000 {
            let value = random(start.pieces(), seed);
            assert_eq!(value % MAN, 0);
            seen[(value / MAN) as usize] += 1;
        }
        assert_eq!((seen[0], seen[21]), (0, 0));
        assert!(seen[1..=20].iter().all(|&count| count > 50), "{seen:?}");
    }

    fn set(spec: &RuleSet, numbers: &[u8]) -> u64 {
        let square = |&number: &u8| Number::new(number).and_then(|number| spec.shape.numbered(number)).unwrap();
        numbers.iter().map(square).fold(0, |set, square| set | u64::from_square(square))
    }

    #[test]
    fn neighbours_are_in_the_directions_of_moves() {
        let (english, turkish) = (Variant::English.spec(), Variant::Turkish.spec());
        let (once, twice) = neighbours(english, set(english, &[14, 15]));
        assert_eq!(once, set(english, &[9, 10, 17, 18, 11, 19]));
        assert_eq!(twice, set(english, &[10, 18]));
        let (once, twice) = neighbours(turkish, set(turkish, &[1]));
        assert_eq!((once, twice), (set(turkish, &[2, 9]), 0));
    }

    fn numbers(spec: &RuleSet, mask: u128) -> Vec<u8> {
        let inside = spec.shape.all_squares().filter(|square| mask >> square.index() & 1 == 1);
        inside.map(|square| spec.shape.number(square).get()).collect()
    }

    #[test]
    fn regions_of_the_small_board() {
        let spec = Variant::English.spec();
        let regions = Regions::for_rules(spec);
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
        let [ten, twelve] =
            [Variant::International, Variant::Canadian].map(|variant| Regions::for_rules(variant.spec()));
        assert_eq!((third(Shape::BOARD10), third(Shape::BOARD12)), (3, 4));
        assert_eq!(ten.middle_rows.count_ones(), 20);
        assert_eq!(twelve.middle_rows.count_ones(), 24);
        assert_eq!(ten.centre.count_ones(), 18);
        assert_eq!(twelve.centre.count_ones(), 18);
        assert_eq!(numbers(Variant::International.spec(), ten.corners), [5, 46]);
    }
}
