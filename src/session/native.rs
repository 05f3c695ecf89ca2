//! The native protocol, described in `protocol.md`.

use super::{EngineSession, Job, JobEffect, Session, SessionDialect};
use crate::book::Candidate;
use crate::clock::Moment;
use crate::engine::{
    CurrentMove, Event, Kind, Limits, NO_TEXT, OptionSpec, Options, PerftRequest, Report, Setting, Status, Verdict,
};
use crate::notation::{MoveRecord, WrittenGame};
use crate::system::reason;
use crate::wire::Declaration;
use crate::wire::native::{Go, NativeCommand, NativeInfo, NativeReply, Start, WhileSearching};
use std::time::Duration;

/// The dialect of sessions that use the native protocol.
#[derive(Debug, Default)]
pub struct Native {
    name: Option<String>,
    debug: bool,
    bench: (Duration, u64),
}

impl SessionDialect for Native {
    type Session = EngineSession;
    type Command = NativeCommand;

    fn read(line: &str) -> Result<Option<NativeCommand>, String> {
        NativeCommand::read(line).map_err(text)
    }

    fn job_effect(command: &NativeCommand) -> JobEffect {
        match command {
            NativeCommand::IsReady => JobEffect::Immediate,
            NativeCommand::Go(_)
            | NativeCommand::Perft { .. }
            | NativeCommand::Divide { .. }
            | NativeCommand::Bench => JobEffect::StartJob,
            NativeCommand::Stop => JobEffect::Stop,
            NativeCommand::PonderHit => JobEffect::PonderHit,
            NativeCommand::Wait => JobEffect::Wait,
            NativeCommand::Quit => JobEffect::Quit,
            _ => JobEffect::InOrder,
        }
    }

    fn is_held(session: &EngineSession) -> bool {
        session.hold().is_some()
    }

    fn stop_superseded(session: &mut EngineSession, command: &NativeCommand) {
        // A position is set up a second time when the command is executed, so do it here only if there is a search.
        if session.job().is_some()
            && command.while_searching() == WhileSearching::StopsSearch
            && is_accepted(session, command)
        {
            stop_for(session, command.name());
        }
    }

    fn execute(&mut self, session: &mut EngineSession, command: NativeCommand, instant: Moment) {
        self.try_execute(session, command, instant).unwrap_or_else(|error| Self::reject(session, error));
    }

    fn reject(session: &mut EngineSession, error: impl ToString) {
        session.send(&NativeReply::Error(reason(error.to_string())));
    }

