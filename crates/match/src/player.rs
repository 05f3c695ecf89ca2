//! One engine in a match, whatever its protocol is.

use super::answer::{Fault, MoveAnswer, NoAnswer};
use super::control::SideClock;
use super::dxp_player::DxpPlayer;
use super::game::MatchGame;
use super::line_player::LinePlayer;
use super::line_protocol::Question;
use super::machine::SchedulingDelays;
use super::process::Process;
use super::usage::Usage;
use super::{EngineSpec, Link, MoveTexts, Stop};
use soffio::notation::FenRecord;
use soffio::rules::Color;
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

/// The settings of a match for each of its engines.
#[derive(Clone, Debug)]
pub(super) struct MatchContext {
    pub(super) timeouts: Timeouts,
    /// The cores that it keeps to; any if this is empty.
    pub(super) cores: Arc<[usize]>,
    /// How late the machine was.
    pub(super) delays: Arc<SchedulingDelays>,
    /// The signal that ends the match.
    pub(super) stop: Stop,
}

impl MatchContext {
    /// The fault of a move that was asked for at `asked` and came too late by `over`; `usage` is that of its `process` before.
    pub(super) fn too_late(
        &self,
        (asked, usage): (Instant, &Usage),
        over: Duration,
        process: Option<&mut Process>,
    ) -> NoAnswer {
        let time = asked.elapsed();
        let held_up = process.map_or(Duration::ZERO, |process| {
            process.find_group();
            process.usage().held_up_since(usage, time)
        });
        Fault::Time { over, held_up, machine: self.delays.longest_since(asked) }.into()
    }
}

pub(crate) struct NewGame<'a> {
    /// The side that the engine plays.
    pub(crate) side: Color,
    /// The position after the opening, in draughts.
    pub(crate) position: Option<&'a FenRecord>,
    pub(crate) opening_moves: usize,
}

pub(crate) struct EndedGame<'a> {
    pub(crate) moves: &'a [MoveTexts],
    /// Time that the last move took.
    pub(crate) last_took: Duration,
    pub(crate) winner: Option<Color>,
    /// The reason, if it did not end by the rules.
    pub(crate) why: Option<String>,
}

/// Asks an engine in its protocol.
pub(crate) trait EngineClient: Send {
    /// Says that another game begins.
    fn new_game(&mut self, game: &NewGame<'_>) -> Result<(), NoAnswer>;

    /// Returns what the engine answers to `question`.
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
pub struct Player {
    pub(super) spec: Arc<EngineSpec>,
    client: Box<dyn EngineClient>,
}

impl Player {
    /// Starts the engine of `spec`, or connects with it, and sets it up for `game`. Fails when that is impossible or it
    /// does not answer as it should.
    pub(super) fn start(
        spec: &Arc<EngineSpec>,
        game: &dyn MatchGame,
        context: &MatchContext,
    ) -> Result<Self, NoAnswer> {
        let client: Box<dyn EngineClient> = match (&spec.link, game.variant()) {
            (Link::Pipes { protocol, program }, _) => {
                let choose = |known: &[String]| game.choose(*protocol, known);
                Box::new(LinePlayer::start((spec, *protocol, program), choose, context)?)
            }
            (Link::Dxp(address), Some(variant)) => Box::new(DxpPlayer::start((spec, address), variant, context)?),
            (Link::Dxp(_), None) => {
                return Err(Fault::NotStarted { problem: "DXP has no other games than draughts".to_owned() }.into());
            }
        };
        Ok(Self { spec: Arc::clone(spec), client })
    }

    pub(crate) fn name(&self) -> &str {
        &self.spec.name
    }

    /// Returns its clock at the start of a game, if it plays by one.
    pub(crate) fn clock(&self) -> Option<SideClock> {
        self.spec.control.clock.as_ref().map(SideClock::new)
    }

    pub(crate) fn client(&mut self) -> &mut dyn EngineClient {
        self.client.as_mut()
    }

    /// Tells all `players` to quit, and kills those that have not ended a second later.
    pub(super) fn quit(players: impl IntoIterator<Item = Self>) {
        let mut clients: Vec<_> = players.into_iter().map(|player| player.client).collect();
        clients.iter_mut().for_each(|client| client.dismiss());
        let deadline = Instant::now() + QUIT;
        clients.iter_mut().for_each(|client| client.end(deadline.saturating_duration_since(Instant::now())));
    }
}
