//! Version 2 of the Hub protocol, which GUIs and servers for international draughts use. `docs/hub.md` describes the
//! protocol. Unknown input is silently ignored, as the original specification requires. Where the specification leaves
//! a question open, this module does what existing clients expect.

mod parameters;

use super::{EngineSession, JobEffect, Session, SessionDialect};
use crate::book::Candidate;
use crate::clock::Moment;
use crate::engine::{Bound, Event, Limits, Options, Report, Setting, SquareStyle, Strength, Value};
use crate::game::Move;
use crate::rules::Variant;
use crate::system::reason;
use crate::wire::hub::{HubCommand, HubInfo, HubLevel, HubReply, HubScore, Mode, PositionText};
use parameters::PARAMETERS;
use std::time::Duration;

/// Pause before a line that a client waits for. Some clients look for such a line only when new input arrives, and
/// would miss it if it arrived together with other lines. The pause is long enough for clients that read slowly on a
/// busy machine.
const PAUSE_BEFORE_WAIT: Duration = Duration::from_millis(50);
const PAUSE_BEFORE_DONE: Duration = Duration::from_millis(5);

/// The dialect of sessions that use the Hub protocol.
#[derive(Debug, Default)]
pub struct Hub {
    name: Option<String>,
    new_level: Option<HubLevel>,
    last_level: HubLevel,
    has_no_position: bool,
    shown: ReportLog,
}

impl SessionDialect for Hub {
    type Session = EngineSession;
    type Command = HubCommand;

    /// Hub sessions default to international draughts and to Hub move notation.
    fn begin(&mut self, session: &mut EngineSession) {
        for setting in [Setting::Variant(Variant::International), Setting::Squares(SquareStyle::Hub)] {
            session.apply(setting).unwrap_or_else(|failure| Self::reject(session, failure));
        }
    }

    fn read(line: &str) -> Result<Option<HubCommand>, String> {
        HubCommand::read(line)
    }

    fn job_effect(command: &HubCommand) -> JobEffect {
        match command {
            HubCommand::Ping => JobEffect::Immediate,
            HubCommand::Go(_) => JobEffect::StartJob,
            // A client that sends one of these commands during an open-ended search no longer wants the answer to this
            // search.
            HubCommand::Position(_) | HubCommand::NewGame => JobEffect::StopOpenEnded,
            HubCommand::Stop => JobEffect::Stop,
            HubCommand::PonderHit => JobEffect::PonderHit,
            HubCommand::Quit => JobEffect::Quit,
            _ => JobEffect::InOrder,
        }
    }

    fn is_held(session: &EngineSession) -> bool {
        session.job().is_some()
    }

    fn execute(&mut self, session: &mut EngineSession, command: HubCommand, instant: Moment) {
        match command {
            HubCommand::Hub => introduce(session, self.name.as_deref()),
            HubCommand::Init => {
                let result = session.prepare().map_err(|error| parameters::renamed(&error, None));
                result.unwrap_or_else(|failure| Self::reject(session, failure));
                session.send(&HubReply::Ready);
            }
            HubCommand::SetParam { name, value } => set_parameter(session, &name, &value),
            HubCommand::NewGame => session.clear_hash(),
            HubCommand::Position(text) => {
                let result = set_position(session, &text);
                self.has_no_position = result.is_err();
                result.unwrap_or_else(|failure| Self::reject(session, failure));
            }
            HubCommand::Level(level) => self.new_level = Some(self.new_level.unwrap_or_default().combined_with(level)),
            HubCommand::Go(mode) => self.search(session, mode, instant),
            HubCommand::PonderHit => {
                // If no search is pondering, the command has come too late and is ignored.
                session.ponder_hit(instant);
            }
            HubCommand::Stop => session.stop(),
            HubCommand::Ping => session.send(&HubReply::Pong),
            HubCommand::Quit => session.quit(),
        }
    }

