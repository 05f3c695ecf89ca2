//! The weights that are embedded in the program or installed at run time.

use super::{GameKind, Nnue, WeightsError, WeightsFile};
use crate::rules::{Identity, Variant};
use std::sync::OnceLock;

macro_rules! weights {
    ($($variant:ident: $name:literal,)+) => {
        /// The variants that have weights of their own, each with the name of its file in `data/weights`.
        const ORIGINS: &[(Variant, &str)] = &[$((Variant::$variant, $name)),+];

        /// The content of the files, in the order of [`ORIGINS`].
        #[cfg(feature = "embedded-weights")]
        const FILES: &[&[u8]] = &[$(include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/data/weights/", $name))),+];
    };
}

weights! {
    International: "international.weights",
    Russian: "russian.weights",
    Brazilian: "brazilian.weights",
    English: "english.weights",
    Italian: "italian.weights",
    Pool: "pool.weights",
    Spanish: "spanish.weights",
    Czech: "czech.weights",
    Thai: "thai.weights",
    Turkish: "turkish.weights",
    Armenian: "armenian.weights",
    Frisian: "frisian.weights",
    Frysk: "frysk.weights",
    Canadian: "canadian.weights",
    Dumm: "dumm.weights",
    Spantsiretti: "spantsiretti.weights",
    Killer: "killer.weights",
    KillerRussian: "killer-russian.weights",
    KillerBrazilian: "killer-brazilian.weights",
    Breakthrough: "breakthrough.weights",
    Losing: "losing.weights",
    LosingRussian: "losing-russian.weights",
    LosingEnglish: "losing-english.weights",
    LosingItalian: "losing-italian.weights",
    LosingBrazilian: "losing-brazilian.weights",
    Casual: "casual.weights",
    EnglishOptional: "english-optional.weights",
    CasualOptional: "casual-optional.weights",
}

/// The parsed weights of each variant, or `None` if the embedded weights are damaged.
static PARSED: [OnceLock<Option<Nnue>>; Variant::ALL.len()] = [const { OnceLock::new() }; Variant::ALL.len()];

/// Returns the index in [`ORIGINS`] of the weights for `variant`.
fn row_for(variant: Variant) -> Option<usize> {
    let own = ORIGINS.iter().position(|&(origin, _)| origin == variant);
    own.or_else(|| ORIGINS.iter().position(|(origin, _)| origin.spec().shares_weights_with(variant.spec())))
}

fn origin_for(variant: Variant) -> Option<(Variant, &'static str)> {
    ORIGINS.get(row_for(variant)?).copied()
}

/// Returns the variant for which the weights of `variant` were trained, or `None` if there are no weights.
pub(crate) fn weights_origin(variant: Variant) -> Option<Variant> {
    origin_for(variant).map(|(origin, _)| origin)
}

/// Returns the name of the weights file for `variant` in `data/weights`, or `None` if there is no such file.
pub fn weights_file(variant: Variant) -> Option<&'static str> {
    origin_for(variant).map(|(_, name)| name)
}

/// Returns the evaluation with the weights for `variant`, which are embedded or [installed](install), or `None` if
/// there are none. Embedded weights are parsed only once.
pub fn embedded(variant: Variant) -> Option<&'static Nnue> {
    let place = PARSED.get(variant as usize)?;
    #[cfg(feature = "embedded-weights")]
    place.get_or_init(|| read(variant));
    place.get()?.as_ref()
}

/// Installs the content of the [weights file](weights_file) for `variant`, for programs that do not embed the weights.
/// Weights that have already been used are not replaced.
///
/// # Errors
/// Returns an error if the weights are damaged or are for a different variant.
pub fn install(variant: Variant, bytes: &[u8]) -> Result<(), WeightsError> {
    let nnue = parse(variant, bytes)?;
    if let Some(place) = PARSED.get(variant as usize) {
        place.get_or_init(|| Some(nnue));
    }
    Ok(())
}

fn parse(variant: Variant, bytes: &[u8]) -> Result<Nnue, WeightsError> {
    let origin = weights_origin(variant).unwrap_or(variant);
    WeightsFile::parse_for(bytes, &Identity::for_variant(origin), GameKind::for_rules(variant.spec()))
}

#[cfg(feature = "embedded-weights")]
fn read(variant: Variant) -> Option<Nnue> {
    let bytes = FILES.get(row_for(variant)?)?;
    parse(variant, bytes).inspect_err(|error| log::error!("embedded weights for {variant}: {error}")).ok()
}

#[cfg(all(test, feature = "embedded-weights"))]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_file_can_be_read() {
        for (&(variant, _), &bytes) in ORIGINS.iter().zip(FILES) {
            let nnue =
                WeightsFile::parse_for(bytes, &Identity::for_variant(variant), GameKind::for_rules(variant.spec()));
            assert!(nnue.is_ok(), "{variant}: {nnue:?}");
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
    fn only_matching_weights_are_installed() {
        let bytes = |variant| FILES[row_for(variant).unwrap()];
        assert_eq!(install(Variant::Portuguese, bytes(Variant::Spanish)), Ok(()));
        assert!(matches!(install(Variant::Thai, bytes(Variant::Spanish)), Err(WeightsError::Variant(_))));
        assert!(install(Variant::Thai, &bytes(Variant::Thai)[..5000]).is_err());
        assert_eq!(weights_file(Variant::Portuguese), Some("spanish.weights"));
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
