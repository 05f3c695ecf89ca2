//! All options: their names, kinds and bounds, and how their values are read.

use super::{OptionError, Setting, SquareStyle};
use crate::engine::Options;
use crate::engine::strength::{Level, RATINGS};
use crate::engine::style::{self, EvaluationKind};
use crate::rules::Variant;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// The largest table that can be asked for in MiB; whether there is so much memory is another question.
const MAX_HASH: u64 = 1 << 25;

/// The greatest overhead in milliseconds.
const MAX_OVERHEAD: u64 = 5000;

/// The latest ply at which a plain evaluation can be replaced.
const MAX_KINGS_AFTER: u64 = 1000;

/// The most threads of a search.
const MAX_THREADS: u64 = 256;

/// How the protocol writes an empty string.
pub const NO_TEXT: &str = "<empty>";

/// The most lines that a search can be asked for.
const MAX_LINES: u64 = 64;

/// The values of an option, and the setting `S` that each of them makes.
pub enum Kind<S> {
    /// `true` or `false`.
    Check {
        /// The default.
        default: bool,
        /// Makes the setting.
        read: fn(bool) -> S,
    },
    /// One of several words.
    Combo {
        /// The default.
        default: &'static str,
        /// All of them.
        choices: fn() -> Vec<&'static str>,
        /// Makes the setting, if there is such a word.
        read: fn(&str) -> Option<S>,
    },
    /// A whole number.
    Spin {
        /// The default.
        default: u64,
        /// Least and greatest number.
        bounds: (u64, u64),
        /// Makes the setting.
        read: fn(u64) -> S,
    },
    /// A file or folder, empty by default.
    Path {
        /// Makes the setting.
        read: fn(Option<PathBuf>) -> S,
    },
    /// No value.
    Button(S),
}

/// An option that can be set.
pub struct OptionSpec<S = Setting> {
    /// The name, which may have spaces.
    pub name: &'static str,
    /// Its values.
    pub kind: Kind<S>,
}

impl OptionSpec {
    /// All options.
    pub const ALL: [Self; 21] = [
        Self {
            name: "UCI_Variant",
            kind: Kind::Combo {
                default: Variant::Italian.name(),
                choices: || Variant::listed().map(Variant::name).collect(),
                read: |text| Variant::named(text).map(Setting::Variant),
            },
        },
        Self { name: "Forced Capture", kind: Kind::Check { default: true, read: Setting::ForcedCapture } },
        Self {
            name: "Hash",
            kind: Kind::Spin { default: 64, bounds: (1, MAX_HASH), read: |mib| Setting::Hash(mib as usize) },
        },
        Self { name: "Clear Hash", kind: Kind::Button(Setting::ClearHash) },
        Self {
            name: "Threads",
            kind: Kind::Spin { default: 1, bounds: (1, MAX_THREADS), read: |n| Setting::Threads(at_least_one(n)) },
        },
        Self {
            name: "MultiPV",
            kind: Kind::Spin { default: 1, bounds: (1, MAX_LINES), read: |n| Setting::Lines(at_least_one(n)) },
        },
        Self { name: "Ponder", kind: Kind::Check { default: false, read: Setting::Ponder } },
        Self {
            name: "Level",
            kind: Kind::Combo {
                default: "full",
                choices: || Level::NAMED.iter().map(|&(name, _)| name).collect(),
                read: |text| Level::named(text).map(Setting::Level),
            },
        },
        Self {
            name: "Player",
            kind: Kind::Combo {
                default: style::FULL,
                choices: style::player_names,
                read: |text| style::player_named(text).map(Setting::Player),
            },
        },
        Self {
            name: "Eval",
            kind: Kind::Combo {
                default: EvaluationKind::Learned.name(),
                choices: || EvaluationKind::all().map(EvaluationKind::name).collect(),
                read: |text| EvaluationKind::named(text).map(Setting::Evaluation),
            },
        },
        Self { name: "EvalFile", kind: Kind::Path { read: Setting::EvalFile } },
        Self { name: "TablePath", kind: Kind::Path { read: Setting::TablePath } },
        Self {
            name: "TablePieces",
            kind: Kind::Spin {
                default: Options::MOST_TABLE_PIECES as u64,
                bounds: (0, Options::MOST_TABLE_PIECES as u64),
                read: |pieces| Setting::TablePieces(pieces as u8),
            },
        },
        Self {
            name: "TableMemory",
            kind: Kind::Spin { default: 4, bounds: (0, MAX_HASH), read: |mib| Setting::TableMemory(mib as usize) },
        },
        Self {
            name: "Kings After",
            kind: Kind::Spin { default: 0, bounds: (0, MAX_KINGS_AFTER), read: |ply| Setting::KingsAfter(ply as u16) },
        },
        Self { name: "UCI_LimitStrength", kind: Kind::Check { default: false, read: Setting::LimitStrength } },
        Self {
            name: "UCI_Elo",
            kind: Kind::Spin { default: 1600, bounds: RATINGS, read: |rating| Setting::Rating(rating as u16) },
        },
        Self { name: "Seed", kind: Kind::Spin { default: 0, bounds: (0, u64::MAX >> 1), read: Setting::Seed } },
        Self { name: "UCI_AnalyseMode", kind: Kind::Check { default: false, read: Setting::Analysis } },
        Self {
            name: "Notation",
            kind: Kind::Combo {
                default: "default",
                choices: || SquareStyle::NAMED.iter().map(|&(name, _)| name).collect(),
                read: |text| SquareStyle::named(text).map(Setting::Squares),
            },
        },
        Self {
            name: "Move Overhead",
            kind: Kind::Spin {
                default: 10,
                bounds: (0, MAX_OVERHEAD),
                read: |ms| Setting::Overhead(Duration::from_millis(ms)),
            },
        },
    ];

