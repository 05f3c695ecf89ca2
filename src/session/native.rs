//! The native protocol: the commands of `protocol.md`.

use super::{Desk, Dialect, Job, Role};
use crate::engine::{
    CaptureOrder, CurrentMove, Domain, Event, Limits, NO_TEXT, OptionError, OptionSpec, Options, PerftRequest, Report,
    Setting, Status, Verdict,
};
use crate::wire::native::{Command, Go, Info, OptionLine, Reply, Start};
use std::fmt;
use std::time::{Duration, Instant};

/// The native protocol.
#[derive(Debug, Default)]
pub struct Native {
    /// The name that the engine gives itself, if it is not the usual one.
    name: Option<String>,
    /// Names of games that are no draughts, which whoever holds this serves when `UCI_Variant` is set to them.
    other_games: &'static [&'static str],
    /// Time and nodes of the bench so far.
    bench: (Duration, u64),
}

impl Dialect for Native {
    type Command = Command;

    const FINISHES_AT_END: bool = true;

    fn read(line: &str) -> Result<Option<Command>, String> {
        Command::read(line).map_err(|error| error.to_string())
    }

    fn role(command: &Command) -> Role {
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

    fn obey(&mut self, desk: &mut Desk, command: Command, instant: Instant) {
        if desk.job().is_some()
            && let Some(name) = refused_while_busy(&command)
        {
            return Self::refuse(desk, format!("{name} a search is running, send stop first"));
        }
        match command {
            Command::Uci => introduce(desk, self),
            Command::IsReady => {
                let result = desk.prepare();
                report_failure(desk, result);
                desk.say(&Reply::ReadyOk);
            }
            Command::UciNewGame => {
                desk.forget();
                set_position(desk, &Start::Startpos, &[]);
            }
            Command::SetOption { name, value } => {
                self.set_option(desk, &name, value.as_deref());
            }
            Command::Position { start, moves } => set_position(desk, &start, &moves),
            Command::Move(moves) => {
                let result = desk.game_mut().play(&moves);
                report_failure(desk, result);
            }
            Command::Undo(count) => {
                let result = desk.game_mut().undo(count);
                report_failure(desk, result);
            }
            Command::Redo(count) => {
                let result = desk.game_mut().redo(count);
                report_failure(desk, result);
            }
            Command::Go(go) => search(desk, go, instant),
            Command::Stop => desk.stop(),
            Command::PonderHit => {
                if !desk.ponder_hit(instant) {
                    Self::refuse(desk, "ponderhit no search is pondering");
                }
            }
            Command::Display => display(desk),
            Command::Legal => desk.say(&Reply::Legal(desk.game().legal_moves())),
            Command::Eval => {
                let (terms, value) = desk.engine().evaluation(desk.game().game());
                desk.say(&Reply::Eval { terms, value });
            }
            Command::Probe => probe(desk),
            Command::Status => desk.say(&Reply::Status(desk.game().status())),
            Command::Perft { depth, order } => count(desk, depth, order, false),
            Command::Divide { depth, order } => count(desk, depth, order, true),
            Command::Bench => {
                self.bench = (Duration::ZERO, 0);
                let result = desk.bench();
                report_failure(desk, result);
            }
            Command::Wait => match desk.job() {
                Some(Job::OpenSearch | Job::Ponder { .. }) => {
                    Self::refuse(desk, "wait the search ends only when it is stopped");
                }
                Some(Job::Search | Job::Count) | None => desk.wait(),
            },
            Command::Help => desk.say(&Reply::Help),
            Command::Quit => desk.quit(),
        }
    }

    fn refuse(desk: &mut Desk, error: impl ToString) {
        desk.say(&Reply::Error(error.to_string()));
    }

    fn tell(&mut self, desk: &mut Desk, event: Event) {
        match event {
            Event::Report(report) => {
                let line = desk.game().line_text(&report.line);
                desk.say(&Reply::Info(info(&report, line)));
            }
            Event::Current(CurrentMove { depth, mv, number }) => {
                let (current_move, current_number) = (Some(desk.game().text(mv)), Some(number));
                let depth = Some(depth.into());
                desk.say(&Reply::Info(Info { depth, current_move, current_number, ..Info::default() }));
            }
            Event::NoWin { moves } => desk.say(&Reply::Text(no_win(moves))),
            Event::BestMove { best, reply } => {
                let line: Vec<_> = best.into_iter().chain(reply).collect();
                let mut texts = desk.game().line_text(&line).into_iter();
                desk.say(&Reply::BestMove { best: texts.next(), ponder: texts.next() });
            }
            Event::Perft { depth, count, by_move, time } => {
                for (mv, count) in desk.game().in_printed_order(by_move) {
                    let text = desk.game().text(mv);
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
            Event::Outside { text, .. } => desk.say(&text),
            Event::Failed { message, fallback } => {
                Self::refuse(desk, format!("search broken off by a fault: {message}"));
                if desk.job() != Some(Job::Count) {
                    let best = fallback.map(|mv| desk.game().text(mv));
                    desk.say(&Reply::BestMove { best, ponder: None });
                }
            }
        }
    }
}

impl Native {
    /// The native protocol for an engine that calls itself `name`.
    #[must_use]
    pub fn named(name: Option<String>) -> Self {
        Self { name, ..Self::default() }
    }

    /// The same with the names of games that are no draughts among the values of `UCI_Variant`.
    #[must_use]
    pub fn with_other_games(self, other_games: &'static [&'static str]) -> Self {
        Self { other_games, ..self }
    }

    /// Says name and author.
    pub(super) fn say_name(&self, desk: &mut Desk) {
        let name = self.name.as_deref().unwrap_or(concat!("Soffio ", env!("CARGO_PKG_VERSION"))).to_owned();
        desk.say(&Reply::Name(name));
        desk.say(&Reply::Author("the Soffio developers".to_owned()));
    }

    /// Lists an option.
    pub(super) fn say_option(&self, desk: &mut Desk, option: &OptionSpec) {
        let mut line = declaration(option);
        if option.name() == VARIANT {
            line.choices.extend(self.other_games.iter().map(|&game| game.to_owned()));
        }
        desk.say(&Reply::Option(line));
    }

    /// Sets an option. Returns whether it could be set.
    pub(super) fn set_option(&self, desk: &mut Desk, name: &str, value: Option<&str>) -> bool {
        match set_option(desk, name, value) {
            Ok(()) => true,
            Err(mut refused) => {
                if let Refused::Option(OptionError::NotAChoice { name: VARIANT, choices, .. }) = &mut refused {
                    choices.extend(self.other_games);
                }
                Self::refuse(desk, refused);
                false
            }
        }
    }
}

/// How the protocol declares an option.
fn declaration(option: &OptionSpec) -> OptionLine {
    let line = |kind: &str, default: Option<String>| OptionLine {
        name: option.name().to_owned(),
        kind: kind.to_owned(),
        default,
        ..OptionLine::default()
    };
    match option.domain() {
        Domain::Choice { default, choices } => OptionLine {
            choices: choices.into_iter().map(str::to_owned).collect(),
            ..line("combo", Some(default.to_owned()))
        },
        Domain::Number { default, bounds: (least, most) } => OptionLine {
            bounds: Some([least, most].map(|bound| bound.to_string())),
            ..line("spin", Some(default.to_string()))
        },
        Domain::Flag { default } => line("check", Some(default.to_string())),
        Domain::Text => line("string", Some(NO_TEXT.to_owned())),
        Domain::Nothing => line("button", None),
    }
}

/// The report of a search, whose line is written `line`.
fn info(report: &Report, line: Vec<String>) -> Info {
    let Report { depth, selective_depth, rank, score, bound, nodes, table_hits, permille_used, time, .. } = *report;
    Info {
        depth: Some(depth.into()),
        selective_depth: Some(selective_depth.into()),
        rank: Some(rank + 1),
        score: Some((score.value(), bound)),
        nodes: Some(nodes),
        permille_used: Some(permille_used),
        table_hits: Some(table_hits),
        time: Some(time),
        line: Some(line),
        ..Info::default()
    }
}

/// The option that chooses the game.
pub(super) const VARIANT: &str = "UCI_Variant";

/// Why an option was not set.
enum Refused {
    Option(OptionError),
    System(String),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Option(error) => error.fmt(f),
            Self::System(error) => f.write_str(error),
        }
    }
}

