//! Answers requests with records, and formats the records as JSON lines, tables or games.

use super::done::AnswerSettings;
use super::request::{BatchRequest, Moves, RequestSubject};
use anyhow::{Result, anyhow, bail, ensure};
use soffio::clock::TimeSource;
use soffio::engine::{Engine, Limits, Setting, SettingError, Value};
use soffio::notation::pdn::{GameRecord, game_end};
use soffio::notation::{WrittenGame, full_path};
use soffio::pool::guarded;
use soffio::rules::Variant;
use soffio::stop::Stop;
use soffio::system::available_memory;
use soffio_analysis::annotate::{
    Analysis, AnalysisTask, Analyst, AnnotateError, HashClearing, PlayableGame, PositionAnalysis, annotate,
};
use soffio_support::record::{AnalysisRecord, RecordFailure, RecordLine, RecordMove, RequestLimits, input_hash, text};
use soffio_support::words::{counted, size};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Minimum loss in cp that makes a move a blunder.
const BLUNDER: u32 = 100;

/// Settings of a batch engine. `variant`, `limits` and `lines` are the defaults for requests that do not set them.
#[derive(Clone, Debug)]
pub struct BatchEngineSettings {
    pub variant: Option<Variant>,
    pub limits: RequestLimits,
    pub lines: NonZeroUsize,
    /// Number of search threads. With more than one thread, answers are not reproducible.
    pub threads: NonZeroUsize,
    /// Size of the transposition table in MiB.
    pub hash: usize,
    pub tables: Option<PathBuf>,
    /// Whether to solve endings with up to four pieces before each search, even if the search has no time limit.
    pub solves_endings: bool,
    /// Whether to include the elapsed time in records even if only nodes or depth limit the search. The elapsed time is
    /// different in every run.
    pub is_timed: bool,
}

impl Default for BatchEngineSettings {
    fn default() -> Self {
        Self {
            variant: None,
            limits: RequestLimits::default(),
            lines: NonZeroUsize::MIN,
            threads: NonZeroUsize::MIN,
            hash: 64,
            tables: None,
            solves_endings: false,
            is_timed: false,
        }
    }
}

impl BatchEngineSettings {
    /// Returns the limits of `request`, or the default limits if it sets none.
    pub fn limits_of(&self, request: &BatchRequest) -> RequestLimits {
        if request.limits.is_empty() { self.limits } else { request.limits }
    }

    fn lines_of(&self, request: &BatchRequest) -> NonZeroUsize {
        request.multipv.map_or(self.lines, NonZeroUsize::from)
    }

    /// Returns the settings that the records of `request` contain. Fails if the request is invalid.
    pub(super) fn answer_settings(&self, request: &BatchRequest) -> Result<AnswerSettings> {
        let variant = match request.subject(self.variant)? {
            RequestSubject::Position(game) => Some(game.variant()),
            RequestSubject::Game { record, variant, .. } => record.variant()?.or(variant),
        };
        Ok(AnswerSettings {
            variant: variant.map(|variant| variant.name().to_owned()),
            limits: Some(self.limits_of(request)),
            multipv: self.lines_of(request),
            searchmoves: request.searchmoves.as_ref().map(Moves::to_list),
        })
    }

    /// Returns the maximum size in bytes of the transposition table for requests with the default limits.
    pub fn table_bytes(&self) -> u64 {
        let all = (self.hash as u64) << 20;
        // The number of nodes of a fixed-depth search can be predicted only roughly.
        let by_nodes = self.limits.nodes.filter(|_| self.limits.movetime.is_none());
        by_nodes.map_or(all, |nodes| all.min(nodes.get().saturating_mul(64)))
    }

    pub fn engines(&self, count: NonZeroUsize) -> Result<Vec<BatchEngine>> {
        let needed = self.hash.saturating_mul(count.get());
        let has_room = available_memory().is_none_or(|free| needed <= free >> 20);
        let (engines, table) = (counted(count.get(), "engine"), size((self.hash as u64) << 20));
        ensure!(
            has_room,
            "not enough memory for {engines} with {table} of hash each: use a smaller hash or fewer engines"
        );
        let engines = (0..count.get()).map(|_| BatchEngine::new(self.clone()));
        Ok(engines.collect::<Result<Vec<_>, _>>()?)
    }
}

