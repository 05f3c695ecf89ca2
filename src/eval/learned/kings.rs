//! What is counted of the kings.

use crate::board::{Bits, Corner, MAX_SQUARES, Shape, Square};

/// Up to so many kings of each side every pair of numbers has a value of its own.
const COUNTED: u32 = 3;

/// Pairs of different numbers of kings up to [`COUNTED`], the greater one first.
const PAIRS: usize = 6;

/// What a king and another piece are to each other; each relation has a table of its own, by the squares of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// A king and a man of its own side.
    OwnMan,
    /// A king and a man of the other side.
    OtherMan,
    /// A king of the side that has more pieces, and a king of the other side, which it has to catch.
    Chased,
    /// A king and one of the other side, where both sides have as many pieces.
    Facing,
}

impl Relation {
    /// All of them, in the order of their tables.
    pub const ALL: [Self; 4] = [Self::OwnMan, Self::OtherMan, Self::Chased, Self::Facing];
}

/// Features of the kings: their numbers, the squares on which they stand, and the squares of a king and another piece.
///
/// Up to three kings a side, each pair of numbers has a value: the first king is worth more than the next one, and less if the
/// opponent has one. A king beyond the third has the same value as any other beyond it. The squares are seen from the side that
/// the king belongs to; where the mirror image from left to right is a symmetry of the board, the king stands in the left half.
#[derive(Clone, Debug)]
pub struct Kings {
    /// The places of the squares in each view: as White and as Black sees the board, and the mirror images of these.
    views: [[u8; MAX_SQUARES]; 4],
    /// In which view a king of White, and one of Black, is seen, by its square.
    view_of_king: [[u8; MAX_SQUARES]; 2],
    /// The first feature of the pairs of squares.
    first_of_pairs: usize,
    /// Squares of the board.
    squares: usize,
}

impl Kings {
    /// Features of the numbers of kings, which come before those of their squares.
    pub const NUMBERS: usize = PAIRS + 1;

    /// The features of a board.
    pub fn new(shape: Shape) -> Self {
        // In the order of the bits, which on a mirrored board run from right to left: so it has the places of the other board.
        let mut squares: Vec<Square> = shape.all_squares().collect();
        squares.sort();
        let count = squares.len();
        let length = usize::from(shape.row_length());
        let mut kings = Self {
            views: [[0; MAX_SQUARES]; 4],
            view_of_king: [[0; MAX_SQUARES]; 2],
            first_of_pairs: 0,
            squares: count,
        };
        let mirrored = |order: usize| order / length * length + (length - 1 - order % length);
        let is_symmetric = shape.corner == Corner::Both;
        for (order, &square) in squares.iter().enumerate() {
            let turned = count - 1 - order;
            let places = [order, turned, mirrored(order), mirrored(turned)];
            for (view, place) in kings.views.iter_mut().zip(places) {
                view[square.index()] = place as u8;
            }
            for side in 0..2 {
                let is_right = is_symmetric && places[side] % length >= length.div_ceil(2);
                kings.view_of_king[side][square.index()] = (side + 2 * usize::from(is_right)) as u8;
                let place = places[side + 2 * usize::from(is_right)];
                kings.first_of_pairs = kings.first_of_pairs.max(Self::NUMBERS + place + 1);
            }
        }
        kings
    }

    /// Number of features.
    pub fn features(&self) -> usize {
        self.first_of_pairs + Relation::ALL.len() * self.squares * self.squares
    }

    /// The feature of a king on the square number `king` and another piece on the one number `other`, both counted from 0, as the
    /// side of the king sees the board; on a mirrored board its mirror image.
    #[inline(always)]
    pub fn pair(&self, relation: Relation, king: usize, other: usize) -> usize {
        self.first_of_pairs + (relation as usize * self.squares + king) * self.squares + other
    }

    /// Calls `visit` with each feature and the number of times that it counts for White.
    #[inline(always)]
    pub fn for_each<B: Bits>(&self, white: B, black: B, kings: B, mut visit: impl FnMut(usize, i32)) {
        let (white_kings, black_kings) = (white & kings, black & kings);
        let numbers = (white_kings.count(), black_kings.count());
        let (most, least) = (numbers.0.max(numbers.1).min(COUNTED), numbers.0.min(numbers.1).min(COUNTED));
        if most > least {
            visit((most * (most - 1) / 2 + least) as usize, if numbers.0 > numbers.1 { 1 } else { -1 });
        }
        let beyond = numbers.0.saturating_sub(COUNTED) as i32 - numbers.1.saturating_sub(COUNTED) as i32;
        if beyond != 0 {
            visit(PAIRS, beyond);
        }
        let ahead = white.count().cmp(&black.count());
        let facing = |leads: bool| match (leads, ahead.is_eq()) {
            (_, true) => Some(Relation::Facing),
            (true, false) => Some(Relation::Chased),
            (false, false) => None,
        };
        self.of_side(
            0,
            (white & !kings, black & !kings),
            (white_kings, black_kings),
            facing(ahead.is_gt()),
            |feature| {
                visit(feature, 1);
            },
        );
        self.of_side(
            1,
            (black & !kings, white & !kings),
            (black_kings, white_kings),
            facing(ahead.is_lt()),
            |feature| {
                visit(feature, -1);
            },
        );
    }

    /// Calls `visit` with the features of the kings of one side, whose men and kings are the first of each two sets; `facing` is
    /// what they are to the kings of the other side.
    #[inline(always)]
    fn of_side<B: Bits>(
        &self,
        side: usize,
        men: (B, B),
        kings: (B, B),
        facing: Option<Relation>,
        mut visit: impl FnMut(usize),
    ) {
        for king in kings.0.squares() {
            let view = &self.views[usize::from(self.view_of_king[side][king.index()]) % 4];
            let place = usize::from(view[king.index()]);
            visit(Self::NUMBERS + place);
            let mut pairs = |relation, others: B| {
                for other in others.squares() {
                    visit(self.pair(relation, place, usize::from(view[other.index()])));
                }
            };
            pairs(Relation::OwnMan, men.0);
            pairs(Relation::OtherMan, men.1);
            if let Some(relation) = facing {
                pairs(relation, kings.1);
            }
        }
    }

    /// The value that each feature has where kings have plain values: `king` each, and `first` more for having one.
    pub fn plain_values(&self, king: f32, first: f32) -> Vec<f32> {
        let mut values = vec![0.0; self.features()];
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
