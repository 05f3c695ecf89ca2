//! The native protocol: the commands of `protocol.md`.

use super::{Desk, Dialect, Input, Job, Role};
use crate::engine::{self, CaptureOrder, Clock, Event, OptionSpec, Options, PerftRequest, Request, Setting, Value};
use crate::protocol::{Bound, Command, CommandError, Go, Info, Reply, Score, Start, parse};
use std::time::{Duration, Instant};

/// The native protocol.
#[derive(Debug, Default)]
pub struct Native {
    /// Time and nodes of the bench so far.
    bench: (Duration, u64),
}

/// What an input asks for.
#[derive(Debug)]
pub enum Asked {
    /// A command.
    Command(Command),
    /// Something that is no command.
    Wrong(CommandError),
    /// A line of more bytes than this was left out.
    TooLong(usize),
    /// There will be no more.
    End,
}

impl Dialect for Native {
    type Command = Asked;

    fn read(input: Input) -> Option<Asked> {
        match input {
            Input::Line(line) => match parse(&line) {
                Ok(command) => command.map(Asked::Command),
                Err(error) => Some(Asked::Wrong(error)),
            },
            Input::TooLong(most) => Some(Asked::TooLong(most)),
            Input::End => Some(Asked::End),
        }
    }

    fn role(asked: &Asked) -> Role {
        let Asked::Command(command) = asked else { return Role::Plain };
        match command {
            Command::IsReady => Role::Aside,
            Command::Go(_) | Command::Perft { .. } | Command::Divide { .. } | Command::Bench => Role::Begin,
            Command::Stop => Role::Stop,
            Command::PonderHit => Role::PonderHit,
            Command::Wait => Role::Wait,
            Command::Quit => Role::Quit,
            _ => Role::Plain,
        }
    }

    fn is_held(desk: &Desk) -> bool {
        desk.hold().is_some()
    }

    fn obey(&mut self, desk: &mut Desk, asked: Asked, instant: Instant) {
        match asked {
            Asked::Command(command) => self.obey_command(desk, command, instant),
            Asked::Wrong(wrong) => error(desk, wrong),
            Asked::TooLong(most) => error(desk, format!("line longer than {most} bytes, left out")),
            Asked::End => desk.quit_when_done(),
        }
    }

    fn tell(&mut self, desk: &mut Desk, event: Event) {
        match event {
            Event::Info(info) => desk.say(&Reply::Info(info_of(info))),
            Event::Current(current) => {
                desk.say(&Reply::Current { depth: current.depth, text: current.text, number: current.number });
            }
            Event::NoWin { moves } => {
                let plural = if moves == 1 { "" } else { "s" };
                desk.say(&Reply::Text(format!("no win in {moves} move{plural}")));
            }
            Event::BestMove { best, reply } => desk.say(&Reply::BestMove { best, ponder: reply }),
            Event::Perft { depth, count, by_move, time } => {
                for (text, count) in by_move {
                    desk.say(&Reply::DivideMove { text, count });
                }
                match count {
                    Some(count) => desk.say(&Reply::Perft { depth, count, time }),
                    None => desk.say(&Reply::Text("perft stopped".to_owned())),
                }
            }
            Event::BenchVariant(result) => {
                self.bench.0 += result.time;
                self.bench.1 += result.nodes;
                let name = result.variant.name();
                desk.say(&Reply::BenchVariant { name, nodes: result.nodes, time: result.time });
            }
            Event::BenchDone { finished: true } => desk.say(&Reply::Bench { nodes: self.bench.1, time: self.bench.0 }),
            Event::BenchDone { finished: false } => desk.say(&Reply::Text("bench stopped".to_owned())),
            Event::Failed { message, fallback } => {
                error(desk, format!("search broken off by a fault: {message}"));
                if desk.job() != Some(Job::Count) {
                    desk.say(&Reply::BestMove { best: fallback, ponder: None });
                }
            }
        }
    }
}

impl Native {
    fn obey_command(&mut self, desk: &mut Desk, command: Command, instant: Instant) {
        if desk.job().is_some()
            && let Some(name) = refused_while_busy(&command)
        {
            return error(desk, format!("{name} a search is running, send stop first"));
        }
        match command {
            Command::Uci => introduce(desk),
            Command::IsReady => desk.say(&Reply::ReadyOk),
            Command::UciNewGame => {
                desk.clear_table();
                set_position(desk, &Start::Startpos, &[]);
            }
            Command::SetOption { name, value } => set_option(desk, &name, value.as_deref()),
            Command::Position { start, moves } => set_position(desk, &start, &moves),
            Command::Move(moves) => {
                let result = desk.engine_mut().play(&moves);
                report_failure(desk, result);
            }
            Command::Undo(count) => {
                let result = desk.engine_mut().undo(count);
                report_failure(desk, result);
            }
            Command::Redo(count) => {
                let result = desk.engine_mut().redo(count);
                report_failure(desk, result);
            }
            Command::Go(go) => search(desk, go, instant),
            Command::Stop => desk.stop(),
            Command::PonderHit => {
                if !desk.ponder_hit(instant) {
                    error(desk, "ponderhit no search is pondering");
                }
            }
            Command::Display => display(desk),
            Command::Legal => desk.say(&Reply::Legal(desk.engine().legal_moves())),
            Command::Eval => {
                let (terms, value) = {
                    let Options { style, strength, .. } = *desk.options();
                    desk.engine().evaluation(desk.table(), style, strength)
                };
                desk.say(&Reply::Eval { terms, value: score(value) });
            }
            Command::Status => desk.say(&Reply::Status(desk.engine().status())),
            Command::Perft { depth, order } => count(desk, depth, order, false),
            Command::Divide { depth, order } => count(desk, depth, order, true),
            Command::Bench => {
                self.bench = (Duration::ZERO, 0);
                desk.bench();
            }
            Command::Wait => match desk.job() {
                Some(Job::OpenSearch | Job::Ponder { .. }) => {
                    error(desk, "wait the search ends only when it is stopped");
                }
                Some(Job::Search | Job::Count) | None => desk.wait(),
            },
            Command::Help => desk.say(&Reply::Help),
            Command::Quit => desk.quit(),
        }
    }
}