fn report_failure(desk: &mut Desk, result: Result<(), impl ToString>) {
    if let Err(failure) = result {
        Native::refuse(desk, failure);
    }
}

fn introduce(desk: &mut Desk, native: &Native) {
    native.say_name(desk);
    OptionSpec::ALL.iter().for_each(|option| native.say_option(desk, option));
    desk.say(&Reply::UciOk);
}

fn set_position(desk: &mut Desk, start: &Start, moves: &[crate::notation::MoveRecord]) {
    let fen = match start {
        Start::Startpos => None,
        Start::Fen(fen) => Some(fen),
    };
    let result = desk.game_mut().set_position(fen, moves);
    report_failure(desk, result);
}

fn set_option(desk: &mut Desk, name: &str, value: Option<&str>) -> Result<(), Refused> {
    let setting = OptionSpec::read(name, value).map_err(Refused::Option)?;
    let (is_variant, is_capture) =
        (matches!(setting, Setting::Variant(_)), matches!(setting, Setting::ForcedCapture(_)));
    let rules_before = desk.options().rules();
    desk.apply(setting).map_err(Refused::System)?;
    let Options { variant, forced_capture, .. } = *desk.options();
    let rules = desk.options().rules();
    if is_variant || rules != rules_before {
        let forced = if rules == variant { "" } else { " without forced captures" };
        let fen = desk.game().fen();
        desk.say(&Reply::Text(format!("variant {variant}{forced}, start position {fen}")));
    } else if is_capture && !forced_capture && rules == variant {
        desk.say(&Reply::Text(format!("captures stay forced in {variant}")));
    }
    Ok(())
}

