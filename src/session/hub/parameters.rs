//! The parameters of the Hub protocol, which are engine options with different names.

use super::super::native::declaration;
use crate::engine::{ENTRIES_PER_MIB, OptionError, OptionSpec, Options, Setting, SquareStyle};
use crate::notation::printable;
use crate::rules::Variant;
use crate::wire::Declaration;

pub(super) struct HubParameter {
    name: &'static str,
    option: &'static str,
    unit: Unit,
}

#[derive(Clone, Copy)]
enum Unit {
    Same,
    /// A variant name. Clients expect different names for some variants.
    Variant,
    /// An evaluation name. Clients of Scan use different names.
    Evaluation,
    /// A number of pieces. Clients that want the maximum send a larger number, `auto` or nothing.
    Pieces,
    Captures,
    /// A difference in score, in cp for the option and in units of 100 cp for the parameter.
    Men,
    /// A table size, in MiB for the option and as the binary logarithm of the number of entries for the parameter.
    Entries,
}

pub(super) const PARAMETERS: [HubParameter; 15] = [
    HubParameter { name: "variant", option: "UCI_Variant", unit: Unit::Variant },
    HubParameter { name: "threads", option: "Threads", unit: Unit::Same },
    HubParameter { name: "tt-size", option: "Hash", unit: Unit::Entries },
    HubParameter { name: "ponder", option: "Ponder", unit: Unit::Same },
    HubParameter { name: "move-overhead", option: "Move Overhead", unit: Unit::Same },
    HubParameter { name: "level", option: "Level", unit: Unit::Same },
    HubParameter { name: "player", option: "Player", unit: Unit::Same },
    HubParameter { name: "bb-size", option: "TablePieces", unit: Unit::Pieces },
    HubParameter { name: "table-path", option: "TablePath", unit: Unit::Same },
    HubParameter { name: "eval", option: "Eval", unit: Unit::Evaluation },
    HubParameter { name: "book", option: "OwnBook", unit: Unit::Same },
    HubParameter { name: "book-file", option: "BookFile", unit: Unit::Same },
    HubParameter { name: "book-ply", option: "BookDepth", unit: Unit::Same },
    HubParameter { name: "book-margin", option: "BookVariety", unit: Unit::Men },
    HubParameter { name: "captures", option: "Notation", unit: Unit::Captures },
];

/// The table size in MiB. This parameter is not declared, because a client that sends back all declared parameters
/// would then override `tt-size`.
const HASH: HubParameter = HubParameter { name: "hash", option: "Hash", unit: Unit::Same };

/// How captures are written: with the captured squares, or with every landing square for clients that do not implement
/// the rules.
const CAPTURES: [(&str, SquareStyle); 2] = [("taken", SquareStyle::Hub), ("path", SquareStyle::HubPaths)];

const EVALUATIONS_OF_SCAN: [&str; 2] = ["pst", "pattern"];

/// Variant names that Hub clients look for, in the order they expect.
const HUB_NAMES: [(&str, Variant); 5] = [
    ("normal", Variant::International),
    ("killer", Variant::Killer),
    ("bt", Variant::Breakthrough),
    ("frisian", Variant::Frisian),
    ("losing", Variant::Losing),
];

pub(super) fn read(name: &str, value: &str) -> Option<Result<Setting, String>> {
    let parameter = PARAMETERS.iter().chain([&HASH]).find(|parameter| parameter.name == name)?;
    Some(parameter.setting(value))
}

/// Replaces the option's name at the start of `error` with the name of its parameter: `sent` or, if it is `None`, the
/// declared parameter.
pub(super) fn renamed(error: &str, sent: Option<&str>) -> String {
    let mut parameters = PARAMETERS.iter().chain([&HASH]);
    let found = parameters.find_map(|parameter| {
        let reason = error.strip_prefix("option ")?.strip_prefix(parameter.option)?;
        let is_sent = sent.is_none_or(|sent| sent == parameter.name);
        (is_sent && reason.starts_with([' ', ':'])).then(|| format!("option {}{reason}", parameter.name))
    });
    found.unwrap_or_else(|| error.to_owned())
}

