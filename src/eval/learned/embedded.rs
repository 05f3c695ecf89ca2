//! The weights that the program brings along.

use super::{GameKind, Learned, WeightsFile};
use crate::rules::{Identity, Variant};
use std::sync::OnceLock;

/// A variant with its own weights, or with those of another one.
macro_rules! weights {
    ($variant:ident, $name:literal) => {
        weights!($variant, $name of $variant)
    };
    ($variant:ident, $name:literal of $origin:ident) => {
        (Variant::$variant, Variant::$origin, include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/data/weights/", $name)))
    };
}

/// All weights: the variant that uses them, the one that they were learned in, and the bytes of the file.
const FILES: &[(Variant, Variant, &[u8])] = &[
    weights!(International, "international.weights"),
    weights!(Russian, "russian.weights"),
    weights!(Brazilian, "brazilian.weights"),
    weights!(English, "english.weights"),
    weights!(Italian, "italian.weights"),
    weights!(Pool, "pool.weights"),
    weights!(Spanish, "spanish.weights"),
    weights!(Czech, "czech.weights"),
    weights!(Thai, "thai.weights"),
    weights!(Turkish, "turkish.weights"),
    weights!(Frisian, "frisian.weights"),
    weights!(Frysk, "frysk.weights"),
    weights!(Canadian, "canadian.weights"),
    weights!(Spantsiretti, "spantsiretti.weights"),
    weights!(Breakthrough, "breakthrough.weights"),
    weights!(Losing, "losing.weights"),
    weights!(LosingRussian, "losing-russian.weights"),
    weights!(LosingEnglish, "losing-english.weights"),
    weights!(LosingItalian, "losing-italian.weights"),
    weights!(LosingBrazilian, "losing-brazilian.weights"),
    weights!(Casual, "casual.weights"),
    weights!(EnglishOptional, "english-optional.weights"),
    weights!(CasualOptional, "casual-optional.weights"),
    weights!(Portuguese, "spanish.weights" of Spanish),
    weights!(SriLankan, "canadian.weights" of Canadian),
    weights!(Killer, "international.weights" of International),
    weights!(KillerRussian, "russian.weights" of Russian),
    weights!(KillerBrazilian, "brazilian.weights" of Brazilian),
];

/// The evaluation with the weights that the program has for `variant`, if it has some. They are read once.
pub fn embedded(variant: Variant) -> Option<&'static Learned> {
    static READ: [OnceLock<Option<Learned>>; Variant::ALL.len()] = [const { OnceLock::new() }; Variant::ALL.len()];
    READ.get(variant as usize)?.get_or_init(|| read(variant)).as_ref()
}

fn read(variant: Variant) -> Option<Learned> {
    let (_, origin, bytes) = FILES.iter().find(|(known, ..)| *known == variant)?;
    let kind = GameKind::of(variant.spec());
    WeightsFile::parse_for(bytes, &Identity::of(*origin), kind).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_can_be_read() {
        for &(variant, origin, bytes) in FILES {
            let kind = GameKind::of(variant.spec());
            let learned = WeightsFile::parse_for(bytes, &Identity::of(origin), kind);
            assert!(learned.is_ok(), "{variant}: {learned:?}");
            assert!(WeightsFile::parse(bytes).is_ok_and(|file| !file.note.is_empty()), "{variant}");
            assert!(embedded(variant).is_some(), "{variant}");
        }
    }

    #[test]
    fn every_variant_has_weights() {
        for &variant in Variant::ALL {
            assert!(embedded(variant).is_some(), "{variant}");
        }
    }
}
