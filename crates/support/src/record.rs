//! The JSON record of a position that commands print for scripts. Its schema is `docs/record.schema.json`.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use soffio::book::fnv;
use soffio::engine::{Bound, Engine, Limits, Report, Value, Wdl};
use soffio::eval::nnue::embedded;
use soffio::notation::{GameError, WrittenGame};
use soffio::rules::Variant;
use std::io::{self, Write};
use std::num::{NonZeroU8, NonZeroU64, NonZeroUsize};
use std::time::Duration;

/// Placeholder that stands for the FEN of the start position.
pub const START: &str = "startpos";

/// The record of a position. Fields that do not apply to a command are absent.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AnalysisRecord {
    pub id: String,
    /// FNV-1a hash of the input, as 16 hexadecimal digits.
    pub input_hash: Option<String>,
    pub engine: &'static str,
    /// Fingerprint of the evaluation weights, as 16 hexadecimal digits.
    pub weights: Option<String>,
    pub variant: Option<&'static str>,
    pub guessed: Option<bool>,
    pub fen: Option<String>,
    pub to_move: Option<String>,
    /// The side from whose point of view scores and table values are given.
    pub score_for: Option<String>,
    /// Index of the position in a game, counted from 0.
    pub ply: Option<usize>,
    pub limits: Option<RequestLimits>,
    /// Number of principal variations that were requested, if more than one.
    pub multipv: Option<NonZeroUsize>,
    /// The moves to which the search was restricted.
    pub searchmoves: Option<Vec<String>>,
    pub played: Option<RecordMove>,
    pub lines: Option<Vec<RecordLine>>,
    /// Static evaluation of the position after all pending captures.
    #[serde(rename = "static")]
    pub static_value: Option<Value>,
    /// Result from the endgame tables, as printed by `tables probe`, with the number of plies to the end of the game.
    pub table: Option<String>,
    pub table_pv: Option<Vec<String>>,
    pub depth: Option<u8>,
    /// Number of move sequences counted or nodes searched.
    pub nodes: Option<u64>,
    /// Elapsed time in milliseconds.
    pub time: Option<u64>,
}

/// Limits for the search of a position. The search ends as soon as one of them is reached.
#[skip_serializing_none]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RequestLimits {
    pub depth: Option<NonZeroU8>,
    pub nodes: Option<NonZeroU64>,
    /// Time limit in milliseconds.
    pub movetime: Option<NonZeroU64>,
}

impl RequestLimits {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns `limits` with the depth, nodes and time replaced by the limits of this request.
    pub fn apply_to(self, limits: Limits) -> Limits {
        Limits {
            depth: self.depth.map(NonZeroU8::get),
            nodes: self.nodes.map(NonZeroU64::get),
            move_time: self.movetime.map(|time| Duration::from_millis(time.get())),
            overhead: Duration::ZERO,
            ..limits
        }
    }
}

/// The fields of a record that commands read back.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct ReadRecord {
    pub id: String,
    pub input_hash: Option<String>,
    pub fen: Option<String>,
    pub variant: Option<String>,
    #[serde(default)]
    pub limits: RequestLimits,
    pub ply: Option<usize>,
    #[serde(default)]
    pub lines: Vec<ReadLine>,
    #[serde(rename = "static")]
    pub static_value: Option<Value>,
    pub table: Option<String>,
    pub error: Option<String>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct ReadLine {
    pub score: Value,
    pub depth: Option<u8>,
}

/// The reason why a record could not be produced, which is printed in place of the record.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RecordFailure {
    pub id: String,
    pub input_hash: Option<String>,
    pub line: Option<u64>,
    /// In a game, the index of the first position without a record, if earlier positions have records.
    pub ply: Option<usize>,
    pub error: String,
}

#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RecordLine {
    #[serde(rename = "move")]
    pub first: String,
    pub pv: Vec<String>,
    pub score: Value,
    pub bound: Option<&'static str>,
    /// Probabilities of a win, a draw and a loss, in permille.
    pub wdl: Option<[u16; 3]>,
    pub depth: Option<u8>,
    /// Number of nodes searched before the line was found.
    pub nodes: Option<u64>,
}

