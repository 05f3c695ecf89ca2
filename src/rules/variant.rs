//! The registry: the one list of all variants, with the names that GUIs and files know them by.

use super::{English, International, Italian, RuleSet, Rules};
use std::fmt;

/// A variant of draughts that the engine plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Italian draughts.
    Italian,
    /// English draughts, also called American checkers.
    English,
    /// International draughts.
    International,
}

/// A computation that is compiled once for every variant.
pub trait Visitor {
    /// What it returns, the same type for every variant.
    type Output;

    /// The computation for the rules `R`.
    fn visit<R: Rules>(self) -> Self::Output;
}

impl Variant {
    /// All variants, in the order in which they are listed.
    pub const ALL: [Self; 3] = [Self::Italian, Self::English, Self::International];

    /// Runs `visitor` for the rules of this variant.
    pub fn with<V: Visitor>(self, visitor: V) -> V::Output {
        match self {
            Self::Italian => visitor.visit::<Italian>(),
            Self::English => visitor.visit::<English>(),
            Self::International => visitor.visit::<International>(),
        }
    }

    /// The rules of this variant.
    pub const fn spec(self) -> &'static RuleSet {
        match self {
            Self::Italian => &Italian::SPEC,
            Self::English => &English::SPEC,
            Self::International => &International::SPEC,
        }
    }

    /// The name that the engine itself prints.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Italian => "italian",
            Self::English => "english",
            Self::International => "international",
        }
    }

    /// Further names that are understood: those of other engines, servers and files.
    pub const fn aliases(self) -> &'static [&'static str] {
        match self {
            Self::Italian => &["italiana", "dama"],
            Self::English => &["american", "checkers", "anglo-american"],
            Self::International => &["normal", "standard", "polish", "10x10"],
        }
    }

    /// The number of the variant in the `GameType` tag of Portable Draughts Notation (PDN 3.0).
    pub const fn game_type(self) -> u8 {
        match self {
            Self::International => 20,
            Self::English => 21,
            Self::Italian => 22,
        }
    }

    /// The variant called `name`, an alias or a PDN game type number; upper and lower case are the same.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|variant| {
            variant.name().eq_ignore_ascii_case(name)
                || variant.aliases().iter().any(|alias| alias.eq_ignore_ascii_case(name))
                || name.parse() == Ok(variant.game_type())
        })
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Geometry;
    use std::collections::HashSet;

    #[test]
    fn every_name_means_one_variant() {
        let mut seen = HashSet::new();
        for variant in Variant::ALL {
            let number = variant.game_type().to_string();
            for name in [variant.name(), &number].into_iter().chain(variant.aliases().iter().copied()) {
                assert!(seen.insert(name.to_owned()), "{name} is used twice");
                assert_eq!(Variant::named(&name.to_uppercase()), Some(variant));
            }
        }
        assert_eq!(Variant::named("chess"), None);
    }

    #[test]
    fn types_and_values_of_a_variant_agree() {
        struct Check(Variant);
        impl Visitor for Check {
            type Output = ();
            fn visit<R: Rules>(self) {
                assert_eq!(R::VARIANT, self.0);
                assert_eq!(&R::SPEC, self.0.spec());
                assert_eq!(R::Geometry::SHAPE, R::SPEC.shape);
            }
        }
        for variant in Variant::ALL {
            variant.with(Check(variant));
        }
    }
}
