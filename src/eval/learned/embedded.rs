//! The weights that are embedded in the program.

use super::{GameKind, Learned, WeightsFile};
use crate::rules::{Identity, Variant};
use std::sync::OnceLock;

macro_rules! weights {
    ($variant:ident, $name:literal) => {
        (Variant::$variant, include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/data/weights/", $name)))
    };
}

const FILES: &[(Variant, &[u8])] = &[
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
    weights!(Armenian, "armenian.weights"),
    weights!(Frisian, "frisian.weights"),
    weights!(Frysk, "frysk.weights"),
    weights!(Canadian, "canadian.weights"),
    weights!(Dumm, "dumm.weights"),
    weights!(Spantsiretti, "spantsiretti.weights"),
    weights!(Killer, "killer.weights"),
    weights!(KillerRussian, "killer-russian.weights"),
    weights!(KillerBrazilian, "killer-brazilian.weights"),
    weights!(Breakthrough, "breakthrough.weights"),
    weights!(Losing, "losing.weights"),
    weights!(LosingRussian, "losing-russian.weights"),
    weights!(LosingEnglish, "losing-english.weights"),
    weights!(LosingItalian, "losing-italian.weights"),
    weights!(LosingBrazilian, "losing-brazilian.weights"),
    weights!(Casual, "casual.weights"),
    weights!(EnglishOptional, "english-optional.weights"),
    weights!(CasualOptional, "casual-optional.weights"),
];

fn file_for(variant: Variant) -> Option<(Variant, &'static [u8])> {
    let own = FILES.iter().find(|&&(origin, _)| origin == variant);
    own.or_else(|| FILES.iter().find(|(origin, _)| origin.spec().shares_weights_with(variant.spec()))).copied()
}

/// Returns the variant for which the embedded weights of `variant` were trained, or `None` if there are no weights.
pub(crate) fn weights_origin(variant: Variant) -> Option<Variant> {
    file_for(variant).map(|(origin, _)| origin)
}

/// Returns the evaluation with the embedded weights for `variant`, or `None` if there are none. The weights are parsed
/// only once.
pub fn embedded(variant: Variant) -> Option<&'static Learned> {
    static READ: [OnceLock<Option<Learned>>; Variant::ALL.len()] = [const { OnceLock::new() }; Variant::ALL.len()];
    READ.get(variant as usize)?.get_or_init(|| read(variant)).as_ref()
}

fn read(variant: Variant) -> Option<Learned> {
    let (origin, bytes) = file_for(variant)?;
    let learned = WeightsFile::parse_for(bytes, &Identity::of(origin), GameKind::of(variant.spec()));
    learned.inspect_err(|error| log::error!("embedded weights of {origin} for {variant}: {error}")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_file_can_be_read() {
        for &(variant, bytes) in FILES {
            let learned = WeightsFile::parse_for(bytes, &Identity::of(variant), GameKind::of(variant.spec()));
            assert!(learned.is_ok(), "{variant}: {learned:?}");
            assert!(WeightsFile::parse(bytes).is_ok_and(|file| !file.note.is_empty()), "{variant}");
        }
    }

    /// A variant without weights would be evaluated by its material alone, which the README would have to mention.
    #[test]
    fn every_variant_has_weights() {
        for &variant in Variant::ALL {
            assert!(embedded(variant).is_some(), "{variant}");
        }
    }

    #[test]
    fn a_variant_borrows_the_weights_of_a_similar_one() {
        for (variant, other) in [
            (Variant::Portuguese, Variant::Spanish),
            (Variant::Jamaican, Variant::Pool),
            (Variant::UnifiedPool, Variant::Pool),
            (Variant::SriLankan, Variant::Canadian),
        ] {
            assert_eq!(weights_origin(variant), Some(other));
        }
        assert_eq!(weights_origin(Variant::Killer), Some(Variant::Killer));
        assert_eq!(weights_origin(Variant::CasualOptional), Some(Variant::CasualOptional));
    }
}
