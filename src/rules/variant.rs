//! The registry of variants, with the names used by GUIs and files. Files also store an [`Identity`], which records the
//! rules for which they were made.

use super::family::{Family, FamilyVisitor, Word};
use super::games::{
    ARMENIAN, BRAZILIAN, CANADIAN, CASUAL, CZECH, DUMM, ENGLISH, FRISIAN, FRYSK, INTERNATIONAL, ITALIAN, JAMAICAN,
    POOL, RUSSIAN, SPANISH, SPANTSIRETTI, SRI_LANKAN, THAI, TURKISH, UNIFIED_POOL, breakthrough, killer, losing,
    optional,
};
use super::{Precedence, RuleSet};
use crate::board::Shape;
use derive_more::Display;

/// The family of the variant `Variant::ALL[VARIANT]`.
#[derive(Clone, Copy, Debug)]
struct FamilyOf<const VARIANT: usize>;

/// Runs a visitor for a family if the family has the bitboard type that the visitor needs.
macro_rules! visit_if_same {
    (u64 u64 $visit:expr) => {
        Some($visit)
    };
    (u128 u128 $visit:expr) => {
        Some($visit)
    };
    ($needed:ident $own:ident $visit:expr) => {
        None
    };
}

/// Builds the registry from one entry per variant. An entry consists of the identifier, the bitboard type, the rules,
/// the printed name, the number in the PDN 3.0 `GameType` tag (0 for none), the aliases and the description.
macro_rules! variants {
    ($(
        $variant:ident: $word:ident, $rules:expr, $name:literal, $number:literal, [$($alias:literal),*], $what:literal;
    )+) => {
        /// A variant of draughts that the engine plays.
        #[derive(Clone, Copy, Debug, Display, PartialEq, Eq, Hash)]
        pub enum Variant {
            $(#[doc = $what] #[display($name)] $variant,)+
        }

        // The build fails if any rules are contradictory or a board does not match its bitboard type.
        $(const _: () = assert!($rules.contradiction().is_none());)+
        $(const _: () = assert!($rules.shape.is_wide() == (size_of::<$word>() > size_of::<u64>()));)+

        impl Variant {
            /// All variants: first the listed ones in listing order, then those that can be selected only by an option.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// Returns the rules of this variant.
            pub const fn spec(self) -> &'static RuleSet {
                match self {
                    $(Self::$variant => const { &$rules },)+
                }
            }

            /// Returns the name that the engine prints.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// Returns the other names of the variant, which engines, servers and files use.
            pub const fn aliases(self) -> &'static [&'static str] {
                match self {
                    $(Self::$variant => &[$($alias),*],)+
                }
            }

            /// Returns the number in the PDN 3.0 `GameType` tag, or `None` if the variant has no number.
            pub const fn game_type(self) -> Option<u8> {
                let number = match self {
                    $(Self::$variant => $number,)+
                };
                if number == 0 { None } else { Some(number) }
            }
        }

        $(impl Family for FamilyOf<{ Variant::$variant as usize }> {
            type Word = $word;
            const RULES: RuleSet = $rules;
            const PRECEDENCE: Option<Precedence> = Variant::$variant.common_precedence();
        })+

        macro_rules! find_families {
            ($needed:ident) => {
                impl Word for $needed {
                    fn with_family<V: FamilyVisitor<Self>>(spec: &RuleSet, visitor: V) -> Option<V::Output> {
                        let compiled = spec.compiled();
                        $(if compiled == const { $rules.compiled() } {
                            return visit_if_same!(
                                $needed $word visitor.visit::<FamilyOf<{ Variant::$variant.representative() }>>()
                            );
                        })+
                        None
                    }
                }
            };
        }

        find_families!(u64);
        find_families!(u128);
    };
}

