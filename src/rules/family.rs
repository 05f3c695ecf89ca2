//! Rule families. The move generator is compiled once for each family.
//!
//! Only the properties that change the generator's code are compiled in: the board, the lines of moves and captures,
//! the moves of men, flying kings, the removal of captured pieces, and promotion during a capture. All other properties
//! are read from the [`RuleSet`] at run time. Variants that differ only in their objective, start position, draw rules
//! or notation share a generator, which is compiled for the first of these variants in
//! [`Variant::ALL`](super::Variant::ALL).

use super::{Landing, Precedence, RuleSet};
use crate::board::{Bits, Corner, Direction, Shape};

/// A family of rule sets, represented by a type.
pub trait Family: Copy + 'static {
    /// The bitboard type.
    type Word: Word;

    /// The rule set that represents the family. Only the properties in `RuleSet::compiled` are guaranteed to be equal
    /// for all members of the family.
    const RULES: RuleSet;

    /// The capture precedence if all members of the family share it, otherwise `None`. With this constant, variants
    /// with a free choice of captures spend no time on precedence.
    const PRECEDENCE: Option<Precedence>;

    /// The shape of the board. A mirrored board has the same layout.
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

    /// Moves every square in `squares` one step in `direction`. Steps over the edge end outside [`Family::all`].
    #[inline(always)]
    fn step(squares: Self::Word, direction: Direction) -> Self::Word {
        // On boards without ghost bits, diagonal steps can also wrap around the edge.
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
    /// The type of the result.
    type Output;

    /// Runs the computation for the family `F`.
    fn visit<F: Family<Word = W>>(self) -> Self::Output;
}

/// A bitboard type that variants use: `u64`, or `u128` for boards larger than 10x10.
pub trait Word: Bits {
    /// Runs `visitor` for the family of `spec` and returns its result, or `None` if that family uses a different
    /// bitboard type.
    fn with_family<V: FamilyVisitor<Self>>(spec: &RuleSet, visitor: V) -> Option<V::Output>;
}

impl RuleSet {
    /// Returns the properties on which the generator's code depends, as numbers. Rule sets with equal arrays share a
    /// generator.
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
            // The code depends only on whether a king may choose its landing square. `BehindLastKing` is checked at the
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
