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
    /// The answer came too late. Meanwhile the engine had to wait for a processor for `held_up`, and this program itself for `machine`, if
    /// that was unusual.
    #[error("{} ms too late{}", over.as_millis(), waited(*held_up, *machine))]
    Time { over: Duration, held_up: Duration, machine: Option<Duration> },
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

fn waited(held_up: Duration, machine: Option<Duration>) -> String {
    let mut text = match held_up.as_millis() {
        0 => String::new(),
        ms => format!(", having waited {ms} ms for a processor"),
    };
    if let Some(delay) = machine.filter(|delay| *delay > held_up) {
        text += &format!(", while the machine let the match itself wait up to {} ms", delay.as_millis());
    }
    text
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

    /// Returns true if the machine is to blame: without waiting for it the engine would have been in time.
    pub(super) fn is_of_the_machine(&self) -> bool {
        matches!(self, Self::Time { over, held_up, machine } if *held_up.max(&machine.unwrap_or_default()) >= *over)
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
        let fault = |held_up, machine: Option<u64>| Fault::Time {
            over: Duration::from_millis(20),
            held_up: Duration::from_millis(held_up),
            machine: machine.map(Duration::from_millis),
        };
        assert_eq!(fault(0, None).to_string(), "20 ms too late");
        assert_eq!(fault(31, None).to_string(), "20 ms too late, having waited 31 ms for a processor");
        let text = fault(0, Some(466)).to_string();
        assert_eq!(text, "20 ms too late, while the machine let the match itself wait up to 466 ms");
        let blamed = [(0, None), (19, Some(19)), (0, Some(20)), (20, None)];
        assert_eq!(blamed.map(|(held_up, ms)| fault(held_up, ms).is_of_the_machine()), [false, false, true, true]);
    }
}
