//! What the Hub protocol answers. Every word behind the command is `key=value`: some clients break on any other.

use crate::engine::{Report, Value};
use std::fmt;

/// An answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Reply {
    /// Who this is.
    Id { name: String, version: &'static str, author: &'static str, country: &'static str },
    /// A parameter that can be set.
    Param(String),
    /// All parameters are declared.
    Wait,
    /// The engine is ready to search.
    Ready,
    /// The engine is there.
    Pong,
    /// The state of a search.
    Info { report: Report, line: Vec<String> },
    /// The answer of a search; without a move there is none.
    Done { best: Option<String>, ponder: Option<String> },
    /// Something cannot be done.
    Error(String),
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id { name, version, author, country } => {
                let [name, version, author, country] = [name, *version, *author, *country].map(quoted);
                write!(f, "id name={name} version={version} author={author} country={country}")
            }
            Self::Param(declaration) => write!(f, "param {declaration}"),
            Self::Wait => f.write_str("wait"),
            Self::Ready => f.write_str("ready"),
            Self::Pong => f.write_str("pong"),
            Self::Info { report, line } => write_info(f, report, line),
            Self::Done { best, ponder } => {
                f.write_str("done")?;
                best.iter().try_for_each(|best| write!(f, " move={best}"))?;
                ponder.iter().try_for_each(|ponder| write!(f, " ponder={ponder}"))
            }
            Self::Error(message) => write!(f, "error message=\"{}\"", message.replace('"', "'")),
        }
    }
}

/// A value in quotation marks if it needs them: one client fails on a single word that has them.
fn quoted(text: &str) -> String {
    if text.contains(' ') { format!("\"{text}\"") } else { text.to_owned() }
}

/// The fields in the one order that all clients read.
fn write_info(f: &mut fmt::Formatter<'_>, report: &Report, line: &[String]) -> fmt::Result {
    let Report { depth, score, nodes, time, .. } = report;
    let (seconds, score) = (time.as_secs_f64(), men(score.value()));
    let millions = *nodes as f64 / seconds.max(1e-6) / 1e6;
    // The mean depth of leaves is not measured: that of the iteration stands for it.
    write!(f, "info depth={depth} mean-depth={depth}.0 score={score:.2} nodes={nodes}")?;
    write!(f, " time={seconds:.3} nps={millions:.3} pv={}", quoted(&line.join(" ")))
}

/// The score in men; a win is 100 less a hundredth for each ply until then.
fn men(value: Value) -> f64 {
    match value {
        Value::Centimen(value) => f64::from(value) / 100.0,
        Value::Win(moves) => 100.0 - (2.0 * f64::from(moves) - 1.0) / 100.0,
        Value::Loss(moves) => 2.0 * f64::from(moves) / 100.0 - 100.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Bound;
    use crate::search::Score;
    use std::time::Duration;

    #[test]
    fn info_has_its_fields_in_order() {
        let report = Report {
            depth: 21,
            selective_depth: 30,
            rank: 0,
            score: Score::evaluation(-1),
            bound: Bound::Exact,
            nodes: 31_261_613,
            permille_used: 3,
            time: Duration::from_millis(3906),
            line: Vec::new(),
        };
        let line = vec!["32-28".to_owned(), "28x17x22".to_owned()];
        let text =
            "info depth=21 mean-depth=21.0 score=-0.01 nodes=31261613 time=3.906 nps=8.003 pv=\"32-28 28x17x22\"";
        assert_eq!(Reply::Info { report: report.clone(), line }.to_string(), text);
        let report = Report { time: Duration::ZERO, ..report };
        let one = Reply::Info { report, line: vec!["32-28".to_owned()] };
        assert!(one.to_string().ends_with(" pv=32-28"), "a single word has no quotation marks");
    }

    #[test]
    fn wins_tell_the_plies() {
        for (value, text) in [
            (Value::Win(1), "99.99"),
            (Value::Win(3), "99.95"),
            (Value::Loss(1), "-99.98"),
            (Value::Loss(0), "-100.00"),
            (Value::Centimen(123), "1.23"),
        ] {
            assert_eq!(format!("{:.2}", men(value)), text);
        }
    }

    #[test]
    fn a_message_stays_inside_its_quotation_marks() {
        assert_eq!(Reply::Error("no \"move\"".to_owned()).to_string(), "error message=\"no 'move'\"");
        assert_eq!(Reply::Done { best: None, ponder: None }.to_string(), "done");
    }
}
