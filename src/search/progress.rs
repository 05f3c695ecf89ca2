//! Progress towards a win that endgame tables contain without its distance.
//!
//! If every position of such a win had the same score, a winner who does not yet see the end of the game would move
//! back and forth until a draw rule applies. With flying kings, the static evaluation is enough to find the win. Other
//! kings also have to approach the opponent, which the network hardly rewards. For such kings, the evaluation is a sum
//! of terms that lead towards a capture or a promotion: fewer pieces for the opponent, the winner's kings close to them
//! and to the centre, fewer free squares for the opponent's kings, and advanced men of the winner.
//! `docs/log/won-endings.md` has the measurements.

use crate::board::{Direction, Shape, Square};
use crate::position::Position;
use crate::rules::{Color, Objective, Word};

/// Base score of a won position in cp, to which the terms or the static evaluation are added. It is far above a draw.
const WON: i32 = 5000;

/// Value of a piece of the opponent, in cp.
const PIECE: i32 = 400;

/// Value of a king instead of a man, in cp.
const KING: i32 = 200;

/// Value of each step between a king of the winner and the nearest king of the opponent, in cp. If the opponent has no
/// king, the nearest man counts.
const DISTANCE: i32 = 10;

/// Value of each half step between a king of the winner and the centre of the board, in cp.
const OFF_CENTRE: i32 = 5;

/// Value of each empty square next to a king of the opponent, in cp.
const FREE_SQUARE: i32 = 10;

/// Value of each row that a man of the winner has advanced, in cp.
const ROW: i32 = 10;

/// Returns the evaluation of a position in cp from the point of view of the side to move, in a search whose root is won
/// for `winner`. `evaluation` computes the static evaluation.
pub(super) fn progress<W: Word>(position: &Position<W>, winner: Color, evaluation: impl FnOnce() -> i32) -> i32 {
    let is_winner = position.side() == winner;
    let spec = position.spec();
    if spec.flying_kings || spec.objective != Objective::Normal {
        return evaluation() + if is_winner { WON } else { -WON };
    }
    let value = WON + terms(position, winner);
    if is_winner { value } else { -value }
}

/// Returns the sum of the terms from the point of view of `winner`.
fn terms<W: Word>(position: &Position<W>, winner: Color) -> i32 {
    let (pieces, spec) = (position.pieces(), position.spec());
    let shape = spec.shape;
    let (own, other) = match winner {
        Color::White => (pieces.white, pieces.black),
        Color::Black => (pieces.black, pieces.white),
    };
    let targets = if (other & pieces.kings).is_empty() { other } else { other & pieces.kings };
    let to_nearest = |king| targets.squares().map(|target| distance(shape, king, target)).min().unwrap_or(0);
    let distances: u8 = (own & pieces.kings).squares().map(to_nearest).sum();
    let off_centre: u8 = (own & pieces.kings).squares().map(|king| half_steps_to_centre(shape, king)).sum();
    let empty = W::from_mask(shape.mask()) & !(own | other);
    let directions = Direction::ALL.into_iter().filter(|&direction| spec.moves.contains(direction));
    let free: u32 = directions.map(|direction| (shape.step(other & pieces.kings, direction) & empty).count()).sum();
    let first_row = spec.far_row(winner.opponent());
    let rows_advanced = |man| shape.row(man).abs_diff(first_row);
    let rows: u8 = (own & !pieces.kings).squares().map(rows_advanced).sum();
    let [rows, distances, off_centre] = [rows, distances, off_centre].map(i32::from);
    let [own_kings, other_kings, others] =
        [own & pieces.kings, other & pieces.kings, other].map(|pieces| pieces.count() as i32);
    KING * (own_kings - other_kings) - PIECE * others + ROW * rows
        - DISTANCE * distances
        - OFF_CENTRE * off_centre
        - FREE_SQUARE * free as i32
}

/// Returns the number of steps that a king needs from one square to the other on an empty board, ignoring the colour of
/// the squares.
fn distance(shape: Shape, from: Square, to: Square) -> u8 {
    let (rows, columns) = (shape.row(from).abs_diff(shape.row(to)), shape.column(from).abs_diff(shape.column(to)));
    rows.max(columns)
}

fn half_steps_to_centre(shape: Shape, square: Square) -> u8 {
    let rows = (2 * shape.row(square)).abs_diff(shape.height - 1);
    let columns = (2 * shape.column(square)).abs_diff(shape.width - 1);
    rows.max(columns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::tests::position;
    use crate::rules::Variant;

    fn progress_of(side: Color, pieces: &str, winner: Color) -> i32 {
        terms(&position(Variant::English, side, pieces), winner)
    }

    #[test]
    fn approaching_cornering_and_advancing_are_progress() {
        use Color::{Black, White};
        let near = progress_of(White, "W10 W11 W15 B1 B5", White);
        assert!(near > progress_of(White, "W29 W30 W31 B1 B5", White));
        assert!(progress_of(White, "W15 W1 B32", White) > progress_of(White, "W9 W1 B32", White));
        assert!(progress_of(White, "W32 B5", White) > progress_of(White, "W32 B6", White));
        assert!(progress_of(White, "w11 W32 B1", White) > progress_of(White, "w15 W32 B1", White));
        assert_eq!(progress_of(White, "w30 W10 W11 B1", White), progress_of(Black, "b3 B23 B22 W32", Black));
    }
}
