//! An engine that is asked in the native protocol about another game than draughts, such as tavla.

use super::clock::SideClock;
use super::line_player::LinePlayer;
use super::player::{EngineClient, MatchContext, NoAnswer, QUIT};
use super::{EngineSpec, Fault, LineProtocol, Link, MoveEvaluation, Stop, Timeouts, native};
use soffio::rules::Color;
use std::sync::Arc;
use std::time::Instant;

/// An engine that is ready to play a game whose positions and moves are nothing but text here.
pub struct NativeEngine {
    spec: Arc<EngineSpec>,
    player: LinePlayer,
}

/// What a turn of such a game asks.
pub struct NativeQuestion<'a> {
    /// The line that sets up the game.
    pub position: String,
    /// The words before the limits, as `go`.
    pub go: String,
    /// The side to move.
    pub side: Color,
    /// The clocks of White and Black.
    pub clocks: &'a [Option<SideClock>; 2],
}

impl NativeEngine {
    /// Starts the engine of `spec`, and sets it up with `lines` before the options of its own.
    ///
    /// # Errors
    /// When it cannot be started, speaks no native protocol, or does not answer as it should.
    pub fn start(spec: &Arc<EngineSpec>, lines: &[String], timeouts: Timeouts, stop: &Stop) -> Result<Self, NoAnswer> {
        let Link::Pipes { protocol: protocol @ LineProtocol::Native, program } = &spec.link else {
            let problem = "only engines of the native protocol play this game".to_owned();
            return Err(Fault::NotStarted { problem }.into());
        };
        let choose = |_: &[String]| Ok(Some(lines.join("\n")));
        let context = MatchContext { timeouts, cores: [].into(), delays: Arc::default(), stop: stop.clone() };
        let player = LinePlayer::start_for((spec, *protocol, program), choose, &context)?;
        Ok(Self { spec: Arc::clone(spec), player })
    }

    /// A clock for a game, if the engine plays by one.
    pub fn clock(&self) -> Option<SideClock> {
        self.spec.control.clock.map(SideClock::new)
    }

    /// Says that another game begins.
    ///
    /// # Errors
    /// When the engine does not answer as it should.
    pub fn begin_game(&mut self) -> Result<(), NoAnswer> {
        self.player.begin_game()
    }

    /// The move that it answers, and what it told about it.
    ///
    /// # Errors
    /// When it does not answer as it should, or too late.
    pub fn ask(&mut self, question: NativeQuestion<'_>) -> Result<(String, MoveEvaluation), NoAnswer> {
        let NativeQuestion { position, go, side, clocks } = question;
        let [white, black] = clocks.each_ref().map(Option::as_ref);
        let own = if side == Color::White { white } else { black };
        let limits = native::limited(&self.spec.control, [white, black], own);
        self.player.ask_in_lines(position, format!("{go}{limits}"), own)
    }

    /// Tells all `engines` to quit, and kills those that have not ended a second later.
    pub fn quit(engines: Vec<Self>) {
        let mut players: Vec<_> = engines.into_iter().map(|engine| engine.player).collect();
        for player in &mut players {
            player.dismiss();
        }
        let deadline = Instant::now() + QUIT;
        for mut player in players {
            player.end(deadline.saturating_duration_since(Instant::now()));
        }
    }
}
