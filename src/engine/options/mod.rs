//! The option table: what can be set, and within which bounds.

mod error;
mod setting;
mod spec;
mod squares;

pub use error::OptionError;
pub use setting::Setting;
pub use spec::{Kind, NO_TEXT, OptionSpec};
pub use squares::SquareStyle;

use super::{Strength, Style};
use crate::rules::Variant;
use std::num::NonZeroUsize;
use std::time::Duration;

/// The values of all options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The game that is played.
    pub variant: Variant,
    /// Whether captures are compulsory, in variants where players may agree on that.
    pub forced_capture: bool,
    /// Size of the transposition table in MiB.
    pub hash: usize,
    /// Threads of a search.
    pub threads: NonZeroUsize,
    /// How many of the best moves a search reports.
    pub lines: NonZeroUsize,
    /// Whether the engine will be asked to ponder.
    pub ponder: bool,
    /// Whether positions are analysed, rather than a game played.
    pub analysis: bool,
    /// How strong the engine plays.
    pub strength: Strength,
    /// Which player moves, and by which evaluation.
    pub style: Style,
    /// Most pieces on the board for which endgame tables are used.
    pub table_pieces: u8,
    /// Most MiB of endgame tables that are solved in memory.
    pub table_memory: usize,
    /// How squares are printed.
    pub squares: SquareStyle,
    /// Time reserved for the delay between the engine's answer and the stop of its clock.
    pub overhead: Duration,
}

impl Options {
    /// The most pieces that endgame tables can be asked for.
    pub const MOST_TABLE_PIECES: u8 = 8;

    /// The rules in use: those of the variant, with optional captures where compulsory capture was switched off.
    pub fn rules(&self) -> Variant {
        let optional = if self.forced_capture { None } else { self.variant.with_optional_capture() };
        optional.unwrap_or(self.variant)
    }
}

impl Options {
    /// Takes over the value of `setting`.
    pub(super) fn set(&mut self, setting: Setting) {
        match setting {
            Setting::Variant(variant) => self.variant = variant,
            Setting::ForcedCapture(forced_capture) => self.forced_capture = forced_capture,
            Setting::Hash(mib) => self.hash = mib,
            // The engine holds the state of these.
            Setting::ClearHash | Setting::EvalFile(_) | Setting::TablePath(_) => {}
            Setting::TablePieces(pieces) => self.table_pieces = pieces,
            Setting::TableMemory(mib) => self.table_memory = mib,
            Setting::Squares(style) => self.squares = style,
            Setting::Overhead(overhead) => self.overhead = overhead,
            Setting::Threads(threads) => self.threads = threads,
            Setting::Lines(lines) => self.lines = lines,
            Setting::Ponder(ponder) => self.ponder = ponder,
            Setting::Analysis(analysis) => self.analysis = analysis,
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
            strength: Strength::default(),
            style: Style::default(),
            table_pieces: Self::MOST_TABLE_PIECES,
            table_memory: 4,
            squares: SquareStyle::OfVariant,
            overhead: Duration::from_millis(10),
        }
    }
}
