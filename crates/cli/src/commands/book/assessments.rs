//! Stores the scores of a book's leaf positions. The scores come from searches, which are recorded in a journal, or
//! from `soffio batch` records.

use anyhow::{Result, anyhow, bail, ensure};
use soffio::book::{Assessment, BookScore};
use soffio::notation::pdn::decode;
use soffio::rules::Variant;
use soffio::stop::Stop;
use soffio_batch::batch::{AnsweredRequests, BatchEngine, BatchRequest, Id};
use soffio_support::json::fault;
use soffio_support::output_file::NamedFile;
use soffio_support::record::{AnalysisRecord, ReadLine, ReadRecord, RequestLimits};
use soffio_support::with_path::WithPath;
use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::num::NonZeroU64;
use std::path::Path;

/// Returns the ID of the request to search `fen`. The ID includes the node limit, because a position can be searched
/// again with more nodes.
pub fn request_id(fen: &str, nodes: NonZeroU64) -> String {
    format!("{fen} {nodes}")
}

fn limits(nodes: NonZeroU64) -> RequestLimits {
    RequestLimits { nodes: Some(nodes), ..RequestLimits::default() }
}

/// Searches a position of `variant` and returns the part of the record that is stored in the journal, or `None` if the
/// search was stopped.
pub fn search_position(
    engine: &mut BatchEngine,
    variant: Variant,
    (fen, nodes): &(String, NonZeroU64),
    stop: &Stop,
) -> Option<Result<ReadRecord>> {
    let request = BatchRequest {
        id: Some(Id::Text(request_id(fen, *nodes))),
        variant: Some(variant.name().to_owned()),
        fen: Some(fen.clone()),
        limits: limits(*nodes),
        ..BatchRequest::default()
    };
    let answer = engine.answer_request(&request, 1, stop)?;
    let AnalysisRecord { id, lines, table, .. } = match answer.records.into_iter().next() {
        Some(Ok(record)) => record,
        Some(Err(failure)) => return Some(Err(anyhow!("{fen}: {}", failure.error))),
        None => return Some(Err(anyhow!("{fen}: the engine returned no record"))),
    };
    let best = lines.into_iter().flatten().next().map(|line| ReadLine { score: line.score, depth: line.depth });
    let BatchRequest { variant, fen, limits, .. } = request;
    let lines = Vec::from_iter(best);
    Some(Ok(ReadRecord { id, fen, variant, limits, lines, table, ..ReadRecord::default() }))
}

/// Returns the index of the search that produced `record` (0 for the first search) and the score that it found. Fails
/// if the record has no score, or if its variant or its limits do not match the plan.
fn assessment(record: &ReadRecord, variant: Variant, searches: Searches) -> Result<(usize, Assessment)> {
    if let Some(error) = &record.error {
        bail!("{}: {error}", record.id);
    }
    ensure!(record.fen.is_some(), "record {} has no field fen: it is from an older version", record.id);
    let name = record.variant.as_deref().unwrap_or_default();
    let number = (0..searches.most()).find(|&number| record.limits == limits(searches.node_limit(number)));
    let Some(number) = number.filter(|_| name == variant.name()) else {
        let (has, nodes) = (serde_json::to_string(&record.limits)?, searches.nodes);
        bail!("the record is for {name} with limits {has}, but the book is for {variant} with {nodes} nodes");
    };
    let line = record.lines.first().ok_or_else(|| anyhow!("record {} has no score", record.id))?;
    let is_table_draw = record.table.as_deref().is_some_and(|table| table.starts_with("draw"));
    let score = if is_table_draw { BookScore::DRAW } else { line.score.into() };
    let is_proved = is_table_draw || score.is_decided();
    Ok((number, Assessment { score, depth: line.depth.unwrap_or_default(), is_proved }))
}

/// Factor by which the node limit grows from one search to the next.
const NODE_GROWTH: NonZeroU64 = NonZeroU64::new(4).unwrap();

const MAX_SEARCHES: usize = 4;

#[derive(Clone, Copy, Debug)]
pub struct Searches {
    pub nodes: NonZeroU64,
    /// Maximum difference in cp between the last two scores of a position. The position is searched again with more
    /// nodes until the difference is within this limit. If `None`, each position is searched only once.
    pub settle: Option<u32>,
}

impl Searches {
    const fn most(self) -> usize {
        if self.settle.is_some() { MAX_SEARCHES } else { 1 }
    }

    /// Returns the node limit of search `number`, counted from 0.
    fn node_limit(self, number: usize) -> NonZeroU64 {
        (0..number).fold(self.nodes, |nodes, _| nodes.saturating_mul(NODE_GROWTH))
    }

