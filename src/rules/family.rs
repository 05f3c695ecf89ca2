//! Rule families: the units for which the move generator is compiled.
//!
//! The compiled properties are those that change the code of a node: the board, the lines of moves and captures, the
//! moves of men, flying kings, the removal of captured pieces, and promotion during a capture. Everything else is data
//! of the [`RuleSet`]. Variants that differ only in objective, start position, draw rules or notation share the
//! generator of the first of them in [`Variant::ALL`](super::Variant::ALL).

use super::{Landing, Precedence, RuleSet};
use crate::board::{Bits, Corner, Direction, Shape};

/// A family of rule sets, as a type.
pub trait Family: Copy + 'static {
    /// The bitboard type.
    type Word: Word;

    /// The representative rule set. Only `RuleSet::compiled` is guaranteed to be equal for all members.
    const RULES: RuleSet;

    /// The capture precedence if all members share it. Variants with a free choice then pay nothing for it.
    const PRECEDENCE: Option<Precedence>;

    /// The board. Its mirror image has the same layout.
    const SHAPE: Shape = Self::RULES.shape.unmirrored();

    /// Returns all playable squares.
    #[inline(always)]
    fn all() -> Self::Word {
        Self::Word::from_mask(const { Self::SHAPE.mask() })
    }

    /// Returns the playable squares of `row`, counted from 0 at the top.
    #[inline(always)]
    fn row(row: u8) -> Self::Word {
        Self::Word::from_mask(Self::SHAPE.row_mask(row))
    }

    /// Moves every square one step in `direction`. Steps over the edge end outside [`Family::all`].
    #[inline(always)]
    fn step(squares: Self::Word, direction: Direction) -> Self::Word {
        // On boards without ghost bits diagonal steps can wrap around the edge too.
        let wraps = direction.rows() == 0 || matches!(Self::SHAPE.corner, Corner::Both);
        let squares = match direction.columns() {
            -1 if wraps => squares & !Self::Word::from_mask(const { Self::SHAPE.end_of_rows(Direction::Left) }),
            1 if wraps => squares & !Self::Word::from_mask(const { Self::SHAPE.end_of_rows(Direction::Right) }),
            _ => squares,
        };
        let shift = Self::SHAPE.shift(direction);
        if shift > 0 { squares << shift as u32 } else { squares >> shift.unsigned_abs() as u32 }
    }
}

/// A computation that is compiled once for every family with bitboards of type `W`.
pub trait FamilyVisitor<W> {
    /// The result type.
    type Output;

    /// Runs the computation for the family `F`.
    fn visit<F: Family<Word = W>>(self) -> Self::Output;
}

/// A bitboard type that some variant uses: `u64`, or `u128` for boards larger than 10x10.
pub trait Word: Bits {
    /// Runs `visitor` for the family of `spec`, or returns `None` if that family has a different bitboard type.
    fn with_family<V: FamilyVisitor<Self>>(spec: &RuleSet, visitor: V) -> Option<V::Output>;
}

impl RuleSet {
    /// Returns the compiled properties as numbers: rule sets with equal arrays share a generator.
    pub(super) const fn compiled(&self) -> [u8; 13] {
        [
            self.shape.width,
            self.shape.height,
            self.shape.is_full() as u8,
            self.moves as u8,
            self.captures as u8,
            self.men_capture_backward as u8,
            self.men_capture_kings as u8,
            self.flying_kings as u8,
            self.removal as u8,
            self.may_reverse as u8,
            self.promotion as u8,
            self.regicide as u8,
            // Only whether a king may choose its landing square changes the code; `BehindLastKing` is checked at the
            // end of a capture.
            matches!(self.landing, Landing::Behind) as u8,
        ]
    }

    pub(super) const fn shares_generator(&self, other: &Self) -> bool {
        let (own, other) = (self.compiled(), other.compiled());
        let mut index = 0;
        while index < own.len() && own[index] == other[index] {
            index += 1;
        }
        index == own.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;
    use std::collections::HashSet;

    struct Representative;

    impl<W> FamilyVisitor<W> for Representative {
        type Output = &'static str;
        fn visit<F: Family<Word = W>>(self) -> &'static str {
            std::any::type_name::<F>()
        }
    }

    #[test]
    fn every_variant_belongs_to_one_family_of_one_width() {
        let (mut families, mut generators) = (HashSet::new(), HashSet::new());
        for &variant in Variant::ALL {
            let narrow = u64::with_family(variant.spec(), Representative);
            let wide = u128::with_family(variant.spec(), Representative);
            assert!(narrow.is_some() != wide.is_some(), "{variant}");
            families.extend(narrow.or(wide));
            generators.insert(variant.spec().compiled());
        }
        assert_eq!(families.len(), generators.len(), "identical code is compiled once");
    }
}
