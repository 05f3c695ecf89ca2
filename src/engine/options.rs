//! The option table: what can be set, within which bounds.

use super::strength::{Level, RATINGS, Strength};
use crate::notation::printable;
use crate::rules::{Notation, Variant};
use std::fmt;
use std::num::NonZeroUsize;
use std::time::Duration;

/// The largest table that can be asked for in MiB; whether there is so much memory is another question.
const MAX_HASH: u64 = 1 << 25;

/// The greatest overhead in milliseconds.
const MAX_OVERHEAD: u64 = 5000;

/// The most threads of a search.
const MAX_THREADS: u64 = 256;

/// The most lines that a search can be asked for.
const MAX_LINES: u64 = 64;

/// The values of all options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The game that is played.
    pub variant: Variant,
    /// Whether a side that can capture must, in variants that leave the choice.
    pub forced_capture: bool,
    /// Size of the transposition table in MiB.
    pub hash: usize,
    /// Threads of a search.
    pub threads: NonZeroUsize,
    /// How many of the best moves a search reports.
    pub lines: NonZeroUsize,
    /// Whether the engine will be asked to think while the opponent does.
    pub ponder: bool,
    /// Whether positions are analysed, and no game is played.
    pub analysis: bool,
    /// How strong the engine plays.
    pub strength: Strength,
    /// How squares are printed.
    pub squares: SquareStyle,
    /// Time kept back for the way of a move to the clock.
    pub overhead: Duration,
}

/// How squares and moves are printed. All ways are read whatever the style is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SquareStyle {
    /// As the players of the variant do.
    #[default]
    OfVariant,
    /// As numbers.
    Numeric,
    /// As letter and digit.
    Algebraic,
    /// Moves as in the Hub protocol.
    Hub,
}

impl SquareStyle {
    /// The styles that can be set, with the names that the option has for them.
    const NAMED: [(&'static str, Self); 3] =
        [("default", Self::OfVariant), ("numeric", Self::Numeric), ("algebraic", Self::Algebraic)];

    fn named(name: &str) -> Option<Self> {
        let style = Self::NAMED.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        style.map(|&(_, style)| style)
    }

    /// The notation in this style of a variant that has the `notation` by default.
    pub const fn of(self, notation: Notation) -> Notation {
        match self {
            Self::OfVariant => notation,
            Self::Numeric => Notation { algebraic: false, ..notation },
            Self::Algebraic => Notation { algebraic: true, ..notation },
            Self::Hub => Notation { algebraic: false, hub_moves: true, ..notation },
        }
    }
}

impl Options {
    /// The rules that are played: those of the variant, without its duty to capture where that was switched off.
    pub fn rules(&self) -> Variant {
        let optional = if self.forced_capture { None } else { self.variant.with_optional_capture() };
        optional.unwrap_or(self.variant)
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            variant: Variant::Italian,
            forced_capture: true,
            hash: 64,
            threads: NonZeroUsize::MIN,
            lines: NonZeroUsize::MIN,
            ponder: false,
            analysis: false,
            strength: Strength::default(),
            squares: SquareStyle::OfVariant,
            overhead: Duration::from_millis(10),
        }
    }
}

/// An option with a new value, which is within its bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Play another game.
    Variant(Variant),
    /// Play with or without the duty to capture.
    ForcedCapture(bool),
    /// Use a table of so many MiB.
    Hash(usize),
    /// Forget what is in the table.
    ClearHash,
    /// Search with so many threads.
    Threads(NonZeroUsize),
    /// Report so many of the best moves.
    Lines(NonZeroUsize),
    /// Expect to be asked to think while the opponent does, or not.
    Ponder(bool),
    /// Analyse positions, or play a game.
    Analysis(bool),
    /// Play at this level.
    Level(Level),
    /// Play at the strength of the rating, or not.
    LimitStrength(bool),
    /// The rating to play at.
    Rating(u16),
    /// Make the choices of a weak player repeatable, unless it is 0.
    Seed(u64),
    /// Print squares so.
    Squares(SquareStyle),
    /// Keep back so much time.
    Overhead(Duration),
}

/// What values an option can have.
enum Kind {
    Check { default: bool, read: fn(bool) -> Setting },
    Combo { default: &'static str, choices: fn() -> Vec<&'static str>, read: fn(&str) -> Option<Setting> },
    Spin { default: u64, bounds: (u64, u64), read: fn(u64) -> Setting },
    Button(Setting),
}

/// What values an option can have, as it can be told to others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    /// One of several words.
    Choice {
        /// The word at the start.
        default: &'static str,
        /// All of them.
        choices: Vec<&'static str>,
    },
    /// A whole number.
    Number {
        /// The number at the start.
        default: u64,
        /// Least and greatest number.
        bounds: (u64, u64),
    },
    /// `true` or `false`.
    Flag {
        /// The value at the start.
        default: bool,
    },
    /// None: it is a button.
    Nothing,
}