    /// Returns the final score if the completed searches in `found` suffice. Otherwise, returns the node limit of the
    /// next search as an error.
    fn settled(self, found: &[Option<Assessment>; MAX_SEARCHES]) -> Result<Assessment, NonZeroU64> {
        let mut before: Option<Assessment> = None;
        for (number, assessment) in found.iter().enumerate() {
            let Some(assessment) = *assessment else { return Err(self.node_limit(number)) };
            let moved = before.map(|before| before.score.difference(assessment.score));
            let is_settled = moved.zip(self.settle).is_some_and(|(moved, margin)| moved <= margin);
            if is_settled || assessment.is_proved || number + 1 == self.most() {
                return Ok(assessment);
            }
            before = Some(assessment);
        }
        Err(self.node_limit(found.len()))
    }
}

#[derive(Debug)]
pub struct Assessments {
    variant: Variant,
    searches: Searches,
    known: HashMap<String, [Option<Assessment>; MAX_SEARCHES]>,
    journal: NamedFile,
}

impl Assessments {
    /// Opens or creates the journal at `path`, and removes its last line if that line is incomplete. Fails if another
    /// process is writing to the journal or if the journal belongs to a run with different settings.
    pub fn open(path: &Path, variant: Variant, searches: Searches) -> Result<Self> {
        let (_, journal) = AnsweredRequests::open(path)?;
        let mut assessments = Self { variant, searches, known: HashMap::new(), journal };
        assessments.read(path)?;
        Ok(assessments)
    }

    /// Reads the records in a file to which another process may still be writing. An incomplete last line is ignored.
    pub fn read(&mut self, path: &Path) -> Result<()> {
        let text = decode(&fs::read(path).with_path(path)?).text;
        for (number, line) in (1..).zip(text.split_inclusive('\n').filter(|line| line.ends_with('\n'))) {
            let mut take = || {
                let record = serde_json::from_str(line).map_err(|error| anyhow!("not a record: {}", fault(&error)))?;
                self.keep(&record)
            };
            take().map_err(|error| anyhow!("{}, line {number}: {error}", path.display()))?;
        }
        Ok(())
    }

    /// Returns the final score of the position `fen`. If the position needs another search, returns the node limit of
    /// that search as an error.
    pub fn get(&self, fen: &str) -> Result<Assessment, NonZeroU64> {
        self.searches.settled(self.known.get(fen).unwrap_or(&[None; MAX_SEARCHES]))
    }

    fn keep(&mut self, record: &ReadRecord) -> Result<()> {
        let (number, assessment) = assessment(record, self.variant, self.searches)?;
        let found = self.known.entry(record.fen.clone().unwrap_or_default()).or_default();
        if let Some(found) = found.get_mut(number) {
            *found = Some(assessment);
        }
        Ok(())
    }

    /// Adds the score in `record` and immediately appends the record to the journal.
    pub fn take(&mut self, record: &ReadRecord) -> Result<()> {
        self.keep(record)?;
        Ok(self.journal.write_all((serde_json::to_string(record)? + "\n").as_bytes())?)
    }

    pub fn count(&self) -> usize {
        self.known.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use soffio::engine::Value;

    #[test]
    fn a_position_is_searched_until_its_score_settles() {
        let nodes = NonZeroU64::new(100).unwrap();
        let found = |cp: i32| Assessment { score: Value::Cp(cp as i16).into(), depth: 9, is_proved: false };
        let after = |settle: Option<u32>, scores: &[i32]| {
            let found = std::array::from_fn(|number| scores.get(number).map(|&score| found(score)));
            Searches { nodes, settle }
                .settled(&found)
                .map(|assessment| assessment.score.code())
                .map_err(NonZeroU64::get)
        };
        assert_eq!([after(None, &[]), after(None, &[7])], [Err(100), Ok(7)]);
        assert_eq!([after(Some(5), &[]), after(Some(5), &[7])], [Err(100), Err(400)]);
        assert_eq!([after(Some(5), &[7, 12]), after(Some(5), &[7, 2])], [Ok(12), Ok(2)]);
        assert_eq!([after(Some(5), &[7, 13]), after(Some(5), &[7, 13, 20])], [Err(1600), Err(6400)]);
        assert_eq!([after(Some(5), &[7, 13, 20, -20]), after(Some(5), &[7, 13, 14, 90])], [Ok(-20), Ok(14)]);
        let won = Assessment { score: BookScore::won_in(9), depth: 9, is_proved: true };
        let found = [Some(won), None, None, None];
        assert_eq!(Searches { nodes, settle: Some(5) }.settled(&found), Ok(won));
    }
}
