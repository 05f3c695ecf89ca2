//! Values of the engine options, and the table of names, kinds and bounds for parsing settings.

use super::style::{RATINGS, players};
use super::{EvaluationKind, Level, PlayerSettings, Strength};
use crate::notation::printable;
use crate::plain::PlainPlayer;
use crate::rules::{Notation, Variant};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;
use strum::VariantNames;

/// Maximum size of the transposition table in MiB. A separate check determines whether that much memory is available.
pub const MAX_HASH: u64 = 1 << 25;

/// Maximum number of search threads.
pub const MAX_THREADS: u64 = 256;

/// Maximum number of lines that a search reports.
pub const MAX_LINES: u64 = 64;

/// Representation of an empty string in the native protocol.
pub const NO_TEXT: &str = "<empty>";

/// The values of all options except the paths of files and folders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The variant to play (`UCI_Variant`).
    pub variant: Variant,
    /// Whether captures are compulsory (`Forced Capture`). This only has an effect in variants whose rules allow
    /// optional captures by agreement.
    pub forced_capture: bool,
    /// Size of the transposition table in MiB.
    pub hash: usize,
    /// Number of search threads (`Threads`), including the first thread.
    pub threads: NonZeroUsize,
    /// Number of best lines that a search reports (`MultiPV`).
    pub lines: NonZeroUsize,
    /// Whether the client may request pondering. If so, the engine spends more time on each move.
    pub ponder: bool,
    /// Whether to analyse positions instead of playing a game (`UCI_AnalyseMode`).
    pub analysis: bool,
    /// Whether scores are reported with win, draw and loss probabilities (`UCI_ShowWDL`).
    pub shows_wdl: bool,
    /// Limits on the playing strength.
    pub strength: Strength,
    /// The player that selects the moves, and its evaluation.
    pub style: PlayerSettings,
    /// Maximum number of pieces on the board for which endgame tables are used.
    pub table_pieces: u8,
    /// Maximum size in MiB of the endgame tables that are solved in memory.
    pub table_memory: usize,
    /// Whether to play moves from the opening book.
    pub own_book: bool,
    /// Number of plies at the start of a game for which the opening book is probed.
    pub book_depth: u16,
    /// Maximum amount in cp by which a book move may be worse than the best book move.
    pub book_variety: u16,
    /// Notation of squares and moves in output.
    pub squares: SquareStyle,
    /// Time reserved for each move to allow for the delay between the engine's answer and the moment when its clock
    /// stops (`Move Overhead`).
    pub overhead: Duration,
}

impl Options {
    /// Maximum value of the `TablePieces` option.
    pub const MAX_TABLE_PIECES: u8 = 8;

    /// Returns the variant whose rules are in use. If compulsory capture is switched off, this is the variant's version
    /// with optional captures, if there is one.
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
            style: PlayerSettings::default(),
            table_pieces: Self::MAX_TABLE_PIECES,
            table_memory: 4,
            own_book: true,
            book_depth: 60,
            book_variety: 5,
            squares: SquareStyle::OfVariant,
            overhead: Duration::from_millis(10),
        }
    }
}

/// The notation of squares and moves in output. Input is accepted in all notations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SquareStyle {
    /// The usual notation of the variant.
    #[default]
    OfVariant,
    /// Square numbers.
    Numeric,
    /// Letter and digit, as in `c3`.
    Algebraic,
    /// Moves in the notation of the Hub protocol, with the captured squares.
    Hub,
    /// Like [`SquareStyle::Hub`], but captures list every landing square, as in `28x19x10`.
    HubPaths,
}

