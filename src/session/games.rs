//! The native protocol for every game: draughts, and tavla while `UCI_Variant` says so. This is the only place where the two meet.

use super::native::VARIANT;
use super::{Dialect, EngineSession, Job, Native, Role};
use crate::engine::{Event, OptionSpec};
use crate::tavla::session as tavla;
use crate::wire::native::{Command, Reply};
use std::time::Instant;

/// The native protocol for every game.
pub struct NativeGames {
    draughts: Native,
    /// The conversation about tavla, while that is the game.
    tavla: Option<tavla::Session>,
}

/// A line. Which game reads it is only known when its turn comes: an earlier command that still waits may change the game.
pub struct Line {
    text: String,
    /// The line as a command of draughts.
    draughts: Result<Command, String>,
}

impl NativeGames {
    /// The native protocol for an engine that calls itself `name`.
    #[must_use]
    pub fn named(name: Option<String>) -> Self {
        Self { draughts: Native::named(name).with_other_games(&[tavla::NAME]), tavla: None }
    }

    /// Obeys a line while tavla is played.
    fn obey_tavla(&mut self, session: &mut EngineSession, line: &Line) {
        let Some(tavla_session) = &mut self.tavla else { return };
        if session.job().is_some()
            && let Some(name) = tavla::Session::refused_while_busy(&line.text)
        {
            return Self::refuse(session, format!("{name} a search is running, send stop first"));
        }
        match &line.draughts {
            Ok(Command::IsReady) => {
                tavla_session.prepare();
                session.say(&Reply::ReadyOk);
            }
            Ok(Command::Uci) => {
                self.draughts.say_name(session);
                let variant = OptionSpec::named(VARIANT);
                variant.iter().for_each(|option| self.draughts.say_option(session, option));
                tavla_session.options().iter().for_each(|option| session.say(option));
                session.say(&Reply::UciOk);
            }
            Ok(Command::SetOption { name, value }) if is_variant(name) => {
                if self.draughts.set_option(session, name, value.as_deref()) {
                    self.tavla = None;
                }
            }
            _ => match tavla_session.obey(&line.text) {
                Ok(tavla::Step::Say(lines)) => lines.iter().for_each(|line| session.say(line)),
                Ok(tavla::Step::Work(work)) => {
                    let job = match (work.is_count(), work.is_open()) {
                        (true, _) => Job::Count,
                        (false, true) => Job::OpenSearch,
                        (false, false) => Job::Search,
                    };
                    let started = session.work_outside(job, work.fallback(), |stop, say| work.run(stop, say));
                    if let Err(error) = started {
                        Self::refuse(session, error);
                    }
                }
                Err(error) => Self::refuse(session, error),
            },
        }
    }
}

fn is_variant(name: &str) -> bool {
    name.eq_ignore_ascii_case(VARIANT)
}

impl Dialect for NativeGames {
    type Command = Line;

    const FINISHES_AT_END: bool = Native::FINISHES_AT_END;

    fn read(line: &str) -> Result<Option<Line>, String> {
        let draughts = match Native::read(line) {
            Ok(None) => return Ok(None),
            Ok(Some(command)) => Ok(command),
            Err(error) => Err(error),
        };
        Ok(Some(Line { text: line.to_owned(), draughts }))
    }

    fn role(line: &Line) -> Role {
        match &line.draughts {
            Ok(command) => Native::role(command),
            Err(_) if tavla::Session::begins_work(&line.text) => Role::Begin,
            Err(_) => Role::Plain,
        }
    }

    fn is_held(session: &EngineSession) -> bool {
        Native::is_held(session)
    }

    fn obey(&mut self, session: &mut EngineSession, line: Line, instant: Instant) {
        let chooses_tavla = matches!(&line.draughts, Ok(Command::SetOption { name, value: Some(value) })
            if is_variant(name) && value.eq_ignore_ascii_case(tavla::NAME));
        if chooses_tavla && session.job().is_none() {
            let tavla_session = tavla::Session::new();
            session.say(&tavla_session.greeting());
            self.tavla = Some(tavla_session);
            return;
        }
        let is_shared =
            matches!(&line.draughts, Ok(Command::Stop | Command::PonderHit | Command::Wait | Command::Quit));
        match line.draughts {
            _ if self.tavla.is_some() && !is_shared => self.obey_tavla(session, &line),
            Ok(command) => self.draughts.obey(session, command, instant),
            Err(error) => Self::refuse(session, error),
        }
    }

    fn refuse(session: &mut EngineSession, error: impl ToString) {
        Native::refuse(session, error);
    }

    fn tell(&mut self, session: &mut EngineSession, event: Event) {
        self.draughts.tell(session, event);
    }
}
