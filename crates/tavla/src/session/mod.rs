//! The tavla session in the native protocol: [`Native`] is the protocol, [`TavlaSession`] the state.

mod command;
mod options;
mod reply;
mod work;

pub use command::{Command, CommandError};
pub use options::Seat;
pub use reply::info;
pub use work::{Event, Work};

use crate::game::{Game, GameError, State, Status};
use crate::learned::{BearOff, embedded};
use crate::notation::xgid;
use crate::player::{Limits, Settings};
use crate::rules::{Play, Roll};
use command::Go;
use crossbeam_channel::Sender;
use soffio::clock::{Moment, TimeSource};
use soffio::session::{Dialect, Jobs, Role, Session, declaration, stop_for};
use soffio::stop::Stop;
use soffio::wire::native::{Command as Common, Reply, WhileSearching};
use std::time::Duration;

pub const NAME: &str = "tavla";

#[derive(Debug, Default)]
pub struct Native {
    /// Overrides the default engine name.
    pub name: Option<String>,
}

impl Dialect for Native {
    type Session = TavlaSession;
    type Command = Command;

    fn read(line: &str) -> Result<Option<Command>, String> {
        Command::read(line).map_err(|error| error.to_string())
    }

    fn role(command: &Command) -> Role {
        command.role()
    }

    fn make_way(session: &mut TavlaSession, command: &Command) {
        if let (name, WhileSearching::StopsIt) = command.while_searching() {
            stop_for(session, name);
        }
    }

    fn is_held(session: &TavlaSession) -> bool {
        session.hold().is_some()
    }

    fn obey(&mut self, session: &mut TavlaSession, command: Command, _instant: Moment) {
        if session.job().is_some()
            && let (name, WhileSearching::Refused) = command.while_searching()
        {
            return Self::refuse(session, format!("{name} a search is running, send stop first"));
        }
        match command {
            Command::Common(Common::Uci) => {
                let name = self.name.as_deref().unwrap_or(concat!("Soffio ", env!("CARGO_PKG_VERSION")));
                session.say(&format!("id name {name}\nid author the Soffio developers"));
                options::OPTIONS.iter().for_each(|option| session.say(&Reply::Option(declaration(option))));
                session.say(&"uciok");
            }
            Command::Common(Common::IsReady) => {
                // Loads these now, so that the first search need not wait.
                embedded();
                BearOff::get();
                session.say(&"readyok");
            }
            Command::Common(Common::Stop) => session.stop(),
            Command::Common(Common::PonderHit) => Self::refuse(session, "ponderhit no search is pondering"),
            Command::Common(Common::Wait) => session.wait(),
            Command::Common(Common::Quit) => session.quit(),
            command => {
                let done = session.obey(command).and_then(|answer| {
                    answer.lines.iter().for_each(|line| session.say(line));
                    answer.work.map_or(Ok(()), |work| session.begin(work))
                });
                done.unwrap_or_else(|error| Self::refuse(session, error));
            }
        }
    }

    fn refuse(session: &mut TavlaSession, error: impl ToString) {
        session.say(&format!("error {}", error.to_string()));
    }

    fn tell(&mut self, session: &mut TavlaSession, event: Event) {
        session.say(&event.text);
    }
}

#[derive(Default)]
pub struct Answer {
    pub lines: Vec<String>,
    pub work: Option<Work>,
}

pub struct TavlaSession {
    settings: Settings,
    game: Game,
    dice: fastrand::Rng,
    events: Sender<Event>,
    stop: Stop,
    jobs: Jobs,
}

impl Session for TavlaSession {
    type Event = Event;

    /// Default options, White to roll at the start. The dice are random until the option `Seed` is set.
    fn new(events: Sender<Event>) -> Self {
        let settings = Settings::default();
        let game = Game::new(settings.rules, State::start());
        Self { settings, game, dice: fastrand::Rng::new(), events, stop: Stop::new(), jobs: Jobs::default() }
    }