    fn reject(session: &mut EngineSession, error: impl ToString) {
        session.send(&HubReply::Error(reason(error.to_string())));
    }

    fn report(&mut self, session: &mut EngineSession, event: Event) {
        match event {
            Event::Report(report) => {
                if let Some(report) = self.shown.take(report) {
                    show(session, report);
                }
            }
            Event::Book { chosen: Candidate { mv, record }, .. } => {
                let (depth, line) = (Some(record.depth.into()), vec![session.game.text(mv)]);
                let score = record.score.value().map(|value| score(session, value));
                let (nodes, time) = (Some(0), Some(Duration::ZERO));
                session.send(&HubReply::Info(HubInfo { depth, score, nodes, time, line }));
            }
            Event::BestMove { best, reply } => self.answer(session, best, reply),
            Event::Failed { message, fallback } => {
                Self::reject(session, format!("search aborted by an internal error: {message}"));
                self.answer(session, fallback, None);
            }
            Event::Current(_)
            | Event::NoWin(_)
            | Event::Undecided(_)
            | Event::Perft { .. }
            | Event::BenchVariant(_)
            | Event::BenchDone { .. } => {}
        }
    }
}

impl Hub {
    /// Returns whether `line` starts a session in the Hub protocol.
    pub fn begins_with(line: &str) -> bool {
        line.trim() == "hub"
    }

    /// Creates the dialect for an engine that identifies itself as `name`, or with the default name if `name` is
    /// `None`.
    #[must_use]
    pub fn named(name: Option<String>) -> Self {
        Self { name, ..Self::default() }
    }

    fn answer(&mut self, session: &mut EngineSession, best: Option<Move>, reply: Option<Move>) {
        if let Some(report) = self.shown.before_answer(best) {
            show(session, report);
        }
        let line: Vec<_> = best.into_iter().chain(reply).collect();
        let mut texts = session.game.line_text(&line).into_iter();
        session.send_after(PAUSE_BEFORE_DONE, &HubReply::Done { best: texts.next(), ponder: texts.next() });
    }

    fn search(&mut self, session: &mut EngineSession, mode: Mode, instant: Moment) {
        let level = match (self.new_level.take(), mode) {
            (Some(level), _) => level,
            // Limits apply to all moves of a game until they are replaced, but not to an analysis.
            (None, Mode::Think | Mode::Ponder) => self.last_level,
            (None, Mode::Analyze) => HubLevel::default(),
        };
        if mode != Mode::Analyze {
            self.last_level = level;
        }
        let usual = session.engine().limits();
        let Options { style, strength, .. } = *session.options();
        let spread = if style.player.is_none() && mode != Mode::Analyze { level.spread() } else { 0 };
        let limits = Limits {
            depth: level.depth,
            nodes: level.nodes,
            move_time: level.move_time,
            clock: level.clock(),
            infinite: level.is_open_ended(),
            ponder: mode == Mode::Ponder,
            analysis: mode == Mode::Analyze,
            handicap: Strength { spread, ..strength }.handicap(session.game.game().ply() as u64),
            // The line of the chosen move must be printed, so all candidates are reported.
            lines: if spread > 0 { Strength::CANDIDATES } else { usual.lines },
            ..usual
        };
        let result = if self.has_no_position {
            Err("go needs a position; send pos first".to_owned())
        } else {
            session.search(limits, instant).map_err(|error| format!("go {error}"))
        };
        if let Err(failure) = result {
            Self::reject(session, failure);
            // The reply is sent even after an error, because the client waits for an answer.
            session.send_after(PAUSE_BEFORE_DONE, &HubReply::Done { best: None, ponder: None });
        }
    }
}

fn show(session: &mut EngineSession, report: Report) {
    let line = session.game.line_text(&report.line);
    let Report { depth, value, nodes, time, .. } = report;
    let (depth, score) = (Some(depth.into()), Some(score(session, value)));
    session.send(&HubReply::Info(HubInfo { depth, score, nodes: Some(nodes), time: Some(time), line }));
}

