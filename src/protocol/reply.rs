//! What the engine says.

use super::help::help;
use crate::position::Status;
use crate::search::{Bound, Report, Value};
use std::fmt;
use std::time::Duration;

/// One message, of one or more lines.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// Name and author.
    Id {
        /// Name with version.
        name: String,
        /// Author.
        author: String,
    },
    /// One option: everything behind `option `.
    Option(String),
    /// The end of the answer to `uci`.
    UciOk,
    /// The answer to `isready`.
    ReadyOk,
    /// The state of a search.
    Info {
        /// What the search reports.
        report: Report,
        /// The text of its line.
        line: Vec<String>,
    },
    /// The root move that a long search is looking at.
    Current {
        /// Depth of the iteration.
        depth: u8,
        /// The move.
        text: String,
        /// Its place in the order of the iteration, from 1.
        number: usize,
    },
    /// A message for people.
    Text(String),
    /// The answer of a search.
    BestMove {
        /// The move to play, if there is a legal one.
        best: Option<String>,
        /// The reply that is expected.
        ponder: Option<String>,
    },
    /// The board.
    Board {
        /// The drawing, a line for each row.
        drawing: String,
        /// The side to move.
        side: String,
        /// Whether the game is over, and the draw countdown.
        status: Status,
        /// The position as FEN.
        fen: String,
    },
    /// What endgame tables say.
    Probe {
        /// Of the position.
        value: String,
        /// Of each move, for the side that plays it; nothing if there is no table for what it leads to.
        moves: Vec<(String, Option<String>)>,
    },
    /// The legal moves.
    Legal(Vec<String>),
    /// The evaluation in 1/100 man for the side to move.
    Eval {
        /// What it is made of; nothing when a capture was pending.
        terms: Vec<(&'static str, i32)>,
        /// The value.
        value: Value,
    },
    /// Whether the game is over.
    Status(Status),
    /// The sequences that begin with a move.
    DivideMove {
        /// The move.
        text: String,
        /// Their number.
        count: u64,
    },
    /// The number of move sequences.
    Perft {
        /// Their length.
        depth: u8,
        /// Their number.
        count: u64,
        /// Time it took to count them.
        time: Duration,
    },
    /// The nodes that the bench needed for one variant.
    BenchVariant {
        /// The variant.
        name: &'static str,
        /// Nodes.
        nodes: u64,
        /// Time.
        time: Duration,
    },
    /// The nodes that the bench needed in all.
    Bench {
        /// Nodes.
        nodes: u64,
        /// Time.
        time: Duration,
    },
    /// The list of commands.
    Help,
    /// Something was wrong: what, and why.
    Error(String),
}

fn per_second(count: u64, time: Duration) -> u64 {
    let nanoseconds = time.as_nanos().max(1);
    u64::try_from(u128::from(count) * 1_000_000_000 / nanoseconds).unwrap_or(u64::MAX)
}

fn words(words: &[String]) -> String {
    words.iter().flat_map(|word| [" ", word]).collect()
}

/// A score as the protocol writes it, for the side to move.
fn score(value: Value) -> String {
    match value {
        Value::Centimen(value) => format!("cp {value}"),
        Value::Win(moves) => format!("win {moves}"),
        Value::Loss(moves) => format!("loss {moves}"),
    }
}

fn write_info(f: &mut fmt::Formatter<'_>, report: &Report, line: &[String]) -> fmt::Result {
    let Report { depth, selective_depth, rank, bound, nodes, table_hits, permille_used, time, .. } = report;
    let bound = match bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    let (number, score, nps, milliseconds) =
        (rank + 1, score(report.score.value()), per_second(*nodes, *time), time.as_millis());
    write!(
        f,
        "info depth {depth} seldepth {selective_depth} multipv {number} score {score}{bound} nodes {nodes} nps {nps} \
         hashfull {permille_used} tbhits {table_hits} time {milliseconds} pv{}",
        words(line)
    )
}

/// Prints `name count time <ms> nps <n>`, the end of every line that measures.
fn measured(f: &mut fmt::Formatter<'_>, name: &str, count: u64, time: Duration) -> fmt::Result {
    write!(f, "{name} {count} time {} nps {}", time.as_millis(), per_second(count, time))
}

fn write_status(f: &mut fmt::Formatter<'_>, status: &Status) -> fmt::Result {
    match status {
        Status::Playing { countdown: Some(moves) } => write!(f, "status playing countdown {moves}"),
        Status::Playing { countdown: None } => write!(f, "status playing"),
        Status::Won { winner, reason } => write!(f, "status {winner} wins {reason}"),
        Status::Drawn(reason) => write!(f, "status draw {reason}"),
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id { name, author } => write!(f, "id name {name}\nid author {author}"),
            Self::Option(option) => write!(f, "option {option}"),
            Self::UciOk => f.write_str("uciok"),
            Self::ReadyOk => f.write_str("readyok"),
            Self::Info { report, line } => write_info(f, report, line),
            Self::Current { depth, text, number } => {
                write!(f, "info depth {depth} currmove {text} currmovenumber {number}")
            }
            Self::Text(text) => write!(f, "info string {text}"),
            Self::BestMove { best: None, .. } => f.write_str("bestmove none"),
            Self::BestMove { best: Some(best), ponder: None } => write!(f, "bestmove {best}"),
            Self::BestMove { best: Some(best), ponder: Some(ponder) } => write!(f, "bestmove {best} ponder {ponder}"),
            Self::Board { drawing, side, status, fen } => {
                writeln!(f, "{drawing}side {side}")?;
                write_status(f, status)?;
                write!(f, "\nfen {fen}")
            }
            Self::Legal(moves) => write!(f, "legal {}{}", moves.len(), words(moves)),
            Self::Probe { value, moves } => {
                let unknown = || "unknown".to_owned();
                let mut lines = moves.iter().map(|(mv, value)| (mv, value.clone().unwrap_or_else(unknown)));
                lines.try_for_each(|(mv, value)| writeln!(f, "move {mv} {value}"))?;
                write!(f, "probe {value}")
            }
            Self::Eval { terms, value } => {
                terms.iter().try_for_each(|(name, value)| writeln!(f, "term {name} {value}"))?;
                write!(f, "eval {}", score(*value))
            }
            Self::Status(status) => write_status(f, status),
            Self::DivideMove { text, count } => write!(f, "{text} {count}"),
            Self::Perft { depth, count, time } => measured(f, &format!("perft {depth}"), *count, *time),
            Self::BenchVariant { name, nodes, time } => measured(f, name, *nodes, *time),
            Self::Bench { nodes, time } => measured(f, "bench", *nodes, *time),
            Self::Help => f.write_str(&help()),
            Self::Error(text) => write!(f, "error {text}"),
        }
    }
}
