//! Replies from an engine in the native protocol.

use super::command::help;
use crate::notation::ascii;
use crate::position::Status;
use crate::search::{Bound, Value, Wdl};
use crate::wire::Declaration;
use std::fmt;
use std::time::Duration;

/// A reply, which consists of one or more lines.
#[derive(Clone, Debug, PartialEq)]
pub enum NativeReply {
    /// The name and version of the engine.
    Name(String),
    /// The author of the engine.
    Author(String),
    /// The declaration of an option.
    Option(Declaration),
    /// End of the answer to `uci`.
    UciOk,
    /// Answer to `isready`.
    ReadyOk,
    /// Progress of a search.
    Info(NativeInfo),
    /// A message for the user.
    Text(String),
    /// Result of a search.
    BestMove {
        /// The move to play, or `None` if there is no legal move.
        best: Option<String>,
        /// The expected reply of the opponent, or `None` if there is none.
        ponder: Option<String>,
    },
    /// The current position and the state of the game.
    Board {
        /// Drawing of the board, with one line per row.
        drawing: String,
        /// Side to move.
        side: String,
        /// State of the game, including the countdown to a draw.
        status: Status,
        /// FEN of the position.
        fen: String,
    },
    /// Result of probing the endgame tables.
    Probe {
        /// Value of the position for the side to move.
        value: String,
        /// Each legal move and its value for the side that plays it. The value is `None` if no table contains the
        /// position after the move.
        moves: Vec<(String, Option<String>)>,
    },
    /// The legal moves.
    Legal(Vec<String>),
    /// The evaluation in cp for the side to move.
    Eval {
        /// Names and values of the evaluation terms. Empty if the side to move can capture or has no legal move.
        terms: Vec<(&'static str, i32)>,
        /// Value of the position, after all captures if the side to move can capture.
        value: Value,
    },
    /// State of the game.
    Status(Status),
    /// Number of move sequences that begin with a given move.
    DivideMove {
        /// The first move.
        text: String,
        /// Number of sequences.
        count: u64,
    },
    /// Result of a perft, or of a bench for one variant or for all variants.
    Measured {
        /// What was measured: `perft` with its depth, the name of a variant, or `bench` for all variants together.
        name: String,
        /// Number of sequences or nodes.
        count: u64,
        /// Elapsed time.
        time: Duration,
    },
    /// The list of commands.
    Help,
    /// An error message. It first names what is wrong and then gives the reason.
    Error(String),
}

fn words(words: &[String]) -> String {
    words.iter().flat_map(|word| [" ", word]).collect()
}

fn write_status(f: &mut fmt::Formatter<'_>, status: &Status) -> fmt::Result {
    match status {
        Status::Playing { countdown: Some(moves) } => write!(f, "status playing countdown {moves}"),
        Status::Playing { countdown: None } => write!(f, "status playing"),
        Status::Won { winner, reason } => write!(f, "status {winner} wins {reason}"),
        Status::Drawn(reason) => write!(f, "status draw {reason}"),
    }
}

impl NativeReply {
    /// Parses a line that a client needs in order to play games. Returns `None` for any other line.
    pub fn read(line: &str) -> Option<Self> {
        let (word, rest) = first_word(line);
        Some(match word {
            "id" => match first_word(rest) {
                ("name", name) => Self::Name(name.to_owned()),
                ("author", author) => Self::Author(author.to_owned()),
                _ => return None,
            },
            "option" => Self::Option(read_option(rest)?),
            "uciok" => Self::UciOk,
            "readyok" => Self::ReadyOk,
            "info" => match first_word(rest) {
                ("string", text) => Self::Text(text.to_owned()),
                _ => Self::Info(NativeInfo::read(rest)),
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

fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim_ascii();
    let (word, rest) = text.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((text, ""));
    (word, rest.trim_ascii_start())
}

impl fmt::Display for NativeReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(f, "id name {name}"),
            Self::Author(author) => write!(f, "id author {author}"),
            Self::Option(Declaration { name, kind, default, bounds, choices }) => {
                write!(f, "option name {name} type {kind}")?;
                default.iter().try_for_each(|default| write!(f, " default {default}"))?;
                bounds.iter().try_for_each(|[least, greatest]| write!(f, " min {least} max {greatest}"))?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
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
            Self::Measured { name, count, time } => {
                write!(f, "{name} {count} time {} nps {}", time.as_millis(), per_second(*count, *time))
            }
            Self::Help => f.write_str(&help()),
            Self::Error(text) => write!(f, "error {}", ascii(text)),
        }
    }
}

/// Progress of a search. All fields are optional.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NativeInfo {
    /// Depth of the iteration in plies.
    pub depth: Option<u32>,
    /// Maximum depth reached in the search, in plies.
    pub selective_depth: Option<u32>,
    /// Rank of the line among the best lines, counted from 1.
    pub rank: Option<usize>,
    /// Score for the side to move, and whether the score is exact or a bound.
    pub score: Option<(Value, Bound)>,
    /// Win, draw and loss probabilities for the side to move.
    pub wdl: Option<Wdl>,
    /// Number of positions searched.
    pub nodes: Option<u64>,
    /// Share of the transposition table that holds entries from this search, in permille.
    pub hashfull: Option<u16>,
    /// Number of positions found in endgame tables.
    pub table_hits: Option<u64>,
    /// Time since the start of the search. In text, it is a whole number of milliseconds.
    pub time: Option<Duration>,
    /// Root move being searched.
    pub current_move: Option<String>,
    /// Number of the root move being searched, counted from 1.
    pub current_number: Option<usize>,
    /// Principal variation.
    pub line: Option<Vec<String>>,
}

impl NativeInfo {
    pub(super) fn read(text: &str) -> Self {
        fn number<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
            word.and_then(|word| word.parse().ok())
        }
        let mut info = Self::default();
        let mut words = text.split_ascii_whitespace();
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = number(words.next()),
                "seldepth" => info.selective_depth = number(words.next()),
                "multipv" => info.rank = number(words.next()),
                "score" => {
                    let (kind, size) = (words.next(), words.next());
                    info.score = kind.zip(size).and_then(|(kind, size)| read_score(kind, size));
                }
                "lowerbound" => info.score = info.score.map(|(value, _)| (value, Bound::Lower)),
                "upperbound" => info.score = info.score.map(|(value, _)| (value, Bound::Upper)),
                "wdl" => {
                    let mut permille = || number(words.next());
                    let chances = permille().zip(permille()).zip(permille());
                    info.wdl = chances.map(|((win, draw), loss)| Wdl { win, draw, loss });
                }
                "nodes" => info.nodes = number(words.next()),
                "hashfull" => info.hashfull = number(words.next()),
                "tbhits" => info.table_hits = number(words.next()),
                "time" => info.time = number(words.next()).map(Duration::from_millis),
                "currmove" => info.current_move = words.next().map(str::to_owned),
                "currmovenumber" => info.current_number = number(words.next()),
                "pv" => info.line = Some(words.by_ref().map(str::to_owned).collect()),
                "string" => break,
                _ => {}
            }
        }
        info
    }
}