fn score(session: &EngineSession, value: Value) -> HubScore {
    HubScore::from_value(value, session.game.variant().spec().objective)
}

fn introduce(session: &mut EngineSession, name: Option<&str>) {
    let names = [name.unwrap_or("Soffio"), env!("CARGO_PKG_VERSION"), "the Soffio developers", "Italy"];
    let [name, version, author, country] = names.map(str::to_owned);
    session.send(&HubReply::Id { name, version, author, country });
    for declaration in PARAMETERS.iter().filter_map(|parameter| parameter.declaration()) {
        session.send(&HubReply::Param(declaration));
    }
    session.send_after(PAUSE_BEFORE_WAIT, &HubReply::Wait);
}

fn set_parameter(session: &mut EngineSession, name: &str, value: &str) {
    let result = match parameters::read(name, value) {
        // Unknown parameters are not an error, because clients also send the parameters of other engines.
        None => Ok(()),
        Some(setting) => {
            setting.and_then(|setting| session.apply(setting).map_err(|error| parameters::renamed(&error, Some(name))))
        }
    };
    result.unwrap_or_else(|failure| Hub::reject(session, failure));
}

fn set_position(session: &mut EngineSession, text: &PositionText) -> Result<(), String> {
    let position = text.position(session.options().variant.spec())?;
    let moves = text.moves()?;
    session.game.set_position(Some(&position), &moves).map_err(|error| error.to_string())
}

/// The lines that one search has reported. The best move sent to the client is always the first move of the last line
/// printed.
#[derive(Debug, Default)]
struct ReportLog {
    known: Vec<Report>,
    last: Option<Move>,
}

impl ReportLog {
    /// Stores a report. Returns the report if it must be printed at once.
    fn take(&mut self, report: Report) -> Option<Report> {
        // The protocol cannot express bounds or secondary lines, and clients would misread them.
        let is_shown = report.bound == Bound::Exact && report.rank == 0;
        self.known.retain(|known| known.line.first() != report.line.first());
        self.known.push(report.clone());
        if is_shown {
            self.last = report.line.first().copied();
        }
        is_shown.then_some(report)
    }

    fn before_answer(&mut self, best: Option<Move>) -> Option<Report> {
        let Self { known, last } = std::mem::take(self);
        let best = best.filter(|&best| last != Some(best))?;
        known.into_iter().find(|report| report.line.first() == Some(&best))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

    /// Returns the legal move at `index` in the start position, and the report of a line that starts with this move.
    fn report(index: usize, rank: usize, bound: Bound) -> (Move, Report) {
        let first = Game::new(Variant::International).legal_moves()[index];
        (first, Report { depth: 3, rank, bound, line: vec![first], ..Report::default() })
    }

    #[test]
    fn only_the_best_line_with_an_exact_score_is_reported_at_once() {
        let mut shown = ReportLog::default();
        let (first, exact) = report(0, 0, Bound::Exact);
        assert_eq!(shown.take(exact.clone()), Some(exact));
        assert_eq!(shown.take(report(0, 0, Bound::Upper).1), None);
        assert_eq!(shown.take(report(1, 1, Bound::Exact).1), None);
        assert_eq!(shown.before_answer(Some(first)), None);
    }

    #[test]
    fn the_line_of_a_different_answer_is_reported_before_it() {
        let mut shown = ReportLog::default();
        let (second, early) = report(1, 0, Bound::Lower);
        let late = Report { depth: 4, ..early.clone() };
        let (third, other) = report(2, 1, Bound::Exact);
        shown.take(report(0, 0, Bound::Exact).1);
        assert!([early, other, late.clone()].into_iter().all(|other| shown.take(other).is_none()));
        assert_eq!(shown.before_answer(Some(second)), Some(late));
        assert_eq!(shown.before_answer(Some(third)), None, "the answer resets the stored lines");
        assert_eq!(shown.before_answer(None), None);
    }
}