    fn report(&mut self, session: &mut EngineSession, event: Event) {
        match event {
            Event::Report(report) => {
                let line = session.game.line_text(&report.line);
                let wdl =
                    session.options().shows_wdl.then(|| session.engine().chances(session.game.game(), report.value));
                session.send(&NativeReply::Info(NativeInfo { wdl: wdl.flatten(), ..info(&report, line) }));
            }
            Event::Book { found, .. } => {
                let of_move = |Candidate { mv, record }: &Candidate| {
                    let score = record.score.value().map_or_else(|| "no score".to_owned(), |value| value.to_string());
                    format!("{} {score} weight {}", session.game.text(*mv), record.weight)
                };
                let moves: Vec<_> = found.iter().map(of_move).collect();
                session.send(&NativeReply::Text(format!("book {}", moves.join(", "))));
            }
            Event::Current(CurrentMove { depth, mv, number }) => {
                let (current_move, current_number) = (Some(session.game.text(mv)), Some(number));
                let depth = Some(depth.into());
                session.send(&NativeReply::Info(NativeInfo {
                    depth,
                    current_move,
                    current_number,
                    ..NativeInfo::default()
                }));
            }
            Event::NoWin(moves) => session.send(&NativeReply::Text(no_win(moves))),
            Event::Undecided(moves) => {
                session.send(&NativeReply::Text(format!("undecided within {}", in_moves(moves))))
            }
            Event::BestMove { best, reply } => {
                let line: Vec<_> = best.into_iter().chain(reply).collect();
                let mut texts = session.game.line_text(&line).into_iter();
                session.send(&NativeReply::BestMove { best: texts.next(), ponder: texts.next() });
            }
            Event::Perft { depth, count, by_move, time } => {
                for (mv, count) in session.game.in_printed_order(by_move) {
                    let text = session.game.text(mv);
                    session.send(&NativeReply::DivideMove { text, count });
                }
                match count {
                    Ok(count) => session.send(&NativeReply::Measured { name: format!("perft {depth}"), count, time }),
                    Err(stopped) => session.send(&NativeReply::Text(stopped.to_string())),
                }
            }
            Event::BenchVariant(result) => {
                self.bench.0 += result.time;
                self.bench.1 += result.nodes;
                let name = result.variant.to_string();
                session.send(&NativeReply::Measured { name, count: result.nodes, time: result.time });
            }
            Event::BenchDone { finished: true } => {
                let (time, count) = self.bench;
                session.send(&NativeReply::Measured { name: "bench".to_owned(), count, time })
            }
            Event::BenchDone { finished: false } => session.send(&NativeReply::Text("bench stopped".to_owned())),
            Event::Failed { message, fallback } => {
                Self::reject(session, format!("search aborted by an internal error: {message}"));
                if session.job() != Some(Job::Count) {
                    let best = fallback.map(|mv| session.game.text(mv));
                    session.send(&NativeReply::BestMove { best, ponder: None });
                }
            }
        }
    }
}

impl Native {
    /// Creates the dialect for an engine that identifies itself as `name`, or with the default name if `name` is
    /// `None`.
    #[must_use]
    pub fn named(name: Option<String>) -> Self {
        Self { name, ..Self::default() }
    }

    fn try_execute(
        &mut self,
        session: &mut EngineSession,
        command: NativeCommand,
        instant: Moment,
    ) -> Result<(), String> {
        check_allowed(session, command.words(), command.while_searching())?;
        match command {
            NativeCommand::Uci => introduce(session, self.name.as_deref(), &OptionSpec::ALL),
            NativeCommand::IsReady => {
                let result = session.prepare();
                result.unwrap_or_else(|error| Self::reject(session, error));
                session.send(&NativeReply::ReadyOk);
            }
            NativeCommand::Debug(on) => self.debug = on,
            NativeCommand::UciNewGame => {
                session.clear_hash();
                set_position(&mut session.game, &Start::Startpos, &[])?;
            }
            NativeCommand::SetOption { name, value } => set_option(session, &name, value.as_deref())?,
            NativeCommand::Position { start, moves } => set_position(&mut session.game, &start, &moves)?,
            NativeCommand::Move(moves) => session.game.play(&moves).map_err(text)?,
            NativeCommand::Undo(count) => session.game.undo(count).map_err(text)?,
            NativeCommand::Redo(count) => session.game.redo(count).map_err(text)?,
            NativeCommand::Go(go) => {
                if self.debug {
                    session.send(&NativeReply::Text(format!("go{go} in {}", session.game.fen())));
                }
                search(session, &go, instant)?;
            }
            NativeCommand::Stop | NativeCommand::PonderHit | NativeCommand::Wait | NativeCommand::Quit => {
                control_job(session, &command, instant)?;
            }
            NativeCommand::Display => display(session),
            NativeCommand::Legal => session.send(&NativeReply::Legal(session.game.legal_moves())),
            NativeCommand::Eval => {
                let (terms, value) = session.engine().evaluation(session.game.game());
                session.send(&NativeReply::Eval { terms, value });
            }
            NativeCommand::Probe => probe(session)?,
            NativeCommand::Status => session.send(&NativeReply::Status(session.game.status())),
            NativeCommand::Perft { depth, order } => {
                session.perft(PerftRequest { depth, order, by_move: false }).map_err(text)?;
            }
            NativeCommand::Divide { depth, order, .. } => {
                session.perft(PerftRequest { depth, order, by_move: true }).map_err(text)?;
            }
            NativeCommand::Bench => {
                self.bench = (Duration::ZERO, 0);
                session.bench().map_err(text)?;
            }
            NativeCommand::Help => session.send(&NativeReply::Help),
        }
        Ok(())
    }
}

