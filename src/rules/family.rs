//! Rule families: what the move generator is compiled for.
//!
//! Compiled is what changes the code of a node: the board, the lines of moves and captures, what men may do, whether kings
//! fly, when pieces leave the board, and crowning in mid-capture. All else is data of the [`RuleSet`], so that variants
//! that differ in their objective, start position, draw rules or notation share one generator.

use super::brazilian::BRAZILIAN;
use super::canadian::CANADIAN;
use super::casual::CASUAL;
use super::english::ENGLISH;
use super::frisian::FRISIAN;
use super::international::INTERNATIONAL;
use super::italian::ITALIAN;
use super::russian::{RUSSIAN, SPANTSIRETTI};
use super::spanish::SPANISH;
use super::thai::THAI;
use super::turkish::TURKISH;
use super::{Landing, Precedence, RuleSet};
use crate::board::{Bits, Board8, Board8Every, Board10, Board10x8, Board12, Geometry};

/// A family of rule sets as a type.
pub trait Family: Copy + 'static {
    /// A set of squares of its board.
    type Word: Word;

    /// The board; its mirror image is the same board.
    type Geometry: Geometry<Bits = Self::Word>;

    /// The rule set that stands for the family. Only what [`Family::covers`] compares is true of all of them.
    const RULES: RuleSet;

    /// How captures are chosen, where all members agree on it: then it costs nothing where the choice is free.
    const PRECEDENCE: Option<Precedence>;

    /// Whether the generator of the family plays by the rules of `spec`.
    fn covers(spec: &RuleSet) -> bool {
        let compiled = |spec: &RuleSet| {
            let steps = (spec.moves, spec.captures, spec.men_capture_backward, spec.men_capture_kings);
            (steps, spec.flying_kings, spec.removal, spec.may_reverse, spec.promotion, spec.regicide)
        };
        // Where a capture may end is looked up when it ends; whether it may go on from there is compiled.
        let lands_behind = |spec: &RuleSet| spec.landing == Landing::Behind;
        Self::Geometry::is_laid_out_as(spec.shape)
            && compiled(spec) == compiled(&Self::RULES)
            && lands_behind(spec) == lands_behind(&Self::RULES)
            && Self::PRECEDENCE.is_none_or(|precedence| precedence == spec.precedence)
    }
}

/// A computation that is compiled once for every family whose sets of squares are a `W`.
pub trait FamilyVisitor<W> {
    /// What it returns.
    type Output;

    /// The computation for the family `F`.
    fn visit<F: Family<Word = W>>(self) -> Self::Output;
}

/// An integer that holds the squares of boards that are played on: `u64`, or `u128` for 12x12.
pub trait Word: Bits {
    /// Runs `visitor` for the family that `spec` belongs to, if one of this width does.
    fn with_family<V: FamilyVisitor<Self>>(spec: &RuleSet, visitor: V) -> Option<V::Output>;
}

/// Makes the families of each width out of one line for each: its name, its board, the rule set that stands for it, and
/// whether its members choose captures alike.
macro_rules! families {
    ($($word:ty { $($(#[$doc:meta])+ $family:ident, $board:ty, $rules:expr, $precedence:expr;)+ })+) => {
        $($($(#[$doc])+
        #[derive(Clone, Copy, Debug)]
        pub struct $family;

        impl Family for $family {
            type Word = $word;
            type Geometry = $board;
            const RULES: RuleSet = $rules;
            const PRECEDENCE: Option<Precedence> = $precedence;
        })+

        impl Word for $word {
            fn with_family<V: FamilyVisitor<Self>>(spec: &RuleSet, visitor: V) -> Option<V::Output> {
                $(if $family::covers(spec) {
                    return Some(visitor.visit::<$family>());
                })+
                None
            }
        })+
    };
}

families! {
    u64 {
        /// Italian draughts: men do not take kings.
        ItalianFamily, Board8, ITALIAN, Some(Precedence::Italian);
        /// English draughts.
        EnglishFamily, Board8, ENGLISH, Some(Precedence::Free);
        /// Casual checkers: a man that takes a king becomes one.
        CasualFamily, Board8, CASUAL, None;
        /// International draughts.
        InternationalFamily, Board10, INTERNATIONAL, Some(Precedence::MostPieces);
        /// Frisian draughts: captures along all lines.
        FrisianFamily, Board10, FRISIAN, Some(Precedence::Value);
        /// Russian draughts: crowning in mid-capture.
        RussianFamily, Board8, RUSSIAN, Some(Precedence::Free);
        /// Brazilian draughts and American pool checkers: flying kings on the small board.
        BrazilianFamily, Board8, BRAZILIAN, None;
        /// Spanish and Czech draughts: flying kings, and men that capture forwards.
        SpanishFamily, Board8, SPANISH, None;
        /// Thai draughts: kings land right behind the piece they take.
        ThaiFamily, Board8, THAI, Some(Precedence::Free);
        /// Turkish draughts: rows and columns on all squares.
        TurkishFamily, Board8Every, TURKISH, Some(Precedence::MostPieces);
        /// Spantsiretti: Russian draughts on ten columns.
        SpantsirettiFamily, Board10x8, SPANTSIRETTI, Some(Precedence::Free);
    }
    u128 {
        /// Canadian draughts: the international game on 12x12.
        CanadianFamily, Board12, CANADIAN, Some(Precedence::MostPieces);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    /// The name of a family's rule set.
    struct Representative;

    impl<W> FamilyVisitor<W> for Representative {
        type Output = &'static str;
        fn visit<F: Family<Word = W>>(self) -> &'static str {
            std::any::type_name::<F>()
        }
    }

    #[test]
    fn every_variant_belongs_to_one_family_of_one_width() {
        let mut families = std::collections::HashSet::new();
        for &variant in Variant::ALL {
            let narrow = u64::with_family(variant.spec(), Representative);
            let wide = u128::with_family(variant.spec(), Representative);
            assert!(narrow.is_some() != wide.is_some(), "{variant}");
            families.extend(narrow.or(wide));
        }
        assert_eq!(families.len(), 12, "a family without a member is compiled in vain");
    }
}
