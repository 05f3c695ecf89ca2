//! The positions of a material, numbered.
//!
//! A number is made of four: the sets of the squares of White's men and of Black's men among those where men can be, of
//! White's kings among the squares without a man, of Black's kings among the rest; each as in [`number_of_set`], the first the
//! most significant. Numbers in which men of both sides share a square are no positions; there are few of them, and they
//! compress to nothing.

use super::binomial::{choices, number_of_set};
use super::board::TableBoard;
use super::cursor::Cursor;
use super::{Material, SideMaterial};
use crate::position::{EndingAges, Piece, Pieces, Setup};
use crate::rules::{Color, Word};
use std::sync::Arc;

/// Numbers the positions of one material, White to move.
#[derive(Clone, Debug)]
pub struct Index<W: Word> {
    pub(super) board: Arc<TableBoard<W>>,
    material: Material,
    /// How many sets of White's men, Black's men, White's kings and Black's kings there are.
    sets: [u64; 4],
}

impl<W: Word> Index<W> {
    pub(super) fn new(board: &Arc<TableBoard<W>>, material: Material) -> Self {
        Self { board: Arc::clone(board), material, sets: sets(board.squares.len(), board.row_length, material) }
    }

    /// The material.
    pub fn material(&self) -> Material {
        self.material
    }

    /// How many numbers there are; of more than 64 bits hold, the most that they do.
    pub fn len(&self) -> u64 {
        product(self.sets)
    }

    /// Whether there is no number: never.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The position with this `number`, White to move, if it is one.
    pub fn setup(&self, number: u64) -> Option<Setup> {
        if number >= self.len() {
            return None;
        }
        let pieces = Cursor::new(self).pieces(number)?;
        let color = |square| if pieces.white.contains(square) { Color::White } else { Color::Black };
        let piece = |square| (square, Piece { color: color(square), king: pieces.kings.contains(square) });
        Some(Setup {
            side: Color::White,
            pieces: pieces.all().squares().map(piece).collect(),
            quiet_plies: 0,
            move_number: 1,
            king_runs: [None; 2],
            ages: EndingAges::default(),
        })
    }

    pub(super) fn sets(&self) -> [u64; 4] {
        self.sets
    }

    /// The number of `pieces`, which must be of the material.
    #[inline]
    pub fn number(&self, pieces: &Pieces<W>) -> u64 {
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
        let men_number = white * self.sets[1] + black;
        let kings = behind(white_kings, men) * self.sets[3] + behind(black_kings, men | white_kings);
        men_number * (self.sets[2] * self.sets[3]) + kings
    }
}

/// How many numbers a material has on a board of so many squares, in rows of `row_length`.
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
