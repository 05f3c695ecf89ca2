//! The answers of an engine: moves with what was told about them, or what it did wrong.

use super::Program;
use soffio::engine::Value;
use std::io;
use std::time::Duration;

/// Returns `score` in 1/100 man; wins and losses are beyond every other score.
pub(super) fn centimen(score: Value) -> i32 {
    match score {
        Value::Centimen(value) => value.into(),
        Value::Win(_) => i32::MAX,
        Value::Loss(_) => -i32::MAX,
    }
}

/// The last words of an engine about its search before its move, and the time that the move took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveEvaluation {
    /// For the side to move.
    pub score: Option<Value>,
    /// Depth in plies.
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// Time of the search, as the engine told last.
    pub told: Option<Duration>,
    /// Time from the question to the answer, as measured here.
    pub time: Duration,
}

impl MoveEvaluation {
    /// Completes this by what `earlier` says about the rest.
    pub(super) fn or(self, earlier: Self) -> Self {
        Self {
            score: self.score.or(earlier.score),
            depth: self.depth.or(earlier.depth),
            nodes: self.nodes.or(earlier.nodes),
            told: self.told.or(earlier.told),
            time: earlier.time,
        }
    }
}

pub(crate) struct MoveAnswer {
    pub(crate) text: String,
    pub(crate) evaluation: MoveEvaluation,
    /// The reply that the engine expects.
    pub(crate) expected: Option<String>,
    /// The lines that it told during the search.
    pub(crate) lines: Vec<Vec<String>>,
}

/// The reason why an engine gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoAnswer {
    /// The match is being stopped.
    #[error("stopped")]
    Stopped,
    #[error("resigned")]
    Resigns,
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// A fault of an engine, by which it has lost the game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error("{problem}")]
    NotStarted { problem: String },
    /// The process ended; `status` is how, in the words of the system.
    #[error("the process ended ({status})")]
    Crash { status: String },
    /// The process lives on, but nothing more comes from it.
    #[error("{problem}")]
    Disconnect { problem: String },
    /// No answer at all, even after it was told to stop.
    #[error("no answer")]
    Stall,
    /// The answer came too late; `machine` is how late the machine let this program itself go on meanwhile, if that was unusual.
    #[error("{} ms too late{}", over.as_millis(), waited(*machine))]
    Time { over: Duration, machine: Option<Duration> },
    #[error("{text}: {reason}")]
    IllegalMove { text: String, reason: String },
    #[error("not asked for: {line}")]
    ExtraAnswer { line: String },
    /// It ended a game that goes on.
    #[error("the game goes on: {line}")]
    FalseEnd { line: String },
    /// It did not accept a position, option or game that is correct.
    #[error("refused: {line}")]
    Refused { line: String },
}

fn waited(machine: Option<Duration>) -> String {
    let text =
        |delay: Duration| format!(", while the machine let the match itself wait up to {} ms", delay.as_millis());
    machine.map(text).unwrap_or_default()
}

impl Fault {
    /// The fault that the program of an engine cannot be started.
    pub(super) fn not_started(program: &Program, error: &io::Error) -> Self {
        Self::NotStarted { problem: format!("{} cannot be started: {error}", program.words.join(" ")) }
    }

    /// Returns the kind that it is counted as.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::NotStarted { .. } | Self::Crash { .. } => "crash",
            Self::Disconnect { .. } => "disconnect",
            Self::Stall => "stall",
            Self::Time { .. } => "time",
            Self::IllegalMove { .. } => "illegal move",
            Self::ExtraAnswer { .. } => "extra answer",
            Self::FalseEnd { .. } => "false end",
            Self::Refused { .. } => "refused",
        }
    }

    /// Returns true if a machine that was as late as the engine may be to blame.
    pub(super) fn may_be_the_machine(&self) -> bool {
        matches!(self, Self::Time { over, machine: Some(delay) } if delay >= over)
    }

    /// Returns true if the process can still be talked to.
    pub fn leaves_process_usable(&self) -> bool {
        matches!(self, Self::Time { .. } | Self::IllegalMove { .. } | Self::FalseEnd { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loss_on_time_tells_when_the_machine_was_late_too() {
        let fault = |machine: Option<u64>| Fault::Time {
            over: Duration::from_millis(20),
            machine: machine.map(Duration::from_millis),
        };
        assert_eq!(fault(None).to_string(), "20 ms too late");
        let text = fault(Some(466)).to_string();
        assert_eq!(text, "20 ms too late, while the machine let the match itself wait up to 466 ms");
        let blamed = [None, Some(19), Some(20)].map(|ms| fault(ms).may_be_the_machine());
        assert_eq!(blamed, [false, false, true]);
    }
}
