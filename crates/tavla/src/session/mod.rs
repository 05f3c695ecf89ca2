//! A tavla session in the native protocol: [`TavlaNative`] is the protocol, and [`TavlaSession`] is its state.

mod command;
mod options;
mod reply;
mod work;

pub use command::TavlaCommand;
pub use options::Seat;
pub use reply::info;
pub use work::{TavlaEvent, TavlaWork};

use crate::game::{TavlaGame, TavlaGameError, TavlaState, TavlaStatus};
use crate::learned::{BearOff, embedded};
use crate::notation::xgid;
use crate::player::{TavlaLimits, TavlaSettings};
use crate::rules::{Roll, TavlaPlay};
use anyhow::{Result, anyhow, bail};
use command::TavlaGo;
use crossbeam_channel::Sender;
use soffio::clock::{Moment, TimeSource};
use soffio::session::{Jobs, Role, Session, SessionDialect, declaration, stop_for};
use soffio::stop::Stop;
use soffio::wire::native::{NativeCommand as Common, NativeReply, WhileSearching};
use std::time::Duration;

pub const NAME: &str = "tavla";

#[derive(Debug, Default)]
pub struct TavlaNative {
    /// Engine name to report instead of the default name.
    pub name: Option<String>,
}

impl SessionDialect for TavlaNative {
    type Session = TavlaSession;
    type Command = TavlaCommand;

    fn read(line: &str) -> Result<Option<TavlaCommand>, String> {
        TavlaCommand::read(line).map_err(|error| error.to_string())
    }

    fn role(command: &TavlaCommand) -> Role {
        command.role()
    }

    fn make_way(session: &mut TavlaSession, command: &TavlaCommand) {
        if let (name, WhileSearching::StopsIt) = command.while_searching() {
            stop_for(session, name);
        }
    }

    fn is_held(session: &TavlaSession) -> bool {
        session.hold().is_some()
    }

    fn obey(&mut self, session: &mut TavlaSession, command: TavlaCommand, _instant: Moment) {
        if session.job().is_some()
            && let (name, WhileSearching::Refused) = command.while_searching()
        {
            return Self::refuse(session, format!("{name} a search is running; send stop first"));
        }
        match command {
            TavlaCommand::Common(Common::Uci) => {
                let name = self.name.as_deref().unwrap_or(concat!("Soffio ", env!("CARGO_PKG_VERSION")));
                session.send(&format!("id name {name}\nid author the Soffio developers"));
                options::OPTIONS.iter().for_each(|option| session.send(&NativeReply::Option(declaration(option))));
                session.send(&"uciok");
            }
            TavlaCommand::Common(Common::IsReady) => {
                // Loads the weights and builds the bear-off database now, so that the first search does not have to
                // wait.
                embedded();
                BearOff::get();
                session.send(&"readyok");
            }
            TavlaCommand::Common(Common::Stop) => session.stop(),
            TavlaCommand::Common(Common::PonderHit) => Self::refuse(session, "ponderhit no search is pondering"),
            TavlaCommand::Common(Common::Wait) => session.wait(),
            TavlaCommand::Common(Common::Quit) => session.quit(),
            command => {
                let done = session.obey(command).and_then(|answer| {
                    answer.lines.iter().for_each(|line| session.send(line));
                    answer.work.map_or(Ok(()), |work| session.begin(work))
                });
                done.unwrap_or_else(|error| Self::refuse(session, error));
            }
        }
    }

    fn refuse(session: &mut TavlaSession, error: impl ToString) {
        session.send(&format!("error {}", error.to_string()));
    }

    fn report(&mut self, session: &mut TavlaSession, event: TavlaEvent) {
        session.send(&event.text);
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

    /// Executes a command that concerns the game. The game is unchanged if the command fails.
    pub fn obey(&mut self, command: TavlaCommand) -> Result<TavlaAnswer> {
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
            TavlaCommand::Go(go) => return Ok(TavlaAnswer { lines, work: Some(self.go(&go)?) }),
            TavlaCommand::Common(Common::UciNewGame) => {
                self.game = TavlaGame::new(self.settings.rules, TavlaState::start())
            }
            TavlaCommand::Common(Common::SetOption { name, value }) => {
                self.set_option(&name, value.as_deref())?;
                if name.eq_ignore_ascii_case(options::VARIANT) {
                    lines.push(format!("info string variant {NAME}, start position {}", xgid(self.game.state())));
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

    fn go(&mut self, go: &TavlaGo) -> Result<TavlaWork> {
        let refused = |error: TavlaGameError| anyhow!("go {error}");
        let soffio::Limits { depth, nodes, move_time, infinite, .. } = go.common.limits;
        let clock = go.common.clock(self.game.state().side);
        let clock = clock.map_err(|missing| anyhow!("go needs {missing}, the clock of the side to move"))?;
        // Assumes that each side has 25 turns left, and reserves 100 ms for latency.
        let share = clock
            .map(|clock| clock.remaining.saturating_sub(Duration::from_millis(100)) / 25 + clock.increment * 3 / 4);
        let time = [move_time, share].into_iter().flatten().min();
        if let Some(roll) = go.dice {
            self.game.set_dice(roll).map_err(refused)?;
        }
        if self.game.status() == TavlaStatus::Playing && self.game.state().dice.is_none() {
            return Err(refused(TavlaGameError::NoDice));
        }
        let limits = TavlaLimits { depth, nodes, time, rollout: go.rollout };
        let (settings, legal) = (Box::new(self.settings.clone()), self.game.legal().to_vec());
        Ok(TavlaWork::Search { settings, legal, limits, is_infinite: infinite })
    }
}

fn one_turn(game: &mut TavlaGame, roll: Option<Roll>, play: &TavlaPlay) -> Result<(), TavlaGameError> {
    if let Some(roll) = roll {
        game.set_dice(roll)?;
    }
    game.play(play)
}
