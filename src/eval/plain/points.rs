//! What each plain evaluation counts, in 1/100 man: the one table of their numbers.
//!
//! Evaluations of the checkers automaton add points to a material of 1 for a man; its report gives a king 1.4 to 3, here
//! it is 2 for all. Where it gives two numbers, the first is for an own piece and the second taken off for one of the
//! enemy. A piece to which several parts of one list apply counts for the first of them.

use super::regions::Regions;
use super::{both, neighbours, within};
use crate::position::Pieces;
use crate::rules::{Color, RuleSet, Word};

/// A man, and one point of the reports that count a man as 1.
const MAN: i32 = 100;

/// A king.
pub(super) const KING: i32 = 2 * MAN;

/// Men and kings of `own` less those of the enemy, a king being worth `king`.
#[inline(always)]
pub(super) fn material<W: Word>(pieces: &Pieces<W>, own: Color, king: i32) -> i32 {
    let (mine, theirs) = both(pieces, own);
    let count = |set: W| set.count() as i32;
    MAN * (count(mine) - count(theirs)) + (king - MAN) * (count(mine & pieces.kings) - count(theirs & pieces.kings))
}

/// `own_points` for each own piece of a region, `enemy_points` off for each of the enemy.
fn difference<W: Word>(pieces: &Pieces<W>, own: Color, mask: u128, own_points: i32, enemy_points: i32) -> i32 {
    let (mine, theirs) = both(pieces, own);
    MAN * (own_points * within(mine, mask) - enemy_points * within(theirs, mask))
}

/// A man 5 on the own half, 7 on the enemy half, a king 10: so 1, 1.4 and 2 men.
pub(super) mod advance {
    use super::*;

    const MAN_AHEAD: i32 = 140;

    pub fn value<W: Word>(regions: &Regions, pieces: &Pieces<W>, own: Color) -> i32 {
        let of = |color: Color| {
            let ahead = within(pieces.men(color), regions.enemy_half[color as usize]);
            (MAN_AHEAD - MAN) * ahead
        };
        of(own) - of(own.opponent())
    }
}

/// Along the line: a step forward 5, a piece captured 10, 5 more if it is a king, a crowning 5; the same off for the
/// enemy's captures and crownings. A man counted as 10 and a king as 15 says it, but for the steps.
pub(super) mod moves {
    use super::MAN;

    pub const KING: i32 = 3 * MAN / 2;
    pub const ADVANCE: i32 = MAN / 2;
}

/// From 1 to 20 points by chance.
pub(super) mod random {
    use super::*;

    const MOST: u64 = 20;

    pub fn value<W: Word>(pieces: &Pieces<W>, seed: u64) -> i32 {
        let sets = [pieces.white, pieces.black, pieces.kings];
        let place = sets.into_iter().fold(seed, |mixed, set| fastrand::Rng::with_seed(mixed ^ set.fold()).u64(..));
        MAN * (1 + fastrand::Rng::with_seed(place).u64(..MOST) as i32)
    }
}

/// Centre square 8 and 10, centre row 6 and 8, centre column 4 and 6.
pub(super) mod centrality {
    use super::*;

    pub fn value<W: Word>(regions: &Regions, pieces: &Pieces<W>, own: Color) -> i32 {
        let (rows, columns) = (regions.centre_rows & !regions.centre, regions.centre_columns & !regions.centre);
        difference(pieces, own, regions.centre, 8, 10)
            + difference(pieces, own, rows, 6, 8)
            + difference(pieces, own, columns, 4, 6)
    }
}

/// Any back row 8 and 10, the row next to it 6 and 8.
pub(super) mod back_rows {
    use super::*;

    pub fn value<W: Word>(regions: &Regions, pieces: &Pieces<W>, own: Color) -> i32 {
        difference(pieces, own, regions.back_rows, 8, 10) + difference(pieces, own, regions.next_rows, 6, 8)
    }
}

/// Centre 5 and 2, edge 2 and 1, a piece next to a king of the other side -3 and -1.
pub(super) mod complete {
    use super::*;

    pub fn value<W: Word>(spec: &RuleSet, regions: &Regions, pieces: &Pieces<W>, own: Color) -> i32 {
        let (mine, theirs) = both(pieces, own);
        let beside = |set: W, kings: W| (set & neighbours::once_or_more(spec, kings)).count() as i32;
        let beside_kings = beside(theirs, pieces.kings & mine) - 3 * beside(mine, pieces.kings & theirs);
        difference(pieces, own, regions.centre, 5, 2) + difference(pieces, own, regions.edge, 2, 1) + MAN * beside_kings
    }
}

/// An own piece on the middle rows 2, in the far third 5; a capture 7.
pub(super) mod offensive {
    use super::*;

    pub const CAPTURE: i32 = 7 * MAN;

    pub fn value<W: Word>(regions: &Regions, pieces: &Pieces<W>, own: Color) -> i32 {
        difference(pieces, own, regions.middle_rows, 2, 0)
            + difference(pieces, own, regions.far_third[own as usize], 5, 0)
    }
}

/// An own piece with one neighbour of its own side 1, with more 2; with one of the enemy -2, with more -3.
pub(super) mod defensive {
    use super::*;

    pub fn value<W: Word>(spec: &RuleSet, pieces: &Pieces<W>, own: Color) -> i32 {
        let (mine, theirs) = both(pieces, own);
        let graded = |neighbours: W, one: i32, more: i32| {
            let (once, twice) = neighbours::counted(spec, neighbours);
            one * (mine & once & !twice).count() as i32 + more * (mine & twice).count() as i32
        };
        MAN * (graded(mine, 1, 2) + graded(theirs, -2, -3))
    }
}

/// An own king next to several enemies 5, to one 7; in the centre 7; in a corner -10, on the own back row -7, on another
/// edge -4. A capture by a king 15, by a man 10.
pub(super) mod kings {
    use super::*;

    pub const CAPTURE_BY_KING: i32 = 15 * MAN;
    pub const CAPTURE_BY_MAN: i32 = 10 * MAN;

    pub fn value<W: Word>(spec: &RuleSet, regions: &Regions, pieces: &Pieces<W>, own: Color) -> i32 {
        let (mine, theirs) = both(pieces, own);
        let kings = mine & pieces.kings;
        let (once, twice) = neighbours::counted(spec, theirs);
        let enemies = 7 * (kings & once & !twice).count() as i32 + 5 * (kings & twice).count() as i32;
        let home = regions.home_row[own as usize] & !regions.corners;
        let edge = regions.edge & !regions.corners & !home;
        let place = 7 * within(kings, regions.centre)
            - 10 * within(kings, regions.corners)
            - 7 * within(kings, home)
            - 4 * within(kings, edge);
        MAN * (enemies + place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::{GameRules, Position};
    use crate::rules::Variant;

    #[test]
    fn chance_lies_within_its_bounds_and_uses_all_of_them() {
        let mut seen = [0; 22];
        let start = Position::<u64>::start(GameRules::of(Variant::English).unwrap());
        for seed in 0..2000 {
            let value = random::value(start.pieces(), seed);
            assert_eq!(value % MAN, 0);
            seen[(value / MAN) as usize] += 1;
        }
        assert_eq!((seen[0], seen[21]), (0, 0));
        assert!(seen[1..=20].iter().all(|&count| count > 50), "{seen:?}");
    }
}
