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

/// Largest transposition table in MiB. Whether so much memory exists is checked elsewhere.
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

/// A new value of an option, within the bounds of the option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Variant to play.
    Variant(Variant),
    /// Whether captures are compulsory, where players may agree otherwise.
    ForcedCapture(bool),
    /// Size of the transposition table in MiB.
    Hash(usize),
    /// Clears the transposition table.
    ClearHash,
    /// Number of search threads.
    Threads(NonZeroUsize),
    /// Number of best lines to report.
    Lines(NonZeroUsize),
    /// Whether pondering may be requested.
    Ponder(bool),
    /// Whether to analyse positions instead of playing a game.
    Analysis(bool),
    /// Whether to report win, draw and loss probabilities with scores.
    ShowWdl(bool),
    /// Level that limits the search depth.
    Level(Level),
    /// Whether the rating limits the strength.
    LimitStrength(bool),
    /// Rating to play at if the strength is limited.
    Rating(u16),
    /// Plain player, or `None` for the full search.
    Player(Option<PlainPlayer>),
    /// Evaluation to use.
    Evaluation(EvaluationKind),
    /// File of weights for the trained evaluation; `None` for the built-in weights.
    EvalFile(Option<PathBuf>),
    /// Folder of endgame table files; `None` for no files.
    TablePath(Option<PathBuf>),
    /// Whether to play moves of the opening book.
    OwnBook(bool),
    /// Opening book file; `None` for no book.
    BookFile(Option<PathBuf>),
    /// Number of plies of a game in which the book is probed.
    BookDepth(u16),
    /// Maximum loss of a book move against the best one, in cp.
    BookVariety(u16),
    /// Maximum number of pieces for endgame tables.
    TablePieces(u8),
    /// Maximum MiB of endgame tables solved in memory.
    TableMemory(usize),
    /// Game ply from which the evaluation of kings replaces a plain evaluation; 0 for never.
    KingsAfter(u16),
    /// Seed of the random choices of a weakened player; 0 for a different seed each time.
    Seed(u64),
    /// Notation of squares and moves in output.
    Squares(SquareStyle),
    /// Time reserved for each move.
    Overhead(Duration),
}

impl Options {
    /// Largest number of pieces with endgame tables.
    pub const MOST_TABLE_PIECES: u8 = 8;

    /// Returns the rules in use: the variant, with optional captures if compulsory capture is switched off.
    pub fn rules(&self) -> Variant {
        let optional = if self.forced_capture { None } else { self.variant.with_optional_capture() };
        optional.unwrap_or(self.variant)
    }

