//! Hub replies. Every word after the command has the form `key=value`, because some clients fail on anything else.

use super::{HubLine, quoted};
use crate::notation::ascii;
use crate::rules::Objective;
use crate::wire::{Declaration, Value};
use std::fmt;
use std::time::Duration;

/// Minimum score of a win, in units of 100 cp. An immediate win scores 100, and a win in n plies scores 100 - n/100.
const WIN: f64 = 90.0;

/// Maximum absolute evaluation that is printed, in cp. Clients written for Scan interpret larger evaluations as wins,
/// and scores of 80.00 or more as wins from endgame tables.
const MAX_PRINTED_EVALUATION: i16 = 7999;

/// A reply from the engine.
#[derive(Clone, Debug, PartialEq)]
pub enum HubReply {
    /// The name, version and author of the engine.
    Id {
        /// Name of the engine.
        name: String,
        /// Version of the engine.
        version: String,
        /// Author of the engine.
        author: String,
        /// Country of the author.
        country: String,
    },
    /// A parameter that the engine declares.
    Param(Declaration),
    /// All parameters have been declared.
    Wait,
    /// The engine is ready to search.
    Ready,
    /// Response to `ping`.
    Pong,
    /// Progress of a search.
    Info(HubInfo),
    /// Result of a search.
    Done {
        /// The move to play, or `None` if there is no legal move.
        best: Option<String>,
        /// The expected reply of the opponent, or `None` if there is none.
        ponder: Option<String>,
    },
    /// An error message.
    Error(String),
}

/// Progress of a search. All fields are optional.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HubInfo {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Score for the side to move.
    pub score: Option<HubScore>,
    /// Number of positions searched.
    pub nodes: Option<u64>,
    /// Time since the start of the search.
    pub time: Option<Duration>,
    /// Principal variation; empty if it is unknown.
    pub line: Vec<String>,
}

/// A score for the side to move. Unlike a [`Value`], it states the length of a win or a loss in plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HubScore {
    /// An evaluation in cp.
    Cp(i16),
    /// The side to move wins after this number of plies.
    Win(u16),
    /// The side to move loses after this number of plies.
    Loss(u16),
}

impl HubScore {
    /// Converts a value in a game with the given objective.
    pub fn from_value(value: Value, objective: Objective) -> Self {
        // The game ends when a side cannot move. That side loses, except in a losing game.
        let (winner, loser) = match objective {
            Objective::Normal | Objective::FirstKing => (1, 0),
            Objective::Losing => (0, 1),
        };
        match value {
            Value::Cp(value) => Self::Cp(value),
            Value::Win(moves) => Self::Win(moves.saturating_mul(2).saturating_sub(winner)),
            Value::Loss(moves) => Self::Loss(moves.saturating_mul(2).saturating_sub(loser)),
        }
    }

    /// Converts the score to a value, which counts the moves of the side to move.
    pub fn value(self) -> Value {
        match self {
            Self::Cp(value) => Value::Cp(value),
            Self::Win(plies) => Value::Win(plies.div_ceil(2)),
            Self::Loss(plies) => Value::Loss(plies.div_ceil(2)),
        }
    }
}

impl HubReply {
    /// Parses a line from an engine. Returns `None` if the command is unknown.
    pub fn read(text: &str) -> Option<Self> {
        let line = HubLine::read(text)?;
        let text = |name| line.value(name).unwrap_or_default().to_owned();
        let words = |name| line.value(name).unwrap_or_default().split_whitespace().map(str::to_owned).collect();
        Some(match line.command {
            "id" => Self::Id {
                name: text("name"),
                version: text("version"),
                author: text("author"),
                country: text("country"),
            },
            "param" => Self::Param(Declaration {
                name: text("name"),
                default: Some(text("value")),
                kind: text("type"),
                bounds: line.value("min").zip(line.value("max")).map(|(min, max)| [min, max].map(str::to_owned)),
                choices: words("values"),
            }),
            "wait" => Self::Wait,
            "ready" => Self::Ready,
            "pong" => Self::Pong,
            "info" => Self::Info(HubInfo {
                depth: line.value("depth").and_then(|text| text.parse().ok()),
                score: line.value("score").and_then(parse_hub_score),
                nodes: line.value("nodes").and_then(|text| text.parse().ok()),
                time: line.value("time").and_then(|text| Duration::try_from_secs_f64(text.parse().ok()?).ok()),
                line: words("pv"),
            }),
            "done" => Self::Done {
                best: line.value("move").map(str::to_owned),
                ponder: line.value("ponder").map(str::to_owned),
            },
            "error" => Self::Error(text("message")),
            _ => return None,
        })
    }
}

