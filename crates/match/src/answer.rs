//! An engine's answer: a move with its search information, a resignation or a fault.

use soffio::engine::Value;
use std::time::Duration;
use strum::IntoStaticStr;

/// Returns `score` in cp; wins and losses map to `i32::MAX` and `-i32::MAX`.
pub(super) fn cp(score: Value) -> i32 {
    match score {
        Value::Cp(value) => value.into(),
        Value::Win(_) => i32::MAX,
        Value::Loss(_) => -i32::MAX,
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveEvaluation {
    /// Score from the point of view of the side to move, or `None` if the engine reported none.
    pub score: Option<Value>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// Search time that the engine last reported, or `None` if it reported none.
    pub reported: Option<Duration>,
    /// Time from the request to the answer, measured by the match runner.
    pub time: Duration,
}

impl MoveEvaluation {
    /// Fills the missing fields from `earlier`, and always takes the time from `earlier`.
    pub(super) fn or(self, earlier: Self) -> Self {
        Self {
            score: self.score.or(earlier.score),
            depth: self.depth.or(earlier.depth),
            nodes: self.nodes.or(earlier.nodes),
            reported: self.reported.or(earlier.reported),
            time: earlier.time,
        }
    }
}

pub(crate) struct MoveAnswer {
    pub(crate) text: String,
    pub(crate) evaluation: MoveEvaluation,
    /// The ponder move, or `None` if the engine reported none.
    pub(crate) expected: Option<String>,
    pub(crate) lines: Vec<Vec<String>>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoAnswer {
    #[error("stopped")]
    Stopped,
    #[error("resigned")]
    Resigns,
    #[error(transparent)]
    Fault(#[from] EngineFault),
}

/// An engine fault, which loses the game.
#[derive(Clone, Debug, IntoStaticStr, PartialEq, Eq, thiserror::Error)]
#[strum(serialize_all = "lowercase")]
pub enum EngineFault {
    #[error("{problem}")]
    #[strum(serialize = "crash")]
    NotStarted { problem: String },
    /// The process exited. `status` describes its exit status, and `last_error` is the last line that it printed to
    /// standard error.
    #[error("the process exited ({status}){}", last_error.as_ref().map(|line| format!(": {line}")).unwrap_or_default())]
    Crash { status: String, last_error: Option<String> },
    /// The process still runs, but its output or connection is closed.
    #[error("{problem}")]
    Disconnect { problem: String },
    /// The engine does not answer, even after `stop`.
    #[error("no answer")]
    Stall,
    /// The move exceeded its time by `over`. `held_up` is how long the engine waited for a processor during the move.
    /// `machine` is the longest unusual scheduling delay of this program during the move, or `None` if there was no
    /// such delay.
    #[error("exceeded by {} ms{}", over.as_millis(), waited(*held_up, *machine))]
    Time { over: Duration, held_up: Duration, machine: Option<Duration> },
    #[error("{}: {reason}", shown(text))]
    #[strum(serialize = "illegal move")]
    IllegalMove { text: String, reason: String },
    #[error("unexpected answer: {}", shown(line))]
    #[strum(serialize = "extra answer")]
    ExtraAnswer { line: String },
    /// The engine announced the end of a game that has not ended under the rules.
    #[error("the engine ended a game that is still in progress: {line}")]
    #[strum(serialize = "false game end")]
    FalseEnd { line: String },
    #[error("{}", shown(line))]
    Rejected { line: String },
}

/// Replaces control characters, which could otherwise change the state of the user's terminal.
fn shown(text: &str) -> String {
    text.replace(char::is_control, "?")
}

fn waited(held_up: Duration, machine: Option<Duration>) -> String {
    let mut text = match held_up.as_millis() {
        0 => String::new(),
        ms => format!(", after waiting {ms} ms for a processor"),
    };
    if let Some(delay) = machine.filter(|delay| *delay > held_up) {
        text += &format!(", while the match program itself was delayed by up to {} ms", delay.as_millis());
    }
    text
}

impl EngineFault {
    pub fn kind(&self) -> &'static str {
        self.into()
    }

    /// Returns true if the machine caused the loss on time: without the delays, the move would have been on time.
    pub(super) fn is_caused_by_machine(&self) -> bool {
        matches!(self, Self::Time { over, held_up, machine } if *held_up.max(&machine.unwrap_or_default()) >= *over)
    }

    pub fn leaves_process_usable(&self) -> bool {
        matches!(self, Self::Time { .. } | Self::IllegalMove { .. } | Self::FalseEnd { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loss_on_time_reports_a_busy_machine() {
        let fault = |held_up, machine: Option<u64>| EngineFault::Time {
            over: Duration::from_millis(20),
            held_up: Duration::from_millis(held_up),
            machine: machine.map(Duration::from_millis),
        };
        assert_eq!(fault(0, None).to_string(), "exceeded by 20 ms");
        assert_eq!(fault(31, None).to_string(), "exceeded by 20 ms, after waiting 31 ms for a processor");
        let text = fault(0, Some(466)).to_string();
        assert_eq!(text, "exceeded by 20 ms, while the match program itself was delayed by up to 466 ms");
        let blamed = [(0, None), (19, Some(19)), (0, Some(20)), (20, None)];
        assert_eq!(blamed.map(|(held_up, ms)| fault(held_up, ms).is_caused_by_machine()), [false, false, true, true]);
    }
}
