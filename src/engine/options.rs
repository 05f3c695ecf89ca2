//! The options: their values, and the table of their names, kinds and bounds, by which texts are read.

use super::style::{RATINGS, players};
use super::{EvaluationKind, Level, Strength, Style};
use crate::notation::printable;
use crate::plain::PlainPlayer;
use crate::rules::{Notation, Variant};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;
use strum::VariantNames;

/// The largest table that can be asked for in MiB; whether there is so much memory is another question.
const MAX_HASH: u64 = 1 << 25;

/// How the protocol writes an empty string.
pub const NO_TEXT: &str = "<empty>";

/// The values of all options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The game that is played.
    pub variant: Variant,
    /// True if captures are compulsory, in variants where players may agree on that.
    pub forced_capture: bool,
    /// Size of the transposition table in MiB.
    pub hash: usize,
    /// Threads of a search.
    pub threads: NonZeroUsize,
    /// How many of the best moves a search reports.
    pub lines: NonZeroUsize,
    /// True if the engine will be asked to ponder.
    pub ponder: bool,
    /// True if positions are analysed, rather than a game played.
    pub analysis: bool,
    /// True if scores are told with the chances of win, draw and loss.
    pub shows_wdl: bool,
    /// How strong the engine plays.
    pub strength: Strength,
    /// Which player moves, and by which evaluation.
    pub style: Style,
    /// Most pieces on the board for which endgame tables are used.
    pub table_pieces: u8,
    /// Most MiB of endgame tables that are solved in memory.
    pub table_memory: usize,
    /// True if moves of the opening book are played, where there is one.
    pub own_book: bool,
    /// Plies of a game from its start on in which it is asked.
    pub book_depth: u16,
    /// How much worse than the best move of a book a move may be that is played, in 1/100 man.
    pub book_variety: u16,
    /// How squares are printed.
    pub squares: SquareStyle,
    /// Time reserved for the delay between the engine's answer and the stop of its clock.
    pub overhead: Duration,
}

/// An option with a new value, which is within its bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Play another game.
    Variant(Variant),
    /// Make captures compulsory, or not.
    ForcedCapture(bool),
    /// Use a transposition table of so many MiB.
    Hash(usize),
    /// Clear the transposition table.
    ClearHash,
    /// Search with so many threads.
    Threads(NonZeroUsize),
    /// Report so many of the best moves.
    Lines(NonZeroUsize),
    /// Expect to be asked to ponder, or not.
    Ponder(bool),
    /// Analyse positions, or play a game.
    Analysis(bool),
    /// Tell scores with the chances of win, draw and loss, or without.
    ShowWdl(bool),
    /// Play at this level.
    Level(Level),
    /// Limit the strength to the rating, or not.
    LimitStrength(bool),
    /// The rating to play at.
    Rating(u16),
    /// Choose moves with this plain player, or with the full search.
    Player(Option<PlainPlayer>),
    /// Use this evaluation.
    Evaluation(EvaluationKind),
    /// Use the weights in this file for the learned evaluation, or the built-in ones.
    EvalFile(Option<PathBuf>),
    /// Use the files of endgame tables in this folder, or no files.
    TablePath(Option<PathBuf>),
    /// Play moves of the opening book, or not.
    OwnBook(bool),
    /// Use the opening book in this file, or none.
    BookFile(Option<PathBuf>),
    /// Ask the book in so many plies of a game.
    BookDepth(u16),
    /// Play moves of the book that are by so much worse than its best one, in 1/100 man.
    BookVariety(u16),
    /// Use endgame tables of at most so many pieces.
    TablePieces(u8),
    /// Solve endings of up to so many MiB in memory.
    TableMemory(usize),
    /// Replace a plain evaluation by that of kings from this ply of the game on; 0 for never.
    KingsAfter(u16),
    /// Seed of the choices of a weakened player, which makes them reproducible; 0 for random choices.
    Seed(u64),
    /// Print squares in this style.
    Squares(SquareStyle),
    /// Reserve so much time for each move.
    Overhead(Duration),
}

impl Options {
    /// The most pieces that endgame tables can be asked for.
    pub const MOST_TABLE_PIECES: u8 = 8;

    /// The rules in use: those of the variant, with optional captures where compulsory capture was switched off.
    pub fn rules(&self) -> Variant {
        let optional = if self.forced_capture { None } else { self.variant.with_optional_capture() };
        optional.unwrap_or(self.variant)
    }

    /// Takes over the value of `setting`.
    pub(super) fn set(&mut self, setting: Setting) {
        match setting {
            Setting::Variant(variant) => self.variant = variant,
            Setting::ForcedCapture(forced_capture) => self.forced_capture = forced_capture,
            Setting::Hash(mib) => self.hash = mib,
            // The engine holds the state of these.
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

/// How squares and moves are printed. Every style is accepted as input, whichever is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SquareStyle {
    /// As is usual in the variant.
    #[default]
    OfVariant,
    /// As numbers.
    Numeric,
    /// As letter and digit.
    Algebraic,
    /// Moves as in the Hub protocol.
    Hub,
    /// As in the Hub protocol, but captures with every square where the piece lands, `28x19x10`, instead of those of the pieces taken.
    HubPaths,
}

impl SquareStyle {
    /// The styles that can be set, with the names that the option has for them.
    const NAMED: [(&'static str, Self); 3] =
        [("default", Self::OfVariant), ("numeric", Self::Numeric), ("algebraic", Self::Algebraic)];

    /// Returns the notation in this style of a variant that has the `notation` by default.
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

/// Why a text is not the new value of an option. It prints the option first, then why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// No option has this name.
    #[error("option '{}' is not known, uci lists all options; a value comes after the word value", printable(.0.chars()))]
    Unknown(String),
    /// The option needs a value.
    #[error("option {0} needs a value")]
    NoValue(&'static str),
    /// The option is a button.
    #[error("option {0} is a button and has no value")]
    HasNoValue(&'static str),
    /// The value is neither true nor false.
    #[error("option {} must be true or false, not '{}'", .0, printable(.1.chars()))]
    NotABool(&'static str, String),
    /// The value is not one of the choices.
    #[error("option {} cannot be '{}', only {}", .0, printable(.1.chars()), .2.join(", "))]
    NotAChoice(&'static str, String, Vec<&'static str>),
    /// The value is not a number from the least to the greatest.
    #[error("option {} must be a number from {} to {}, not '{}'", .0, .2.0, .2.1, printable(.1.chars()))]
    OutOfRange(&'static str, String, (u64, u64)),
}

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

use Kind::{Button, Check, Path, Spin};

/// An option that can be set.
pub struct OptionSpec<S = Setting> {
    /// The name, which may have spaces.
    pub name: &'static str,
    /// Its values.
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

/// Returns the value called `name` among `known`; upper and lower case are the same.
fn by_name<T>(known: impl IntoIterator<Item = (&'static str, T)>, name: &str) -> Option<T> {
    known.into_iter().find_map(|(own, value)| own.eq_ignore_ascii_case(name).then_some(value))
}

fn names<T>(known: impl IntoIterator<Item = (&'static str, T)>) -> Vec<&'static str> {
    known.into_iter().map(|(name, _)| name).collect()
}

impl OptionSpec {
    /// All options.
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

    /// Returns the option called `name`; upper and lower case are the same.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Reads the setting of the option called `name` to `value`; upper and lower case are the same.
    ///
    /// # Errors
    /// When no option has this name, or it cannot have this value.
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

/// Returns the number, which the bounds of its option keep above 0.
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