/// Returns whether `command` is valid in the current position.
fn is_accepted(session: &EngineSession, command: &NativeCommand) -> bool {
    match command {
        NativeCommand::Position { start, moves } => set_position(&mut session.game.clone(), start, moves).is_ok(),
        NativeCommand::Go(go) => limits(session, go).is_ok(),
        _ => true,
    }
}

/// Returns an error if the command `name` is rejected during a search and a search is running.
pub fn check_allowed(session: &impl Session, name: &str, while_searching: WhileSearching) -> Result<(), String> {
    match session.job() {
        Some(_) if while_searching == WhileSearching::Rejected => {
            Err(format!("{name} a search is running; send stop first"))
        }
        _ => Ok(()),
    }
}

/// Executes `stop`, `ponderhit`, `wait` and `quit`, which affect only the job of the session. Ignores other commands.
pub fn control_job(session: &mut impl Session, command: &NativeCommand, instant: Moment) -> Result<(), String> {
    match command {
        NativeCommand::Stop => session.stop(),
        NativeCommand::PonderHit if !session.ponder_hit(instant) => {
            return Err("ponderhit no search is pondering".to_owned());
        }
        NativeCommand::Wait if matches!(session.job(), Some(Job::OpenSearch | Job::Ponder { .. })) => {
            return Err("wait the search ends only when it is stopped".to_owned());
        }
        NativeCommand::Wait => session.wait(),
        NativeCommand::Quit => session.quit(),
        _ => {}
    }
    Ok(())
}

/// Answers `uci`: prints the name, the author and the options. The default name is used if `name` is `None`.
pub fn introduce<S>(session: &mut impl Session, name: Option<&str>, options: &[OptionSpec<S>]) {
    let name = name.unwrap_or(concat!("Soffio ", env!("CARGO_PKG_VERSION"))).to_owned();
    session.send(&NativeReply::Name(name));
    session.send(&NativeReply::Author("the Soffio developers".to_owned()));
    options.iter().for_each(|option| session.send(&NativeReply::Option(declaration(option))));
    session.send(&NativeReply::UciOk);
}

/// Stops the running search because of the command `name`. Reports this to the client, which may have expected the
/// search to finish.
pub fn stop_for(session: &mut impl Session, name: &str) {
    if session.job().is_some() {
        session.send(&NativeReply::Text(format!("search stopped by {name}")));
        session.stop();
    }
}

fn text(error: impl ToString) -> String {
    error.to_string()
}

/// Returns the declaration of an option in the native protocol.
pub(super) fn declaration<S>(option: &OptionSpec<S>) -> Declaration {
    let line = |kind: &str, default: Option<String>| Declaration {
        name: option.name.to_owned(),
        kind: kind.to_owned(),
        default,
        ..Declaration::default()
    };
    match &option.kind {
        Kind::Combo { default, choices, .. } => Declaration {
            choices: choices().into_iter().map(str::to_owned).collect(),
            ..line("combo", Some((*default).to_owned()))
        },
        Kind::Spin { default, bounds: (least, most), .. } => Declaration {
            bounds: Some([least, most].map(|bound| bound.to_string())),
            ..line("spin", Some(default.to_string()))
        },
        Kind::Check { default, .. } => line("check", Some(default.to_string())),
        Kind::Path { .. } => line("string", Some(NO_TEXT.to_owned())),
        Kind::Button(_) => line("button", None),
    }
}

fn info(report: &Report, line: Vec<String>) -> NativeInfo {
    let Report { depth, selective_depth, rank, value, bound, nodes, table_hits, hashfull, time, .. } = *report;
    NativeInfo {
        depth: Some(depth.into()),
        selective_depth: Some(selective_depth.into()),
        rank: Some(rank + 1),
        score: Some((value, bound)),
        nodes: Some(nodes),
        hashfull: Some(hashfull),
        table_hits: Some(table_hits),
        time: Some(time),
        line: Some(line),
        ..NativeInfo::default()
    }
}

