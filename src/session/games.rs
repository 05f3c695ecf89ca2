//! The native protocol for every game: draughts, and tavla while `UCI_Variant` says so. This is the only place where the two meet.

use super::native::VARIANT;
use super::{Desk, Dialect, Job, Native, Role};
use crate::engine::{Event, OptionSpec};
use crate::tavla::session as tavla;
use crate::wire::native::{Command, Reply};
use std::time::Instant;

/// The native protocol for every game.
pub struct Games {
    draughts: Native,
    /// The conversation about tavla, while that is the game.
    tavla: Option<tavla::Session>,
}

/// A line, which means what it means to the game that is played when its turn comes.
pub struct Line {
    text: String,
    /// What it asks for in draughts.
    draughts: Result<Command, String>,
}

impl Games {
    /// The native protocol for an engine that calls itself `name`.
    #[must_use]
    pub fn named(name: Option<String>) -> Self {
        Self { draughts: Native::named(name).with_other_games(&[tavla::NAME]), tavla: None }
    }

    /// Obeys a line while tavla is played.
    fn obey_tavla(&mut self, desk: &mut Desk, line: &Line) {
        let Some(session) = &mut self.tavla else { return };
        if desk.job().is_some()
            && let Some(name) = tavla::Session::refused_while_busy(&line.text)
        {
            return Self::refuse(desk, format!("{name} a search is running, send stop first"));
        }
        match &line.draughts {
            Ok(Command::IsReady) => {
                session.prepare();
                desk.say(&Reply::ReadyOk);
            }
            Ok(Command::Uci) => {
                self.draughts.say_name(desk);
                let variant = OptionSpec::named(VARIANT);
                variant.iter().for_each(|option| self.draughts.say_option(desk, option));
                session.options().iter().for_each(|option| desk.say(option));
                desk.say(&Reply::UciOk);
            }
            Ok(Command::SetOption { name, value }) if is_variant(name) => {
                if self.draughts.set_option(desk, name, value.as_deref()) {
                    self.tavla = None;
                }
            }
            _ => match session.obey(&line.text) {
                Ok(tavla::Step::Say(lines)) => lines.iter().for_each(|line| desk.say(line)),
                Ok(tavla::Step::Work(work)) => {
                    let job = match (work.is_count(), work.is_open()) {
                        (true, _) => Job::Count,
                        (false, true) => Job::OpenSearch,
                        (false, false) => Job::Search,
                    };
                    let started = desk.work_outside(job, work.fallback(), |stop, say| work.run(stop, say));
                    if let Err(error) = started {
                        Self::refuse(desk, error);
                    }
                }
                Err(error) => Self::refuse(desk, error),
            },
        }
    }
}

fn is_variant(name: &str) -> bool {
    name.eq_ignore_ascii_case(VARIANT)
}

impl Dialect for Games {
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

    fn is_held(desk: &Desk) -> bool {
        Native::is_held(desk)
    }

    fn obey(&mut self, desk: &mut Desk, line: Line, instant: Instant) {
        let chooses_tavla = matches!(&line.draughts, Ok(Command::SetOption { name, value: Some(value) })
            if is_variant(name) && value.eq_ignore_ascii_case(tavla::NAME));
        if chooses_tavla && desk.job().is_none() {
            let session = tavla::Session::new();
            desk.say(&session.greeting());
            self.tavla = Some(session);
            return;
        }
        let is_shared =
            matches!(&line.draughts, Ok(Command::Stop | Command::PonderHit | Command::Wait | Command::Quit));
        match line.draughts {
            _ if self.tavla.is_some() && !is_shared => self.obey_tavla(desk, &line),
            Ok(command) => self.draughts.obey(desk, command, instant),
            Err(error) => Self::refuse(desk, error),
        }
    }

    fn refuse(desk: &mut Desk, error: impl ToString) {
        Native::refuse(desk, error);
    }

    fn tell(&mut self, desk: &mut Desk, event: Event) {
        self.draughts.tell(desk, event);
    }
}