    pub(super) fn set(&mut self, setting: Setting) {
        match setting {
            Setting::Variant(variant) => self.variant = variant,
            Setting::ForcedCapture(forced_capture) => self.forced_capture = forced_capture,
            Setting::Hash(mib) => self.hash = mib,
            // The engine holds the state of these settings.
            Setting::ClearHash | Setting::EvalFile(_) | Setting::TablePath(_) | Setting::BookFile(_) => {}
            Setting::OwnBook(own_book) => self.own_book = own_book,
            Setting::BookDepth(plies) => self.book_depth = plies,
            Setting::BookVariety(margin) => self.book_variety = margin,
            Setting::TablePieces(pieces) => self.table_pieces = pieces,
            Setting::TableMemory(mib) => self.table_memory = mib,
            Setting::Squares(style) => self.squares = style,
            Setting::Overhead(overhead) => self.overhead = overhead,
            Setting::Threads(threads) => self.threads = threads,
            Setting::Lines(lines) => self.lines = lines,
            Setting::Ponder(ponder) => self.ponder = ponder,
            Setting::Analysis(analysis) => self.analysis = analysis,
            Setting::ShowWdl(shows_wdl) => self.shows_wdl = shows_wdl,
            Setting::Level(level) => self.strength.level = level,
            Setting::LimitStrength(is_limited) => self.strength.is_limited = is_limited,
            Setting::Rating(rating) => self.strength.rating = rating,
            Setting::Player(player) => self.style.player = player,
            Setting::Evaluation(kind) => self.style.evaluation = kind,
            Setting::KingsAfter(ply) => self.style.kings_after = ply,
            Setting::Seed(seed) => self.strength.seed = seed,
        }
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

/// Reasons why a text is not a valid value of an option. Messages start with the option.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// No option has this name.
    #[error("option '{}' is not known, uci lists all options; a value comes after the word value", printable(.0.chars()))]
    Unknown(String),
    /// The option needs a value.
    #[error("option {0} needs a value")]
    NoValue(&'static str),
    /// The option is a button and takes no value.
    #[error("option {0} is a button and has no value")]
    HasNoValue(&'static str),
    /// The value of a check option is neither `true` nor `false`.
    #[error("option {} must be true or false, not '{}'", .0, printable(.1.chars()))]
    NotABool(&'static str, String),
    /// The value is not one of the choices.
    #[error("option {} cannot be '{}', only {}", .0, printable(.1.chars()), .2.join(", "))]
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

use Kind::{Button, Check, Path, Spin};

/// An option: its name and type.
pub struct OptionSpec<S = Setting> {
    /// Name, which may contain spaces.
    pub name: &'static str,
    /// Type, default and bounds.
    pub kind: Kind<S>,
}

const fn option(name: &'static str, kind: Kind<Setting>) -> OptionSpec {
    OptionSpec { name, kind }
}

const fn combo(
    name: &'static str,
    default: &'static str,
    choices: fn() -> Vec<&'static str>,
    read: fn(&str) -> Option<Setting>,
) -> OptionSpec {
    OptionSpec { name, kind: Kind::Combo { default, choices, read } }
}

const fn spin(name: &'static str, default: u64, bounds: (u64, u64), read: fn(u64) -> Setting) -> OptionSpec {
    OptionSpec { name, kind: Spin { default, bounds, read } }
}

fn by_name<T>(known: impl IntoIterator<Item = (&'static str, T)>, name: &str) -> Option<T> {
    known.into_iter().find_map(|(own, value)| own.eq_ignore_ascii_case(name).then_some(value))
}

fn names<T>(known: impl IntoIterator<Item = (&'static str, T)>) -> Vec<&'static str> {
    known.into_iter().map(|(name, _)| name).collect()
}

impl OptionSpec {
    /// All options of the engine, in the order in which they are declared.
    pub const ALL: [Self; 26] = [
        combo(
            "UCI_Variant",
            Variant::Italian.name(),
            || Variant::listed().map(Variant::name).collect(),
            |text| Variant::named(text).map(Setting::Variant),
        ),
        option("Forced Capture", Check { default: true, read: Setting::ForcedCapture }),
        spin("Hash", 64, (1, MAX_HASH), |mib| Setting::Hash(mib as usize)),
        option("Clear Hash", Button(Setting::ClearHash)),
        spin("Threads", 1, (1, 256), |n| Setting::Threads(at_least_one(n))),
        spin("MultiPV", 1, (1, 64), |n| Setting::Lines(at_least_one(n))),
        option("Ponder", Check { default: false, read: Setting::Ponder }),
        combo("Level", "full", || Level::VARIANTS.to_vec(), |text| text.parse().ok().map(Setting::Level)),
        combo("Player", Style::FULL, || names(players()), |text| by_name(players(), text).map(Setting::Player)),
        combo(
            "Eval",
            "learned",
            || EvaluationKind::all().map(EvaluationKind::name).collect(),
            |text| EvaluationKind::named(text).map(Setting::Evaluation),
        ),
        option("EvalFile", Path { read: Setting::EvalFile }),
        option("TablePath", Path { read: Setting::TablePath }),
        spin("TablePieces", Options::MOST_TABLE_PIECES as u64, (0, Options::MOST_TABLE_PIECES as u64), |pieces| {
            Setting::TablePieces(pieces as u8)
        }),
        spin("TableMemory", 4, (0, MAX_HASH), |mib| Setting::TableMemory(mib as usize)),
        option("OwnBook", Check { default: true, read: Setting::OwnBook }),
        option("BookFile", Path { read: Setting::BookFile }),
        spin("BookDepth", 60, (0, 1000), |plies| Setting::BookDepth(plies as u16)),
        spin("BookVariety", 5, (0, 1000), |margin| Setting::BookVariety(margin as u16)),
        spin("Kings After", 0, (0, 1000), |ply| Setting::KingsAfter(ply as u16)),
        option("UCI_LimitStrength", Check { default: false, read: Setting::LimitStrength }),
        spin("UCI_Elo", 1600, RATINGS, |rating| Setting::Rating(rating as u16)),
        spin("Seed", 0, (0, u64::MAX >> 1), Setting::Seed),
        option("UCI_AnalyseMode", Check { default: false, read: Setting::Analysis }),
        option("UCI_ShowWDL", Check { default: false, read: Setting::ShowWdl }),
        combo(
            "Notation",
            "default",
            || names(SquareStyle::NAMED),
            |text| by_name(SquareStyle::NAMED, text).map(Setting::Squares),
        ),
        spin("Move Overhead", 10, (0, 5000), |ms| Setting::Overhead(Duration::from_millis(ms))),
    ];

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
            Kind::Combo { choices, read, .. } => {
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
    fn the_defaults_that_are_listed_are_those_in_use() {
        let mut defaults = Options::default();
        for option in OptionSpec::ALL {
            let default = match option.kind {
                Check { default, .. } => default.to_string(),
                Kind::Combo { default, .. } => default.to_owned(),
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
    fn names_lead_back_in_any_case() {
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
