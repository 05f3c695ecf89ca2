//! How the cursor moves from playing square to playing square.

use crate::play::Grid;

/// The direction of an arrow key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArrowKey {
    /// To the row above.
    Up,
    /// To the row below.
    Down,
    /// To the left in the row.
    Left,
    /// To the right in the row.
    Right,
}

impl ArrowKey {
    /// Row and column of the next playing square from `place`, or `place` at the edge. Up and down stay within the same
    /// two columns, so that each is the way back of the other.
    pub(super) fn next(self, grid: &Grid, place: (usize, usize)) -> (usize, usize) {
        let (row, column) = place;
        let (rows, columns): (isize, isize) = match self {
            Self::Up => (-1, 0),
            Self::Down => (1, 0),
            Self::Left => (0, -1),
            Self::Right => (0, 1),
        };
        let Some(row) = row.checked_add_signed(rows) else { return place };
        let tried = if rows == 0 {
            [column.checked_add_signed(columns), column.checked_add_signed(2 * columns)]
        } else {
            [Some(column), Some(column ^ 1)]
        };
        let is_playable = |&column: &usize| grid.cell(row, column).is_some_and(|cell| cell.square.is_some());
        tried.into_iter().flatten().find(is_playable).map_or(place, |column| (row, column))
    }
}

/// The playing square where the cursor is at first, near the men at the bottom.
pub(super) fn first_place(grid: &Grid) -> (usize, usize) {
    let (columns, rows) = grid.size();
    ArrowKey::Down.next(grid, (rows.saturating_sub(4), columns / 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use soffio::position::Setup;
    use soffio::rules::Variant;

    #[test]
    fn the_cursor_reaches_every_playing_square_and_no_other() {
        for &variant in Variant::ALL {
            let spec = variant.spec();
            for flipped in [false, true] {
                let grid = Grid::new(spec, &Setup::start(spec), flipped);
                let mut reached = vec![first_place(&grid)];
                let mut next = 0;
                while let Some(&place) = reached.get(next) {
                    for arrow in [ArrowKey::Up, ArrowKey::Down, ArrowKey::Left, ArrowKey::Right] {
                        let place = arrow.next(&grid, place);
                        if !reached.contains(&place) {
                            reached.push(place);
                        }
                    }
                    next += 1;
                }
                assert_eq!(reached.len(), usize::from(spec.shape.squares()), "{variant}");
                assert!(reached.iter().all(|&(row, column)| grid.cell(row, column).unwrap().square.is_some()));
            }
        }
    }

    #[test]
    fn every_arrow_is_the_way_back_of_its_opposite() {
        let spec = Variant::International.spec();
        let grid = Grid::new(spec, &Setup::start(spec), false);
        let start = first_place(&grid);
        for (there, back) in [(ArrowKey::Up, ArrowKey::Down), (ArrowKey::Left, ArrowKey::Right)] {
            assert_ne!(there.next(&grid, start), start);
            assert_eq!(back.next(&grid, there.next(&grid, start)), start);
            assert_eq!(there.next(&grid, back.next(&grid, start)), start);
        }
    }
}
