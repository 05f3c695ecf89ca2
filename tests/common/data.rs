//! The test data: published perft tables, and positions with their complete move lists.

use super::Listed;
use serde::Deserialize;
use soffio::position::CaptureOrder;
use std::collections::BTreeMap;

/// A perft table of one position.
#[derive(Debug, Deserialize)]
pub struct PerftTable {
    pub variant: String,
    pub fen_num: String,
    pub duplicates: String,
    pub nodes: BTreeMap<String, u64>,
}

impl PerftTable {
    /// The conventions in which the counts are right.
    pub fn orders(&self) -> &'static [CaptureOrder] {
        match self.duplicates.as_str() {
            "kept" => &[CaptureOrder::Counted],
            "removed" => &[CaptureOrder::Merged],
            "kept = removed (identical here)" => &[CaptureOrder::Counted, CaptureOrder::Merged],
            other => panic!("unknown convention {other}"),
        }
    }

    /// Depths and counts, the lowest depth first.
    pub fn counts(&self) -> Vec<(u8, u64)> {
        let mut counts: Vec<_> =
            self.nodes.iter().map(|(depth, &count)| (depth.parse().expect("a depth is a number"), count)).collect();
        counts.sort();
        counts
    }
}

/// A position with its complete move list.
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

/// What a program answers that has the rule wrong.
#[derive(Debug, Deserialize)]
pub struct WrongIf {
    pub moves: Vec<String>,
}

impl From<&CaptureMove> for Listed {
    fn from(mv: &CaptureMove) -> Self {
        Self { from: mv.num_from, to: mv.num_to, captured: mv.num_captured.iter().copied().collect() }
    }
}

pub fn perft_tables() -> Vec<PerftTable> {
    serde_json::from_str(include_str!("../data/perft.json")).expect("perft.json has the known form")
}

pub fn capture_cases() -> Vec<CaptureCase> {
    serde_json::from_str(include_str!("../data/captures.json")).expect("captures.json has the known form")
}
