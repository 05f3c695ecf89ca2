//! An engine process that uses a line protocol, for draughts or tavla.

use super::{EXIT_TIMEOUT, EndedGame, EngineClient, MatchContext, NewGame, QUIT_TIMEOUT};
use crate::answer::{EngineFault, MoveAnswer, MoveEvaluation, NoAnswer};
use crate::control::SideClock;
use crate::line_protocol::{ProtocolLine, SearchRequest};
use crate::process::{NoLine, Process};
use crate::usage::Usage;
use crate::{EngineSpec, LineProtocol, MoveTexts, Program};
use soffio::wire::hub::Mode;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(crate) struct LineClient {
    spec: Arc<EngineSpec>,
    protocol: LineProtocol,
    process: Process,
    context: MatchContext,
    /// Processor usage when the move was requested. It is recorded only if the time for the move is limited.
    usage: Usage,
    /// Moves that lead to the position on which the engine is pondering. The last one is the expected reply. `None` if
    /// the engine is not pondering.
    pondered: Option<Vec<MoveTexts>>,
}

const MAX_LINES: usize = 256;

/// If `reason` is that the engine did not answer, adds `command` and `hint` to it. Returns all other reasons unchanged.
fn unanswered(reason: NoAnswer, command: &str, hint: &str) -> NoAnswer {
    if reason == NoAnswer::Fault(EngineFault::Stall) {
        EngineFault::NotStarted { problem: format!("no answer to '{command}'{hint}") }.into()
    } else {
        reason
    }
}

impl LineClient {
    /// Starts the engine, passes the list of variants that it supports to `choose`, and sends it the lines that
    /// `choose` returns. Fails if the engine cannot be started or does not answer, or if `choose` fails.
    pub(crate) fn start(
        spec: &Arc<EngineSpec>,
        protocol: LineProtocol,
        program: &Program,
        choose: impl FnOnce(&[String]) -> Result<Option<String>, String>,
        context: &MatchContext,
    ) -> Result<Self, NoAnswer> {
        let process = Process::start(&spec.name, program, &context.cores, true);
        let process = process.map_err(|error| program.not_started(&error))?;
        let mut player = Self {
            spec: Arc::clone(spec),
            protocol,
            process,
            context: context.clone(),
            usage: Usage::default(),
            pondered: None,
        };
        let greeting = protocol.greeting();
        player.process.send(greeting.clone());
        let mut known = Vec::new();
        player
            .answer(context.timeouts.stall, |line| {
                if let ProtocolLine::Variants(names) = line {
                    known.clone_from(names);
                }
                matches!(line, ProtocolLine::Introduced)
            })
            .map_err(|reason| unanswered(reason, &greeting, "; if it uses another protocol, set proto="))?;
        let choice = choose(&known).map_err(|problem| EngineFault::NotStarted { problem })?;
        let options = spec.options.iter().map(|(name, value)| protocol.set_option(name, value));
        let ponder = spec.ponders.then(|| protocol.announce_ponder());
        let lines: Vec<_> = choice.into_iter().chain(options).chain(ponder).collect();
        let query = protocol.readiness(true).unwrap_or_default();
        player.send_in_turn(&lines, None, true).map_err(|reason| unanswered(reason, &query, ""))?;
        Ok(player)
    }

    fn margin(&self) -> Duration {
        self.spec.margin.unwrap_or(self.context.timeouts.margin)
    }

    /// Stops a search that has exceeded its time. The resulting fault depends on whether the engine still answers.
    fn stop_late(&mut self, requested: Instant, allowed: Option<Duration>) -> NoAnswer {
        self.process.send("stop".to_owned());
        let answer = self
            .answer(self.context.timeouts.stall.min(QUIT_TIMEOUT), |line| matches!(line, ProtocolLine::BestMove(..)));
        match (answer, allowed) {
            (Ok(_), Some(allowed)) => {
                let over = requested.elapsed().saturating_sub(allowed) + self.margin();
                self.too_late(requested, over)
            }
            (Ok(_), None) => EngineFault::Stall.into(),
            (Err(reason), _) => reason,
        }
    }

    fn too_late(&mut self, requested: Instant, over: Duration) -> NoAnswer {
        self.context.too_late(requested, &self.usage, over, Some(&mut self.process))
    }

    /// Sends `lines` and `next`. If the protocol can query readiness, waits for the answer and returns the time of the
    /// answer; otherwise returns the current time. Lines that arrived from the engine earlier belong to a previous
    /// request, so a move or an error among them is a fault.
    fn send_in_turn(&mut self, lines: &[String], next: Option<String>, at_start: bool) -> Result<Instant, NoAnswer> {
        let readiness = self.protocol.readiness(at_start);
        let has_query = readiness.is_some();
        // A line that has already arrived does not answer this request.
        let waiting = std::iter::from_fn(|| self.process.waiting_line());
        if let Some(fault) = waiting.filter_map(|(_, text)| self.unrequested(text)).next() {
            return Err(fault.into());
        }
        // Send everything at once, because waiting for the answer in between would cost an additional round trip.
        let text: Vec<_> = lines.iter().cloned().chain(readiness).chain(next).collect();
        self.process.send(text.join("\n"));
        if has_query {
            self.answer(self.context.timeouts.stall, |line| matches!(line, ProtocolLine::Ready))
        } else {
            Ok(Instant::now())
        }
    }