fn set_position(game: &mut WrittenGame, start: &Start, moves: &[MoveRecord]) -> Result<(), String> {
    let fen = if let Start::Fen(fen) = start { Some(fen) } else { None };
    game.set_position(fen, moves).map_err(text)
}

fn set_option(session: &mut EngineSession, name: &str, value: Option<&str>) -> Result<(), String> {
    const VARIANT: &str = "UCI_Variant";
    if name.eq_ignore_ascii_case(VARIANT) && value.is_some_and(|value| value.eq_ignore_ascii_case("tavla")) {
        return Err(format!("option {VARIANT}: tavla is not available in this mode; run soffio tavla"));
    }
    let setting = OptionSpec::read(name, value).map_err(text)?;
    let is_variant = matches!(setting, Setting::Variant(_));
    let is_capture = matches!(setting, Setting::ForcedCapture(_));
    let rules_before = session.options().rules();
    session.apply(setting)?;
    let Options { variant, forced_capture, .. } = *session.options();
    let rules = session.options().rules();
    if is_variant || rules != rules_before {
        let forced = if rules == variant { "" } else { " without forced captures" };
        let fen = session.game.fen();
        session.send(&NativeReply::Text(format!("variant {variant}{forced}, start position {fen}")));
    } else if is_capture && !forced_capture && rules == variant {
        session.send(&NativeReply::Text(format!("captures are always forced in {variant}")));
    }
    Ok(())
}

fn probe(session: &mut EngineSession) -> Result<(), String> {
    let found = session.probe().ok_or("probe there is no endgame table for this position")?;
    let text = |verdict: Option<Verdict>| verdict.map(|verdict| verdict.to_string());
    let moves = found.moves.into_iter().map(|(mv, verdict)| (session.game.text(mv), text(verdict))).collect();
    session.send(&NativeReply::Probe { value: found.position.to_string(), moves });
    Ok(())
}

fn limits(session: &EngineSession, go: &Go) -> Result<Limits, String> {
    let clock = go.clock(session.game.side());
    let clock = clock.map_err(|missing| format!("go needs {missing}, the clock of the side to move"))?;
    let root_moves = session.game.resolve(&go.search_moves).map_err(text)?;
    let Limits { overhead, ponders, analysis, threads, lines, .. } = session.engine().limits();
    let infinite = go.is_open_ended();
    Ok(Limits { clock, root_moves, infinite, overhead, ponders, analysis, threads, lines, ..go.limits.clone() })
}

fn search(session: &mut EngineSession, go: &Go, instant: Moment) -> Result<(), String> {
    let limits = limits(session, go)?;
    let win_in = limits.win_in;
    session.search(limits, instant).map_err(|error| format!("go {error}"))?;
    if let Some(moves) = win_in
        && session.game.game().legal_moves().is_empty()
    {
        session.send(&NativeReply::Text(without_move(session, moves)));
    }
    Ok(())
}

fn without_move(session: &EngineSession, moves: u16) -> String {
    match session.game.status() {
        // In losing draughts, for example, a side without a legal move has won.
        Status::Won { winner, .. } if winner == session.game.side() => "already won".to_owned(),
        _ => no_win(moves),
    }
}

fn no_win(moves: u16) -> String {
    format!("no win in {}", in_moves(moves))
}

fn in_moves(moves: u16) -> String {
    let plural = if moves == 1 { "" } else { "s" };
    format!("{moves} move{plural}")
}

fn display(session: &mut EngineSession) {
    let game = &session.game;
    let reply = NativeReply::Board {
        drawing: game.drawing(),
        side: game.side().to_string(),
        status: game.status(),
        fen: game.fen().to_string(),
    };
    session.send(&reply);
}