impl HubParameter {
    fn setting(&self, value: &str) -> Result<Setting, String> {
        let read = |text: &str| OptionSpec::read(self.option, Some(text));
        let most = Options::MAX_TABLE_PIECES;
        let setting = match self.unit {
            Unit::Evaluation if EVALUATIONS_OF_SCAN.contains(&value) => read("learned"),
            Unit::Same | Unit::Variant | Unit::Evaluation => read(value),
            Unit::Men => read(&value.parse().map_or(value.to_owned(), |men: f64| (men * 100.0).round().to_string())),
            Unit::Pieces if ["", "auto"].contains(&value) => read(&most.to_string()),
            Unit::Pieces => read(&value.parse().map_or(value.to_owned(), |n: u64| n.min(most.into()).to_string())),
            Unit::Captures => {
                let style = CAPTURES.iter().find(|(name, _)| *name == value).map(|&(_, style)| Setting::Squares(style));
                style.ok_or_else(|| OptionError::NotAChoice(self.option, value.to_owned(), Vec::new()))
            }
            Unit::Entries => read(&value.parse().ok().and_then(mib_for).map_or(String::new(), |mib| mib.to_string())),
        };
        setting.map_err(|error| self.rejection(&error, value))
    }

    /// Returns the error message for an invalid value. It contains the name and the values of the parameter, which may
    /// differ from those of the option.
    fn rejection(&self, error: &OptionError, value: &str) -> String {
        let (name, printed) = (self.name, printable(value.chars()));
        let (bounds, choices) = self.declaration().map_or((None, Vec::new()), |found| (found.bounds, found.choices));
        match (error, bounds) {
            (OptionError::OutOfRange(..) | OptionError::NoValue(_), Some([least, most])) => {
                format!("option {name} must be a number from {least} to {most}, not '{printed}'")
            }
            (OptionError::NotAChoice(..), _) => {
                format!("option {name}: invalid value '{printed}'; expected {}", choices.join(", "))
            }
            (OptionError::NotABool(..), _) => OptionError::NotABool(name, value.to_owned()).to_string(),
            (OptionError::NoValue(_), None) => OptionError::NoValue(name).to_string(),
            (OptionError::Unknown(_) | OptionError::HasNoValue(_) | OptionError::OutOfRange(..), _) => {
                error.to_string()
            }
        }
    }

    pub(super) fn declaration(&self) -> Option<Declaration> {
        let Declaration { kind, default, bounds, choices, .. } = declaration(&OptionSpec::named(self.option)?);
        let kind = match kind.as_str() {
            "spin" if matches!(self.unit, Unit::Men) => "real",
            "check" => "bool",
            "spin" => "int",
            "combo" => "enum",
            "string" => "string",
            _ => return None,
        };
        let entries = |mib: String| entries_of(mib.parse().unwrap_or(1)).to_string();
        let men = |hundredths: String| (hundredths.parse().unwrap_or(0.0) / 100.0_f64).to_string();
        let texts = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        let (default, bounds, choices) = match self.unit {
            Unit::Variant => (Some("normal".to_owned()), bounds, texts(&variant_names())),
            Unit::Captures => (Some("taken".to_owned()), bounds, texts(&CAPTURES.map(|(name, _)| name))),
            Unit::Entries => (default.map(entries), bounds.map(|bounds| bounds.map(entries)), choices),
            Unit::Men => (default.map(men), bounds.map(|bounds| bounds.map(men)), choices),
            Unit::Same | Unit::Evaluation | Unit::Pieces => (default, bounds, choices),
        };
        Some(Declaration { name: self.name.to_owned(), kind: kind.to_owned(), default, bounds, choices })
    }
}

fn mib_for(exponent: u32) -> Option<u64> {
    1_u64.checked_shl(exponent.checked_sub(ENTRIES_PER_MIB.ilog2())?)
}

fn entries_of(mib: u64) -> u64 {
    u64::from(mib.max(1).ilog2() + ENTRIES_PER_MIB.ilog2())
}