impl SquareStyle {
    const NAMED: [(&'static str, Self); 3] =
        [("default", Self::OfVariant), ("numeric", Self::Numeric), ("algebraic", Self::Algebraic)];

    /// Applies the style to the default `notation` of a variant.
    pub const fn apply(self, notation: Notation) -> Notation {
        match self {
            Self::OfVariant => notation,
            Self::Numeric => Notation { algebraic: false, ..notation },
            Self::Algebraic => Notation { algebraic: true, ..notation },
            Self::Hub => Notation { algebraic: false, hub_moves: true, ..notation },
            Self::HubPaths => Notation { algebraic: false, capture: 'x', ..notation },
        }
    }
}

/// An error in the name or the value of an option. The first string is the name of the option, and the second string is
/// the invalid value. Messages name the option.
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
    /// The value is not one of the choices in the list.
    #[error("option {}: invalid value '{}'; expected {}", .0, printable(.1.chars()), .2.join(", "))]
    NotAChoice(&'static str, String, Vec<&'static str>),
    /// The value is not a number within these bounds (minimum and maximum).
    #[error("option {} must be a number from {} to {}, not '{}'", .0, .2.0, .2.1, printable(.1.chars()))]
    OutOfRange(&'static str, String, (u64, u64)),
}

/// The type of an option. It contains a function that converts a value to a setting of type `S`.
pub enum Kind<S> {
    /// A value that is `true` or `false`.
    Check {
        /// Default value.
        default: bool,
        /// Converts a value to the setting.
        read: fn(bool) -> S,
    },
    /// One of several words.
    Combo {
        /// Default choice.
        default: &'static str,
        /// Returns all choices.
        choices: fn() -> Vec<&'static str>,
        /// Converts a word to the setting, or returns `None` if the word is not a choice.
        read: fn(&str) -> Option<S>,
    },
    /// An integer.
    Spin {
        /// Default value.
        default: u64,
        /// Minimum and maximum, both inclusive.
        bounds: (u64, u64),
        /// Converts a value to the setting.
        read: fn(u64) -> S,
    },
    /// The path of a file or folder, which is empty by default.
    Path {
        /// Converts a path to the setting. `None` stands for an empty path.
        read: fn(Option<PathBuf>) -> S,
    },
    /// An action without a value.
    Button(S),
}

use Kind::{Button, Check, Combo, Path, Spin};

/// An option with its name and type.
pub struct OptionSpec<S = Setting> {
    /// Name of the option, which may contain spaces.
    pub name: &'static str,
    /// Type of the option, with its default value and bounds.
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

/// Declares one option per row. A row consists of the name in the protocol, the setting with its type, the field that
/// it sets, and the kind with its default value and bounds. The field documents the option. If a row has no field, the
/// engine itself stores the value, and the row documents the option.
macro_rules! options {
    ($($(#[$doc:meta])* $text:literal $name:ident $(($type:ty))? $(=> $($field:ident).+)?, $kind:ident $(($($value:expr),+))?;)*) => {
        /// A new value for an option. The value is known to be within the option's bounds.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Setting {
            $(#[doc = concat!(" The `", $text, "` option.")] $(#[$doc])* $name $(($type))?,)*
        }

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
    "UCI_Variant" Variant(Variant) => variant,
        combo(Variant::Italian.name(), Variant::listed().map(Variant::name).collect(), Variant::named);
    "Forced Capture" ForcedCapture(bool) => forced_capture, check(true);
    "Hash" Hash(usize) => hash, spin(64, (1, MAX_HASH));
    /// Clears the transposition table.
    "Clear Hash" ClearHash, button;
    "Threads" Threads(NonZeroUsize) => threads, spin(1, (1, MAX_THREADS), at_least_one);
    "MultiPV" Lines(NonZeroUsize) => lines, spin(1, (1, MAX_LINES), at_least_one);
    "Ponder" Ponder(bool) => ponder, check(false);
    "Level" Level(Level) => strength.level, combo("full", Level::VARIANTS.to_vec(), |text: &str| text.parse().ok());
    "Player" Player(Option<PlainPlayer>) => style.player,
        combo(PlayerSettings::FULL, names(players()), |text| by_name(players(), text));
    "Eval" Evaluation(EvaluationKind) => style.evaluation,
        combo("learned", EvaluationKind::all().map(EvaluationKind::name).collect(), EvaluationKind::named);
    /// Weights file for the trained evaluation, or `None` for the built-in weights.
    "EvalFile" EvalFile(Option<PathBuf>), path;
    /// Folder with endgame table files, or `None` to use no files.
    "TablePath" TablePath(Option<PathBuf>), path;
    "TablePieces" TablePieces(u8) => table_pieces,
        spin(Options::MAX_TABLE_PIECES as u64, (0, Options::MAX_TABLE_PIECES as u64));
    "TableMemory" TableMemory(usize) => table_memory, spin(4, (0, MAX_HASH));
    "OwnBook" OwnBook(bool) => own_book, check(true);
    /// File with the opening book, or `None` to use no book.
    "BookFile" BookFile(Option<PathBuf>), path;
    "BookDepth" BookDepth(u16) => book_depth, spin(60, (0, 1000));
    "BookVariety" BookVariety(u16) => book_variety, spin(5, (0, 1000));
    "Kings After" KingsAfter(u16) => style.kings_after, spin(0, (0, 1000));
    "UCI_LimitStrength" LimitStrength(bool) => strength.is_limited, check(false);
    "UCI_Elo" Rating(u16) => strength.rating, spin(1600, RATINGS);
    "Seed" Seed(u64) => strength.seed, spin(0, (0, u64::MAX >> 1));
    "UCI_AnalyseMode" Analysis(bool) => analysis, check(false);
    "UCI_ShowWDL" ShowWdl(bool) => shows_wdl, check(false);
    "Notation" Squares(SquareStyle) => squares,
        combo("default", names(SquareStyle::NAMED), |text| by_name(SquareStyle::NAMED, text));
    "Move Overhead" Overhead(Duration) => overhead, spin(10, (0, 5000), Duration::from_millis);
}

impl OptionSpec {
    /// Returns the option called `name`, or `None` if there is none. Case is ignored.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Parses `value` as a setting of the option called `name`. The case of the name is ignored.
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
            let found = by_name(players(), name).unwrap();
            assert_eq!(found.map_or(PlayerSettings::FULL, PlainPlayer::name), name);
        }
        assert_eq!("GOD".parse(), Ok(Level::God));
        assert_eq!(by_name(players(), "HUMAN"), None);
    }
}
