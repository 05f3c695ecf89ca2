//! Numbers the positions of a material.
//!
//! An index combines four sets of squares in mixed radix. From the most to the least significant, they are White's men,
//! Black's men, White's kings and Black's kings. Men are placed on the squares that they can occupy, and kings on the
//! remaining squares. The few indices with two men on the same square are invalid, but they compress well.

use super::board::TableBoard;
use super::{Material, SideMaterial};
use crate::board::{MAX_SQUARES, Square};
use crate::position::{Piece, Pieces, Setup};
use crate::rules::{Color, Word};
use std::sync::Arc;

/// Maps the positions of one material, with White to move, to numbers.
#[derive(Clone, Debug)]
pub struct Index<W: Word> {
    pub(super) board: Arc<TableBoard<W>>,
    material: Material,
    pub(super) sets: [u64; 4],
}

impl<W: Word> Index<W> {
    pub(super) fn new(board: &Arc<TableBoard<W>>, material: Material) -> Self {
        Self { board: Arc::clone(board), material, sets: sets(board.squares.len(), board.row_length, material) }
    }

    /// Returns the material whose positions are numbered.
    pub fn material(&self) -> Material {
        self.material
    }

    /// Returns the number of indices, saturated at `u64::MAX`.
    pub fn size(&self) -> u64 {
        product(self.sets)
    }

    /// Returns the position that has this number, with White to move, or `None` if the number is invalid.
    pub fn setup(&self, number: u64) -> Option<Setup> {
        if number >= self.size() {
            return None;
        }
        let pieces = Cursor::new(self).pieces(number)?;
        let color = |square| if pieces.white.contains(square) { Color::White } else { Color::Black };
        let piece = |square| (square, Piece { color: color(square), king: pieces.kings.contains(square) });
        Some(Setup::new(Color::White, pieces.all().squares().map(piece).collect()))
    }

    /// Returns the number of the position with these `pieces`, which must have this material.
    #[inline]
    pub fn number(&self, pieces: &Pieces<W>) -> u64 {
        let [white_men, black_men, white_kings, black_kings] = self.set_numbers(pieces);
        let men_number = white_men * self.sets[1] + black_men;
        men_number * (self.sets[2] * self.sets[3]) + (white_kings * self.sets[3] + black_kings)
    }

    /// Returns the numbers of the four sets of squares of `pieces`, which must have this material.
    #[inline(always)]
    pub(super) fn set_numbers(&self, pieces: &Pieces<W>) -> [u64; 4] {
        let board = &*self.board;
        let [white_men, black_men] = [pieces.men(Color::White), pieces.men(Color::Black)];
        let [white_kings, black_kings] = [pieces.kings(Color::White), pieces.kings(Color::Black)];
        let men = white_men | black_men;
        let behind = |squares: W, taken: W| {
            let place = move |square| board.place(square) - (taken & W::below(square)).count() as usize;
            number_of_set(squares.squares().map(place))
        };
        let white = number_of_set(white_men.squares().map(|square| board.place(square) - board.row_length));
        let black = number_of_set(black_men.squares().map(|square| board.place(square)));
        [white, black, behind(white_kings, men), behind(black_kings, men | white_kings)]
    }
}

pub(super) fn size(squares: usize, row_length: usize, material: Material) -> u64 {
    product(sets(squares, row_length, material))
}

fn product(sets: [u64; 4]) -> u64 {
    sets.into_iter().fold(1, u64::saturating_mul)
}

fn sets(squares: usize, row_length: usize, Material { own, other }: Material) -> [u64; 4] {
    let for_men = squares - row_length;
    let after_men = squares - usize::from(own.men + other.men);
    let kings = |side_material: SideMaterial| usize::from(side_material.kings);
    [
        choices(for_men, own.men.into()),
        choices(for_men, other.men.into()),
        choices(after_men, kings(own)),
        choices(after_men - kings(own), kings(other)),
    ]
}

/// Decodes indices. Decoding is fast if each index is one greater than the previous index.
pub(super) struct Cursor<'a, W: Word> {
    index: &'a Index<W>,
    men: Option<u64>,
    white_kings: Option<u64>,
    pieces: Pieces<W>,
    without_men: Vec<Square>,
    free: Vec<Square>,
    black_kings: Option<u64>,
    /// The black kings, as ascending indices of `free`.
    black_king_indices: Vec<usize>,
    is_position: bool,
}

impl<'a, W: Word> Cursor<'a, W> {
    pub(super) fn new(index: &'a Index<W>) -> Self {
        let pieces = Pieces { white: W::EMPTY, black: W::EMPTY, kings: W::EMPTY };
        Self {
            index,
            men: None,
            white_kings: None,
            pieces,
            without_men: Vec::new(),
            free: Vec::new(),
            black_kings: None,
            black_king_indices: Vec::new(),
            is_position: false,
        }
    }

