//! The inputs of a network: the pieces, as the side to move sees the board.

use crate::board::{Bits, Corner, MAX_SQUARES, Shape, Square};

/// Which input a piece has: the kind of piece first, then its square, counted from the side of the player to move.
///
/// So a position and the same one with the colours exchanged and the board turned have the same inputs. On a mirrored board they are
/// those of the other board.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// The place of each square as White and as Black sees the board.
    places: [[u8; MAX_SQUARES]; 2],
    /// Squares of the board.
    squares: usize,
}

impl Inputs {
    /// Inputs of each square: a man and a king of the side to move, and those of the other side.
    pub const KINDS: usize = 4;

    /// The inputs of a board.
    pub fn new(shape: Shape) -> Self {
        // In the order of the bits, which on a mirrored board run from right to left: so it has the places of the other board.
        let mut squares: Vec<Square> = shape.all_squares().collect();
        squares.sort();
        let mut inputs = Self { places: [[0; MAX_SQUARES]; 2], squares: squares.len() };
        for (place, square) in squares.iter().enumerate() {
            inputs.places[0][square.index()] = place as u8;
            inputs.places[1][square.index()] = (squares.len() - 1 - place) as u8;
        }
        inputs
    }

    /// Those of the mirror image, from left to right, on a board whose mirror image is the same board.
    pub fn mirrored(&self, shape: Shape) -> Option<Self> {
        if shape.corner != Corner::Both {
            return None;
        }
        let mut images = self.clone();
        for square in shape.all_squares() {
            let image = shape.square_at(shape.row(square), shape.width - 1 - shape.column(square))?;
            for (places, images) in self.places.iter().zip(&mut images.places) {
                images[square.index()] = places[image.index()];
            }
        }
        Some(images)
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        Self::KINDS * self.squares
    }

    /// Calls `visit` with the input of every piece, a number below [`Inputs::count`]: men of the side to move first, then its kings,
    /// then men and kings of the other side.
    #[inline(always)]
    pub fn for_each<B: Bits>(&self, white: B, black: B, kings: B, white_to_move: bool, mut visit: impl FnMut(usize)) {
        let (own, other, places) =
            if white_to_move { (white, black, &self.places[0]) } else { (black, white, &self.places[1]) };
        for (kind, set) in [own & !kings, own & kings, other & !kings, other & kings].into_iter().enumerate() {
            for square in set.squares() {
                visit(kind * self.squares + usize::from(places[square.index()]));
            }
        }
    }
}
