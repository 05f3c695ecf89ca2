//! Where a piece that moves there can be taken by the enemy piece beside it.

use crate::board::{Bits, Direction, Geometry};
use crate::position::Pieces;
use crate::rules::{BitsOf, Color, Rules};

/// The squares that enemy pieces attack, by the diagonal [`Direction`] in which they capture. Kings that fly are seen only from
/// the square beside them.
pub(super) struct Danger<R: Rules> {
    /// The squares beside an enemy piece.
    beside: [BitsOf<R>; 4],
    /// Those of them behind which the next square is empty.
    open: [BitsOf<R>; 4],
}

impl<R: Rules> Danger<R> {
    /// What the enemy of the side threatens to take: kings of the side if `of_kings`, else its men.
    #[inline(always)]
    pub(super) fn new<const WHITE: bool>(pieces: &Pieces<R>, of_kings: bool) -> Self {
        let enemy = pieces.of(Color::of(!WHITE));
        let kings = pieces.kings(Color::of(!WHITE));
        let forwards = if of_kings && !R::SPEC.men_capture_kings { kings } else { enemy };
        let backwards = if R::SPEC.men_capture_backward { forwards } else { kings };
        let empty = pieces.empty();
        let mut danger = Self { beside: [BitsOf::<R>::EMPTY; 4], open: [BitsOf::<R>::EMPTY; 4] };
        for direction in Direction::DIAGONAL {
            let is_forward = (direction.rows() < 0) != WHITE;
            let beside = R::Geometry::step(if is_forward { forwards } else { backwards }, direction);
            danger.beside[direction as usize] = beside;
            danger.open[direction as usize] = beside & R::Geometry::step(empty, direction.opposite());
        }
        danger
    }

    /// Those of the squares `to` where a piece is safe that came by one step in `direction`. The square that it left
    /// is empty then, so that an enemy right before it can take it.
    #[inline(always)]
    pub(super) fn safe(&self, to: BitsOf<R>, direction: Direction) -> BitsOf<R> {
        let [left, right] = direction.turns();
        let attacked =
            self.beside[direction.opposite() as usize] | self.open[left as usize] | self.open[right as usize];
        to & !attacked
    }
}
