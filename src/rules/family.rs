//! Rule families: what the move generator is compiled for.
//!
//! Compiled is what changes the code of a node: the board, the lines of moves and captures, what men may do, whether kings
//! fly, when pieces leave the board, and crowning in mid-capture. All else is data of the [`RuleSet`], so that variants
//! that differ in their objective, start position, draw rules or notation share one generator: that of the first of them
//! in [`Variant::ALL`].

use super::{Landing, Precedence, RuleSet, Variant};
use crate::board::{Bits, Geometry};
use std::marker::PhantomData;

/// A family of rule sets as a type.
pub trait Family: Copy + 'static {
    /// A set of squares of its board.
    type Word: Word;

    /// The board; its mirror image is the same board.
    type Geometry: Geometry<Bits = Self::Word>;

    /// The rule set that stands for the family. Only `RuleSet::compiled` is true of all of them.
    const RULES: RuleSet;

    /// The choice among captures, where all members agree on it: then it costs nothing where the choice is free.
    const PRECEDENCE: Option<Precedence>;
}

/// A computation that is compiled once for every family whose sets of squares are a `W`.
pub trait FamilyVisitor<W> {
    /// The result.
    type Output;

    /// Computes it for the family `F`.
    fn visit<F: Family<Word = W>>(self) -> Self::Output;
}

/// An integer that holds the squares of boards that are played on: `u64`, or `u128` for those of more than 10x10.
pub trait Word: Bits {
    /// Runs `visitor` for the family that `spec` belongs to, if one of this width does.
    fn with_family<V: FamilyVisitor<Self>>(spec: &RuleSet, visitor: V) -> Option<V::Output>;
}

impl RuleSet {
    /// The rules that a generator is compiled for, as numbers: two rule sets share a generator if these are equal.
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
            // Where a capture may end is looked up when it ends; whether it may go on from there is compiled.
            matches!(self.landing, Landing::Behind) as u8,
        ]
    }

    /// Returns whether `other` has the same generator.
    const fn shares_generator(&self, other: &Self) -> bool {
        let (own, other) = (self.compiled(), other.compiled());
        let mut index = 0;
        while index < own.len() && own[index] == other[index] {
            index += 1;
        }
        index == own.len()
    }
}

impl Variant {
    /// The place in [`Variant::ALL`] of the first variant with the same generator.
    pub(super) const fn representative(self) -> usize {
        let mut first = 0;
        while !Self::ALL[first].spec().shares_generator(self.spec()) {
            first += 1;
        }
        first
    }

    /// The choice among captures in this and all variants with the same generator, if there is one.
    pub(super) const fn common_precedence(self) -> Option<Precedence> {
        let precedence = self.spec().precedence;
        let mut index = 0;
        while index < Self::ALL.len() {
            let other = Self::ALL[index].spec();
            if other.shares_generator(self.spec()) && other.precedence as u8 != precedence as u8 {
                return None;
            }
            index += 1;
        }
        Some(precedence)
    }
}

/// The family of the variant at the place `VARIANT` of [`Variant::ALL`], whose sets of squares are a `W`.
#[derive(Clone, Copy, Debug)]
pub struct FamilyOf<W, const VARIANT: usize>(PhantomData<W>);

/// The integer for the squares of a board, by [`crate::board::Shape::is_wide`].
pub(super) type WordOf<const WIDE: bool> = <Width<WIDE> as Store>::Word;

/// The width of a board as a type: more than 64 bits, or not.
pub struct Width<const WIDE: bool>;

/// The integer of a [`Width`].
pub trait Store {
    /// The integer.
    type Word: Word;
}

impl Store for Width<false> {
    type Word = u64;
}

impl Store for Width<true> {
    type Word = u128;
}

/// A family of any width, asked by one whose sets of squares are a `W`.
pub(super) trait Member<W> {
    /// Runs `visitor` for this family, if it is one of this width.
    fn run<V: FamilyVisitor<W>>(visitor: V) -> Option<V::Output>;
}

macro_rules! member {
    ($own:ty, $other:ty) => {
        impl<const VARIANT: usize> Member<$own> for FamilyOf<$own, VARIANT>
        where
            Self: Family<Word = $own>,
        {
            fn run<V: FamilyVisitor<$own>>(visitor: V) -> Option<V::Output> {
                Some(visitor.visit::<Self>())
            }
        }

        impl<const VARIANT: usize> Member<$other> for FamilyOf<$own, VARIANT> {
            fn run<V: FamilyVisitor<$other>>(_: V) -> Option<V::Output> {
                None
            }
        }
    };
}

member!(u64, u128);
member!(u128, u64);

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// The name of the family.
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
        assert_eq!(families.len(), generators.len(), "what is compiled the same way is compiled once");
    }
}