variants! {
    Italian: u64, ITALIAN, "italian", 22, ["italiana", "dama"], "Italian draughts.";
    English: u64, ENGLISH, "english", 21, ["american", "checkers", "anglo-american", "american-checkers"],
        "English draughts, American checkers.";
    International: u64, INTERNATIONAL, "international", 20, ["normal", "standard", "polish", "10x10"],
        "International draughts.";
    Russian: u64, RUSSIAN, "russian", 25, ["shashki"], "Russian draughts.";
    Brazilian: u64, BRAZILIAN, "brazilian", 26, [], "Brazilian draughts: international on 8x8.";
    Pool: u64, POOL, "pool", 23, ["american-pool"], "American pool checkers.";
    // PDN assigns Jamaican draughts the same number as pool checkers. A tag without further fields means pool checkers.
    Jamaican: u64, JAMAICAN, "jamaican", 23, [], "Jamaican draughts: pool checkers on the mirrored board.";
    UnifiedPool: u64, UNIFIED_POOL, "unified-pool", 23, ["zimbabwean"], "Unified pool, Zimbabwean pool: White moves first.";
    Spanish: u64, SPANISH, "spanish", 24, [], "Spanish draughts.";
    // The sources show no difference from the Spanish rules.
    Portuguese: u64, SPANISH, "portuguese", 28, [], "Portuguese draughts.";
    Czech: u64, CZECH, "czech", 29, [], "Czech draughts.";
    Thai: u64, THAI, "thai", 31, ["makhos"], "Thai draughts.";
    Turkish: u64, TURKISH, "turkish", 30, [], "Turkish draughts, on all squares.";
    Armenian: u64, ARMENIAN, "armenian", 0, ["tama"], "Armenian draughts: Turkish with diagonal steps.";
    Frisian: u64, FRISIAN, "frisian", 40, [], "Frisian draughts, with orthogonal captures.";
    Frysk: u64, FRYSK, "frysk", 97, ["frysk!"], "Frisian draughts with five men each.";
    Canadian: u128, CANADIAN, "canadian", 27, [], "Canadian draughts: international on 12x12.";
    SriLankan: u128, SRI_LANKAN, "srilankan", 0, ["sri-lankan"], "Canadian draughts on the mirrored board.";
    Dumm: u128, DUMM, "dumm", 0, ["long-draughts"], "Dumm: international on 14x14.";
    Spantsiretti: u64, SPANTSIRETTI, "spantsiretti", 41, ["spancirety"], "Russian draughts on ten columns.";
    Killer: u64, killer(INTERNATIONAL), "killer", 0, [], "International draughts with the killer rule.";
    KillerRussian: u64, killer(RUSSIAN), "killer-russian", 0, ["killer_russian"],
        "Russian draughts with the killer rule.";
    KillerBrazilian: u64, killer(BRAZILIAN), "killer-brazilian", 0, ["killer_brazilian", "killer8"],
        "Brazilian draughts with the killer rule.";
    Breakthrough: u64, breakthrough(INTERNATIONAL), "breakthrough", 96, ["bt"],
        "International draughts that the first king wins.";
    Losing: u64, losing(INTERNATIONAL), "losing", 98, ["antidraughts", "giveaway"],
        "International draughts, played to lose.";
    LosingRussian: u64, losing(RUSSIAN), "losing-russian", 0, ["poddavki"], "Russian draughts, played to lose.";
    LosingEnglish: u64, losing(ENGLISH), "losing-english", 0, ["suicide-checkers"], "English draughts, played to lose.";
    LosingItalian: u64, losing(ITALIAN), "losing-italian", 0, [], "Italian draughts, played to lose.";
    LosingBrazilian: u64, losing(BRAZILIAN), "losing-brazilian", 0, [], "Brazilian draughts, played to lose.";
    Casual: u64, CASUAL, "casual", 0, ["regicide"], "English draughts with the majority rule and regicide.";
    EnglishOptional: u64, optional(ENGLISH), "english-optional", 0, [], "English draughts without forced captures.";
    CasualOptional: u64, optional(CASUAL), "casual-optional", 0, [], "Casual checkers without forced captures.";
}

const OPTIONAL_CAPTURE: [(Variant, Variant); 2] =
    [(Variant::English, Variant::EnglishOptional), (Variant::Casual, Variant::CasualOptional)];

impl Variant {
    /// Returns the index in [`Variant::ALL`] of the first variant that has the same generator.
    const fn representative(self) -> usize {
        let mut first = 0;
        while !Self::ALL[first].spec().shares_generator(self.spec()) {
            first += 1;
        }
        first
    }

    /// Returns the capture precedence if all variants with the same generator share it, otherwise `None`.
    const fn common_precedence(self) -> Option<Precedence> {
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

    /// The last file letter on the largest board of any variant.
    pub const LAST_FILE: char = {
        let (mut most, mut index) = (0, 0);
        while index < Self::ALL.len() {
            let Shape { width, height, .. } = Self::ALL[index].spec().shape;
            let longer = if width > height { width } else { height };
            most = if longer > most { longer } else { most };
            index += 1;
        }
        (b'a' + most - 1) as char
    };

    /// Returns the variants that can be chosen by name, in listing order.
    pub fn listed() -> impl Iterator<Item = Self> {
        let by_option = |variant| OPTIONAL_CAPTURE.iter().any(|&(_, optional)| optional == variant);
        Self::ALL.iter().copied().filter(move |&variant| !by_option(variant))
    }

    /// Returns the version of this variant with optional captures, or `None` if there is no such version.
    pub fn with_optional_capture(self) -> Option<Self> {
        OPTIONAL_CAPTURE.iter().find(|&&(forced, _)| forced == self).map(|&(_, optional)| optional)
    }

    /// Returns the version of this variant with compulsory captures, or `None` if this variant does not have optional
    /// captures.
    pub fn with_forced_capture(self) -> Option<Self> {
        OPTIONAL_CAPTURE.iter().find(|&&(_, optional)| optional == self).map(|&(forced, _)| forced)
    }

    /// Returns the variant whose [`Variant::name`] is exactly `name`. Variants that can be selected only by an option
    /// are included.
    pub fn called(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|variant| variant.name() == name)
    }

    /// Like [`Self::named`], but includes the variants that can be selected only by an option.
    pub fn any_named(name: &str) -> Option<Self> {
        Self::named(name)
            .or_else(|| Self::ALL.iter().copied().find(|variant| variant.name().eq_ignore_ascii_case(name)))
    }

