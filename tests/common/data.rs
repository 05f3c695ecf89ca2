//! The test data: published perft tables, and positions with their complete move lists.

use super::Listed;
use serde::Deserialize;
use soffio::position::CaptureOrder;
use std::collections::BTreeMap;

#[derive(Debug, Deserialize)]
pub struct PerftTable {
    pub variant: String,
    pub fen_num: String,
    pub duplicates: String,
    pub source: String,
    pub nodes: BTreeMap<String, u64>,
}

impl PerftTable {
    /// Returns the capture orders for which the counts are valid.
    pub fn orders(&self) -> &'static [CaptureOrder] {
        match self.duplicates.as_str() {
            "kept" => &[CaptureOrder::Counted],
            "removed" => &[CaptureOrder::Merged],
            "kept = removed (identical here)" => &[CaptureOrder::Counted, CaptureOrder::Merged],
            other => panic!("unknown convention {other}"),
        }
    }

    /// Returns the depths and the counts, sorted by depth.
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

/// The move list of a program that implements the rule incorrectly.
#[derive(Debug, Deserialize)]
pub struct WrongIf {
    pub moves: Vec<String>,
}

impl From<&CaptureMove> for Listed {
    fn from(mv: &CaptureMove) -> Self {
        Self { from: mv.num_from, to: mv.num_to, captured: mv.num_captured.iter().copied().collect() }
    }
}

/// A sequence of moves that tests the Frisian limit on king moves.
#[derive(Debug, Deserialize)]
pub struct KingRuleCase {
    pub start_fen: String,
    /// Moves such as `11-7`.
    pub moves: Vec<String>,
    pub fen_after: String,
    /// The king move counts of White and Black in lidraughts notation. `+348+335` stands for three moves each by the
    /// kings on 48 and 35.
    pub lidraughts_suffix: String,
    /// The square of the king that may not move, or `None` if there is no such king.
    pub banned_king: Option<u8>,
    /// The complete move list, with moves such as `11-7` and `22x10`.
    pub legal: Vec<String>,
}

/// A Turkish capture in which a man reaches the far row and continues. The published rules do not specify how.
#[derive(Debug, Deserialize)]
pub struct TurkishPromotion {
    pub fen_num: String,
    /// The moves according to the interpretation that the engine follows, such as `d3xd1 (1, crowned)`.
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
