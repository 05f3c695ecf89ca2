//! The positions of a material one after another.

use super::Index;
use super::binomial::set_of_number;
use crate::board::Square;
use crate::position::Pieces;
use crate::rules::{Color, Word};

/// Finds positions by their numbers; quickly, if these rise by one.
pub(super) struct Cursor<'a, W: Word> {
    index: &'a Index<W>,
    /// Numbers of the sets that are on the board: men of both sides, and White's kings.
    men: Option<u64>,
    white_kings: Option<u64>,
    /// The pieces without the kings of Black.
    pieces: Pieces<W>,
    /// The squares without men, in rising order, and those without men and White's kings.
    without_men: Vec<Square>,
    free: Vec<Square>,
    /// Whether no square has two men.
    is_position: bool,
}

impl<'a, W: Word> Cursor<'a, W> {
    pub(super) fn new(index: &'a Index<W>) -> Self {
        let pieces = Pieces { white: W::EMPTY, black: W::EMPTY, kings: W::EMPTY };
        let (without_men, free) = (Vec::new(), Vec::new());
        Self { index, men: None, white_kings: None, pieces, without_men, free, is_position: false }
    }

    /// The pieces with this number, if they are a position.
    #[inline]
    pub(super) fn pieces(&mut self, number: u64) -> Option<Pieces<W>> {
        let [_, _, white_sets, black_sets] = self.index.sets();
        let (rest, black) = (number / black_sets, number % black_sets);
        let (men, white) = (rest / white_sets, rest % white_sets);
        if self.men != Some(men) {
            self.place_men(men);
        }
        if !self.is_position {
            return None;
        }
        if self.white_kings != Some(white) {
            self.place_white_kings(white);
        }
        let count = self.index.material().other.kings.into();
        let kings = set_of_number(black, count).fold(W::EMPTY, |set, place| set | W::of(self.free[place]));
        let Pieces { white, black, kings: white_kings } = self.pieces;
        Some(Pieces { white, black: black | kings, kings: white_kings | kings })
    }

    fn place_men(&mut self, men: u64) {
        (self.men, self.white_kings) = (Some(men), None);
        let (board, material) = (&*self.index.board, self.index.material());
        let black_sets = self.index.sets()[1];
        let set = |number, side_material: super::SideMaterial, skipped: usize| {
            let squares = set_of_number(number, side_material.men.into()).map(|place| board.squares[place + skipped]);
            squares.fold(W::EMPTY, |set, square| set | W::of(square))
        };
        let white = set(men / black_sets, material.own, board.row_length);
        let black = set(men % black_sets, material.other, 0);
        self.is_position = (white & black).is_empty();
        self.pieces = Pieces { white, black, kings: W::EMPTY };
        self.without_men.clear();
        self.without_men.extend(board.free(white | black).squares());
    }

    fn place_white_kings(&mut self, white: u64) {
        self.white_kings = Some(white);
        let men = Pieces { white: self.pieces.men(Color::White), kings: W::EMPTY, ..self.pieces };
        let count = self.index.material().own.kings.into();
        let kings = set_of_number(white, count).fold(W::EMPTY, |set, place| set | W::of(self.without_men[place]));
        self.pieces = Pieces { white: men.white | kings, kings, ..men };
        self.free.clear();
        self.free.extend(self.index.board.free(self.pieces.all()).squares());
    }
}