    fn unrequested(&self, text: String) -> Option<EngineFault> {
        match self.protocol.read(&text) {
            ProtocolLine::BestMove(..) => Some(EngineFault::ExtraAnswer { line: text }),
            ProtocolLine::Error => Some(EngineFault::Rejected { line: text }),
            _ => None,
        }
    }

    /// Waits for a line that `is_answer` accepts, and returns the time at which it was read. A move or an error that
    /// arrives earlier is a fault.
    fn answer(
        &mut self,
        time: Duration,
        mut is_answer: impl FnMut(&ProtocolLine) -> bool,
    ) -> Result<Instant, NoAnswer> {
        let deadline = Instant::now() + time;
        loop {
            let (instant, text) =
                self.process.line(deadline, &self.context.stop).map_err(|reason| self.no_line(reason))?;
            let line = self.protocol.read(&text);
            if is_answer(&line) {
                return Ok(instant);
            }
            if let Some(fault) = self.unrequested(text) {
                return Err(fault.into());
            }
            if Instant::now() > deadline {
                return Err(EngineFault::Stall.into());
            }
        }
    }

    fn end_ponder(&mut self) -> Result<(), NoAnswer> {
        self.process.send("stop".to_owned());
        self.answer(self.context.timeouts.stall, |line| matches!(line, ProtocolLine::BestMove(..))).map(drop)
    }

    fn request(&mut self, request: &SearchRequest<'_>) -> Result<Instant, NoAnswer> {
        match self.pondered.take() {
            Some(moves) if moves == request.moves => {
                self.process.send(self.protocol.ponder_hit());
                return Ok(Instant::now());
            }
            Some(_) => self.end_ponder()?,
            None => {}
        }
        let go = self.protocol.go(&self.spec.control, request, Mode::Think);
        self.send_in_turn(&[self.protocol.position(request)], Some(go), false)
    }

    fn move_after(&mut self, requested: Instant, clock: Option<&SideClock>) -> Result<MoveAnswer, NoAnswer> {
        let protocol = self.protocol;
        let allowed = self.spec.control.allowed(clock).map(|time| time + self.margin());
        let deadline = requested + allowed.unwrap_or(self.context.timeouts.stall);
        let mut evaluation = MoveEvaluation::default();
        let mut lines: Vec<Vec<String>> = Vec::new();
        loop {
            let (instant, text) = match self.process.line(deadline, &self.context.stop) {
                Ok(line) => line,
                Err(NoLine::Timeout) => return Err(self.stop_late(requested, allowed)),
                Err(reason) => return Err(self.no_line(reason)),
            };
            match protocol.read(&text) {
                ProtocolLine::Info(info, line) => {
                    evaluation = info.or(evaluation);
                    if !line.is_empty() && lines.len() < MAX_LINES && lines.last() != Some(&line) {
                        lines.push(line);
                    }
                }
                ProtocolLine::BestMove(text, expected) => {
                    evaluation.time = instant.saturating_duration_since(requested);
                    let over = allowed.and_then(|allowed| evaluation.time.checked_sub(allowed));
                    return match over.filter(|over| !over.is_zero()) {
                        None => Ok(MoveAnswer { text, evaluation, expected, lines }),
                        Some(over) => Err(self.too_late(requested, over + self.margin())),
                    };
                }
                ProtocolLine::Error => return Err(EngineFault::Rejected { line: text }.into()),
                _ => {}
            }
            // An engine that prints continuously must not evade its time limit.
            if Instant::now() > deadline {
                return Err(self.stop_late(requested, allowed));
            }
        }
    }

    fn no_line(&mut self, reason: NoLine) -> NoAnswer {
        match reason {
            NoLine::Stopped => NoAnswer::Stopped,
            NoLine::Timeout => EngineFault::Stall.into(),
            NoLine::Closed => match self.process.exit_within(EXIT_TIMEOUT) {
                Some(status) => self.process.crash(status).into(),
                None => EngineFault::Disconnect { problem: "the engine closed its output".to_owned() }.into(),
            },
        }
    }
}

impl EngineClient for LineClient {
    fn new_game(&mut self, _: &NewGame<'_>) -> Result<(), NoAnswer> {
        self.process.find_group();
        self.send_in_turn(&[self.protocol.new_game()], None, false).map(drop)
    }

    fn think(&mut self, request: &SearchRequest<'_>) -> Result<MoveAnswer, NoAnswer> {
        if self.spec.control.allowed(request.clock()).is_some() {
            self.usage = self.process.usage();
        }
        let requested = self.request(request)?;
        self.move_after(requested, request.clock())
    }

    fn ponder(&mut self, request: &SearchRequest<'_>) {
        let go = self.protocol.go(&self.spec.control, request, Mode::Ponder);
        self.process.send(format!("{}\n{go}", self.protocol.position(request)));
        self.pondered = Some(request.moves.to_vec());
    }

    fn end_game(&mut self, _: &EndedGame<'_>) -> bool {
        // The line protocols do not announce the end of a game: the next position implies it.
        self.pondered.take().is_none() || self.end_ponder().is_ok()
    }

    fn request_quit(&mut self) {
        self.process.send("stop\nquit".to_owned());
    }

    fn end(&mut self, time: Duration) {
        self.process.end(time);
    }
}
