//! One engine in a match.

use super::delays::SchedulingDelays;
use super::dxp_player::DxpPlayer;
use super::line_player::LinePlayer;
use super::line_protocol::Question;
use super::{EngineSpec, Fault, Link, MoveEvaluation, MoveTexts, Stop};
use soffio::notation::FenRecord;
use soffio::rules::{Color, Variant};
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long an engine may take to end after it was told to quit.
pub(super) const QUIT: Duration = Duration::from_secs(1);

/// How long the exit of a process may come after the end of its output.
pub(super) const EXIT: Duration = Duration::from_millis(500);

/// How long the runner waits for an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// How much longer than its time a move may take, for the way through the pipes.
    pub margin: Duration,
    /// How long any other answer may take, and a move without a time limit.
    pub stall: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self { margin: Duration::from_millis(20), stall: Duration::from_secs(60) }
    }
}

/// What a match gives each of its engines.
#[derive(Clone, Debug)]
pub(super) struct MatchContext {
    /// How long it is waited for.
    pub(super) timeouts: Timeouts,
    /// The cores that it keeps to; any when there are none.
    pub(super) cores: Arc<[usize]>,
    /// How late the machine was.
    pub(super) delays: Arc<SchedulingDelays>,
    /// The signal that ends the match.
    pub(super) stop: Stop,
}

impl MatchContext {
    /// The fault of a move that was asked for at `asked` and came too late by `over`.
    pub(super) fn too_late(&self, asked: Instant, over: Duration) -> Fault {
        Fault::Time { over, machine: self.delays.longest_since(asked) }
    }
}

/// An answer of an engine.
pub(super) struct MoveAnswer {
    /// The move.
    pub(super) text: String,
    /// What was told about it.
    pub(super) evaluation: MoveEvaluation,
    /// The reply that the engine expects.
    pub(super) expected: Option<String>,
    /// The lines that it told during the search.
    pub(super) lines: Vec<Vec<String>>,
}

/// Why an engine gave no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// The match is being stopped.
    Stopped,
    /// It gives the game up.
    Resigns,
    /// The engine did something wrong.
    Fault(Fault),
}

impl From<Fault> for NoAnswer {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped => f.write_str("stopped"),
            Self::Resigns => f.write_str("resigned"),
            Self::Fault(fault) => fault.fmt(f),
        }
    }
}

/// A game that begins.
pub(super) struct NewGame<'a> {
    /// The side that the engine plays.
    pub(super) side: Color,
    /// The position after the opening.
    pub(super) position: &'a FenRecord,
    /// Moves of the opening.
    pub(super) opening_moves: usize,
}

/// A game that is over.
pub(super) struct EndedGame<'a> {
    /// All moves.
    pub(super) moves: &'a [MoveTexts],
    /// Time that the last one took.
    pub(super) last_took: Duration,
    /// The winner; none in a draw.
    pub(super) winner: Option<Color>,
    /// Why, if not by the rules.
    pub(super) why: Option<String>,
}

/// The client of an engine: asks it in its protocol.
pub(super) trait EngineClient: Send {
    /// Says that another game begins.
    fn new_game(&mut self, game: &NewGame<'_>) -> Result<(), NoAnswer>;

    /// What the engine answers to `question`.
    fn think(&mut self, question: &Question<'_>) -> Result<MoveAnswer, NoAnswer>;

    /// Lets the engine think about `question`, of which the last move is only expected, while its opponent does. Not every
    /// protocol can.
    fn ponder(&mut self, _: &Question<'_>) {}

    /// Says that the game is over; tells whether the engine can play another one.
    fn end_game(&mut self, game: &EndedGame<'_>) -> bool;

    /// Tells the engine to quit, as far as its protocol has words for it.
    fn dismiss(&mut self);

    /// Gives the engine `time` to end, and kills it then.
    fn end(&mut self, time: Duration);
}

/// An engine that is ready to play.
pub(super) struct Player {
    spec: Arc<EngineSpec>,
    client: Box<dyn EngineClient>,
}

impl Player {
    /// Starts the engine of `spec`, or connects with it, and sets it up for games of `variant`.
    ///
    /// # Errors
    /// When that is impossible or it does not answer as it should.
    pub(super) fn start(spec: &Arc<EngineSpec>, variant: Variant, context: &MatchContext) -> Result<Self, NoAnswer> {
        let client: Box<dyn EngineClient> = match &spec.link {
            Link::Pipes { protocol, program } => {
                Box::new(LinePlayer::start((spec, *protocol, program), variant, context)?)
            }
            Link::Dxp(address) => Box::new(DxpPlayer::start((spec, address), variant, context)?),
        };
        Ok(Self { spec: Arc::clone(spec), client })
    }

    /// The engine that plays.
    pub(super) fn spec(&self) -> &EngineSpec {
        &self.spec
    }

    /// The client that asks the engine.
    pub(super) fn client(&mut self) -> &mut dyn EngineClient {
        self.client.as_mut()
    }

    /// Tells all `players` to quit, and kills those that have not ended a second later.
    pub(super) fn quit(mut players: Vec<Self>) {
        for player in &mut players {
            player.client.dismiss();
        }
        let deadline = Instant::now() + QUIT;
        for mut player in players {
            player.client.end(deadline.saturating_duration_since(Instant::now()));
        }
    }
}
