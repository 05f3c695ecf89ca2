//! A tavla session in the native protocol: [`TavlaNative`] is the protocol, and [`TavlaSession`] is its state.

mod command;
mod options;
mod reply;
mod work;

pub use command::TavlaCommand;
pub use options::PlayerSetting;
pub use reply::info;
pub use work::{TavlaEvent, TavlaWork};

use crate::game::{TavlaGame, TavlaGameError, TavlaState, TavlaStatus};
use crate::learned::{BearOff, embedded};
use crate::notation::xgid;
use crate::player::{TavlaLimits, TavlaSettings};
use crate::rules::{Roll, TavlaPlay};
use anyhow::{Error, Result, anyhow, bail};
use command::TavlaGo;
use crossbeam_channel::Sender;
use soffio::clock::{Moment, Stopwatch, TimeSource};
use soffio::search::{Clock, Limits, budget};
use soffio::session::{JobEffect, Jobs, Session, SessionDialect, check_allowed, control_job, introduce, stop_for};
use soffio::stop::Stop;
use soffio::wire::native::{NativeCommand as Common, NativeReply, WhileSearching};
use std::num::NonZeroUsize;
use std::time::Duration;

pub const NAME: &str = "tavla";

/// Time reserved for the delay between the answer and the moment when the client stops the clock.
const OVERHEAD: Duration = Duration::from_millis(10);

#[derive(Debug, Default)]
pub struct TavlaNative;

impl SessionDialect for TavlaNative {
    type Session = TavlaSession;
    type Command = TavlaCommand;

    fn read(line: &str) -> Result<Option<TavlaCommand>, String> {
        TavlaCommand::read(line).map_err(|error| error.to_string())
    }

    fn job_effect(command: &TavlaCommand) -> JobEffect {
        command.job_effect()
    }

    fn stop_superseded(session: &mut TavlaSession, command: &TavlaCommand) {
        if let (name, WhileSearching::StopsSearch) = command.while_searching()
            && session.accepts(command)
        {
            stop_for(session, name);
        }
    }

    fn is_held(session: &TavlaSession) -> bool {
        session.hold().is_some()
    }

    fn execute(&mut self, session: &mut TavlaSession, command: TavlaCommand, instant: Moment) {
        Self::try_execute(session, command, instant).unwrap_or_else(|error| Self::reject(session, error));
    }

    fn reject(session: &mut TavlaSession, error: impl ToString) {
        session.send(&NativeReply::Error(error.to_string()));
    }

    fn report(&mut self, session: &mut TavlaSession, event: TavlaEvent) {
        session.send(&event.text);
    }
}

impl TavlaNative {
    fn try_execute(session: &mut TavlaSession, command: TavlaCommand, instant: Moment) -> Result<()> {
        let (name, while_searching) = command.while_searching();
        check_allowed(session, name, while_searching).map_err(Error::msg)?;
        match command {
            TavlaCommand::Common(Common::Uci) => introduce(session, None, &options::OPTIONS),
            TavlaCommand::Common(Common::IsReady) => {
                // A running search must not be delayed: `stop` could not be read before the table is complete.
                if session.job().is_none() {
                    embedded();
                    BearOff::get();
                }
                session.send(&NativeReply::ReadyOk);
            }
            TavlaCommand::Common(command @ (Common::Stop | Common::PonderHit | Common::Wait | Common::Quit)) => {
                control_job(session, &command, instant).map_err(Error::msg)?;
            }
            command => {
                let answer = session.execute(command, instant)?;
                answer.lines.iter().for_each(|line| session.send(line));
                answer.work.map_or(Ok(()), |work| session.begin(work))?;
            }
        }
        Ok(())
    }
}

#[derive(Default)]
pub struct TavlaAnswer {
    pub lines: Vec<String>,
    pub work: Option<TavlaWork>,
}

pub struct TavlaSession {
    settings: TavlaSettings,
    game: TavlaGame,
    dice: fastrand::Rng,
    events: Sender<TavlaEvent>,
    stop: Stop,
    jobs: Jobs,
}

impl Session for TavlaSession {
    type Event = TavlaEvent;

    /// Creates a session with default options and the starting position, with White to roll. The dice are random until
    /// the `Seed` option is set.
    fn new(events: Sender<TavlaEvent>) -> Self {
        BearOff::build_in_background();
        let settings = TavlaSettings::default();
        let game = TavlaGame::new(settings.rules, TavlaState::start());
        Self { settings, game, dice: fastrand::Rng::new(), events, stop: Stop::new(), jobs: Jobs::default() }
    }

    fn is_last(event: &TavlaEvent) -> bool {
        event.is_last
    }

    fn jobs(&self) -> &Jobs {
        &self.jobs
    }

    fn jobs_mut(&mut self) -> &mut Jobs {
        &mut self.jobs
    }

    fn now(&self) -> Moment {
        TimeSource::default().now()
    }

    fn stop_work(&mut self) {
        self.stop.stop();
    }
}

impl TavlaSession {
    fn begin(&mut self, work: TavlaWork) -> Result<()> {
        self.stop = Stop::new();
        let job = work.job();
        work.start(self.stop.clone(), self.events.clone())
            .map_err(|error| anyhow!("cannot start a thread: {error}"))?;
        self.jobs.begin(job);
        Ok(())
    }

