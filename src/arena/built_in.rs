//! Openings that the program brings along. `soffio openings` made them: the first line of each file has the arguments.

use super::{Opening, read_openings};
use crate::rules::Variant;
use std::fmt;

/// The text of a file of openings.
macro_rules! file {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/data/openings/", $name))
    };
}

/// All collections: the variant, its name, and the text.
const COLLECTIONS: [(Variant, &str, &str); 30] = [
    (Variant::Italian, "2-move", file!("italian-2-move.txt")),
    (Variant::Italian, "3-move", file!("italian-3-move.txt")),
    (Variant::Italian, "11-man", file!("italian-11-man.txt")),
    (Variant::English, "2-move", file!("english-2-move.txt")),
    (Variant::English, "3-move", file!("english-3-move.txt")),
    (Variant::English, "11-man", file!("english-11-man.txt")),
    (Variant::International, "lines", file!("international-lines.txt")),
    (Variant::Russian, "lines", file!("russian-lines.txt")),
    (Variant::Brazilian, "lines", file!("brazilian-lines.txt")),
    (Variant::Pool, "lines", file!("pool-lines.txt")),
    (Variant::Spanish, "lines", file!("spanish-lines.txt")),
    (Variant::Portuguese, "lines", file!("portuguese-lines.txt")),
    (Variant::Czech, "lines", file!("czech-lines.txt")),
    (Variant::Thai, "lines", file!("thai-lines.txt")),
    (Variant::Turkish, "lines", file!("turkish-lines.txt")),
    (Variant::Frisian, "lines", file!("frisian-lines.txt")),
    (Variant::Frysk, "lines", file!("frysk-lines.txt")),
    (Variant::Canadian, "lines", file!("canadian-lines.txt")),
    (Variant::SriLankan, "lines", file!("srilankan-lines.txt")),
    (Variant::Spantsiretti, "lines", file!("spantsiretti-lines.txt")),
    (Variant::Killer, "lines", file!("killer-lines.txt")),
    (Variant::KillerRussian, "lines", file!("killer-russian-lines.txt")),
    (Variant::KillerBrazilian, "lines", file!("killer-brazilian-lines.txt")),
    (Variant::Breakthrough, "lines", file!("breakthrough-lines.txt")),
    (Variant::Losing, "lines", file!("losing-lines.txt")),
    (Variant::LosingRussian, "lines", file!("losing-russian-lines.txt")),
    (Variant::LosingEnglish, "lines", file!("losing-english-lines.txt")),
    (Variant::LosingItalian, "lines", file!("losing-italian-lines.txt")),
    (Variant::LosingBrazilian, "lines", file!("losing-brazilian-lines.txt")),
    (Variant::Casual, "lines", file!("casual-lines.txt")),
];

/// The openings of `variant` that are called `name`, or the first of several collections.
///
/// # Errors
/// When there is no such collection.
pub fn built_in(variant: Variant, name: Option<&str>) -> Result<Vec<Opening>, BuiltInError> {
    let of_variant = || COLLECTIONS.iter().filter(move |(known, _, _)| *known == variant);
    let found = of_variant().find(|(_, known, _)| name.is_none_or(|name| name == *known));
    let openings = found.and_then(|(_, _, text)| read_openings(text, None).ok());
    openings.ok_or_else(|| BuiltInError { variant, names: of_variant().map(|&(_, name, _)| name).collect() })
}

/// There is no such collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltInError {
    variant: Variant,
    names: Vec<&'static str>,
}

impl fmt::Display for BuiltInError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.names.as_slice() {
            [] => write!(f, "there are no built-in openings of {}", self.variant),
            names => write!(f, "built-in openings of {} are: {}", self.variant, names.join(", ")),
        }
    }
}

impl std::error::Error for BuiltInError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::game::begin;
    use std::collections::HashSet;

    #[test]
    fn every_variant_has_openings_that_can_be_played() {
        for variant in Variant::listed() {
            assert!(built_in(variant, None).is_ok(), "{variant}");
        }
        for (variant, name, _) in COLLECTIONS {
            let openings = built_in(variant, Some(name)).unwrap();
            assert!(openings.len() >= 20, "{variant} {name}: {}", openings.len());
            for opening in &openings {
                assert!(begin(variant, opening).is_ok(), "{variant} {name}: {opening}");
            }
            let different: HashSet<_> = openings.iter().map(ToString::to_string).collect();
            assert_eq!(different.len(), openings.len(), "{variant} {name}");
        }
    }

    #[test]
    fn errors_name_the_collections() {
        let error = built_in(Variant::English, Some("x")).unwrap_err().to_string();
        assert_eq!(error, "built-in openings of english are: 2-move, 3-move, 11-man");
        let error = built_in(Variant::EnglishOptional, None).unwrap_err().to_string();
        assert_eq!(error, "there are no built-in openings of english-optional");
    }
}
