//! `soffio solve`: checks problems.

use crate::input::{EncodingArguments, read};
use crate::progress::{print_line, stop_on_signal};
use crate::values::{integer, variant};
use anyhow::{Result, ensure};
use clap::Args;
use soffio::notation::pdn::{PdnReader, ReadGame};
use soffio::rules::Variant;
use soffio_analysis::annotate::AnnotateError;
use soffio_analysis::puzzle::Prover;
use soffio_batch::batch::{BatchEngine, BatchEngineSettings};
use soffio_batch::puzzles::{DraughtsProblem, ProblemVerdict};
use soffio_match::numbered_lines;
use soffio_support::words::counted;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct SolveArguments {
    /// File with PDN records that contain a position and a solution, or with one FEN per line; - for standard input
    file: PathBuf,
    /// Variant for problems that do not name one
    #[arg(long, value_parser = variant)]
    variant: Option<Variant>,
    #[command(flatten)]
    encoding: EncodingArguments,
    /// Maximum number of nodes to search per move (at least 1000)
    #[arg(long, default_value_t = 200_000, value_parser = integer::<u64>(1_000..=u64::MAX))]
    nodes: u64,
    /// Transposition table size in MiB (1 to 65536)
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = integer::<usize>(1..=65_536))]
    hash: usize,
    /// Folder with endgame tables to use in the search (see `soffio tables build`)
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Also check the rules of composition: no kings in the start position, no superfluous pieces, a single solution
    #[arg(long)]
    composition: bool,
    /// Print one JSON object per problem
    #[arg(long)]
    json: bool,
}

/// Checks the problems. Returns whether all of them could be read.
pub fn solve_problems(arguments: &SolveArguments) -> Result<bool> {
    let text = arguments.encoding.decode(&read(&arguments.file)?).text;
    let (hash, tables) = (arguments.hash, arguments.tables.clone());
    let settings = BatchEngineSettings { hash, tables, ..BatchEngineSettings::default() };
    let (mut engine, stop) = (BatchEngine::new(settings)?, stop_on_signal()?);
    let (mut is_whole, mut verdicts) = (true, BTreeMap::<ProblemVerdict, u64>::new());
    let problems = problems(&text, arguments.variant);
    ensure!(!problems.is_empty(), "{}: no problems found", arguments.file.display());
    for problem in problems {
        let problem = match problem {
            Ok(problem) => problem,
            Err(error) => {
                print_line(&format!("{}: {error}", arguments.file.display()));
                is_whole = false;
                continue;
            }
        };
        let mut prover = Prover::new(&mut engine.analyst, &stop);
        let report = match problem.evaluate(&mut prover, arguments.nodes, arguments.composition) {
            Ok(report) => report,
            Err(AnnotateError::Stopped) => return Ok(false),
            Err(error) => return Err(error.into()),
        };
        *verdicts.entry(report.verdict).or_default() += 1;
        let line = if arguments.json { serde_json::to_string(&report)? + "\n" } else { report.text() };
        io::stdout().lock().write_all(line.as_bytes())?;
    }
    let all = counted(verdicts.values().sum::<u64>(), "problem");
    let counts: Vec<_> = verdicts.iter().map(|(verdict, count)| format!("{count} {verdict}")).collect();
    print_line(&if counts.is_empty() { all } else { format!("{all}: {}", counts.join(", ")) });
    Ok(is_whole)
}

/// Parses `text` as PDN if any line is a tag, or as one position per line otherwise.
fn problems(text: &str, variant: Option<Variant>) -> Vec<Result<DraughtsProblem, String>> {
    let is_tag = |line: &str| line.trim_start_matches(['[', ' ']).starts_with(|c: char| c.is_ascii_alphabetic());
    if !numbered_lines(text).any(|(_, line)| line.starts_with('[') && is_tag(line)) {
        let problem = |(number, line): (usize, &str)| {
            let read = DraughtsProblem::from_line(number.to_string(), line, variant);
            read.map_err(|error| format!("line {number}: {error}"))
        };
        return numbered_lines(text).map(problem).collect();
    }
    let problem = |game: ReadGame<'_>| {
        let ReadGame { number, record, .. } = game;
        let event = record.tag("Event").filter(|event| !event.is_empty());
        let id = event.map_or_else(|| number.to_string(), |event| format!("{number} {event}"));
        DraughtsProblem::from_record(id, record, variant).map_err(|error| format!("game {number}: {error}"))
    };
    PdnReader::new(text).map(problem).collect()
}