fn error(desk: &mut Desk, error: impl ToString) {
    desk.say(&Reply::Error(error.to_string()));
}

fn report_failure(desk: &mut Desk, result: Result<(), impl ToString>) {
    if let Err(failure) = result {
        error(desk, failure);
    }
}

fn introduce(desk: &mut Desk) {
    let name = concat!("Soffio ", env!("CARGO_PKG_VERSION")).to_owned();
    desk.say(&Reply::Id { name, author: "the Soffio developers".to_owned() });
    for option in OptionSpec::ALL {
        desk.say(&Reply::Option(option.to_string()));
    }
    desk.say(&Reply::UciOk);
}

fn set_position(desk: &mut Desk, start: &Start, moves: &[crate::notation::MoveRecord]) {
    let fen = match start {
        Start::Startpos => None,
        Start::Fen(fen) => Some(fen),
    };
    let result = desk.engine_mut().set_position(fen, moves);
    report_failure(desk, result);
}

fn set_option(desk: &mut Desk, name: &str, value: Option<&str>) {
    let setting = match OptionSpec::read(name, value) {
        Ok(setting) => setting,
        Err(wrong) => return error(desk, wrong),
    };
    let rules_before = desk.options().rules();
    if let Err(failure) = desk.apply(setting) {
        return error(desk, failure);
    }
    let Options { variant, forced_capture, .. } = *desk.options();
    let rules = desk.options().rules();
    if matches!(setting, Setting::Variant(_)) || rules != rules_before {
        let forced = if rules == variant { "" } else { " without forced captures" };
        let fen = desk.engine().fen();
        desk.say(&Reply::Text(format!("variant {variant}{forced}, start position {fen}")));
    } else if matches!(setting, Setting::ForcedCapture(_)) && !forced_capture && rules == variant {
        desk.say(&Reply::Text(format!("captures stay forced in {variant}")));
    }
}

fn search(desk: &mut Desk, go: Go, instant: Instant) {
    let clock = |time: Option<Duration>, increment: Option<Duration>| {
        time.map(|remaining| Clock {
            remaining,
            increment: increment.unwrap_or_default(),
            moves_to_go: go.moves_to_go.filter(|&moves| moves > 0),
        })
    };
    let request = Request {
        depth: go.depth,
        win_in: go.win_in,
        nodes: go.nodes,
        move_time: go.move_time,
        white: clock(go.white_time, go.white_increment),
        black: clock(go.black_time, go.black_increment),
        infinite: go.is_open_ended(),
        ponder: go.ponder,
        root_moves: go.search_moves,
        ..desk.request(instant)
    };
    let result = desk.search(request);
    report_failure(desk, result);
}

fn display(desk: &mut Desk) {
    let engine = desk.engine();
    let reply = Reply::Board {
        drawing: engine.drawing(),
        side: engine.side(),
        status: engine.status(),
        fen: engine.fen().to_string(),
    };
    desk.say(&reply);
}

fn count(desk: &mut Desk, depth: u8, order: CaptureOrder, by_move: bool) {
    desk.perft(PerftRequest { depth, order, by_move });
}

/// The name of a command that needs the engine or changes what it works on, and so has to wait for the end of a job.
fn refused_while_busy(command: &Command) -> Option<&'static str> {
    match command {
        Command::UciNewGame => Some("ucinewgame"),
        Command::SetOption { .. } => Some("setoption"),
        Command::Position { .. } => Some("position"),
        Command::Move(_) => Some("move"),
        Command::Undo(_) => Some("undo"),
        Command::Redo(_) => Some("redo"),
        Command::Go(_) => Some("go"),
        Command::Perft { .. } => Some("perft"),
        Command::Divide { .. } => Some("divide"),
        Command::Bench => Some("bench"),
        Command::Uci
        | Command::IsReady
        | Command::Stop
        | Command::PonderHit
        | Command::Display
        | Command::Legal
        | Command::Eval
        | Command::Status
        | Command::Wait
        | Command::Help
        | Command::Quit => None,
    }
}

fn score(value: Value) -> Score {
    match value {
        Value::Centimen(value) => Score::Cp(value),
        Value::Win(moves) => Score::Win(moves),
        Value::Loss(moves) => Score::Loss(moves),
    }
}

fn info_of(info: engine::Info) -> Info {
    Info {
        depth: info.depth,
        selective_depth: info.selective_depth,
        number: info.rank + 1,
        score: score(info.value),
        bound: match info.bound {
            engine::Bound::Exact => Bound::Exact,
            engine::Bound::Lower => Bound::Lower,
            engine::Bound::Upper => Bound::Upper,
        },
        nodes: info.nodes,
        permille_used: info.permille_used,
        table_hits: 0,
        time: info.time,
        line: info.line,
    }
}