/// An option that can be set.
pub struct OptionSpec {
    name: &'static str,
    kind: Kind,
}

/// Why an option cannot be set. It prints the option first, then why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionError {
    /// There is no such option.
    Unknown(String),
    /// The option needs a value.
    NoValue(&'static str),
    /// The option is a button.
    HasNoValue(&'static str),
    /// The value is neither true nor false.
    NotABool {
        /// The option.
        name: &'static str,
        /// The value.
        value: String,
    },
    /// The value is none of the choices.
    NotAChoice {
        /// The option.
        name: &'static str,
        /// The value.
        value: String,
        /// What it could be.
        choices: Vec<&'static str>,
    },
    /// The value is not a number within the bounds.
    OutOfRange {
        /// The option.
        name: &'static str,
        /// The value.
        value: String,
        /// Least and greatest value.
        bounds: (u64, u64),
    },
}

impl OptionSpec {
    /// All options.
    pub const ALL: [Self; 14] = [
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

    /// What values the option can have.
    pub fn domain(&self) -> Domain {
        match &self.kind {
            Kind::Combo { default, choices, .. } => Domain::Choice { default, choices: choices() },
            Kind::Spin { default, bounds, .. } => Domain::Number { default: *default, bounds: *bounds },
            Kind::Check { default, .. } => Domain::Flag { default: *default },
            Kind::Button(_) => Domain::Nothing,
        }
    }

    /// Reads the setting of the option called `name` to `value`; upper and lower case are the same.
    ///
    /// # Errors
    /// When there is no such option, or it cannot have this value.
    pub fn read(name: &str, value: Option<&str>) -> Result<Setting, OptionError> {
        let Self { name, kind } = Self::named(name).ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        let given = value.filter(|value| !value.is_empty());
        match kind {
            Kind::Button(setting) if given.is_none() => Ok(setting),
            Kind::Button(_) => Err(OptionError::HasNoValue(name)),
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

/// Prints the option as the protocol lists it.
impl fmt::Display for OptionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "name {} type ", self.name)?;
        match &self.kind {
            Kind::Check { default, .. } => write!(f, "check default {default}"),
            Kind::Combo { default, choices, .. } => {
                write!(f, "combo default {default}")?;
                choices().iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
            Kind::Spin { default, bounds: (least, most), .. } => {
                write!(f, "spin default {default} min {least} max {most}")
            }
            Kind::Button(_) => f.write_str("button"),
        }
    }
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |text: &str| printable(text.chars());
        match self {
            Self::Unknown(name) => write!(
                f,
                "option '{}' is not known, uci lists all options; a value comes after the word value",
                shown(name)
            ),
            Self::NoValue(name) => write!(f, "option {name} needs a value"),
            Self::HasNoValue(name) => write!(f, "option {name} is a button and has no value"),
            Self::NotABool { name, value } => {
                write!(f, "option {name} must be true or false, not '{}'", shown(value))
            }
            Self::NotAChoice { name, value, choices } => {
                write!(f, "option {name} cannot be '{}', only {}", shown(value), choices.join(", "))
            }
            Self::OutOfRange { name, value, bounds: (least, most) } => {
                write!(f, "option {name} must be a number from {least} to {most}, not '{}'", shown(value))
            }
        }
    }
}

impl std::error::Error for OptionError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_that_are_listed_are_those_in_use() {
        let mut defaults = Options::default();
        for option in OptionSpec::ALL {
            let setting = match option.kind {
                Kind::Check { default, .. } => OptionSpec::read(option.name, Some(&default.to_string())),
                Kind::Combo { default, .. } => OptionSpec::read(option.name, Some(default)),
                Kind::Spin { default, .. } => OptionSpec::read(option.name, Some(&default.to_string())),
                Kind::Button(_) => continue,
            };
            match setting.unwrap() {
                Setting::Variant(variant) => defaults.variant = variant,
                Setting::ForcedCapture(is_on) => defaults.forced_capture = is_on,
                Setting::Hash(mib) => defaults.hash = mib,
                Setting::Threads(threads) => defaults.threads = threads,
                Setting::Lines(lines) => defaults.lines = lines,
                Setting::Ponder(ponder) => defaults.ponder = ponder,
                Setting::Analysis(analysis) => defaults.analysis = analysis,
                Setting::Level(level) => defaults.strength.level = level,
                Setting::LimitStrength(is_limited) => defaults.strength.is_limited = is_limited,
                Setting::Rating(rating) => defaults.strength.rating = rating,
                Setting::Seed(seed) => defaults.strength.seed = seed,
                Setting::Squares(style) => defaults.squares = style,
                Setting::Overhead(time) => defaults.overhead = time,
                Setting::ClearHash => {}
            }
        }
        assert_eq!(defaults, Options::default());
    }
}
