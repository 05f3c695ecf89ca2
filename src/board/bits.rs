//! Bitboards: sets of squares that are stored as the bits of an integer.

use super::Square;
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

/// A set of squares with one bit per square. Boards up to 10x10 use `u64`, larger boards use `u128`.
pub trait Bits:
    Copy
    + Debug
    + Default
    + Eq
    + Hash
    + Send
    + Sync
    + 'static
    + Not<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The empty set.
    const EMPTY: Self;

    /// Returns the set that contains only `square`.
    fn from_square(square: Square) -> Self;

    /// Converts a mask to a set. The mask must fit in this type.
    fn from_mask(mask: u128) -> Self;

    /// Returns the set as a 128-bit mask.
    fn mask(self) -> u128;

    /// Returns whether the set is empty.
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// Returns whether `square` is in the set.
    #[inline(always)]
    fn contains(self, square: Square) -> bool {
        !(self & Self::from_square(square)).is_empty()
    }

    /// Returns the number of squares in the set.
    fn count(self) -> u32;

    /// Returns the square with the lowest index. The set must not be empty.
    fn first(self) -> Square;

    /// Returns the set without the square that has the lowest index.
    fn without_first(self) -> Self;

    /// Returns the set of all squares that have a lower index than `square`.
    fn below(square: Square) -> Self;

    /// Reverses the order of squares 0 to `last`, so that squares 0 and `last` swap places. No square in the set may
    /// have a higher index than `last`.
    fn reversed(self, last: Square) -> Self;

    /// Returns whether the set has exactly one square.
    #[inline(always)]
    fn is_single(self) -> bool {
        !self.is_empty() && self.without_first().is_empty()
    }

    /// Folds the set into 64 bits. For `u128` this loses information.
    fn fold(self) -> u64;

    /// Returns an iterator over the squares in the set, from the lowest index to the highest.
    #[inline(always)]
    fn squares(self) -> Squares<Self> {
        Squares(self)
    }
}

/// An iterator over the squares in a set, from the lowest index to the highest.
#[derive(Clone, Copy, Debug)]
pub struct Squares<B>(B);

impl<B: Bits> Iterator for Squares<B> {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        if self.0.is_empty() {
            return None;
        }
        let square = self.0.first();
        self.0 = self.0.without_first();
        Some(square)
    }
}

macro_rules! bits {
    ($integer:ty, $fold:expr) => {
        impl Bits for $integer {
            const EMPTY: Self = 0;

            #[inline(always)]
            fn from_square(square: Square) -> Self {
                1 << square.index()
            }

            #[inline(always)]
            fn from_mask(mask: u128) -> Self {
                debug_assert_eq!(mask as Self as u128, mask);
                mask as Self
            }

            #[inline(always)]
            fn mask(self) -> u128 {
                self.into()
            }

            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline(always)]
            fn first(self) -> Square {
                Square::new(self.trailing_zeros() as u8)
            }

            #[inline(always)]
            fn without_first(self) -> Self {
                self & self.wrapping_sub(1)
            }

            #[inline(always)]
            fn below(square: Square) -> Self {
                (1 << square.index()) - 1
            }

            #[inline(always)]
            fn reversed(self, last: Square) -> Self {
                self.reverse_bits() >> (<$integer>::BITS - 1 - last.index() as u32)
            }

            #[inline(always)]
            fn fold(self) -> u64 {
                $fold(self)
            }
        }
    };
}

bits!(u64, |bits: u64| bits);
bits!(u128, |bits: u128| bits as u64 ^ (bits >> 64) as u64);

#[cfg(test)]
mod tests {
    use super::*;

    fn a_set_lists_its_squares<B: Bits>(top: u8) {
        let squares = [Square::new(0), Square::new(17), Square::new(top)];
        let set = squares.iter().fold(B::EMPTY, |set, &square| set | B::from_square(square));
        assert_eq!(set.squares().collect::<Vec<_>>(), squares);
        assert_eq!(set.count(), 3);
        assert!(set.contains(Square::new(17)) && !set.contains(Square::new(18)));
        assert!(B::from_square(Square::new(top)).is_single() && !set.is_single() && !B::EMPTY.is_single());
        assert_eq!(B::from_mask(set.mask()), set);
        assert_eq!((set & B::below(Square::new(top))).count(), 2);
        assert!(B::below(Square::new(0)).is_empty());
        let reversed: Vec<_> = set.reversed(Square::new(top)).squares().collect();
        assert_eq!(reversed, [Square::new(0), Square::new(top - 17), Square::new(top)]);
    }

    #[test]
    fn sets_of_both_widths_iterate_over_their_squares() {
        a_set_lists_its_squares::<u64>(63);
        a_set_lists_its_squares::<u128>(127);
    }
}