impl fmt::Display for HubReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id { name, version, author, country } => {
                let [name, version, author, country] = [name, version, author, country].map(|text| quoted(text));
                write!(f, "id name={name} version={version} author={author} country={country}")
            }
            Self::Param(Declaration { name, kind, default, bounds, choices }) => {
                let value = default.as_deref().unwrap_or_default();
                write!(f, "param name={} value={} type={kind}", quoted(name), quoted(value))?;
                bounds.iter().try_for_each(|[min, max]| write!(f, " min={min} max={max}"))?;
                if choices.is_empty() { Ok(()) } else { write!(f, " values=\"{}\"", choices.join(" ")) }
            }
            Self::Wait => f.write_str("wait"),
            Self::Ready => f.write_str("ready"),
            Self::Pong => f.write_str("pong"),
            Self::Info(info) => info.fmt(f),
            Self::Done { best, ponder } => {
                f.write_str("done")?;
                best.iter().try_for_each(|best| write!(f, " move={best}"))?;
                ponder.iter().try_for_each(|ponder| write!(f, " ponder={ponder}"))
            }
            Self::Error(message) => write!(f, "error message=\"{}\"", ascii(message).replace('"', "'")),
        }
    }
}

impl fmt::Display for HubInfo {
    /// Prints the fields in the only order that all clients accept.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { depth, score, nodes, time, line } = self;
        f.write_str("info")?;
        // The mean depth of the leaves is not measured, so the depth of the iteration is printed instead.
        depth.iter().try_for_each(|depth| write!(f, " depth={depth} mean-depth={depth}.0"))?;
        score.iter().try_for_each(|&score| write!(f, " score={:.2}", hub_score(score)))?;
        nodes.iter().try_for_each(|nodes| write!(f, " nodes={nodes}"))?;
        if let Some(seconds) = time.map(|time| time.as_secs_f64()) {
            write!(f, " time={seconds:.3}")?;
            let millions = nodes.map(|nodes| nodes as f64 / seconds.max(1e-6) / 1e6);
            millions.iter().try_for_each(|millions| write!(f, " nps={millions:.3}"))?;
        }
        write!(f, " pv={}", quoted(&line.join(" ")))
    }
}

fn hub_score(score: HubScore) -> f64 {
    match score {
        HubScore::Cp(value) => f64::from(value.clamp(-MAX_PRINTED_EVALUATION, MAX_PRINTED_EVALUATION)) / 100.0,
        HubScore::Win(plies) => 100.0 - f64::from(plies) / 100.0,
        HubScore::Loss(plies) => f64::from(plies) / 100.0 - 100.0,
    }
}