fn probe(desk: &mut Desk) {
    let Some(found) = desk.probe() else {
        return Native::refuse(desk, "probe there is no endgame table for this position");
    };
    let text = |verdict: Option<Verdict>| verdict.map(|verdict| verdict.to_string());
    let moves = found.moves.into_iter().map(|(mv, verdict)| (desk.game().text(mv), text(verdict))).collect();
    desk.say(&Reply::Probe { value: found.position.to_string(), moves });
}

fn search(desk: &mut Desk, go: Go, instant: Instant) {
    if let Err(failure) = try_search(desk, go, instant) {
        Native::refuse(desk, failure);
    }
}

fn try_search(desk: &mut Desk, go: Go, instant: Instant) -> Result<(), String> {
    let clock = go.clock(desk.game().side());
    let clock = clock.map_err(|missing| format!("go {missing} is missing, the clock of the side to move"))?;
    let root_moves = desk.game().meant(&go.search_moves).map_err(|error| error.to_string())?;
    let Limits { overhead, ponders, analysis, threads, lines, .. } = desk.engine().limits();
    let infinite = go.is_open_ended();
    let limits = Limits { clock, root_moves, infinite, overhead, ponders, analysis, threads, lines, ..go.limits };
    let win_in = limits.win_in;
    desk.search(limits, instant).map_err(|error| format!("go {error}"))?;
    if let Some(moves) = win_in
        && desk.game().game().legal_moves().is_empty()
    {
        // Without a legal move there is nothing to search.
        desk.say(&Reply::Text(without_move(desk, moves)));
    }
    Ok(())
}

/// What a search for a win in `moves` finds where there is no move.
fn without_move(desk: &Desk, moves: u16) -> String {
    match desk.game().status() {
        // As in losing draughts, where a side without a move has won.
        Status::Won { winner, .. } if winner == desk.game().side() => "won already".to_owned(),
        _ => no_win(moves),
    }
}

fn no_win(moves: u16) -> String {
    let plural = if moves == 1 { "" } else { "s" };
    format!("no win in {moves} move{plural}")
}

fn display(desk: &mut Desk) {
    let game = desk.game();
    let reply = Reply::Board {
        drawing: game.drawing(),
        side: game.side().to_string(),
        status: game.status(),
        fen: game.fen().to_string(),
    };
    desk.say(&reply);
}

fn count(desk: &mut Desk, depth: u8, order: CaptureOrder, by_move: bool) {
    let result = desk.perft(PerftRequest { depth, order, by_move });
    report_failure(desk, result);
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
        Command::Probe => Some("probe"),
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
