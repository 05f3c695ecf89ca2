//! Engine options: their values, and the table of names, kinds and bounds that parses settings.

use super::style::{RATINGS, players};
use super::{EvaluationKind, Level, Strength, Style};
use crate::notation::printable;
use crate::plain::PlainPlayer;
use crate::rules::{Notation, Variant};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;
use strum::VariantNames;

/// Maximum size of the transposition table in MiB. Whether that much memory is available is checked elsewhere.
const MAX_HASH: u64 = 1 << 25;

/// Representation of an empty string in the native protocol.
pub const NO_TEXT: &str = "<empty>";

/// The values of all options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Variant to play (`UCI_Variant`).
    pub variant: Variant,
    /// Whether captures are compulsory, in variants where players may agree otherwise (`Forced Capture`).
    pub forced_capture: bool,
    /// Transposition table size in MiB.
    pub hash: usize,
    /// Number of search threads.
    pub threads: NonZeroUsize,
    /// Number of best lines a search reports (`MultiPV`).
    pub lines: NonZeroUsize,
    /// Whether pondering may be requested; affects time management.
    pub ponder: bool,
    /// Whether to analyse positions instead of playing a game (`UCI_AnalyseMode`).
    pub analysis: bool,
    /// Whether scores come with win, draw and loss probabilities (`UCI_ShowWDL`).
    pub shows_wdl: bool,
    /// Limits of the playing strength.
    pub strength: Strength,
    /// Player and evaluation.
    pub style: Style,
    /// Maximum number of pieces on the board for endgame tables.
    pub table_pieces: u8,
    /// Maximum MiB of endgame tables solved in memory.
    pub table_memory: usize,
    /// Whether to play moves of the opening book.
    pub own_book: bool,
    /// Number of plies from the start of a game in which the book is probed.
    pub book_depth: u16,
    /// Maximum loss of a book move against the best one, in cp.
    pub book_variety: u16,
    /// Notation of squares and moves in output.
    pub squares: SquareStyle,
    /// Time reserved per move for the delay between the engine's answer and the stop of its clock (`Move Overhead`).
    pub overhead: Duration,
}

impl Options {
    /// Maximum number of pieces in endgame tables.
    pub const MOST_TABLE_PIECES: u8 = 8;

    /// Returns the rules in use: the variant, with optional captures if compulsory capture is switched off.
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
            shows_wdl: false,
            strength: Strength::default(),
            style: Style::default(),
            table_pieces: Self::MOST_TABLE_PIECES,
            table_memory: 4,
            own_book: true,
            book_depth: 60,
            book_variety: 5,
            squares: SquareStyle::OfVariant,
            overhead: Duration::from_millis(10),
        }
    }
}

/// Notation of squares and moves in output. Input is accepted in every style.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SquareStyle {
    /// The usual notation of the variant.
    #[default]
    OfVariant,
    /// Square numbers.
    Numeric,
    /// Letter and digit, as in `c3`.
    Algebraic,
    /// Moves as in the Hub protocol, with the captured squares.
    Hub,
    /// Like [`SquareStyle::Hub`], but captures list every landing square, as in `28x19x10`.
    HubPaths,
}

