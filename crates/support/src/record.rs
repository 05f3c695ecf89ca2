//! The record of a position that commands print for scripts: one JSON object a line, as `docs/record.schema.json` says.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use soffio::book::fnv;
use soffio::engine::{Bound, Engine, Limits, Report, Value, Wdl};
use soffio::eval::learned::embedded;
use soffio::notation::{GameError, WrittenGame};
use soffio::rules::Variant;
use std::io::{self, Write};
use std::num::{NonZeroU8, NonZeroU64};
use std::time::Duration;

/// The name of the start position in place of its FEN.
pub const START: &str = "startpos";

/// A record. Fields that have no meaning in a command are absent.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Record {
    /// Which of the inputs of the command this is about.
    pub id: String,
    /// The FNV-1a hash of the input, 16 hexadecimal digits.
    pub input_hash: Option<String>,
    /// Name and version of the program.
    pub engine: &'static str,
    /// The fingerprint of the weights of the evaluation, 16 hexadecimal digits.
    pub weights: Option<String>,
    pub variant: Option<&'static str>,
    /// True where the variant is a guess: neither a tag nor an argument names it.
    pub guessed: Option<bool>,
    /// The position.
    pub fen: Option<String>,
    /// The side to move.
    pub to_move: Option<String>,
    /// The side for which scores and table values count.
    pub score_for: Option<String>,
    /// Which position of a game this is, counted from 0.
    pub ply: Option<usize>,
    /// The limits of the search.
    pub limits: Option<RequestLimits>,
    /// The move that was played.
    pub played: Option<Played>,
    /// The lines that were found, the best one first.
    pub lines: Option<Vec<Line>>,
    /// The evaluation without a search, after all captures that are pending.
    #[serde(rename = "static")]
    pub static_value: Option<Value>,
    /// The answer of endgame tables, in the words of `tables probe`, with plies to the end of the game.
    pub table: Option<String>,
    /// The moves of best play, where tables know them.
    pub table_pv: Option<Vec<String>>,
    /// Length of the sequences that were counted.
    pub depth: Option<u8>,
    /// Sequences that were counted, or positions that were searched.
    pub nodes: Option<u64>,
    /// Milliseconds of the work.
    pub time: Option<u64>,
}

/// The limits of the search of a position. The first one that is reached counts.
#[skip_serializing_none]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RequestLimits {
    /// Plies.
    pub depth: Option<NonZeroU8>,
    /// Positions searched.
    pub nodes: Option<NonZeroU64>,
    /// Milliseconds.
    pub movetime: Option<NonZeroU64>,
}

impl RequestLimits {
    /// Returns true if there is no limit.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Completes `limits` by these.
    pub fn of(self, limits: Limits) -> Limits {
        Limits {
            depth: self.depth.map(NonZeroU8::get),
            nodes: self.nodes.map(NonZeroU64::get),
            move_time: self.movetime.map(|time| Duration::from_millis(time.get())),
            overhead: Duration::ZERO,
            ..limits
        }
    }
}

/// Takes the place of a record that cannot be made.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// Which of the inputs of the command this is about.
    pub id: String,
    /// The FNV-1a hash of the input, 16 hexadecimal digits.
    pub input_hash: Option<String>,
    /// The line of the input, counted from 1.
    pub line: Option<u64>,
    /// The first position of a game that there is no record of, if there is one of those before it.
    pub ply: Option<usize>,
    /// The reason.
    pub error: String,
}

/// A line of play.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// Its first move.
    #[serde(rename = "move")]
    pub first: String,
    /// All its moves.
    pub pv: Vec<String>,
    pub score: Value,
    /// The kind of the score: `exact`, `lower` or `upper`.
    pub bound: Option<&'static str>,
    /// Chances of a win, a draw and a loss in permille.
    pub wdl: Option<[u16; 3]>,
    /// Depth of the search in plies.
    pub depth: Option<u8>,
    /// Positions searched until it was found.
    pub nodes: Option<u64>,
}

/// A move that was played in a game.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Played {
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// By how much the score after it is worse than that of the best move, in 1/100 man.
    pub loss: u32,
    /// `?!`, `?` or `??`, if it is bad.
    pub mark: Option<&'static str>,
}

impl Record {
    /// A record on no variant in particular.
    pub fn of_all(id: impl ToString) -> Self {
        Self { id: id.to_string(), engine: concat!("soffio ", env!("CARGO_PKG_VERSION")), ..Self::default() }
    }

    /// A record on `variant` alone.
    pub fn of_variant(id: impl ToString, variant: Variant) -> Self {
        Self { variant: Some(variant.name()), ..Self::of_all(id) }
    }