    /// The option called `name`; upper and lower case are the same.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Reads the setting of the option called `name` to `value`; upper and lower case are the same.
    ///
    /// # Errors
    /// When there is no such option, or it cannot have this value.
    pub fn read(name: &str, value: Option<&str>) -> Result<Setting, OptionError> {
        Self::named(name).ok_or_else(|| OptionError::Unknown(name.to_owned()))?.setting(value)
    }
}

impl<S> OptionSpec<S> {
    /// Reads the setting to `value`.
    ///
    /// # Errors
    /// When the option cannot have this value.
    pub fn setting(self, value: Option<&str>) -> Result<S, OptionError> {
        let Self { name, kind } = self;
        let given = value.filter(|value| !value.is_empty());
        match kind {
            Kind::Button(setting) if given.is_none() => Ok(setting),
            Kind::Button(_) => Err(OptionError::HasNoValue(name)),
            Kind::Path { read } => Ok(read(given.filter(|&value| value != NO_TEXT).map(PathBuf::from))),
            Kind::Check { read, .. } => {
                let value = given.ok_or(OptionError::NoValue(name))?;
                let is_on = value.to_ascii_lowercase().parse().ok();
                is_on.map(read).ok_or_else(|| OptionError::NotABool { name, value: value.to_owned() })
            }
            Kind::Combo { choices, read, .. } => {
                let value = given.ok_or(OptionError::NoValue(name))?;
                let error = || OptionError::NotAChoice { name, value: value.to_owned(), choices: choices() };
                read(value).ok_or_else(error)
            }
            Kind::Spin { bounds, read, .. } => {
                let value = given.ok_or(OptionError::NoValue(name))?;
                let number = value.parse().ok().filter(|number| (bounds.0..=bounds.1).contains(number));
                number.map(read).ok_or_else(|| OptionError::OutOfRange { name, value: value.to_owned(), bounds })
            }
        }
    }
}

/// The number, which the bounds of its option keep above 0.
fn at_least_one(number: u64) -> NonZeroUsize {
    NonZeroUsize::new(number as usize).unwrap_or(NonZeroUsize::MIN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Options;

    #[test]
    fn the_defaults_that_are_listed_are_those_in_use() {
        let mut defaults = Options::default();
        for option in OptionSpec::ALL {
            let setting = match option.kind {
                Kind::Check { default, .. } => OptionSpec::read(option.name, Some(&default.to_string())),
                Kind::Combo { default, .. } => OptionSpec::read(option.name, Some(default)),
                Kind::Spin { default, .. } => OptionSpec::read(option.name, Some(&default.to_string())),
                Kind::Path { .. } => OptionSpec::read(option.name, Some(NO_TEXT)),
                Kind::Button(_) => continue,
            };
            defaults.set(setting.unwrap());
        }
        assert_eq!(OptionSpec::read("EvalFile", Some(NO_TEXT)), Ok(Setting::EvalFile(None)));
        assert_eq!(defaults, Options::default());
    }
}