#[derive(Debug)]
pub struct BatchEngine {
    settings: BatchEngineSettings,
    pub analyst: Analyst,
    /// Whether the engine's clock is running. Reports depend on the clock, so it runs only if the search has a time
    /// limit.
    has_time: Arc<AtomicBool>,
}

#[derive(Clone, Debug, Default)]
pub struct BatchAnswer {
    pub records: Vec<Result<AnalysisRecord, RecordFailure>>,
    pub game: Option<AnalysedGame>,
    /// The text of a game that could not be read.
    pub unread: Option<String>,
}

/// A game and the analysis of its parts. Each position that the game sets up between moves begins a new part.
#[derive(Clone, Debug)]
pub struct AnalysedGame {
    record: GameRecord,
    /// For each part: the index of its first move in the record, and its analysis.
    parts: Vec<(usize, Analysis)>,
}

impl BatchAnswer {
    pub fn failed(failure: RecordFailure) -> Self {
        Self { records: vec![Err(failure)], ..Self::default() }
    }

    pub fn is_complete(&self) -> bool {
        self.records.iter().all(Result::is_ok)
    }

    pub fn lines(&self) -> impl Iterator<Item = String> + '_ {
        self.records.iter().map(text)
    }
}

impl BatchEngine {
    pub fn new(settings: BatchEngineSettings) -> Result<Self, SettingError> {
        let has_time = Arc::new(AtomicBool::new(false));
        let (passes, clock) = (Arc::clone(&has_time), Instant::now());
        let time = move || if passes.load(Ordering::Relaxed) { clock.elapsed() } else { Duration::ZERO };
        let mut engine = Engine::with_clock(TimeSource::new(time));
        engine.apply(Setting::Hash(settings.hash))?;
        engine.apply(Setting::TablePath(settings.tables.clone()))?;
        Ok(Self { settings, analyst: Analyst::new(engine, HashClearing::EachPosition), has_time })
    }

    /// Answers the JSON request `text`, which is line `number` of the input. Returns `None` if the search was
    /// interrupted by `stop`.
    pub fn answer(&mut self, text: &str, number: u64, stop: &Stop) -> Option<BatchAnswer> {
        match BatchRequest::read(text) {
            Ok(request) => self.answer_request(&request, number, stop),
            Err(error) => Some(BatchAnswer::failed(BatchRequest::failure(text, number, error))),
        }
    }

    pub fn answer_request(&mut self, request: &BatchRequest, number: u64, stop: &Stop) -> Option<BatchAnswer> {
        let id = request.name(number);
        let mut answer = BatchAnswer::default();
        // A bug must cost only one answer, not the whole batch.
        let done = guarded(|| self.attempt(request, &id, stop, &mut answer));
        let error = match done {
            Ok(Ok(())) => return Some(answer),
            Ok(Err(error)) if error.downcast_ref() == Some(&AnnotateError::Stopped) => return None,
            Ok(Err(error)) => error.to_string(),
            Err(fault) => format!("analysis aborted by an internal error: {fault}"),
        };
        // Keep the records of the positions before the move that failed.
        let ply = Some(answer.records.len()).filter(|&ply| ply > 0);
        let input_hash = Some(input_hash(&request.text()));
        answer.unread = request.pdn.clone().filter(|_| answer.game.is_none());
        answer.records.push(Err(RecordFailure {
            input_hash,
            line: Some(number),
            ply,
            ..RecordFailure::new(id, error)
        }));
        Some(answer)
    }

