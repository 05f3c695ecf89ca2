//! The placements of one side's pieces, which are the rows and the columns of the solver's matrices.

use super::bit_matrix::{BITS, BitMatrix};
use crate::rules::{Color, Word};
use crate::tables::SideMaterial;
use crate::tables::board::TableBoard;
use crate::tables::index::{choices, number_of_set, set_of_number};
use std::sync::Arc;

/// The men and kings of one side, from the point of view of this side, whose men move up.
#[derive(Clone, Copy)]
pub(super) struct SidePlacement<W> {
    pub(super) men: W,
    pub(super) kings: W,
}

impl<W: Word> SidePlacement<W> {
    pub(super) fn all(self) -> W {
        self.men | self.kings
    }

    fn moved_man(self, change: W) -> Self {
        Self { men: self.men ^ change, ..self }
    }

    fn moved_king(self, change: W) -> Self {
        Self { kings: self.kings ^ change, ..self }
    }
}

/// A step of a quiet move. A piece can continue from one step to the next as long as the squares are free.
pub(super) struct QuietStep {
    /// Whether this is the first step of a piece in a direction.
    pub(super) is_first: bool,
    /// The place of the square that must be free.
    pub(super) place: usize,
    /// The number of the placement after a move to this square.
    pub(super) after: usize,
    /// Whether the step is an advance of a man, after which the draw rules start to count again.
    pub(super) is_advance: bool,
}

/// The number of placements of a side's pieces.
pub(super) struct PlacementCount {
    pub(super) all: u64,
    /// Number of placements from which a move other than a compulsory capture may lead to another slice.
    pub(super) with_exit: u64,
}

/// All placements of a side's pieces, in the order of their numbers.
pub(super) struct Placements<W: Word> {
    board: Arc<TableBoard<W>>,
    /// Number of placements of the kings for each placement of the men.
    king_sets: u64,
    own: Vec<SidePlacement<W>>,
    /// The same placements from the opponent's point of view.
    flipped: Vec<SidePlacement<W>>,
}

impl<W: Word> Placements<W> {
    /// Number of bytes of memory for each placement.
    pub(super) const BYTES: u64 = 2 * size_of::<SidePlacement<W>>() as u64;

    pub(super) fn new(board: &Arc<TableBoard<W>>, pieces: SideMaterial) -> Self {
        let (squares, first_row) = (&board.squares, board.row_length);
        let (men, kings) = (usize::from(pieces.men), usize::from(pieces.kings));
        let king_sets = choices(squares.len() - men, kings);
        let mut own = Vec::new();
        for number in 0..choices(squares.len() - first_row, men) {
            let places = set_of_number(number, men).map(|place| squares[place + first_row]);
            let men = places.fold(W::EMPTY, |set, square| set | W::from_square(square));
            let free: Vec<_> = board.free(men).squares().collect();
            own.extend((0..king_sets).map(|number| {
                let kings = set_of_number(number, kings).fold(W::EMPTY, |set, place| set | W::from_square(free[place]));
                SidePlacement { men, kings }
            }));
        }
        let turn = |placement: &SidePlacement<W>| SidePlacement {
            men: board.flipped_set(placement.men),
            kings: board.flipped_set(placement.kings),
        };
        let flipped = own.iter().map(turn).collect();
        Self { board: Arc::clone(board), king_sets, own, flipped }
    }

    /// Returns the number of placements of these pieces.
    pub(super) fn count(board: &TableBoard<W>, pieces: SideMaterial) -> PlacementCount {
        let squares = board.squares.len();
        let (men, kings) = (usize::from(pieces.men), usize::from(pieces.kings));
        let king_sets = choices(squares - men, kings);
        let for_men = squares - board.row_length;
        let others = for_men - board.before_crowning().count() as usize;
        let all = choices(for_men, men).saturating_mul(king_sets);
        let without_exit = if board.rules.compulsory() { choices(others, men).saturating_mul(king_sets) } else { 0 };
        PlacementCount { all, with_exit: all - without_exit }
    }

    /// Returns whether a move other than a compulsory capture may lead from this placement to another slice.
    pub(super) fn has_exit(&self, number: usize) -> bool {
        !self.board.rules.compulsory() || !(self.own[number].men & self.board.before_crowning()).is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.own.len()
    }

    pub(super) fn own(&self, number: usize) -> SidePlacement<W> {
        self.own[number]
    }

    /// Returns the placement with this number from the opponent's point of view.
    pub(super) fn flipped(&self, number: usize) -> SidePlacement<W> {
        self.flipped[number]
    }

    #[inline]
    pub(super) fn number(&self, placement: SidePlacement<W>) -> usize {
        let board = &*self.board;
        let men = number_of_set(placement.men.squares().map(|square| board.place(square) - board.row_length));
        let behind = |square| board.place(square) - (placement.men & W::below(square)).count() as usize;
        (men * self.king_sets + number_of_set(placement.kings.squares().map(behind))) as usize
    }

    /// Returns a matrix with one row for each place. The row contains the placements that leave the place free, from
    /// the opponent's point of view.
    pub(super) fn free(&self) -> BitMatrix {
        let free = BitMatrix::new(self.board.squares.len(), self.len());
        for (number, placement) in self.flipped.iter().enumerate() {
            for square in self.board.free(placement.all()).squares() {
                free.add(self.board.place(square), number / BITS, 1 << (number % BITS));
            }
        }
        free
    }

    /// Appends all quiet moves from a placement to `steps`, as if the opponent had no pieces. Promotions are skipped.
    pub(super) fn steps(&self, number: usize, steps: &mut Vec<QuietStep>) {
        let board = &*self.board;
        let placement = self.own[number];
        let free = board.free(placement.all());
        let uncrowned = free & !board.rules.far_row(Color::White);
        let mut step = |is_first, to: W, after, is_advance| {
            let place = board.place(to.first());
            steps.push(QuietStep { is_first, place, after: self.number(after), is_advance });
        };
        let row = |square: W| board.place(square.first()) / board.row_length;
        for back in &board.men_from {
            for to in (board.step(placement.men, back.opposite()) & uncrowned).squares().map(W::from_square) {
                let from = board.step(to, *back);
                step(true, to, placement.moved_man(to ^ from), row(from) != row(to));
            }
        }
        self.each_king_step(placement, |is_first, to, after| step(is_first, to, after, false));
    }

    /// Calls `visit` with the number of each placement from which a quiet move may lead to this placement.
    pub(super) fn for_each_predecessor(&self, number: usize, mut visit: impl FnMut(usize)) {
        let board = &*self.board;
        let placement = self.own[number];
        let free = board.free(placement.all());
        for back in &board.men_from {
            for from in (board.step(placement.men, *back) & free).squares().map(W::from_square) {
                visit(self.number(placement.moved_man(from ^ board.step(from, back.opposite()))));
            }
        }
        self.each_king_step(placement, |_, _, earlier| visit(self.number(earlier)));
    }

    fn each_king_step(&self, placement: SidePlacement<W>, mut visit: impl FnMut(bool, W, SidePlacement<W>)) {
        let board = &*self.board;
        let free = board.free(placement.all());
        let flies = board.rules.spec().flying_kings;
        for king in placement.kings.squares().map(W::from_square) {
            for &direction in &board.kings_from {
                let (mut to, mut is_first) = (board.step(king, direction) & free, true);
                while !to.is_empty() {
                    visit(is_first, to, placement.moved_king(king ^ to));
                    is_first = false;
                    to = if flies { board.step(to, direction) & free } else { W::EMPTY };
                }
            }
        }
    }
}
