//! What an engine can do wrong.

use super::Program;
use std::fmt;
use std::io;
use std::time::Duration;

/// What an engine did wrong; it has lost the game by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// There is no process.
    NotStarted {
        /// Why.
        problem: String,
    },
    /// The process ended.
    Crash {
        /// How, as the system says it.
        status: String,
    },
    /// The process lives on, but nothing more comes from it.
    Disconnect {
        /// What was closed.
        problem: String,
    },
    /// No answer at all, even after it was told to stop.
    Stall,
    /// The answer came too late.
    Time {
        /// By how much.
        over: Duration,
        /// How late the machine let this program itself go on meanwhile, if that was unusual.
        machine: Option<Duration>,
    },
    /// The move is no move, or not legal.
    IllegalMove {
        /// What was answered.
        text: String,
        /// Why it cannot be played.
        reason: String,
    },
    /// A move that was not asked for.
    ExtraAnswer {
        /// The line.
        line: String,
    },
    /// It ended a game that goes on.
    FalseEnd {
        /// What it said about it.
        line: String,
    },
    /// It did not accept a position, option or game that is correct.
    Refused {
        /// Its line.
        line: String,
    },
}

impl Fault {
    /// The program of an engine cannot be started.
    pub(super) fn not_started(program: &Program, error: &io::Error) -> Self {
        Self::NotStarted { problem: format!("{} cannot be started: {error}", program.words.join(" ")) }
    }

    /// The kind of fault, for counting.
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

    /// Whether a machine that was as late as the engine may be to blame.
    pub(super) fn may_be_the_machine(&self) -> bool {
        matches!(self, Self::Time { over, machine: Some(delay) } if delay >= over)
    }

    /// Whether the process can still be talked to.
    pub fn leaves_process_usable(&self) -> bool {
        matches!(self, Self::Time { .. } | Self::IllegalMove { .. } | Self::FalseEnd { .. })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStarted { problem } => f.write_str(problem),
            Self::Crash { status } => write!(f, "the process ended ({status})"),
            Self::Disconnect { problem } => f.write_str(problem),
            Self::Stall => f.write_str("no answer"),
            Self::Time { over, machine } => {
                write!(f, "{} ms too late", over.as_millis())?;
                machine.iter().try_for_each(|delay| {
                    write!(f, ", while the machine let the match itself wait up to {} ms", delay.as_millis())
                })
            }
            Self::IllegalMove { text, reason } => write!(f, "{text}: {reason}"),
            Self::ExtraAnswer { line } => write!(f, "not asked for: {line}"),
            Self::FalseEnd { line } => write!(f, "the game goes on: {line}"),
            Self::Refused { line } => write!(f, "refused: {line}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loss_on_time_tells_when_the_machine_was_late_too() {
        let fault = |machine| Fault::Time { over: Duration::from_millis(20), machine };
        let text = |machine: Option<u64>| fault(machine.map(Duration::from_millis)).to_string();
        assert_eq!(text(None), "20 ms too late");
        assert_eq!(text(Some(466)), "20 ms too late, while the machine let the match itself wait up to 466 ms");
        let blamed = [None, Some(19), Some(20)].map(|ms| fault(ms.map(Duration::from_millis)).may_be_the_machine());
        assert_eq!(blamed, [false, false, true]);
    }
}