impl fmt::Display for NativeInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn field(f: &mut fmt::Formatter<'_>, name: &str, value: Option<impl fmt::Display>) -> fmt::Result {
            value.iter().try_for_each(|value| write!(f, " {name} {value}"))
        }
        f.write_str("info")?;
        field(f, "depth", self.depth)?;
        field(f, "seldepth", self.selective_depth)?;
        field(f, "multipv", self.rank)?;
        if let Some((value, bound)) = self.score {
            let bound = match bound {
                Bound::Exact => "",
                Bound::Lower => " lowerbound",
                Bound::Upper => " upperbound",
            };
            write!(f, " score {value}{bound}")?;
        }
        field(f, "wdl", self.wdl)?;
        field(f, "nodes", self.nodes)?;
        field(f, "nps", self.nodes.zip(self.time).map(|(nodes, time)| per_second(nodes, time)))?;
        field(f, "hashfull", self.hashfull)?;
        field(f, "tbhits", self.table_hits)?;
        field(f, "time", self.time.map(|time| time.as_millis()))?;
        field(f, "currmove", self.current_move.as_ref())?;
        field(f, "currmovenumber", self.current_number)?;
        let Some(line) = &self.line else { return Ok(()) };
        f.write_str(" pv")?;
        line.iter().try_for_each(|mv| write!(f, " {mv}"))
    }
}

/// Returns the rate per second, which is `count` divided by `time`.
pub fn per_second(count: u64, time: Duration) -> u64 {
    let nanoseconds = time.as_nanos().max(1);
    u64::try_from(u128::from(count) * 1_000_000_000 / nanoseconds).unwrap_or(u64::MAX)
}

fn read_score(kind: &str, size: &str) -> Option<(Value, Bound)> {
    let size: i64 = size.parse().ok()?;
    let moves = || u16::try_from(size.max(0)).unwrap_or(u16::MAX);
    let value = match kind {
        "cp" => Value::Cp(size.clamp(i16::MIN.into(), i16::MAX.into()) as i16),
        "win" => Value::Win(moves()),
        "loss" => Value::Loss(moves()),
        _ => return None,
    };
    Some((value, Bound::Exact))
}

fn read_option(text: &str) -> Option<Declaration> {
    let mut fields: Vec<(&str, Vec<&str>)> = Vec::new();
    for word in text.split_ascii_whitespace() {
        match (word, fields.last_mut()) {
            ("name" | "type" | "default" | "min" | "max" | "var", _) => fields.push((word, Vec::new())),
            (_, Some((_, words))) => words.push(word),
            (_, None) => return None,
        }
    }
    let mut all = fields.into_iter().map(|(field, words)| (field, words.join(" ")));
    let mut option = Declaration::default();
    let (mut least, mut greatest) = (None, None);
    all.by_ref().for_each(|(field, value)| match field {
        "name" => option.name = value,
        "type" => option.kind = value,
        "default" => option.default = Some(value),
        "min" => least = Some(value),
        "max" => greatest = Some(value),
        _ => option.choices.push(value),
    });
    option.bounds = least.zip(greatest).map(|(least, greatest)| [least, greatest]);
    (!option.name.is_empty() && !option.kind.is_empty()).then_some(option)
}