    /// A record on the position of `game`, which was read from `input`.
    pub fn of_position(id: impl ToString, variant: Variant, game: &WrittenGame, input: &str) -> Self {
        let fen = game.fen();
        Self {
            input_hash: Some(input_hash(input)),
            to_move: Some(fen.side.to_string()),
            fen: Some(fen.to_string()),
            ..Self::of_variant(id, variant)
        }
    }

    /// The same with scores for the side to move, by the weights that the program brings.
    #[must_use]
    pub fn scored(self, variant: Variant) -> Self {
        let weights = embedded(variant).map(|weights| hex(weights.salt()));
        Self { weights, score_for: self.to_move.clone(), ..self }
    }

    /// The same, which took `time`.
    #[must_use]
    pub fn timed(self, time: Duration) -> Self {
        Self { time: Some(u64::try_from(time.as_millis()).unwrap_or(u64::MAX)), ..self }
    }
}

impl Failure {
    /// There is no record of the input called `id`, because of `error`.
    pub fn new(id: impl ToString, error: impl ToString) -> Self {
        Self { id: id.to_string(), error: error.to_string(), ..Self::default() }
    }
}

impl Line {
    /// The move `only` of the position of `game`, which leads to `value` for the side that plays it.
    pub fn unsearched(only: String, value: Value, engine: &Engine, game: &WrittenGame) -> Self {
        let wdl = wdl(engine, game, value);
        Self { pv: vec![only.clone()], first: only, score: value, bound: None, wdl, depth: None, nodes: None }
    }

    /// The line of `report` of `engine` on the position of `game`, if it has a move.
    pub fn new(report: &Report, engine: &Engine, game: &WrittenGame) -> Option<Self> {
        let (pv, value) = (game.line_text(&report.line), report.value);
        let bound = match report.bound {
            Bound::Exact => "exact",
            Bound::Lower => "lower",
            Bound::Upper => "upper",
        };
        Some(Self {
            first: pv.first()?.clone(),
            pv,
            score: value,
            bound: Some(bound),
            wdl: wdl(engine, game, value),
            depth: Some(report.depth),
            nodes: Some(report.nodes),
        })
    }
}

/// The chances that go with `value` for the side to move of `game`, if the scores of `engine` have some.
fn wdl(engine: &Engine, game: &WrittenGame, value: Value) -> Option<[u16; 3]> {
    engine.chances(game.game(), value).map(|Wdl { win, draw, loss }| [win, draw, loss])
}

/// `value` for the other side.
pub fn negated(value: Value) -> Value {
    match value {
        Value::Centimen(value) => Value::Centimen(value.saturating_neg()),
        Value::Win(moves) => Value::Loss(moves),
        Value::Loss(moves) => Value::Win(moves),
    }
}

/// Prints a record, or why it is missing, as a line.
pub fn print(record: &Result<Record, Failure>) -> io::Result<()> {
    write(&mut io::stdout().lock(), record)
}

/// The same to any `output`.
pub fn write(output: &mut impl Write, record: &Result<Record, Failure>) -> io::Result<()> {
    writeln!(output, "{}", text(record))?;
    output.flush()
}

/// A record, or why it is missing, as a line.
pub fn text(record: &Result<Record, Failure>) -> String {
    let text = match record {
        Ok(record) => serde_json::to_string(record),
        Err(failure) => serde_json::to_string(failure),
    };
    // Nothing in them has no form in JSON.
    text.unwrap_or_default()
}

/// The game of `variant` that begins in the position `fen`, or at the start position. Fails when it cannot be read or
/// is impossible.
pub fn game_at(variant: Variant, fen: &str) -> Result<WrittenGame, GameError> {
    if fen == START { Ok(WrittenGame::new(variant)) } else { Ok(WrittenGame::at(variant, Some(&fen.parse()?))?) }
}

/// The hash of the text of an input, as records have it.
pub fn input_hash(text: &str) -> String {
    hex(fnv(text.bytes()))
}

fn hex(hash: u64) -> String {
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_the_published_ones() {
        for (text, hash) in [("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8")] {
            assert_eq!(input_hash(text), hash);
        }
    }

    #[test]
    fn what_has_no_meaning_is_absent() {
        let record = Record { static_value: Some(Value::Loss(3)), ..Record::of_variant("a", Variant::Thai) };
        let expected = format!(r#"{{"id":"a","engine":"{}","variant":"thai","static":{{"loss":3}}}}"#, record.engine);
        assert_eq!(serde_json::to_string(&record).unwrap(), expected);
    }
}
