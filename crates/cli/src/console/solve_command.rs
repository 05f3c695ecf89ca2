//! `soffio solve`: checks problems.

use super::input::{EncodingArguments, read};
use super::progress::{say, stop_on_signal};
use super::values::{integer, variant};
use anyhow::{Result, ensure};
use clap::Args;
use soffio::notation::pdn::PdnReader;
use soffio::rules::Variant;
use soffio_analysis::annotate::AnnotateError;
use soffio_analysis::puzzle::Prover;
use soffio_batch::batch::{BatchEngine, BatchEngineSettings};
use soffio_batch::puzzles::DraughtsProblem;
use soffio_match::numbered_lines;
use soffio_support::words::counted;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct SolveArguments {
    /// Game records (PDN) with position and solution, or positions (FEN), one a line; - for standard input.
    file: PathBuf,
    /// The game of problems that name none.
    #[arg(long, value_parser = variant)]
    variant: Option<Variant>,
    #[command(flatten)]
    encoding: EncodingArguments,
    /// Positions that are searched for each move.
    #[arg(long, default_value_t = 200_000, value_parser = integer::<u64>(1_000..=u64::MAX))]
    nodes: u64,
    /// Size of the transposition table in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 64)]
    #[arg(value_parser = integer::<usize>(1..=65_536))]
    hash: usize,
    /// Use the endgame tables in this folder, beside those of few pieces that are made in memory.
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Look also for what is asked of compositions: no kings at the start, no piece that is not needed, one way alone.
    #[arg(long)]
    composition: bool,
    /// Print a JSON object for each problem.
    #[arg(long)]
    json: bool,
}

/// Returns whether all problems could be read.
pub fn solve_problems(arguments: &SolveArguments) -> Result<bool> {
    let text = arguments.encoding.decode(&read(&arguments.file)?).text;
    let settings = BatchEngineSettings {
        hash: arguments.hash,
        tables: arguments.tables.clone(),
        ..BatchEngineSettings::default()
    };
    let (mut judge, stop) = (BatchEngine::new(settings)?, stop_on_signal()?);
    let (mut is_whole, mut verdicts) = (true, BTreeMap::<&str, u64>::new());
    let problems = problems(&text, arguments.variant);
    ensure!(!problems.is_empty(), "{}: there is no problem in it", arguments.file.display());
    for problem in problems {
        let problem = match problem {
            Ok(problem) => problem,
            Err(error) => {
                say(&format!("{}: {error}", arguments.file.display()));
                is_whole = false;
                continue;
            }
        };
        let mut prover = Prover::new(&mut judge.analyst, &stop);
        let judged = match problem.judge(&mut prover, arguments.nodes, arguments.composition) {
            Ok(judged) => judged,
            Err(AnnotateError::Stopped) => return Ok(false),
            Err(error) => return Err(error.into()),
        };
        *verdicts.entry(judged.verdict).or_default() += 1;
        let line = if arguments.json { serde_json::to_string(&judged)? + "\n" } else { judged.text() };
        io::stdout().lock().write_all(line.as_bytes())?;
    }
    let all = counted(verdicts.values().sum::<u64>(), "problem");
    let counts: Vec<_> = verdicts.iter().map(|(verdict, count)| format!("{count} {verdict}")).collect();
    say(&if counts.is_empty() { all } else { format!("{all}: {}", counts.join(", ")) });
    Ok(is_whole)
}

/// Parses game records if any line is a tag, and otherwise one position per line.
fn problems(text: &str, variant: Option<Variant>) -> Vec<Result<DraughtsProblem, String>> {
    let is_tag = |line: &str| line.trim_start_matches(['[', ' ']).starts_with(|c: char| c.is_ascii_alphabetic());
    if !numbered_lines(text).any(|(_, line)| line.starts_with('[') && is_tag(line)) {
        let problem = |(number, line): (usize, &str)| {
            let read = DraughtsProblem::of_line(number.to_string(), line, variant);
            read.map_err(|error| format!("line {number}: {error}"))
        };
        return numbered_lines(text).map(problem).collect();
    }
    let problem = |game| match game {
        Err(error) => Err(format!("{error}")),
        Ok(game) => {
            let soffio::notation::pdn::ReadGame { number, record, .. } = game;
            let id = record
                .tag("Event")
                .filter(|event| !event.is_empty())
                .map_or_else(|| number.to_string(), |event| format!("{number} {event}"));
            DraughtsProblem::of_record(id, record, variant).map_err(|error| format!("game {number}: {error}"))
        }
    };
    PdnReader::new(text).map(problem).collect()
}
