//! The native protocol: which commands wait for a job, and how they are answered.

use super::command::{Command, parse};
use super::{Event, TavlaSession, options};
use soffio::clock::Moment;
use soffio::session::{Dialect, Role, Session};

/// The native protocol.
#[derive(Debug, Default)]
pub struct Native {
    /// The name that the engine gives itself, if it is not the usual one.
    name: Option<String>,
}

impl Native {
    /// The native protocol for an engine that calls itself `name`.
    #[must_use]
    pub fn named(name: Option<String>) -> Self {
        Self { name }
    }
}

impl Dialect for Native {
    type Session = TavlaSession;
    type Command = Command;

    const FINISHES_AT_END: bool = true;

    fn read(line: &str) -> Result<Option<Command>, String> {
        match line.trim() {
            "" => Ok(None),
            line => parse(line).map(Some).map_err(|error| error.to_string()),
        }
    }

    fn role(command: &Command) -> Role {
        match command {
            Command::IsReady => Role::Aside,
            Command::Go(_) | Command::Perft(_) => Role::Begin,
            Command::Stop => Role::Stop,
            Command::PonderHit => Role::PonderHit,
            Command::Wait => Role::Wait,
            Command::Quit => Role::Quit,
            _ => Role::Plain,
        }
    }

    fn is_held(session: &TavlaSession) -> bool {
        session.hold().is_some()
    }

    fn obey(&mut self, session: &mut TavlaSession, command: Command, _instant: Moment) {
        if session.job().is_some()
            && let Some(name) = refused_while_busy(&command)
        {
            return Self::refuse(session, format!("{name} a search is running, send stop first"));
        }
        match command {
            Command::Uci => {
                let name = self.name.as_deref().unwrap_or(concat!("Soffio ", env!("CARGO_PKG_VERSION")));
                session.say(&format!("id name {name}\nid author the Soffio developers"));
                options::listed().iter().for_each(|option| session.say(option));
                session.say(&"uciok");
            }
            Command::IsReady => {
                TavlaSession::prepare();
                session.say(&"readyok");
            }
            Command::Stop => session.stop(),
            Command::PonderHit => Self::refuse(session, "ponderhit no search is pondering"),
            Command::Wait => session.wait(),
            Command::Quit => session.quit(),
            command => {
                let done = session.obey(command).and_then(|answer| {
                    answer.lines.iter().for_each(|line| session.say(line));
                    answer.work.map_or(Ok(()), |work| session.begin(work))
                });
                if let Err(error) = done {
                    Self::refuse(session, error);
                }
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

/// The name of a command that cannot be obeyed during a search.
fn refused_while_busy(command: &Command) -> Option<&'static str> {
    Some(match command {
        Command::NewGame => "ucinewgame",
        Command::SetOption { .. } => "setoption",
        Command::Position { .. } => "position",
        Command::Dice(_) => "dice",
        Command::Roll => "roll",
        Command::Move { .. } => "move",
        Command::Undo(_) => "undo",
        Command::Redo(_) => "redo",
        Command::Go(_) => "go",
        Command::Perft(_) => "perft",
        _ => return None,
    })
}
