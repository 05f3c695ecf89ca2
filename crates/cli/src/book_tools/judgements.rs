//! The scores of leaves: asked for by requests of `soffio batch`, and taken from its records or from a journal, which has what a growth needs
//! of them.

use crate::batch::{Done, Id, Judge, Request};
use crate::of_file::OfFile;
use crate::record::{Record, RequestLimits};
use anyhow::{Result, anyhow, bail};
use serde::{Deserialize, Serialize};
use soffio::book::{BookScore, Judgement};
use soffio::engine::Value;
use soffio::rules::Variant;
use soffio::stop::Stop;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Write;
use std::num::NonZeroU64;
use std::path::Path;

/// The request for the score of the position `fen`, which is its name too.
fn request(variant: Variant, fen: &str, nodes: NonZeroU64) -> Request {
    Request {
        id: Some(Id::Text(fen.to_owned())),
        variant: Some(variant.name().to_owned()),
        fen: Some(fen.to_owned()),
        limits: limits(nodes),
        ..Request::default()
    }
}

fn limits(nodes: NonZeroU64) -> RequestLimits {
    RequestLimits { nodes: Some(nodes), ..RequestLimits::default() }
}

/// A position that was judged: what the journal keeps of a record.
#[derive(Debug, Deserialize, Serialize)]
pub struct Judged {
    /// The position as FEN.
    id: String,
    #[serde(default)]
    variant: String,
    #[serde(default)]
    limits: RequestLimits,
    #[serde(default)]
    lines: Vec<JudgedLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<String>,
    #[serde(skip_serializing)]
    error: Option<String>,
}

#[derive(Debug, Deserialize, Serialize)]
struct JudgedLine {
    score: Value,
    depth: Option<u8>,
}

impl Judged {
    /// Asks `judge` about a position of `variant`. `None` if `stop` was given before.
    ///
    /// # Errors
    /// When there is no answer.
    pub fn ask(judge: &mut Judge, variant: Variant, fen: &str, nodes: NonZeroU64, stop: &Stop) -> Option<Result<Self>> {
        let answer = judge.judge(&request(variant, fen, nodes), 1, stop)?;
        let record = match answer.records.into_iter().next() {
            Some(Ok(record)) => record,
            Some(Err(failure)) => return Some(Err(anyhow!("{fen}: {}", failure.error))),
            None => return Some(Err(anyhow!("{fen}: no answer"))),
        };
        let Record { id, lines, table, .. } = record;
        let line = |line: crate::record::Line| JudgedLine { score: line.score, depth: line.depth };
        let lines = lines.into_iter().flatten().take(1).map(line).collect();
        let variant = variant.name().to_owned();
        Some(Ok(Self { id, variant, limits: limits(nodes), lines, table, error: None }))
    }

    /// Returns the judgement of the position.
    ///
    /// # Errors
    /// When it has no score, or is about another variant or other limits.
    pub fn judgement(&self, variant: Variant, nodes: NonZeroU64) -> Result<Judgement> {
        if let Some(error) = &self.error {
            bail!("{}: {error}", self.id);
        }
        if self.variant != variant.name() || self.limits != limits(nodes) {
            let has = serde_json::to_string(&self.limits)?;
            bail!("it was judged as {} with the limits {has}, the plan is {variant} with {nodes} nodes", self.variant);
        }
        let line = self.lines.first().ok_or_else(|| anyhow!("{} has no score", self.id))?;
        let is_table_draw = self.table.as_deref().is_some_and(|table| table.starts_with("draw"));
        let score = if is_table_draw { BookScore::DRAW } else { line.score.into() };
        let is_proved = is_table_draw || score.is_decided();
        Ok(Judgement { score, depth: line.depth.unwrap_or_default(), is_proved })
    }
}

/// The judgements that are known, by the FEN of their positions.
#[derive(Debug)]
pub struct Judgements {
    variant: Variant,
    nodes: NonZeroU64,
    known: HashMap<String, Judgement>,
    journal: Option<File>,
}

impl Judgements {
    /// Opens the journal at `path`, or makes one. What was not written to its end is cut off.
    ///
    /// # Errors
    /// When it cannot be read or written, another process writes to it, or it belongs to another plan.
    pub fn open(path: &Path, variant: Variant, nodes: NonZeroU64) -> Result<Self> {
        let (_, file) = Done::open(path).of_file(path)?;
        let mut judgements = Self { variant, nodes, known: HashMap::new(), journal: None };
        judgements.read(path)?;
        Ok(Self { journal: Some(file), ..judgements })
    }

    /// Takes the records of the file at `path`, which another process may still write.
    ///
    /// # Errors
    /// When it cannot be read, or it belongs to another plan.
    pub fn read(&mut self, path: &Path) -> Result<()> {
        let text = fs::read_to_string(path).of_file(path)?;
        for (number, line) in (1..).zip(text.split_inclusive('\n').filter(|line| line.ends_with('\n'))) {
            let mut take = || {
                let judged: Judged = serde_json::from_str(line)?;
                self.known.insert(judged.id.clone(), judged.judgement(self.variant, self.nodes)?);
                anyhow::Ok(())
            };
            take().map_err(|error| anyhow!("{}, line {number}: {error}", path.display()))?;
        }
        Ok(())
    }

    /// Returns the judgement of the position `fen`, if it is known.
    pub fn get(&self, fen: &str) -> Option<Judgement> {
        self.known.get(fen).copied()
    }

    /// Takes what is judged, and writes it to the journal at once.
    ///
    /// # Errors
    /// When it has no score or the journal cannot be written.
    pub fn take(&mut self, judged: &Judged) -> Result<()> {
        self.known.insert(judged.id.clone(), judged.judgement(self.variant, self.nodes)?);
        if let Some(journal) = &mut self.journal {
            journal.write_all((serde_json::to_string(judged)? + "\n").as_bytes())?;
        }
        Ok(())
    }

    /// Number of positions.
    pub fn count(&self) -> usize {
        self.known.len()
    }
}
