//! The test data: published perft tables, and positions with their complete move lists.

use super::Listed;
use serde::Deserialize;
use soffio::position::CaptureOrder;
use std::collections::BTreeMap;

/// A perft table for one position.
#[derive(Debug, Deserialize)]
pub struct PerftTable {
    pub variant: String,
    pub fen_num: String,
    pub duplicates: String,
    pub source: String,
    pub nodes: BTreeMap<String, u64>,
}

impl PerftTable {
    /// Returns the capture orders for which the counts hold.
    pub fn orders(&self) -> &'static [CaptureOrder] {
        match self.duplicates.as_str() {
            "kept" => &[CaptureOrder::Counted],
            "removed" => &[CaptureOrder::Merged],
            "kept = removed (identical here)" => &[CaptureOrder::Counted, CaptureOrder::Merged],
            other => panic!("unknown convention {other}"),
        }
    }

    /// Returns depths and counts, lowest depth first.
    pub fn counts(&self) -> Vec<(u8, u64)> {
        let mut counts: Vec<_> =
            self.nodes.iter().map(|(depth, &count)| (depth.parse().expect("a depth is a number"), count)).collect();
        counts.sort();
        counts
    }
}

#[derive(Debug, Deserialize)]
pub struct CaptureCase {
    pub variant: String,
    pub fen_num: String,
    pub theme: String,
    pub moves: Vec<CaptureMove>,
    pub n_unique: usize,
    pub n_paths: u64,
    pub wrong_if: Option<WrongIf>,
}

#[derive(Debug, Deserialize)]
pub struct CaptureMove {
    pub num_from: u8,
    pub num_to: u8,
    pub num_captured: Vec<u8>,
}

/// The answer of a program that implements the rule incorrectly.
#[derive(Debug, Deserialize)]
pub struct WrongIf {
    pub moves: Vec<String>,
}

impl From<&CaptureMove> for Listed {
    fn from(mv: &CaptureMove) -> Self {
        Self { from: mv.num_from, to: mv.num_to, captured: mv.num_captured.iter().copied().collect() }
    }
}

/// A sequence of moves that exercises the Frisian limit on king moves.
#[derive(Debug, Deserialize)]
pub struct KingRuleCase {
    pub start_fen: String,
    /// Written as `11-7`.
    pub moves: Vec<String>,
    pub fen_after: String,
    /// The counts for White and Black in lidraughts notation: `+348+335` means three moves by the kings on 48 and 35.
    pub lidraughts_suffix: String,
    /// The king that may not move.
    pub banned_king: Option<u8>,
    /// The complete list, written as `11-7` and `22x10`.
    pub legal: Vec<String>,
}

/// A Turkish capture for which the published rules leave open how a man continues from the far row.
#[derive(Debug, Deserialize)]
pub struct TurkishPromotion {
    pub fen_num: String,
    /// The moves under the interpretation that the engine follows, written as `d3xd1 (1, crowned)`.
    pub a_goes_on_as_man: Vec<String>,
}

pub fn king_rule_cases() -> Vec<KingRuleCase> {
    serde_json::from_str(include_str!("../data/frisian_king_rule.json")).expect("the file has the expected structure")
}

pub fn turkish_promotions() -> Vec<TurkishPromotion> {
    serde_json::from_str(include_str!("../data/turkish_promotion.json")).expect("the file has the expected structure")
}

pub fn perft_tables() -> Vec<PerftTable> {
    serde_json::from_str(include_str!("../data/perft.json")).expect("perft.json has the expected structure")
}

pub fn capture_cases() -> Vec<CaptureCase> {
    serde_json::from_str(include_str!("../data/captures.json")).expect("captures.json has the expected structure")
}
