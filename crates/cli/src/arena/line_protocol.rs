//! The protocols of lines through pipes, as far as a match needs them.

use super::clock::SideClock;
use super::{Control, MoveEvaluation, hub, native};
use soffio::notation::{FenRecord, full_path, hub_form};
use soffio::position::reference::Sequence;
use soffio::rules::{Color, RuleSet, Variant};
use soffio::wire::hub::{Command, Mode};
use soffio::wire::native as native_wire;
use std::time::Duration;

/// A protocol of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineProtocol {
    /// The native protocol of this program.
    Native,
    /// Hub, version 2.
    Hub,
}

/// What a line of an engine says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// It has introduced itself.
    Introduced,
    /// The names of the variants that it plays.
    Variants(Vec<String>),
    /// It has done everything that it was told.
    Ready,
    /// A move, the answer to the question, and the reply that is expected.
    BestMove(String, Option<String>),
    /// What the search found so far, and the line that is expected.
    Info(MoveEvaluation, Vec<String>),
    /// A complaint.
    Error,
    /// Anything else.
    Other,
}

/// The position that an engine is asked about.
#[derive(Clone, Copy)]
pub(super) struct Question<'a> {
    /// The position where the game began; nothing for the start position.
    pub(super) start: Option<&'a FenRecord>,
    /// The same as Hub writes it.
    pub(super) hub_start: &'a str,
    /// All moves so far.
    pub(super) moves: &'a [MoveTexts],
    /// The side to move.
    pub(super) side: Color,
    /// The clocks of White and Black.
    pub(super) clocks: [Option<&'a SideClock>; 2],
    /// Time that the opponent took for the last move; none for a move of the opening.
    pub(super) last_took: Duration,
}

impl Question<'_> {
    /// The clock of the side to move.
    pub(super) fn clock(&self) -> Option<&SideClock> {
        let [white, black] = self.clocks;
        if self.side == Color::White { white } else { black }
    }
}

/// A move as each protocol writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveTexts {
    /// The full path, in the notation of the variant.
    pub path: String,
    /// The form of the Hub protocol.
    pub hub: String,
}

impl MoveTexts {
    /// The texts of a move that goes the way of `sequence`.
    pub fn of(spec: &RuleSet, sequence: &Sequence) -> Self {
        Self { path: full_path(spec, sequence), hub: hub_form(spec, sequence) }
    }
}

impl LineProtocol {
    /// What a line of an engine says.
    pub(super) fn read(self, line: &str) -> Line {
        match self {
            Self::Native => native::read(line),
            Self::Hub => hub::read(line),
        }
    }

    /// The line that begins a conversation. The answer ends with [`Line::Introduced`].
    pub(super) fn greeting(self) -> String {
        match self {
            Self::Native => native::plain(native_wire::Command::Uci),
            Self::Hub => Command::Hub.to_string(),
        }
    }

    /// The line that asks whether everything is done, if there is one: at the start, or at another time. The answer
    /// is [`Line::Ready`].
    pub(super) fn readiness(self, at_start: bool) -> Option<String> {
        match (self, at_start) {
            (Self::Native, _) => Some(native::plain(native_wire::Command::IsReady)),
            (Self::Hub, true) => Some(Command::Init.to_string()),
            // Not every engine answers to `ping`.
            (Self::Hub, false) => None,
        }
    }

    /// The lines that choose `variant`, if there must be any; `known` are the variants that the engine says it plays.
    ///
    /// # Errors
    /// When it does not play it.
    pub(super) fn choose(self, variant: Variant, known: &[String]) -> Result<Option<String>, String> {
        match self {
            Self::Native => Ok(Some(native::choose(variant))),
            Self::Hub => hub::choose(variant, known),
        }
    }

    /// The line that sets an option.
    pub(super) fn set_option(self, name: &str, value: &str) -> String {
        match self {
            Self::Native => native::set_option(name, value),
            Self::Hub => hub::set_option(name, value),
        }
    }

    /// The line that begins a game.
    pub(super) fn new_game(self) -> String {
        match self {
            Self::Native => native::plain(native_wire::Command::UciNewGame),
            Self::Hub => Command::NewGame.to_string(),
        }
    }

    /// The line that sets up a position.
    pub(super) fn position(self, question: &Question<'_>) -> String {
        match self {
            Self::Native => native::position(question),
            Self::Hub => hub::position(question),
        }
    }

    /// The lines that ask for a move, or let the engine think about its answer to a move that is only expected.
    pub(super) fn go(self, control: &Control, question: &Question<'_>, mode: Mode) -> String {
        match self {
            Self::Native => native::go(control, question, mode),
            Self::Hub => hub::go(control, question, mode),
        }
    }

    /// The line that says that the expected move has been made.
    pub(super) fn ponder_hit(self) -> String {
        match self {
            Self::Native => native::plain(native_wire::Command::PonderHit),
            Self::Hub => Command::PonderHit.to_string(),
        }
    }

    /// The line that says that the engine will think while its opponent does.
    pub(super) fn announce_ponder(self) -> String {
        match self {
            Self::Native => native::set_option("Ponder", "true"),
            Self::Hub => hub::set_option("ponder", "true"),
        }
    }
}