    fn attempt(&mut self, request: &BatchRequest, id: &str, stop: &Stop, answer: &mut BatchAnswer) -> Result<()> {
        let limits = self.settings.limits_of(request);
        let usual = self.analyst.engine.limits();
        let lines = self.settings.lines_of(request);
        let search_limits = limits.apply_to(Limits { lines, threads: self.settings.threads, ..usual });
        self.has_time.store(limits.movetime.is_some(), Ordering::Relaxed);
        let is_root_first = self.settings.solves_endings || limits.movetime.is_some();
        self.analyst.engine.set_root_first(is_root_first);
        let is_timed = self.settings.is_timed || limits.movetime.is_some();
        let text = request.text();
        let mut started = Instant::now();
        let mut complete = |record: AnalysisRecord| {
            let time = started.elapsed();
            started = Instant::now();
            let record = if is_timed { record.timed(time) } else { record };
            AnalysisRecord {
                limits: Some(limits).filter(|limits| !limits.is_empty()),
                multipv: Some(lines).filter(|&lines| lines > NonZeroUsize::MIN),
                searchmoves: request.searchmoves.as_ref().map(Moves::to_list),
                ..record
            }
        };
        match request.subject(self.settings.variant)? {
            RequestSubject::Position(game) => {
                let search_limits = request.search_limits(&game, &search_limits)?;
                let found = self.analyst.search(&game, &search_limits, stop)?;
                let record = position_record(id, &game, &text, &mut self.analyst.engine, &found, &search_limits);
                answer.records.push(Ok(complete(record)));
            }
            RequestSubject::Game { .. } if request.searchmoves.is_some() => {
                bail!("searchmoves requires a position, not a game");
            }
            RequestSubject::Game { mut record, variant, is_guess } => {
                let mut complete = |record| complete(AnalysisRecord { guessed: is_guess.then_some(true), ..record });
                let parts = PlayableGame::parts(&record, variant).map_err(|error| match variant {
                    Some(guess) if is_guess => anyhow!("{error} (guessed variant: {guess})"),
                    _ => error.into(),
                })?;
                let task = AnalysisTask { limits: &search_limits, blunder: BLUNDER, stop };
                let mut analysed = Vec::new();
                for game in &parts {
                    let (records, analysis) =
                        game_records(&mut self.analyst, RequestedGame { game, id, text: &text }, &task, &mut complete)?;
                    answer.records.extend(records.into_iter().map(Ok));
                    game.complete(&mut record, is_guess);
                    analysed.push((game.first(), analysis));
                }
                answer.game = Some(AnalysedGame { record: *record, parts: analysed });
                if let Some(fault) = parts.iter().find_map(PlayableGame::mistake) {
                    return Err(fault.clone().into());
                }
            }
        }
        Ok(())
    }
}

pub struct RequestedGame<'a> {
    pub game: &'a PlayableGame,
    pub id: &'a str,
    /// The text of the request, or of the game.
    pub text: &'a str,
}

/// Returns the records of all positions of a game, and the analysis of its moves. `complete` is called for each record
/// when its position has been analysed; the last position comes first.
pub fn game_records(
    analyst: &mut Analyst,
    RequestedGame { game, id, text }: RequestedGame<'_>,
    task: &AnalysisTask<'_>,
    complete: &mut dyn FnMut(AnalysisRecord) -> AnalysisRecord,
) -> Result<(Vec<AnalysisRecord>, Analysis), AnnotateError> {
    let (mut records, last) = (Vec::new(), game.moves().len());
    let analysis = analyst.analyse(game, task, &mut |engine, board, found| {
        let index = last.saturating_sub(records.len());
        let ply = game.first_ply() + index;
        let mut record = position_record(&format!("{id}/{ply}"), board, text, engine, found, task.limits);
        if let Some(sequence) = game.moves().get(index) {
            record.played = Some(RecordMove { text: full_path(board.spec(), sequence), loss: 0, mark: None });
        }
        records.push(complete(AnalysisRecord { ply: Some(ply), ..record }));
    })?;
    records.reverse();
    for (record, annotation) in records.iter_mut().zip(&analysis.moves) {
        if let Some(played) = &mut record.played {
            (played.loss, played.mark) = (annotation.loss, annotation.mark.map(|mark| mark.symbol()));
        }
    }
    Ok((records, analysis))
}