    /// Returns the first listed variant whose name, alias or PDN game type number is `name`. Case is ignored.
    pub fn named(name: &str) -> Option<Self> {
        Self::listed().find(|variant| {
            variant.name().eq_ignore_ascii_case(name)
                || variant.aliases().iter().any(|alias| alias.eq_ignore_ascii_case(name))
                || variant.game_type().is_some_and(|number| name.parse() == Ok(number))
        })
    }
}

/// Identifies the rules for which weights, games or endgame tables were made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The name of the variant, at most 255 bytes long.
    pub variant: String,
    /// CRC-32 of the rules in text form.
    pub rules: u32,
}

impl Identity {
    /// Creates an identity from a name and a text form of the rules. The text must change whenever the rules change.
    pub fn new(variant: &str, rules: &str) -> Self {
        Self { variant: variant.to_owned(), rules: crc32fast::hash(rules.as_bytes()) }
    }

    /// Returns the identity of `variant`.
    pub fn for_variant(variant: Variant) -> Self {
        Self::new(variant.name(), &text(variant.spec()))
    }

    /// Returns an error unless this identity equals `expected`. If the variant differs, the error is made from its
    /// name.
    pub fn check<E>(&self, expected: &Self, other: impl FnOnce(String) -> E, other_rules: E) -> Result<(), E> {
        if self.variant != expected.variant {
            return Err(other(self.variant.clone()));
        }
        if self.rules == expected.rules { Ok(()) } else { Err(other_rules) }
    }
}

/// Returns the rules for moving and winning as text. The text excludes the notation, because it does not affect the
/// value of a position. It also excludes the draw rules, because they affect the value only slightly and are taken into
/// account when endgame tables are probed.
fn text(spec: &RuleSet) -> String {
    // The pattern is exhaustive, so every new field must be included or excluded explicitly.
    let RuleSet {
        shape,
        men_rows,
        empty_rows,
        moves,
        captures,
        men_capture_backward,
        men_capture_kings,
        flying_kings,
        landing,
        removal,
        may_reverse,
        promotion,
        compulsory,
        precedence,
        regicide,
        objective,
        king_moves,
        starts: _,
        draws: _,
        notation: _,
    } = spec;
    [
        format!("board {}x{} {:?}, rows {men_rows} {empty_rows}", shape.width, shape.height, shape.corner),
        format!("moves {moves:?}, captures {captures:?}"),
        format!("men capture backward {men_capture_backward}, kings {men_capture_kings}"),
        format!("kings fly {flying_kings}, land {landing:?}, may move {king_moves:?}"),
        format!("captured leave {removal:?}, turn {may_reverse}, crowned {promotion:?}, regicide {regicide}"),
        format!("compulsory {compulsory}, precedence {precedence:?}, objective {objective:?}"),
    ]
    .join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{HashMap, HashSet};

    #[test]
    fn every_name_means_one_variant() {
        let mut seen = HashSet::new();
        for &variant in Variant::ALL {
            let is_first = Variant::ALL.iter().find(|other| other.game_type() == variant.game_type()) == Some(&variant);
            let number = variant.game_type().filter(|_| is_first).map(|number| number.to_string());
            let names = [variant.name()].into_iter().chain(number.as_deref());
            for name in names.chain(variant.aliases().iter().copied()) {
                assert!(seen.insert(name.to_owned()), "{name} is used twice");
                let is_listed = Variant::listed().any(|listed| listed == variant);
                assert_eq!(Variant::named(&name.to_uppercase()), is_listed.then_some(variant));
                assert_eq!(Variant::any_named(&name.to_uppercase()), Some(variant));
            }
        }
        assert_eq!((Variant::named("chess"), Variant::called("shashki")), (None, None));
    }

    #[test]
    fn only_mandatory_capture_is_optional() {
        for &(forced, optional) in &OPTIONAL_CAPTURE {
            assert_eq!((forced.with_forced_capture(), optional.with_forced_capture()), (None, Some(forced)));
            let (forced, optional) = (forced.spec(), optional.spec());
            assert!(forced.compulsory && !optional.compulsory);
            assert_eq!(RuleSet { compulsory: true, precedence: forced.precedence, ..*optional }, *forced);
        }
    }

    #[test]
    fn variants_with_the_same_moves_differ_by_name_alone() {
        let mut by_rules: HashMap<u32, Vec<&str>> = HashMap::new();
        for &variant in Variant::ALL {
            by_rules.entry(Identity::for_variant(variant).rules).or_default().push(variant.name());
        }
        let shared: Vec<_> = by_rules.into_values().filter(|names| names.len() > 1).collect();
        for same in [["pool", "unified-pool"], ["spanish", "portuguese"]] {
            assert!(shared.iter().any(|names| same.iter().all(|name| names.contains(name))), "{same:?}: {shared:?}");
        }
        for names in shared {
            let specs: Vec<_> = names.iter().filter_map(|name| Variant::named(name)).map(Variant::spec).collect();
            assert!(specs.iter().all(|spec| spec.shares_weights_with(specs[0])), "{names:?}");
        }
    }
}
