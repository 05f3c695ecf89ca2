//! The built-in openings, made by `soffio openings`: the line above those of each variant has the
//! arguments.

use super::{Opening, read_openings};
use soffio::rules::Variant;
use std::fmt;

/// The text of a file of openings, with a part for each variant that it is for.
macro_rules! file {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/openings/", $name, ".txt"))
    };
}

/// All collections: their names, and the texts.
const COLLECTIONS: [(&str, &str); 4] =
    [("2-move", file!("2-move")), ("3-move", file!("3-move")), ("11-man", file!("11-man")), ("lines", file!("lines"))];

/// The part of a collection for `variant`, which begins with the command that made it.
fn part(text: &'static str, variant: Variant) -> Option<&'static str> {
    let is_for_variant = |part: &&str| {
        let command = part.split_once("soffio openings ").map_or("", |(_, arguments)| arguments);
        command.split(' ').next() == Some(variant.name())
    };
    text.split("# ").find(is_for_variant).and_then(|part| part.split_once('\n')).map(|(_, lines)| lines)
}

/// The collections of `variant`.
fn collections(variant: Variant) -> impl Iterator<Item = (&'static str, &'static str)> {
    COLLECTIONS.iter().filter_map(move |(name, text)| Some((*name, part(text, variant)?)))
}

/// The openings of `variant` that are called `name`, or the first of several collections.
///
/// # Errors
/// When there is no such collection.
pub fn built_in(variant: Variant, name: Option<&str>) -> Result<Vec<Opening>, BuiltInError> {
    let found = collections(variant).find(|(known, _)| name.is_none_or(|name| name == *known));
    let openings = found.and_then(|(_, text)| read_openings(text, None).ok());
    openings.ok_or_else(|| BuiltInError { variant, names: collections(variant).map(|(name, _)| name).collect() })
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
            // `soffio openings` makes a part of crates/cli/openings/lines.txt, where the command stands.
            assert!(collections(variant).next().is_some(), "{variant} has no openings in crates/cli/openings");
            for (name, _) in collections(variant) {
                let openings = built_in(variant, Some(name)).unwrap();
                assert!(openings.len() >= 20, "{variant} {name}: {}", openings.len());
                for opening in &openings {
                    assert!(begin(variant, opening).is_ok(), "{variant} {name}: {opening}");
                }
                let different: HashSet<_> = openings.iter().map(ToString::to_string).collect();
                assert_eq!(different.len(), openings.len(), "{variant} {name}");
            }
        }
    }

    #[test]
    fn every_part_belongs_to_a_variant() {
        for (name, text) in COLLECTIONS {
            let found = Variant::listed().filter(|&variant| part(text, variant).is_some()).count();
            assert_eq!(found, text.matches("# ").count(), "{name}");
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