/// Returns the record of a position. It contains the engine's result `found`, and the table result that the search
/// used.
fn position_record(
    id: &str,
    game: &WrittenGame,
    text: &str,
    engine: &mut Engine,
    found: &PositionAnalysis,
    limits: &Limits,
) -> AnalysisRecord {
    let mut lines: Vec<_> = found.reports.iter().filter_map(|report| RecordLine::new(report, engine, game)).collect();
    if lines.is_empty() {
        // In a game, a forced move is not searched. Its value is the value of the position after it.
        if let [only] = game.legal_moves().as_slice() {
            lines.push(RecordLine::unsearched(only.clone(), found.value, engine, game));
        }
    }
    let table = engine.probe_within_limits(game.game(), limits).map(|probed| probed.position.to_string());
    let static_value = engine.evaluation(game.game()).1;
    let record = AnalysisRecord::for_position(id, game.variant(), game, text).scored(game.variant());
    AnalysisRecord { lines: Some(lines), static_value: Some(static_value), table, ..record }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchFormat {
    Json,
    /// Tab-separated values, with a row for each principal variation.
    Tsv,
    /// Games with scores in comments and better lines as variations. Errors become comments. A game that cannot be read
    /// is copied.
    Pdn,
}

impl BatchFormat {
    pub fn heading(self) -> String {
        let columns = || row(cells(&AnalysisRecord::default(), None, "").map(|(name, _)| name));
        if self == Self::Tsv { columns() } else { String::new() }
    }

    pub fn text(self, answer: &BatchAnswer) -> String {
        let records = answer.records.iter();
        match self {
            Self::Json => records.map(|record| text(record) + "\n").collect(),
            Self::Tsv => records.map(rows).collect(),
            Self::Pdn => match &answer.game {
                Some(AnalysedGame { record, parts }) => {
                    let mut record = record.clone();
                    parts.iter().for_each(|(first, analysis)| annotate(&mut record, *first, analysis));
                    record.to_string()
                }
                None => {
                    let unread = answer.unread.as_deref().unwrap_or_default();
                    let end = if unread.is_empty() { String::new() } else { game_end(unread) };
                    records.map(remark).collect::<String>() + unread + &end
                }
            },
        }
    }
}

fn rows(record: &Result<AnalysisRecord, RecordFailure>) -> String {
    match record {
        Err(RecordFailure { id, ply, error, .. }) => {
            row_of(&AnalysisRecord { id: id.clone(), ply: *ply, ..AnalysisRecord::default() }, None, error)
        }
        Ok(record) => match record.lines.as_deref() {
            None | Some([]) => row_of(record, None, ""),
            Some(lines) => lines.iter().zip(1..).map(|line| row_of(record, Some(line), "")).collect(),
        },
    }
}

fn row_of(record: &AnalysisRecord, line: Option<(&RecordLine, usize)>, error: &str) -> String {
    // Replace tabs and line breaks, which would break the table.
    row(cells(record, line, error).map(|(_, value)| value.replace(['\t', '\n', '\r'], " ")))
}

fn row(cells: [impl AsRef<str>; 21]) -> String {
    cells.each_ref().map(AsRef::as_ref).join("\t") + "\n"
}

fn cells(record: &AnalysisRecord, ranked: Option<(&RecordLine, usize)>, error: &str) -> [(&'static str, String); 21] {
    let (line, played) = (ranked.map(|(line, _)| line), record.played.as_ref());
    let wdl = line.and_then(|line| line.wdl).map(|wdl| wdl.map(|chance| chance.to_string()).join("/"));
    [
        ("id", record.id.clone()),
        ("ply", shown(record.ply)),
        ("variant", shown(record.variant)),
        ("fen", shown(record.fen.as_ref())),
        ("to_move", shown(record.to_move.as_ref())),
        ("score_for", shown(record.score_for.as_ref())),
        ("rank", shown(ranked.map(|(_, rank)| rank))),
        ("move", shown(line.map(|line| &line.first))),
        ("score", shown(line.map(|line| score(line.score)))),
        ("bound", shown(line.and_then(|line| line.bound))),
        ("wdl", wdl.unwrap_or_default()),
        ("depth", shown(line.and_then(|line| line.depth))),
        ("nodes", shown(line.and_then(|line| line.nodes))),
        ("static", shown(record.static_value.map(score))),
        ("table", shown(record.table.as_ref())),
        ("played", shown(played.map(|played| &played.text))),
        ("loss", shown(played.map(|played| played.loss))),
        ("mark", shown(played.and_then(|played| played.mark))),
        ("time", shown(record.time)),
        ("pv", line.map(|line| line.pv.join(" ")).unwrap_or_default()),
        ("error", error.to_owned()),
    ]
}

fn shown(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn score(score: Value) -> String {
    match score {
        Value::Cp(value) => value.to_string(),
        win_or_loss => win_or_loss.to_string(),
    }
}

fn remark(record: &Result<AnalysisRecord, RecordFailure>) -> String {
    let (id, problem) = match record {
        Ok(record) => (&record.id, "skipped, because it is a position, not a game"),
        Err(failure) => (&failure.id, failure.error.as_str()),
    };
    format!("; {}: {}\n\n", id.replace(['\n', '\r'], " "), problem.replace(['\n', '\r'], " "))
}
