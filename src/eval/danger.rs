//! The squares where a piece that moves there can be captured by the enemy piece beside it.

use crate::board::{Bits, Direction, Geometry};
use crate::position::Pieces;
use crate::rules::{Color, Family};

/// The squares that enemy pieces attack, by the diagonal [`Direction`] in which they capture. Kings that fly are seen only from
/// the square beside them.
pub(super) struct Danger<F: Family> {
    /// The squares beside an enemy piece.
    beside: [F::Word; 4],
    /// Those of them behind which the next square is empty.
    open: [F::Word; 4],
}

impl<F: Family> Danger<F> {
    /// The danger to the kings of the side if `of_kings`, else to its men.
    #[inline(always)]
    pub(super) fn new<const WHITE: bool>(pieces: &Pieces<F::Word>, of_kings: bool) -> Self {
        let enemy = pieces.of(Color::of(!WHITE));
        let kings = pieces.kings(Color::of(!WHITE));
        let forwards = if of_kings && !F::RULES.men_capture_kings { kings } else { enemy };
        let backwards = if F::RULES.men_capture_backward { forwards } else { kings };
        let empty = F::Geometry::all() & !pieces.all();
        let mut danger = Self { beside: [F::Word::EMPTY; 4], open: [F::Word::EMPTY; 4] };
        for direction in Direction::DIAGONAL {
            let is_forward = (direction.rows() < 0) != WHITE;
            let beside = F::Geometry::step(if is_forward { forwards } else { backwards }, direction);
            danger.beside[direction as usize] = beside;
            danger.open[direction as usize] = beside & F::Geometry::step(empty, direction.opposite());
        }
        danger
    }

    /// Those of the squares `to` where a piece is safe that came by one step in `direction`. The square that it left
    /// is empty then, so that an enemy right before it can take it.
    #[inline(always)]
    pub(super) fn safe(&self, to: F::Word, direction: Direction) -> F::Word {
        let [left, right] = direction.turns();
        let attacked =
            self.beside[direction.opposite() as usize] | self.open[left as usize] | self.open[right as usize];
        to & !attacked
    }
}