    fn is_last(event: &Event) -> bool {
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
    fn begin(&mut self, work: Work) -> Result<(), CommandError> {
        self.stop = Stop::new();
        let job = work.job();
        work.start(self.stop.clone(), self.events.clone())
            .map_err(|error| CommandError::new(format!("no thread can be started: {error}")))?;
        self.jobs.begin(job);
        Ok(())
    }

    /// Executes a command about the game. An error leaves the game unchanged.
    pub fn obey(&mut self, command: Command) -> Result<Answer, CommandError> {
        let of = |what: &str, error: GameError| CommandError::new(format!("{what} {error}"));
        let mut lines = Vec::new();
        match command {
            Command::Position { start, moves } => self.game = self.position(start, &moves)?,
            Command::Dice(roll) => self.game.set_dice(roll).map_err(|error| of("dice", error))?,
            Command::Roll => {
                let (beginning, roll) = self.game.roll(&mut self.dice).map_err(|error| of("roll", error))?;
                lines.extend(beginning.map(|dice| reply::beginning(dice, self.game.state().side)));
                lines.push(format!("dice {} {}", roll.high(), roll.low()));
            }
            Command::Move { roll, play } => {
                let mut game = self.game.clone();
                one_turn(&mut game, roll, &play).map_err(|error| of("move", error))?;
                self.game = game;
            }
            Command::Go(go) => return Ok(Answer { lines, work: Some(self.go(&go)?) }),
            Command::Common(Common::UciNewGame) => self.game = Game::new(self.settings.rules, State::start()),
            Command::Common(Common::SetOption { name, value }) => {
                self.set_option(&name, value.as_deref())?;
                if name.eq_ignore_ascii_case(options::VARIANT) {
                    lines.push(format!("info string variant {NAME}, start position {}", xgid(self.game.state())));
                }
            }
            Command::Common(Common::Undo(count)) => self.game.undo(count).map_err(|error| of("undo", error))?,
            Command::Common(Common::Redo(count)) => self.game.redo(count).map_err(|error| of("redo", error))?,
            Command::Common(Common::Legal) => {
                if self.game.status() == Status::Playing && self.game.state().dice.is_none() {
                    return Err(of("legal", GameError::NoDice));
                }
                lines.push(reply::legal(&self.game));
            }
            Command::Common(Common::Eval) => lines.extend(reply::eval(&self.settings, self.game.state())),
            Command::Common(Common::Status) => lines.push(reply::status(&self.game)),
            Command::Common(Common::Display) => lines.push(reply::board(&self.game)),
            Command::Common(Common::Perft { depth, .. }) => {
                let hit_and_run = self.settings.rules.hit_and_run;
                let work = Work::Perft { board: self.game.state().board, depth, hit_and_run };
                return Ok(Answer { lines, work: Some(work) });
            }
            Command::Common(Common::Help) => lines.push(reply::HELP.to_owned()),
            // The protocol handles commands about jobs.
            Command::Common(_) => {}
        }
        Ok(Answer { lines, work: None })
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), CommandError> {
        options::set(&mut self.settings, name, value)?;
        if name.eq_ignore_ascii_case("seed") {
            self.dice = fastrand::Rng::with_seed(self.settings.seed);
        }
        self.game.set_rules(self.settings.rules);
        Ok(())
    }

    fn position(&self, start: State, moves: &[(Option<Roll>, Play)]) -> Result<Game, CommandError> {
        let mut game = Game::new(self.settings.rules, start);
        for (number, (roll, play)) in moves.iter().enumerate() {
            let played = one_turn(&mut game, *roll, play);
            played.map_err(|error| CommandError::new(format!("move {} of the position: {error}", number + 1)))?;
        }
        Ok(game)
    }

    fn go(&mut self, go: &Go) -> Result<Work, CommandError> {
        let refused = |error: GameError| CommandError::new(format!("go {error}"));
        let soffio::Limits { depth, nodes, move_time, infinite, .. } = go.common.limits;
        let clock = go.common.clock(self.game.state().side);
        let clock = clock
            .map_err(|missing| CommandError::new(format!("go {missing} is missing, the clock of the side to move")))?;
        // Assumes 25 turns per side, and reserves 100 ms for latency.
        let share = clock
            .map(|clock| clock.remaining.saturating_sub(Duration::from_millis(100)) / 25 + clock.increment * 3 / 4);
        let time = [move_time, share].into_iter().flatten().min();
        if let Some(roll) = go.dice {
            self.game.set_dice(roll).map_err(refused)?;
        }
        if self.game.status() == Status::Playing && self.game.state().dice.is_none() {
            return Err(refused(GameError::NoDice));
        }
        let limits = Limits { depth, nodes, time, rollout: go.rollout };
        let (settings, legal) = (Box::new(self.settings.clone()), self.game.legal().to_vec());
        Ok(Work::Search { settings, legal, limits, is_infinite: infinite })
    }
}

fn one_turn(game: &mut Game, roll: Option<Roll>, play: &Play) -> Result<(), GameError> {
    if let Some(roll) = roll {
        game.set_dice(roll)?;
    }
    game.play(play)
}
