//! The weights that the program brings along.

use super::{GameKind, Learned, WeightsFile};
use crate::rules::{Identity, Variant};
use std::sync::OnceLock;

/// The bytes of a file of weights.
macro_rules! file {
    ($name:literal) => {
        include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/data/weights/", $name))
    };
}

/// All files: the variant that uses it, the one that it was learned in, and the bytes.
const FILES: [(Variant, Variant, &[u8]); 3] = [
    (Variant::International, Variant::International, file!("international.weights")),
    (Variant::Russian, Variant::Russian, file!("russian.weights")),
    (Variant::Brazilian, Variant::Brazilian, file!("brazilian.weights")),
];

/// The evaluation with the weights that the program has for `variant`, if it has some. They are read once.
pub fn embedded(variant: Variant) -> Option<&'static Learned> {
    static READ: [OnceLock<Option<Learned>>; Variant::ALL.len()] = [const { OnceLock::new() }; Variant::ALL.len()];
    READ.get(variant as usize)?.get_or_init(|| read(variant)).as_ref()
}

fn read(variant: Variant) -> Option<Learned> {
    let (_, origin, bytes) = FILES.iter().find(|(known, ..)| *known == variant)?;
    let kind = GameKind::of(variant.spec());
    let file = WeightsFile::parse_for(bytes, &Identity::of(*origin), kind).ok()?;
    Learned::new(kind, &file.weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_can_be_read() {
        for &(variant, origin, bytes) in &FILES {
            let kind = GameKind::of(variant.spec());
            let file = WeightsFile::parse_for(bytes, &Identity::of(origin), kind);
            assert!(file.is_ok_and(|file| !file.note.is_empty()), "{variant}");
            assert!(embedded(variant).is_some(), "{variant}");
        }
    }

    #[test]
    fn a_variant_without_a_file_has_no_weights() {
        assert!(embedded(Variant::CasualOptional).is_none());
    }
}
