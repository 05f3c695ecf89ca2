//! What is counted of the kings.

use crate::board::{Bits, Corner, MAX_SQUARES, Shape, Square};

/// Up to so many kings of each side every pair of numbers has a value of its own.
const COUNTED: u32 = 3;

/// Pairs of different numbers of kings up to [`COUNTED`], the greater one first.
const PAIRS: usize = 6;

/// Features of the kings: their numbers, and the squares on which they stand.
///
/// Up to three kings a side, each pair of numbers has a value: the first king is worth more than the next one, and less if the
/// opponent has one. A king beyond the third has the same value as any other beyond it. Kings of Black stand on the turned square.
#[derive(Clone, Debug)]
pub struct Kings {
    /// The feature of a king of White on each square.
    of_white: [u8; MAX_SQUARES],
    /// The feature of a king of Black on each square.
    of_black: [u8; MAX_SQUARES],
    features: usize,
}

impl Kings {
    /// Features of the numbers of kings, which come before those of their squares.
    pub const NUMBERS: usize = PAIRS + 1;

    /// The features of a board.
    pub fn new(shape: Shape) -> Self {
        let squares: Vec<Square> = shape.all_squares().collect();
        let mut kings = Self { of_white: [0; MAX_SQUARES], of_black: [0; MAX_SQUARES], features: Self::NUMBERS };
        for (order, &square) in squares.iter().enumerate() {
            let feature = (Self::NUMBERS + mirrored_first(shape, order)) as u8;
            kings.of_white[square.index()] = feature;
            kings.of_black[squares[squares.len() - 1 - order].index()] = feature;
            kings.features = kings.features.max(usize::from(feature) + 1);
        }
        kings
    }

    /// Number of features.
    pub fn features(&self) -> usize {
        self.features
    }

    /// Calls `visit` with each feature and the number of times that it counts for White.
    #[inline(always)]
    pub fn for_each<B: Bits>(&self, white_kings: B, black_kings: B, mut visit: impl FnMut(usize, i32)) {
        let (white, black) = (white_kings.count(), black_kings.count());
        let (most, least) = (white.max(black).min(COUNTED), white.min(black).min(COUNTED));
        if most > least {
            visit((most * (most - 1) / 2 + least) as usize, if white > black { 1 } else { -1 });
        }
        let beyond = white.saturating_sub(COUNTED) as i32 - black.saturating_sub(COUNTED) as i32;
        if beyond != 0 {
            visit(PAIRS, beyond);
        }
        for square in white_kings.squares() {
            visit(usize::from(self.of_white[square.index()]), 1);
        }
        for square in black_kings.squares() {
            visit(usize::from(self.of_black[square.index()]), -1);
        }
    }

    /// The value that each feature has where kings have plain values: `king` each, and `first` more for having one.
    pub fn plain_values(&self, king: f32, first: f32) -> Vec<f32> {
        let mut values = vec![0.0; self.features];
        for most in 1..=COUNTED {
            for least in 0..most {
                let bonus = if least == 0 { first } else { 0.0 };
                values[(most * (most - 1) / 2 + least) as usize] = (most - least) as f32 * king + bonus;
            }
        }
        values[PAIRS] = king;
        values
    }
}

/// Of the square number `order`, counted from 0, and its mirror image from left to right, where that is a symmetry of the board,
/// the first one.
fn mirrored_first(shape: Shape, order: usize) -> usize {
    let length = usize::from(shape.row_length());
    let (row, column) = (order / length, order % length);
    match shape.corner {
        Corner::Both => row * length + column.min(length - 1 - column),
        Corner::Left | Corner::Right => order,
    }
}