    /// Executes a command that concerns the game and was read at `instant`. The game is unchanged if the command fails.
    pub fn execute(&mut self, command: TavlaCommand, instant: Moment) -> Result<TavlaAnswer> {
        let of = |what: &str, error: TavlaGameError| anyhow!("{what} {error}");
        let mut lines = Vec::new();
        match command {
            TavlaCommand::Position { start, moves } => self.game = self.position(start, &moves)?,
            TavlaCommand::Dice(roll) => self.game.set_dice(roll).map_err(|error| of("dice", error))?,
            TavlaCommand::Roll => {
                let (beginning, roll) = self.game.roll(&mut self.dice).map_err(|error| of("roll", error))?;
                lines.extend(beginning.map(|dice| reply::beginning(dice, self.game.state().side)));
                lines.push(format!("dice {} {}", roll.high(), roll.low()));
            }
            TavlaCommand::Move { roll, play } => {
                let mut game = self.game.clone();
                one_turn(&mut game, roll, &play).map_err(|error| of("move", error))?;
                self.game = game;
            }
            TavlaCommand::Go(go) => return Ok(TavlaAnswer { lines, work: Some(self.go(&go, instant)?) }),
            TavlaCommand::Common(Common::UciNewGame) => {
                self.game = TavlaGame::new(self.settings.rules, TavlaState::start())
            }
            TavlaCommand::Common(Common::SetOption { name, value }) => {
                self.set_option(&name, value.as_deref())?;
                if name.eq_ignore_ascii_case(options::VARIANT) {
                    let start = xgid(self.game.state());
                    lines.push(reply::text(format!("variant {NAME}, start position {start}")));
                }
            }
            TavlaCommand::Common(Common::Undo(count)) => self.game.undo(count).map_err(|error| of("undo", error))?,
            TavlaCommand::Common(Common::Redo(count)) => self.game.redo(count).map_err(|error| of("redo", error))?,
            TavlaCommand::Common(Common::Legal) => {
                if self.game.status() == TavlaStatus::Playing && self.game.state().dice.is_none() {
                    return Err(of("legal", TavlaGameError::NoDice));
                }
                lines.push(reply::legal(&self.game));
            }
            TavlaCommand::Common(Common::Eval) => lines.extend(reply::eval(&self.settings, self.game.state())),
            TavlaCommand::Common(Common::Status) => lines.push(reply::status(&self.game)),
            TavlaCommand::Common(Common::Display) => lines.push(reply::board(&self.game)),
            TavlaCommand::Common(Common::Perft { depth, .. }) => {
                let hit_and_run = self.settings.rules.hit_and_run;
                let work = TavlaWork::Perft { board: self.game.state().board, depth, hit_and_run };
                return Ok(TavlaAnswer { lines, work: Some(work) });
            }
            TavlaCommand::Common(Common::Help) => lines.push(reply::HELP.to_owned()),
            TavlaCommand::Common(command) => bail!("{} is not available in tavla", command.name()),
        }
        Ok(TavlaAnswer { lines, work: None })
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<()> {
        options::set(&mut self.settings, name, value)?;
        if name.eq_ignore_ascii_case("seed") {
            self.dice = fastrand::Rng::with_seed(self.settings.seed);
        }
        self.game.set_rules(self.settings.rules);
        Ok(())
    }

    fn position(&self, start: TavlaState, moves: &[(Option<Roll>, TavlaPlay)]) -> Result<TavlaGame> {
        let mut game = TavlaGame::new(self.settings.rules, start);
        for (number, (roll, play)) in moves.iter().enumerate() {
            let played = one_turn(&mut game, *roll, play);
            played.map_err(|error| anyhow!("move {} of the position: {error}", number + 1))?;
        }
        Ok(game)
    }

    /// Returns whether `command` is valid in the current position.
    fn accepts(&self, command: &TavlaCommand) -> bool {
        match command {
            TavlaCommand::Position { start, moves } => self.position(*start, moves).is_ok(),
            TavlaCommand::Go(go) => self.searched(go).is_ok(),
            _ => true,
        }
    }

    /// Returns the game with the dice of `go`, and the clock of the side to move.
    fn searched(&self, go: &TavlaGo) -> Result<(TavlaGame, Option<Clock>)> {
        let refused = |error: TavlaGameError| anyhow!("go {error}");
        let mut game = self.game.clone();
        let clock = go.common.clock(game.state().side);
        let clock = clock.map_err(|missing| anyhow!("go needs {missing}, the clock of the side to move"))?;
        if let Some(roll) = go.dice {
            game.set_dice(roll).map_err(refused)?;
        }
        if game.status() == TavlaStatus::Playing && game.state().dice.is_none() {
            return Err(refused(TavlaGameError::NoDice));
        }
        Ok((game, clock))
    }

    fn go(&mut self, go: &TavlaGo, instant: Moment) -> Result<TavlaWork> {
        let (game, clock) = self.searched(go)?;
        self.game = game;
        let legal = self.game.legal().to_vec();
        let lines = NonZeroUsize::new(self.settings.lines).unwrap_or(NonZeroUsize::MIN);
        // A rollout is a request for the values of the plays, even if there is only one.
        let limits =
            Limits { clock, overhead: OVERHEAD, lines, analysis: go.rollout.is_some(), ..go.common.limits.clone() };
        let time = budget(&limits, legal.len()).filter(|_| !limits.infinite).map(|budget| budget.soft);
        let Limits { depth, nodes, infinite, .. } = limits;
        let limits = TavlaLimits { depth, nodes, time, rollout: go.rollout };
        let started = Stopwatch::new(TimeSource::default(), instant);
        let settings = Box::new(self.settings.clone());
        Ok(TavlaWork::Search { settings, legal, limits, clock: started, is_infinite: infinite })
    }
}

fn one_turn(game: &mut TavlaGame, roll: Option<Roll>, play: &TavlaPlay) -> Result<(), TavlaGameError> {
    if let Some(roll) = roll {
        game.set_dice(roll)?;
    }
    game.play(play)
}