fn parse_hub_score(text: &str) -> Option<HubScore> {
    let men: f64 = text.parse().ok().filter(|men: &f64| men.is_finite())?;
    let plies = ((100.0 - men.abs()) * 100.0).round().max(0.0) as u16;
    Some(match men {
        men if men >= WIN => HubScore::Win(plies),
        men if men <= -WIN => HubScore::Loss(plies),
        men => HubScore::Cp((men * 100.0).round() as i16),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(time: Duration, line: &[&str]) -> HubReply {
        let line = line.iter().map(|&text| text.to_owned()).collect();
        let score = Some(HubScore::Cp(-1));
        HubReply::Info(HubInfo { depth: Some(21), score, nodes: Some(31_261_613), time: Some(time), line })
    }

    #[test]
    fn info_has_its_fields_in_order() {
        let text =
            "info depth=21 mean-depth=21.0 score=-0.01 nodes=31261613 time=3.906 nps=8.003 pv=\"32-28 28x17x22\"";
        assert_eq!(info(Duration::from_millis(3906), &["32-28", "28x17x22"]).to_string(), text);
        let one = info(Duration::ZERO, &["32-28"]);
        assert!(one.to_string().ends_with(" pv=32-28"), "a single word has no quotation marks");
    }

    #[test]
    fn printed_replies_are_read_back() {
        let own = str::to_owned;
        let id = HubReply::Id { name: own("Soffio"), version: own("1"), author: own("the makers"), country: own("") };
        let param = |kind: &str| Declaration {
            name: own("a"),
            default: Some(own("7")),
            kind: own(kind),
            ..Declaration::default()
        };
        let replies = [
            id,
            HubReply::Param(param("bool")),
            HubReply::Param(Declaration { bounds: Some(["1", "9"].map(own)), ..param("int") }),
            HubReply::Param(Declaration { choices: ["7", "8"].map(own).into(), ..param("enum") }),
            HubReply::Wait,
            HubReply::Ready,
            HubReply::Pong,
            info(Duration::from_millis(3906), &["32-28", "28x17x22"]),
            HubReply::Info(HubInfo::default()),
            HubReply::Done { best: Some(own("32-28")), ponder: Some(own("19-23")) },
            HubReply::Done { best: None, ponder: None },
            HubReply::Error(own("no move")),
        ];
        for reply in replies {
            let text = reply.to_string();
            assert_eq!(HubReply::read(&text), Some(reply), "{text}");
        }
        for other in ["", "name=x", "hub", "pongs"] {
            assert_eq!(HubReply::read(other), None);
        }
    }

    #[test]
    fn scores_are_parsed_as_they_are_printed() {
        let wins = (0..=999).map(HubScore::Win).chain((0..=999).map(HubScore::Loss));
        for score in wins.chain((-7999..=7999).map(HubScore::Cp)) {
            assert_eq!(parse_hub_score(&format!("{:.2}", hub_score(score))), Some(score));
        }
        assert_eq!([parse_hub_score("inf"), parse_hub_score("x")], [None; 2]);
        assert_eq!(parse_hub_score("1e300"), Some(HubScore::Win(0)));
    }

    #[test]
    fn wins_state_the_plies() {
        use Objective::{Losing, Normal};
        for (value, objective, text) in [
            (Value::Win(1), Normal, "99.99"),
            (Value::Win(3), Normal, "99.95"),
            (Value::Loss(1), Normal, "-99.98"),
            (Value::Loss(0), Normal, "-100.00"),
            (Value::Win(1), Losing, "99.98"),
            (Value::Loss(1), Losing, "-99.99"),
            (Value::Win(0), Losing, "100.00"),
            (Value::Cp(123), Losing, "1.23"),
            (Value::Cp(9500), Normal, "79.99"),
            (Value::Cp(-8000), Normal, "-79.99"),
        ] {
            let score = HubScore::from_value(value, objective);
            assert_eq!(format!("{:.2}", hub_score(score)), text);
            assert!(matches!(value, Value::Cp(_)) || score.value() == value);
        }
    }

    #[test]
    fn a_message_stays_inside_its_quotation_marks() {
        assert_eq!(HubReply::Error("no \"move\"".to_owned()).to_string(), "error message=\"no 'move'\"");
        assert_eq!(HubReply::Error("found 'é'".to_owned()).to_string(), "error message=\"found '?'\"");
        assert_eq!(HubReply::Done { best: None, ponder: None }.to_string(), "done");
    }
}
