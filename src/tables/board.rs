//! The board of the endgame tables. Its squares are numbered without gaps, and moves can be retracted on it.

use crate::board::{Direction, MAX_SQUARES, Square};
use crate::position::{GameRules, Move, Pieces};
use crate::rules::{Color, Word};
use std::any::Any;
use std::ops::ControlFlow;

#[derive(Debug)]
pub(super) struct TableBoard<W: Word> {
    pub(super) rules: &'static GameRules<W>,
    all: W,
    /// Number of each square, counted from 0 at the top left of the layout.
    places: [u8; MAX_SQUARES],
    pub(super) squares: Vec<Square>,
    pub(super) row_length: usize,
    pub(super) men_from: Vec<Direction>,
    pub(super) kings_from: Vec<Direction>,
}

impl<W: Word> TableBoard<W> {
    pub(super) fn new(rules: &'static GameRules<W>) -> Self {
        let spec = rules.spec();
        let all = W::from_mask(spec.shape.mask());
        let squares: Vec<_> = all.squares().collect();
        let mut places = [0; MAX_SQUARES];
        for (square, place) in squares.iter().zip(0..) {
            places[square.index()] = place;
        }
        let directions =
            |wanted: &dyn Fn(Direction) -> bool| Direction::ALL.into_iter().filter(|&d| wanted(d)).collect();
        Self {
            rules,
            all,
            places,
            squares,
            row_length: spec.shape.row_length().into(),
            men_from: directions(&|direction| spec.man_moves(Color::White, direction.opposite())),
            kings_from: directions(&|direction| spec.moves.contains(direction)),
        }
    }

    #[inline]
    pub(super) fn place(&self, square: Square) -> usize {
        self.places[square.index()].into()
    }

    #[inline]
    pub(super) fn free(&self, pieces: W) -> W {
        self.all & !pieces
    }

    #[inline]
    pub(super) fn flipped_set(&self, pieces: W) -> W {
        self.squares.last().map_or(pieces, |&last| pieces.reversed(last))
    }

    /// Rotates the board by 180 degrees and swaps the colours of the pieces.
    #[inline]
    pub(super) fn flipped(&self, pieces: &Pieces<W>) -> Pieces<W> {
        Pieces {
            white: self.flipped_set(pieces.black),
            black: self.flipped_set(pieces.white),
            kings: self.flipped_set(pieces.kings),
        }
    }

    /// Returns the pieces after White's legal move `mv`. The board is flipped, so that White is to move again.
    #[inline]
    pub(super) fn after(&self, pieces: &Pieces<W>, mv: Move<W>) -> Pieces<W> {
        self.flipped(&self.rules.pieces_after(pieces, Color::White, mv))
    }

    /// Returns the squares from which White's men can be crowned by a quiet move.
    pub(super) fn before_crowning(&self) -> W {
        let crowning = self.rules.far_row(Color::White);
        self.men_from.iter().fold(W::EMPTY, |all, &direction| all | self.step(crowning, direction))
    }

    #[inline]
    pub(super) fn step(&self, squares: W, direction: Direction) -> W {
        self.rules.spec().shape.step(squares, direction) & self.all
    }
}

/// Returns whichever of the two functions has the type `F`. The functions are stored in statics so that only this crate
/// compiles them. Other crates would compile them again, with less optimisation.
pub(in crate::tables) fn downcast_either<F: Any + Copy>(narrow: &'static dyn Any, wide: &'static dyn Any) -> F {
    match narrow.downcast_ref().or_else(|| wide.downcast_ref()) {
        Some(function) => *function,
        None => unreachable!("a bitboard is narrow or wide"),
    }
}

/// Calls `visit` with the pieces before each quiet move by White that leads to `pieces`. Promotions are left out. The
/// caller must check that White was not forced to capture instead.
#[inline]
pub(super) fn each_retraction<W: Word>(board: &TableBoard<W>, pieces: &Pieces<W>, mut visit: impl FnMut(&Pieces<W>)) {
    let free = board.free(pieces.all());
    let men = pieces.men(Color::White);
    for &direction in &board.men_from {
        for to in (board.step(men, direction) & free).squares() {
            let from = board.step(W::from_square(to), direction.opposite());
            visit(&Pieces { white: pieces.white ^ from ^ W::from_square(to), ..*pieces });
        }
    }
    let _ = each_king_move(board, pieces, free, |moved| {
        visit(moved);
        ControlFlow::<()>::Continue(())
    });
}

/// Calls `visit` with the pieces after each quiet move by White, until it returns `Break`. Promotions are skipped. The
/// caller must check that White is not forced to capture instead.
#[inline]
pub(super) fn each_quiet_move<W: Word, B>(
    board: &TableBoard<W>,
    pieces: &Pieces<W>,
    mut visit: impl FnMut(&Pieces<W>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let free = board.free(pieces.all());
    let (men, uncrowned) = (pieces.men(Color::White), free & !board.rules.far_row(Color::White));
    for direction in board.men_from.iter().map(|direction| direction.opposite()) {
        for to in (board.step(men, direction) & uncrowned).squares() {
            let from = board.step(W::from_square(to), direction.opposite());
            visit(&Pieces { white: pieces.white ^ from ^ W::from_square(to), ..*pieces })?;
        }
    }
    each_king_move(board, pieces, free, visit)
}

/// Calls `visit` with the pieces after each quiet move by a white king, until it returns `Break`. The pieces before
/// such a move are the same, because kings move backwards as they move forwards.
#[inline]
fn each_king_move<W: Word, B>(
    board: &TableBoard<W>,
    pieces: &Pieces<W>,
    free: W,
    mut visit: impl FnMut(&Pieces<W>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let flies = board.rules.spec().flying_kings;
    for king in pieces.kings(Color::White).squares() {
        let here = W::from_square(king);
        for &direction in &board.kings_from {
            let mut to = board.step(here, direction) & free;
            while !to.is_empty() {
                let moved = here ^ to;
                visit(&Pieces { white: pieces.white ^ moved, kings: pieces.kings ^ moved, ..*pieces })?;
                to = if flies { board.step(to, direction) & free } else { W::EMPTY };
            }
        }
    }
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::{Position, any_rules, with_width};
    use crate::rules::Variant;

    fn turns<W: Word>(rules: &'static GameRules<W>) {
        let board = TableBoard::new(rules);
        let start = *Position::start(rules).pieces();
        assert_eq!(board.flipped(&start), start, "{rules:?}");
        assert_eq!(board.squares.len(), usize::from(rules.spec().shape.squares()));
        for (place, &square) in board.squares.iter().enumerate() {
            assert_eq!(board.place(square), place);
            let flipped = board.flipped_set(W::from_square(square)).first();
            assert_eq!(board.place(flipped), board.squares.len() - 1 - place, "{rules:?}");
        }
    }

    #[test]
    fn every_board_is_symmetric_under_rotation() {
        for &variant in Variant::ALL {
            with_width!(any_rules(variant), rules => turns(rules));
        }
    }
}
