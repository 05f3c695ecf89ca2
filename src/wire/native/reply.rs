//! What an engine answers.

use super::help::help;
use super::info::{Info, per_second};
use super::option::OptionLine;
use crate::position::Status;
use crate::search::Value;
use std::fmt;
use std::time::Duration;

/// One message, of one or more lines.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// Name with version.
    Name(String),
    /// Author.
    Author(String),
    /// An option that can be set.
    Option(OptionLine),
    /// The end of the answer to `uci`.
    UciOk,
    /// The answer to `isready`.
    ReadyOk,
    /// The state of a search.
    Info(Info),
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

fn words(words: &[String]) -> String {
    words.iter().flat_map(|word| [" ", word]).collect()
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

impl Reply {
    /// Reads a line of an engine, as far as a client that plays games needs it: name, author, options, the state of a search, its
    /// answer, and errors. Anything else is for people, and no answer to such a client.
    pub fn read(line: &str) -> Option<Self> {
        let (word, rest) = first_word(line);
        Some(match word {
            "id" => match first_word(rest) {
                ("name", name) => Self::Name(name.to_owned()),
                ("author", author) => Self::Author(author.to_owned()),
                _ => return None,
            },
            "option" => Self::Option(OptionLine::read(rest)?),
            "uciok" => Self::UciOk,
            "readyok" => Self::ReadyOk,
            "info" => match first_word(rest) {
                ("string", text) => Self::Text(text.to_owned()),
                _ => Self::Info(Info::read(rest)),
            },
            "bestmove" => {
                let mut words = rest.split_ascii_whitespace();
                let best = words.next().filter(|&best| best != "none").map(str::to_owned);
                let ponder = words.next().filter(|&word| word == "ponder").and_then(|_| words.next());
                Self::BestMove { best, ponder: ponder.map(str::to_owned) }
            }
            "error" => Self::Error(rest.to_owned()),
            _ => return None,
        })
    }
}

/// The first word of `text` and what follows it.
fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim_ascii();
    let (word, rest) = text.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((text, ""));
    (word, rest.trim_ascii_start())
}

impl fmt::Display for Reply {
    /// Prints lines, of which [`Reply::read`] reads those that programs need.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(f, "id name {name}"),
            Self::Author(author) => write!(f, "id author {author}"),
            Self::Option(option) => option.fmt(f),
            Self::UciOk => f.write_str("uciok"),
            Self::ReadyOk => f.write_str("readyok"),
            Self::Info(info) => info.fmt(f),
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
                write!(f, "eval {value}")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_is_read_back() {
        let own = str::to_owned;
        let option = OptionLine { name: own("Clear Hash"), kind: own("button"), ..OptionLine::default() };
        let replies = [
            (Reply::Name(own("Soffio 1")), "id name Soffio 1"),
            (Reply::Author(own("the makers")), "id author the makers"),
            (Reply::Option(option), "option name Clear Hash type button"),
            (Reply::UciOk, "uciok"),
            (Reply::ReadyOk, "readyok"),
            (Reply::Info(Info { depth: Some(3), ..Info::default() }), "info depth 3"),
            (Reply::Text(own("depth 3")), "info string depth 3"),
            (Reply::BestMove { best: None, ponder: None }, "bestmove none"),
            (Reply::BestMove { best: Some(own("11-15")), ponder: None }, "bestmove 11-15"),
            (Reply::BestMove { best: Some(own("11-15")), ponder: Some(own("23-18")) }, "bestmove 11-15 ponder 23-18"),
            (Reply::Error(own("move 11-16 no")), "error move 11-16 no"),
        ];
        for (reply, text) in replies {
            assert_eq!(reply.to_string(), text);
            assert_eq!(Reply::read(text), Some(reply), "{text}");
        }
    }

    #[test]
    fn lines_of_other_engines_are_read_as_far_as_they_go() {
        assert_eq!(Reply::read(" \treadyok \r"), Some(Reply::ReadyOk));
        assert_eq!(Reply::read("bestmove"), Some(Reply::BestMove { best: None, ponder: None }));
        let best = Some("32-28".to_owned());
        assert_eq!(Reply::read("bestmove 32-28 by the way"), Some(Reply::BestMove { best, ponder: None }));
        for other in ["", "id", "id country x", "option name Hash", "readyokay", "legal 1 11-15", "\u{fffd}"] {
            assert_eq!(Reply::read(other), None, "{other}");
        }
    }
}
