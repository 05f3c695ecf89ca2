//! Drives the engine under test: sends it positions from random games, and checks its answers.

use super::position::{TestPosition, find};
use crate::answer::MoveEvaluation;
use crate::line_protocol::{ProtocolLine, SearchRequest};
use crate::process::{NoLine, Process};
use crate::{Control, EngineSpec, LineProtocol, Program, SideClock, Stop, Timeouts};
use soffio::notation::printable;
use soffio::rules::Variant;
use soffio::system::reason;
use soffio::wire::hub::{Mode, PositionText};
use std::time::{Duration, Instant};

/// How long to wait for lines that the engine must not print.
pub(super) const SILENCE: Duration = Duration::from_millis(200);

const MAX_LINES: usize = 100_000;

pub(super) struct TestedEngine<'a> {
    pub(super) spec: &'a EngineSpec,
    pub(super) protocol: LineProtocol,
    pub(super) program: &'a Program,
    pub(super) variant: Variant,
    pub(super) timeouts: Timeouts,
    pub(super) stop: Stop,
    pub(super) process: Option<Process>,
    pub(super) introduction: Vec<String>,
}

impl TestedEngine<'_> {
    /// Returns the time limit for an answer that needs no search; two seconds by default.
    pub(super) fn reply_timeout(&self) -> Duration {
        self.timeouts.stall / 30
    }

    /// Returns the time limit for a search that ends on its own; ten seconds by default.
    pub(super) fn search_timeout(&self) -> Duration {
        self.timeouts.stall / 6
    }

    pub(super) fn start(&mut self) -> Result<(), String> {
        self.process = None;
        let process = Process::start(&self.spec.name, self.program, &[], true);
        self.process = Some(process.map_err(|error| format!("cannot start: {}", reason(error)))?);
        Ok(())
    }

    fn process(&mut self) -> Result<&mut Process, String> {
        if self.process.is_none() {
            self.start()?;
            self.introduce()?;
        }
        self.process.as_mut().ok_or_else(|| "not running".to_owned())
    }

    pub(super) fn introduce(&mut self) -> Result<(), String> {
        let protocol = self.protocol;
        let (last, ready) = match protocol {
            LineProtocol::Native => ("uciok", "readyok"),
            LineProtocol::Hub => ("wait", "ready"),
        };
        self.introduction = self.query(&protocol.greeting(), last, self.reply_timeout())?;
        let known = self.introduction.iter().find_map(|line| match protocol.read(line) {
            ProtocolLine::Variants(names) => Some(names),
            _ => None,
        });
        let choice = protocol.choose(self.variant, &known.unwrap_or_default())?;
        let options = self.spec.options.iter().map(|(name, value)| protocol.set_option(name, value));
        let lines: Vec<_> = choice.into_iter().chain(options).chain(protocol.readiness(true)).collect();
        self.query(&lines.join("\n"), ready, self.reply_timeout()).map(drop)
    }

    pub(super) fn introduction(&mut self) -> Result<&[String], String> {
        self.process()?;
        Ok(&self.introduction)
    }

    pub(super) fn send(&mut self, text: &str) -> Result<(), String> {
        self.process()?.send(text.to_owned());
        Ok(())
    }

    pub(super) fn query(&mut self, text: &str, last: &str, time: Duration) -> Result<Vec<String>, String> {
        self.send(text)?;
        self.until(last, time)
    }

    pub(super) fn until(&mut self, last: &str, time: Duration) -> Result<Vec<String>, String> {
        let deadline = Instant::now() + time;
        let stop = self.stop.clone();
        let process = self.process()?;
        let mut lines = Vec::new();
        loop {
            match process.line(deadline, &stop) {
                Ok((_, line)) => {
                    let is_last = line.split_ascii_whitespace().next() == Some(last);
                    lines.push(line);
                    if is_last {
                        return Ok(lines);
                    }
                    if lines.len() > MAX_LINES || Instant::now() > deadline {
                        return Err(format!("no '{last}' within {} lines", lines.len()));
                    }
                }
                Err(NoLine::Timeout) => return Err(format!("no '{last}' within {} s", time.as_secs_f64())),
                Err(NoLine::Closed) => return Err(format!("exited before '{last}'")),
                Err(NoLine::Stopped) => return Err("stopped".to_owned()),
            }
        }
    }

    /// Checks that no line that starts with one of `words` arrives within [`SILENCE`]. If `words` is empty, no line at
    /// all may arrive.
    pub(super) fn expect_silence(&mut self, words: &[&str]) -> Result<(), String> {
        let deadline = Instant::now() + SILENCE;
        let stop = self.stop.clone();
        let process = self.process()?;
        while let Ok((_, line)) = process.line(deadline, &stop) {
            let first = line.split_ascii_whitespace().next().unwrap_or_default();
            if words.is_empty() || words.contains(&first) {
                return Err(format!("unexpected output '{}'", printable(line.chars())));
            }
            if Instant::now() > deadline {
                break;
            }
        }
        Ok(())
    }

    /// Sends `text` or, if it is `None`, closes the engine's input. Then checks that the engine exits within half of
    /// [`Self::reply_timeout`].
    pub(super) fn expect_exit_after(&mut self, text: Option<&str>) -> Result<(), String> {
        let time = self.reply_timeout() / 2;
        let process = self.process()?;
        match text {
            Some(text) => process.send(text.to_owned()),
            None => process.close_input(),
        }
        let ended = process.exit_within(time);
        self.process = None;
        ended.map(drop).ok_or_else(|| format!("still running {} s later", time.as_secs_f64()))
    }

    pub(super) fn last_word(&self) -> &'static str {
        match self.protocol {
            LineProtocol::Native => "bestmove",
            LineProtocol::Hub => "done",
        }
    }

    pub(super) fn introduced(&mut self, starts: &[&str]) -> Result<impl Iterator<Item = &String>, String> {
        let is_wanted = move |line: &&String| starts.iter().any(|start| line.starts_with(start));
        Ok(self.introduction()?.iter().filter(is_wanted))
    }

    pub(super) fn check_greeting(&mut self, start: &str) -> Result<(), String> {
        let is_there = self.introduced(&[start])?.next().is_some();
        if is_there { Ok(()) } else { Err(format!("no line begins with '{}'", start.trim_end())) }
    }

    pub(super) fn check_ping(&mut self) -> Result<(), String> {
        let (request, answer) = match self.protocol {
            LineProtocol::Native => ("isready", "readyok"),
            LineProtocol::Hub => ("ping", "pong"),
        };
        self.query(request, answer, self.reply_timeout()).map(drop)
    }

    /// Sends `line` and checks that the engine still answers. A Hub engine must also print nothing, because Hub
    /// requires no answer to these lines.
    pub(super) fn expect_alive(&mut self, line: &str) -> Result<(), String> {
        self.send(line)?;
        if self.protocol == LineProtocol::Hub {
            self.expect_silence(&[])?;
        }
        self.check_ping()
    }

    /// Has the engine search the sample position, and returns the output. The engine receives the whole game if
    /// `is_whole_game` is true, otherwise only the position.
    pub(super) fn think(
        &mut self,
        sample: &TestPosition,
        is_whole_game: bool,
        control: &Control,
    ) -> Result<Vec<String>, String> {
        let clock = control.clock.as_ref().map(SideClock::new);
        let (start, hub_start, moves) = match is_whole_game {
            true => (None, &sample.hub_start, sample.moves.as_slice()),
            false => (Some(&sample.fen), &sample.hub, Default::default()),
        };
        let (side, clocks, last_took) = (sample.side, [clock.as_ref(); 2], Duration::ZERO);
        let request = SearchRequest { start, hub_start, moves, side, clocks, last_took, dice: "" };
        let (position, go) = (self.protocol.position(&request), self.protocol.go(control, &request, Mode::Think));
        let lines = self.query(&format!("{position}\n{go}"), self.last_word(), self.search_timeout())?;
        check_all(|line| !line.starts_with("error"), &lines, "an error")?;
        Ok(lines)
    }

    pub(super) fn check_search(&mut self, control: &Control) -> Result<Vec<String>, String> {
        let start = find(self.variant, |_| true)?;
        self.think(&start, true, control)
    }

    /// Finds a position that `is_wanted` accepts, has the engine search it to depth 1, and checks that the move is
    /// legal.
    pub(super) fn check_move(
        &mut self,
        is_wanted: impl Fn(&TestPosition) -> bool,
        is_whole_game: bool,
    ) -> Result<(), String> {
        let sample = find(self.variant, is_wanted)?;
        let depth = Control { depth: Some(1), ..Control::default() };
        let lines = self.think(&sample, is_whole_game, &depth)?;
        sample.check(&self.best_move(&lines))
    }

    /// Checks that a search of the start position ends within `time` plus the margin. Time spent waiting for a
    /// processor does not count.
    pub(super) fn check_clock(&mut self, control: &Control, time: Duration) -> Result<(), String> {
        // The handshake is not timed.
        self.introduction()?;
        let process = self.process()?;
        process.find_group();
        let (before, requested) = (process.usage(), Instant::now());
        self.check_search(control)?;
        let took = requested.elapsed();
        let held_up = self.process()?.usage().scheduling_delay_since(&before, took);
        let is_in_time = took - held_up <= time + self.timeouts.margin;
        if is_in_time { Ok(()) } else { Err(format!("took {} ms", (took - held_up).as_millis())) }
    }

    pub(super) fn start_analysis(&mut self) -> Result<(), String> {
        let start = find(self.variant, |_| true)?;
        self.send(&match self.protocol {
            LineProtocol::Native => "position startpos\ngo infinite".to_owned(),
            LineProtocol::Hub => {
                format!("{}\nlevel infinite\ngo analyze", PositionText::new(&start.hub_start, []))
            }
        })
    }

    pub(super) fn check_infos(&mut self, is_right: fn(&str) -> bool, problem: &str) -> Result<(), String> {
        let lines = self.check_search(&Control { depth: Some(4), ..Control::default() })?;
        check_all(is_right, lines.iter().filter(|line| line.starts_with("info")), problem)
    }

    pub(super) fn best_move(&self, lines: &[String]) -> String {
        match lines.last().map(|line| self.protocol.read(line)) {
            Some(ProtocolLine::BestMove(text, _)) => text,
            _ => String::new(),
        }
    }
}

pub(super) fn reported(protocol: LineProtocol, lines: &[String]) -> MoveEvaluation {
    lines.iter().fold(MoveEvaluation::default(), |sum, line| match protocol.read(line) {
        ProtocolLine::Info(info, _) => info.or(sum),
        _ => sum,
    })
}

pub(super) fn complete(evaluation: MoveEvaluation) -> Result<(), String> {
    let missing = [
        (evaluation.depth.is_none(), "depth"),
        (evaluation.score.is_none(), "score"),
        (evaluation.nodes.is_none(), "nodes"),
    ];
    let missing: Vec<_> = missing.iter().filter(|(is_missing, _)| *is_missing).map(|(_, name)| *name).collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("no info line has {}", missing.join(", "))) }
}

pub(super) fn check_all<'a>(
    is_right: impl Fn(&str) -> bool,
    lines: impl IntoIterator<Item = &'a String>,
    problem: &str,
) -> Result<(), String> {
    let wrong = lines.into_iter().find(|line| !is_right(line));
    wrong.map_or(Ok(()), |line| Err(format!("{problem}: '{}'", printable(line.chars()))))
}