    #[inline]
    pub(super) fn pieces(&mut self, number: u64) -> Option<Pieces<W>> {
        let [_, _, white_sets, black_sets] = self.index.sets;
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
        self.place_black_kings(black);
        let kings = self.black_king_indices.iter().fold(W::EMPTY, |set, &place| set | W::from_square(self.free[place]));
        let Pieces { white, black, kings: white_kings } = self.pieces;
        Some(Pieces { white, black: black | kings, kings: white_kings | kings })
    }

    fn place_men(&mut self, men: u64) {
        (self.men, self.white_kings) = (Some(men), None);
        let (board, material) = (&*self.index.board, self.index.material());
        let black_sets = self.index.sets[1];
        let set = |number, side_material: SideMaterial, skipped: usize| {
            let squares = set_of_number(number, side_material.men.into()).map(|place| board.squares[place + skipped]);
            squares.fold(W::EMPTY, |set, square| set | W::from_square(square))
        };
        let white = set(men / black_sets, material.own, board.row_length);
        let black = set(men % black_sets, material.other, 0);
        self.is_position = (white & black).is_empty();
        self.pieces = Pieces { white, black, kings: W::EMPTY };
        self.without_men.clear();
        self.without_men.extend(board.free(white | black).squares());
    }

    fn place_white_kings(&mut self, white: u64) {
        (self.white_kings, self.black_kings) = (Some(white), None);
        let men = Pieces { white: self.pieces.men(Color::White), kings: W::EMPTY, ..self.pieces };
        let count = self.index.material().own.kings.into();
        let kings =
            set_of_number(white, count).fold(W::EMPTY, |set, place| set | W::from_square(self.without_men[place]));
        self.pieces = Pieces { white: men.white | kings, kings, ..men };
        self.free.clear();
        self.free.extend(self.index.board.free(self.pieces.all()).squares());
    }
}

impl<W: Word> Cursor<'_, W> {
    #[inline]
    fn place_black_kings(&mut self, black: u64) {
        let places = &mut self.black_king_indices;
        if self.black_kings.is_some_and(|last| last + 1 == black) {
            // The next set in the combinatorial number system.
            let moved = (1..places.len()).take_while(|&at| places[at - 1] + 1 == places[at]).count();
            places[moved] += 1;
            places[..moved].iter_mut().zip(0..).for_each(|(place, first)| *place = first);
        } else {
            places.clear();
            places.extend(set_of_number(black, self.index.material().other.kings.into()));
            places.reverse();
        }
        self.black_kings = Some(black);
    }
}

const MAX_PIECES: usize = Material::MAX_PIECES_PER_SIDE as usize;

/// Binomial coefficients, indexed by the number of chosen elements and by the size of the set.
static COEFFICIENTS: [[u64; MAX_SQUARES + 1]; MAX_PIECES + 1] = {
    let mut table = [[0; MAX_SQUARES + 1]; MAX_PIECES + 1];
    let mut of = 0;
    while of <= MAX_SQUARES {
        table[0][of] = 1;
        let mut chosen = 1;
        while chosen <= MAX_PIECES && chosen <= of {
            table[chosen][of] = table[chosen - 1][of - 1] + table[chosen][of - 1];
            chosen += 1;
        }
        of += 1;
    }
    table
};

#[inline]
pub(super) fn choices(of: usize, chosen: usize) -> u64 {
    COEFFICIENTS[chosen][of]
}

/// Returns the index of a set of squares in the combinatorial number system. The squares are numbered from 0 and must
/// be in ascending order.
#[inline]
pub(super) fn number_of_set(squares: impl Iterator<Item = usize>) -> u64 {
    squares.zip(1..).map(|(square, place)| choices(square, place)).sum()
}

/// Returns the squares of the set that has this index and `count` squares. The squares are in descending order.
#[inline]
pub(super) fn set_of_number(mut number: u64, count: usize) -> impl Iterator<Item = usize> {
    (1..=count).rev().map(move |place| {
        let square = COEFFICIENTS[place].partition_point(|&ways| ways <= number).saturating_sub(1);
        number -= choices(square, place);
        square
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_indexed_without_gaps() {
        for (of, count) in [(32, 0), (32, 1), (32, 3), (12, 5), (72, 2)] {
            let ways = choices(of, count);
            assert!(ways < 6000);
            for number in 0..ways {
                let mut squares: Vec<_> = set_of_number(number, count).collect();
                squares.reverse();
                assert!(squares.is_sorted_by(|one, other| one < other) && squares.iter().all(|&square| square < of));
                assert_eq!((squares.len(), number_of_set(squares.into_iter())), (count, number));
            }
        }
        assert_eq!(choices(32, 4), 35_960);
    }
}