fn variant_names() -> Vec<&'static str> {
    let is_named = |variant: &Variant| HUB_NAMES.iter().any(|(_, named)| named == variant);
    let others = Variant::listed().filter(|variant| !is_named(variant)).map(Variant::name);
    HUB_NAMES.iter().map(|&(name, _)| name).chain(others).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_variant_is_declared_once_and_read_back() {
        let names = variant_names();
        let mut read: Vec<_> = names.iter().map(|name| Variant::named(name).unwrap().name()).collect();
        let mut all: Vec<_> = Variant::listed().map(Variant::name).collect();
        read.sort_unstable();
        all.sort_unstable();
        assert_eq!(read, all);
        assert!(names.join(" ").starts_with("normal killer bt frisian losing "), "clients expect these");
        assert!(HUB_NAMES.iter().all(|(name, variant)| Variant::named(name) == Some(*variant)));
    }

    #[test]
    fn no_two_declared_parameters_set_the_same_option() {
        let options: HashSet<_> = PARAMETERS.iter().map(|parameter| parameter.option).collect();
        assert_eq!(options.len(), PARAMETERS.len());
    }

    #[test]
    fn every_parameter_is_declared() {
        for parameter in &PARAMETERS {
            let declaration = parameter.declaration().unwrap();
            assert_eq!(declaration.name, parameter.name);
            assert!(declaration.default.as_ref().is_some_and(|value| !value.is_empty()), "{declaration:?}");
        }
    }

    #[test]
    fn values_are_parsed_like_those_of_options() {
        let pieces = |pieces| Some(Ok(Setting::TablePieces(pieces)));
        let hash = |mib| Some(Ok(Setting::Hash(mib)));
        let refused = |error: &str| Some(Err(error.to_owned()));
        let most = Options::MAX_TABLE_PIECES;
        for (name, value, expected) in [
            ("hash", "512", hash(512)),
            ("tt-size", "22", hash(64)),
            ("tt-size", "16", hash(1)),
            ("tt-size", "15", refused("option tt-size must be a number from 16 to 41, not '15'")),
            ("tt-size", "99", refused("option tt-size must be a number from 16 to 41, not '99'")),
            ("tt-size", "x", refused("option tt-size must be a number from 16 to 41, not 'x'")),
            ("threads", "0", refused("option threads must be a number from 1 to 256, not '0'")),
            ("book", "yes", refused("option book must be true or false, not 'yes'")),
            ("book-margin", "11", refused("option book-margin must be a number from 0 to 10, not '11'")),
            ("level", "x", refused("option level: invalid value 'x'; expected easy, medium, hard, expert, god, full")),
            ("bb-size", "0", pieces(0)),
            ("bb-size", "4", pieces(4)),
            ("bb-size", "8", pieces(most)),
            ("bb-size", "12", pieces(most)),
            ("bb-size", "auto", pieces(most)),
            ("bb-size", "", pieces(most)),
            ("bb-size", "999", pieces(most)),
            ("bb-size", "abc", refused("option bb-size must be a number from 0 to 8, not 'abc'")),
            ("bb-size", "-1", refused("option bb-size must be a number from 0 to 8, not '-1'")),
            ("captures", "path", Some(Ok(Setting::Squares(SquareStyle::HubPaths)))),
            ("captures", "x", refused("option captures: invalid value 'x'; expected taken, path")),
            // Some clients send this parameter without checking whether it exists.
            ("initial-time", "1", None),
            ("book", "false", Some(Ok(Setting::OwnBook(false)))),
            ("book-ply", "4", Some(Ok(Setting::BookDepth(4)))),
            ("book-margin", "0.04", Some(Ok(Setting::BookVariety(4)))),
        ] {
            assert_eq!(read(name, value), expected, "{name} {value}");
        }
        assert_eq!(entries_of(64), 22);
    }

    #[test]
    fn errors_contain_the_name_of_the_parameter() {
        assert_eq!(renamed("option TablePath x: not there", Some("table-path")), "option table-path x: not there");
        assert_eq!(renamed("option Hash: no memory", Some("hash")), "option hash: no memory");
        assert_eq!(renamed("option Hash: no memory", None), "option tt-size: no memory");
        assert_eq!(renamed("option Eval: x", Some("eval")), "option eval: x");
        assert_eq!(renamed("option EvalFile x", Some("eval")), "option EvalFile x");
    }
}