impl SquareStyle {
    const NAMED: [(&'static str, Self); 3] =
        [("default", Self::OfVariant), ("numeric", Self::Numeric), ("algebraic", Self::Algebraic)];

    /// Applies the style to the default `notation` of a variant.
    pub const fn of(self, notation: Notation) -> Notation {
        match self {
            Self::OfVariant => notation,
            Self::Numeric => Notation { algebraic: false, ..notation },
            Self::Algebraic => Notation { algebraic: true, ..notation },
            Self::Hub => Notation { algebraic: false, hub_moves: true, ..notation },
            Self::HubPaths => Notation { algebraic: false, capture: 'x', ..notation },
        }
    }
}

/// Why a string is not a valid option value. Messages name the option.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// No option has this name.
    #[error(
        "unknown option '{}': uci lists all options; write 'value' between the name and the value",
        printable(.0.chars())
    )]
    Unknown(String),
    /// The option needs a value.
    #[error("option {0} needs a value")]
    NoValue(&'static str),
    /// The option is a button and takes no value.
    #[error("option {0} is a button and takes no value")]
    HasNoValue(&'static str),
    /// The value of a check option is neither `true` nor `false`.
    #[error("option {} must be true or false, not '{}'", .0, printable(.1.chars()))]
    NotABool(&'static str, String),
    /// The value is not one of the choices.
    #[error("option {}: invalid value '{}'; expected {}", .0, printable(.1.chars()), .2.join(", "))]
    NotAChoice(&'static str, String, Vec<&'static str>),
    /// The value is not a number within the bounds.
    #[error("option {} must be a number from {} to {}, not '{}'", .0, .2.0, .2.1, printable(.1.chars()))]
    OutOfRange(&'static str, String, (u64, u64)),
}

/// Type of an option, with the function that makes a setting `S` from a value.
pub enum Kind<S> {
    /// `true` or `false`.
    Check {
        /// Default value.
        default: bool,
        /// Makes the setting.
        read: fn(bool) -> S,
    },
    /// One of several words.
    Combo {
        /// Default choice.
        default: &'static str,
        /// Returns all choices.
        choices: fn() -> Vec<&'static str>,
        /// Makes the setting, or returns `None` if the word is not a choice.
        read: fn(&str) -> Option<S>,
    },
    /// An integer.
    Spin {
        /// Default value.
        default: u64,
        /// Minimum and maximum, both inclusive.
        bounds: (u64, u64),
        /// Makes the setting.
        read: fn(u64) -> S,
    },
    /// A file or folder, empty by default.
    Path {
        /// Makes the setting; `None` stands for an empty path.
        read: fn(Option<PathBuf>) -> S,
    },
    /// An action without a value.
    Button(S),
}

use Kind::{Button, Check, Combo, Path, Spin};

/// An option: its name and type.
pub struct OptionSpec<S = Setting> {
    /// Name, which may contain spaces.
    pub name: &'static str,
    /// Type, default and bounds.
    pub kind: Kind<S>,
}

fn by_name<T>(known: impl IntoIterator<Item = (&'static str, T)>, name: &str) -> Option<T> {
    known.into_iter().find_map(|(own, value)| own.eq_ignore_ascii_case(name).then_some(value))
}

fn names<T>(known: impl IntoIterator<Item = (&'static str, T)>) -> Vec<&'static str> {
    known.into_iter().map(|(name, _)| name).collect()
}

macro_rules! kind {
    ($name:ident check $default:expr) => { Check { default: $default, read: Setting::$name } };
    ($name:ident spin $default:expr, $bounds:expr) => { kind!($name spin $default, $bounds, |number| number as _) };
    ($name:ident spin $default:expr, $bounds:expr, $convert:expr) => {
        Spin { default: $default, bounds: $bounds, read: |number: u64| Setting::$name(($convert)(number)) }
    };
    ($name:ident combo $default:expr, $choices:expr, $read:expr) => {
        Combo { default: $default, choices: || $choices, read: |text: &str| ($read)(text).map(Setting::$name) }
    };
    ($name:ident path) => { Path { read: Setting::$name } };
    ($name:ident button) => { Button(Setting::$name) };
}

/// Declares one option per row: name in the protocol, setting with its type, field that it sets, and kind with default
/// and bounds. The engine itself holds the state of an option without a field.
macro_rules! options {
    ($($(#[$doc:meta])* $text:literal $name:ident $(($type:ty))? $(=> $($field:ident).+)?, $kind:ident $(($($value:expr),+))?;)*) => {
        /// A new value of an option, within the bounds of the option.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Setting { $($(#[$doc])* $name $(($type))?,)* }

        impl Options {
            pub(super) fn set(&mut self, setting: Setting) {
                match setting {
                    $($(Setting::$name(value) => self.$($field).+ = value,)?)*
                    Setting::ClearHash | Setting::EvalFile(_) | Setting::TablePath(_) | Setting::BookFile(_) => {}
                }
            }
        }

        impl OptionSpec {
            /// All options of the engine, in the order in which they are declared.
            pub const ALL: [Self; [$($text),*].len()] =
                [$(Self { name: $text, kind: kind!($name $kind $($($value),+)?) }),*];
        }
    };
}

options! {
    /// Variant to play.
    "UCI_Variant" Variant(Variant) => variant,
        combo(Variant::Italian.name(), Variant::listed().map(Variant::name).collect(), Variant::named);
    /// Whether captures are compulsory, where players may agree otherwise.
    "Forced Capture" ForcedCapture(bool) => forced_capture, check(true);
    /// Size of the transposition table in MiB.
    "Hash" Hash(usize) => hash, spin(64, (1, MAX_HASH));
    /// Clears the transposition table.
    "Clear Hash" ClearHash, button;
    /// Number of search threads.
    "Threads" Threads(NonZeroUsize) => threads, spin(1, (1, 256), at_least_one);
    /// Number of best lines to report.
    "MultiPV" Lines(NonZeroUsize) => lines, spin(1, (1, 64), at_least_one);
    /// Whether pondering may be requested.
    "Ponder" Ponder(bool) => ponder, check(false);
    /// Level that limits the search depth.
    "Level" Level(Level) => strength.level, combo("full", Level::VARIANTS.to_vec(), |text: &str| text.parse().ok());
    /// Plain player, or `None` for the full search.
    "Player" Player(Option<PlainPlayer>) => style.player,
        combo(Style::FULL, names(players()), |text| by_name(players(), text));
    /// Evaluation to use.
    "Eval" Evaluation(EvaluationKind) => style.evaluation,
        combo("learned", EvaluationKind::all().map(EvaluationKind::name).collect(), EvaluationKind::named);
    /// Weights file for the trained evaluation; `None` for the built-in weights.
    "EvalFile" EvalFile(Option<PathBuf>), path;
    /// Folder with endgame table files; `None` for no files.
    "TablePath" TablePath(Option<PathBuf>), path;
    /// Maximum number of pieces for endgame tables.
    "TablePieces" TablePieces(u8) => table_pieces,
        spin(Options::MOST_TABLE_PIECES as u64, (0, Options::MOST_TABLE_PIECES as u64));
    /// Maximum MiB of endgame tables solved in memory.
    "TableMemory" TableMemory(usize) => table_memory, spin(4, (0, MAX_HASH));
    /// Whether to play moves of the opening book.
    "OwnBook" OwnBook(bool) => own_book, check(true);
    /// Opening book file; `None` for no book.
    "BookFile" BookFile(Option<PathBuf>), path;
    /// Number of plies from the start of a game in which the book is probed.
    "BookDepth" BookDepth(u16) => book_depth, spin(60, (0, 1000));
    /// Maximum loss of a book move against the best one, in cp.
    "BookVariety" BookVariety(u16) => book_variety, spin(5, (0, 1000));
    /// Game ply from which the evaluation of kings replaces a plain evaluation; 0 for never.
    "Kings After" KingsAfter(u16) => style.kings_after, spin(0, (0, 1000));
    /// Whether the rating limits the strength.
    "UCI_LimitStrength" LimitStrength(bool) => strength.is_limited, check(false);
    /// Rating to play at if the strength is limited.
    "UCI_Elo" Rating(u16) => strength.rating, spin(1600, RATINGS);
    /// Seed of the random choices of a weakened player; 0 for a different seed each time.
    "Seed" Seed(u64) => strength.seed, spin(0, (0, u64::MAX >> 1));
    /// Whether to analyse positions instead of playing a game.
    "UCI_AnalyseMode" Analysis(bool) => analysis, check(false);
    /// Whether to report win, draw and loss probabilities with scores.
    "UCI_ShowWDL" ShowWdl(bool) => shows_wdl, check(false);
    /// Notation of squares and moves in output.
    "Notation" Squares(SquareStyle) => squares,
        combo("default", names(SquareStyle::NAMED), |text| by_name(SquareStyle::NAMED, text));
    /// Time reserved for each move.
    "Move Overhead" Overhead(Duration) => overhead, spin(10, (0, 5000), Duration::from_millis);
}

impl OptionSpec {
    /// Returns the option called `name`, ignoring case.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Parses `value` as a setting of the option called `name`, ignoring the case of the name.
    pub fn read(name: &str, value: Option<&str>) -> Result<Setting, OptionError> {
        Self::named(name).ok_or_else(|| OptionError::Unknown(name.to_owned()))?.setting(value)
    }
}

impl<S> OptionSpec<S> {
    /// Parses `value` as a setting of this option.
    pub fn setting(self, value: Option<&str>) -> Result<S, OptionError> {
        let Self { name, kind } = self;
        let given = value.filter(|value| !value.is_empty());
        let needed = given.ok_or(OptionError::NoValue(name));
        match kind {
            Button(setting) if given.is_none() => Ok(setting),
            Button(_) => Err(OptionError::HasNoValue(name)),
            Path { read } => Ok(read(given.filter(|&value| value != NO_TEXT).map(PathBuf::from))),
            Check { read, .. } => {
                let value = needed?;
                let is_on = value.to_ascii_lowercase().parse().ok();
                is_on.map(read).ok_or_else(|| OptionError::NotABool(name, value.to_owned()))
            }
            Combo { choices, read, .. } => {
                let value = needed?;
                let error = || OptionError::NotAChoice(name, value.to_owned(), choices());
                read(value).ok_or_else(error)
            }
            Spin { bounds, read, .. } => {
                let value = needed?;
                let number = value.parse().ok().filter(|number| (bounds.0..=bounds.1).contains(number));
                number.map(read).ok_or_else(|| OptionError::OutOfRange(name, value.to_owned(), bounds))
            }
        }
    }
}

fn at_least_one(number: u64) -> NonZeroUsize {
    NonZeroUsize::new(number as usize).unwrap_or(NonZeroUsize::MIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_listed_defaults_are_in_use() {
        let mut defaults = Options::default();
        for option in OptionSpec::ALL {
            let default = match option.kind {
                Check { default, .. } => default.to_string(),
                Combo { default, .. } => default.to_owned(),
                Spin { default, .. } => default.to_string(),
                Path { .. } => NO_TEXT.to_owned(),
                Button(_) => continue,
            };
            defaults.set(OptionSpec::read(option.name, Some(&default)).unwrap());
        }
        assert_eq!(OptionSpec::read("EvalFile", Some(NO_TEXT)), Ok(Setting::EvalFile(None)));
        assert_eq!(defaults, Options::default());
    }

    #[test]
    fn names_are_parsed_in_any_case() {
        for name in names(players()) {
            assert_eq!(
                by_name(players(), name).map(|player| player.map_or(Style::FULL, PlainPlayer::name)),
                Some(name)
            );
        }
        assert_eq!("GOD".parse(), Ok(Level::God));
        assert_eq!(by_name(players(), "HUMAN"), None);
    }
}