#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordMove {
    #[serde(rename = "move")]
    pub text: String,
    /// Difference in cp between the score of the best move and the score after this move.
    pub loss: u32,
    /// `?!`, `?` or `??` if the move is bad, otherwise `None`.
    pub mark: Option<&'static str>,
}

impl AnalysisRecord {
    pub fn for_all(id: impl ToString) -> Self {
        Self { id: id.to_string(), engine: concat!("soffio ", env!("CARGO_PKG_VERSION")), ..Self::default() }
    }

    pub fn for_variant(id: impl ToString, variant: Variant) -> Self {
        Self { variant: Some(variant.name()), ..Self::for_all(id) }
    }

    pub fn for_position(id: impl ToString, variant: Variant, game: &WrittenGame, input: &str) -> Self {
        let fen = game.fen();
        Self {
            input_hash: Some(input_hash(input)),
            to_move: Some(fen.side.to_string()),
            fen: Some(fen.to_string()),
            ..Self::for_variant(id, variant)
        }
    }

    /// Adds the fingerprint of the embedded weights, and sets `score_for` to the side to move.
    #[must_use]
    pub fn scored(self, variant: Variant) -> Self {
        let weights = embedded(variant).map(|weights| hex(weights.salt()));
        Self { weights, score_for: self.to_move.clone(), ..self }
    }

    #[must_use]
    pub fn timed(self, time: Duration) -> Self {
        Self { time: Some(u64::try_from(time.as_millis()).unwrap_or(u64::MAX)), ..self }
    }
}

impl RecordFailure {
    pub fn new(id: impl ToString, error: impl ToString) -> Self {
        Self { id: id.to_string(), error: error.to_string(), ..Self::default() }
    }
}

impl RecordLine {
    /// Returns the line of a forced move that was not searched. `value` is from the point of view of the side that
    /// plays the move.
    pub fn unsearched(only: String, value: Value, engine: &Engine, game: &WrittenGame) -> Self {
        let wdl = wdl(engine, game, value);
        Self { pv: vec![only.clone()], first: only, score: value, bound: None, wdl, depth: None, nodes: None }
    }

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

/// Returns the probabilities of a win, a draw and a loss for the side to move, given the score `value`. Returns `None`
/// if the engine cannot convert scores to probabilities.
fn wdl(engine: &Engine, game: &WrittenGame, value: Value) -> Option<[u16; 3]> {
    engine.chances(game.game(), value).map(|Wdl { win, draw, loss }| [win, draw, loss])
}

pub fn print(record: &Result<AnalysisRecord, RecordFailure>) -> io::Result<()> {
    write(&mut io::stdout().lock(), record)
}

pub fn write(output: &mut impl Write, record: &Result<AnalysisRecord, RecordFailure>) -> io::Result<()> {
    writeln!(output, "{}", text(record))?;
    output.flush()
}

pub fn text(record: &Result<AnalysisRecord, RecordFailure>) -> String {
    let text = match record {
        Ok(record) => serde_json::to_string(record),
        Err(failure) => serde_json::to_string(failure),
    };
    // Values of these types can always be written as JSON.
    text.unwrap_or_default()
}

/// Returns a game that starts at `fen`, which is either a FEN or [`START`].
pub fn game_at(variant: Variant, fen: &str) -> Result<WrittenGame, GameError> {
    if fen == START {
        Ok(WrittenGame::new(variant))
    } else {
        Ok(WrittenGame::from_start(variant, Some(&fen.parse()?))?)
    }
}

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
    fn hashes_match_the_published_ones() {
        for (text, hash) in [("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8")] {
            assert_eq!(input_hash(text), hash);
        }
    }

    #[test]
    fn meaningless_fields_are_omitted() {
        let record =
            AnalysisRecord { static_value: Some(Value::Loss(3)), ..AnalysisRecord::for_variant("a", Variant::Thai) };
        let expected = format!(r#"{{"id":"a","engine":"{}","variant":"thai","static":{{"loss":3}}}}"#, record.engine);
        assert_eq!(serde_json::to_string(&record).unwrap(), expected);
    }
}
