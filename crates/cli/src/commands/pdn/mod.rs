//! `soffio pdn`: checks, converts and summarises PDN files.

mod convert;
mod files;

use crate::progress::print_line;
use anyhow::{Result, ensure};
use clap::{Args, Subcommand};
use convert::{ConvertArguments, convert};
use files::{FileGame, PdnFiles};
use serde_json::json;
use soffio::notation::pdn::{GameRecord, Location, NoteKind, PdnMove, ReadGame};
use soffio::notation::{IllegalMove, WrittenGame, bitboard_move, printable};
use soffio::rules::Variant;
use soffio_analysis::annotate::{AnnotateError, PlayableGame};
use soffio_support::words::counted;
use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};

/// The subcommands of `soffio pdn`.
#[derive(Debug, Subcommand)]
pub enum PdnCommand {
    /// Report unusual syntax, unrecognised text and illegal moves in games
    ///
    /// Prints one line per deviation from the standard, with its location and Soffio's interpretation of the text. The
    /// exit status is 1 if any text is unrecognised, if any move (in the game or a variation) is illegal or ambiguous,
    /// or if there are no games.
    #[command(after_help = "Example: soffio pdn check games.pdn")]
    Check(CheckArguments),
    /// Convert, select, join or split games
    ///
    /// Without options, the games are copied unchanged.
    #[command(after_help = "Example: soffio pdn convert old.pdn --standard --notation numeric --out new.pdn")]
    Convert(Box<ConvertArguments>),
    /// Count games, moves, results, variants and players
    #[command(after_help = "Example: soffio pdn stat games.pdn")]
    Stat(CheckArguments),
}

/// Runs the subcommand. Returns false if `soffio pdn check` found a move that cannot be played or unrecognised
/// text.
pub fn run_pdn(command: &PdnCommand) -> Result<bool> {
    match command {
        PdnCommand::Check(arguments) => check(arguments),
        PdnCommand::Convert(arguments) => convert(arguments).map(|()| true),
        PdnCommand::Stat(arguments) => stat(arguments).map(|()| true),
    }
}

#[derive(Clone, Debug, Args)]
pub struct CheckArguments {
    #[command(flatten)]
    files: PdnFiles,
    /// Print JSON instead of plain text
    #[arg(long)]
    json: bool,
}

#[derive(Default)]
struct CheckCounts {
    games: usize,
    moves: usize,
    noted: usize,
    unknown: usize,
    illegal: usize,
    ambiguous: usize,
    guessed: BTreeMap<&'static str, usize>,
}

fn check(arguments: &CheckArguments) -> Result<bool> {
    let mut output = io::stdout().lock();
    let mut counts = CheckCounts::default();
    arguments.files.for_each(|game| {
        let found = findings(&game);
        counts.games += 1;
        counts.moves += game.game.record.move_count();
        counts.noted += usize::from(!found.is_empty());
        counts.unknown += game.game.notes.iter().filter(|note| note.kind == NoteKind::Unknown).count();
        let has = |problem| usize::from(found.iter().any(|finding| finding.problem == Some(problem)));
        counts.illegal += has(Problem::Illegal);
        counts.ambiguous += has(Problem::Ambiguous);
        if let (Some(variant), true) = game.default_variant() {
            *counts.guessed.entry(variant.name()).or_default() += 1;
        }
        for Finding { location, text, .. } in found {
            let (path, number) = (game.path.display(), game.game.number);
            if arguments.json {
                let object = json!({
                    "file": path.to_string(), "game": number, "line": location.line, "column": location.column, "note": text
                });
                writeln!(output, "{object}")?;
            } else {
                writeln!(output, "{path}: game {number}, {location}: {text}")?;
            }
        }
        Ok(())
    })?;
    output.flush()?;
    ensure!(counts.games > 0, "no games found");
    counts.report();
    Ok(counts.unknown == 0 && counts.illegal == 0 && counts.ambiguous == 0)
}

impl CheckCounts {
    fn report(&self) {
        let mut parts = vec![format!("{}, {}", counted(self.games, "game"), counted(self.moves, "move"))];
        parts.push(format!("{} with notes", counted(self.noted, "game")));
        parts.push(format!("{} with an illegal move", counted(self.illegal, "game")));
        if self.ambiguous > 0 {
            parts.push(format!("{} with an ambiguous move", counted(self.ambiguous, "game")));
        }
        if self.unknown > 0 {
            parts.push(counted(self.unknown, "unrecognised passage"));
        }
        print_line(&parts.join("; "));
        for (variant, games) in &self.guessed {
            print_line(&format!("{} without a variant: guessed {variant}", counted(*games, "game")));
        }
    }
}

struct Finding {
    location: Location,
    text: String,
    problem: Option<Problem>,
}

/// Why the rest of a game cannot be replayed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Problem {
    Illegal,
    Ambiguous,
}

impl Problem {
    fn from_error(error: &AnnotateError) -> Self {
        match error {
            AnnotateError::IllegalMove { reason: IllegalMove::Ambiguous(_), .. } => Self::Ambiguous,
            _ => Self::Illegal,
        }
    }
}

/// Returns the findings in a game, in the order in which they occur in the file.
fn findings(game: &FileGame<'_>) -> Vec<Finding> {
    let ReadGame { notes, record, .. } = &game.game;
    let location_of = |index: usize| game.game.move_location(index);
    let note = |location, text| Finding { location, text, problem: None };
    let fault = |location, error: &AnnotateError| {
        let problem = Some(Problem::from_error(error));
        Finding { location, text: error.to_string(), problem }
    };
    let mut found: Vec<_> =
        notes.iter().map(|found| note(found.location, format!("{} '{}'", found.kind, found.text))).collect();
    match game.played() {
        Err(AnnotateError::NoVariant) if record.moves.is_empty() => {}
        // The notes already report the unknown move.
        Err(error) if error.is_unknown_move() => {}
        Err(error) => found.push(fault(error.location(&game.game), &error)),
        Ok(parts) => {
            found.extend(wrong_separators(record, &parts).map(|(index, text)| note(location_of(index), text)));
            for part in parts {
                if part.placements() > 0 {
                    let text = format!("{} placed before the first move", counted(part.placements(), "piece"));
                    found.push(note(location_of(part.first() - part.placements()), text));
                }
                for (index, text) in &part.settled {
                    let written = record.moves.get(*index).map(|mv| printable(mv.text.chars())).unwrap_or_default();
                    found.push(note(
                        location_of(*index),
                        format!("{written} is interpreted as {text}, based on the later moves"),
                    ));
                }
                if let Some(error) = part.mistake() {
                    found.push(fault(location_of(part.fault_index()), error));
                }
                for (index, error) in variation_errors(record, &part) {
                    let text = format!("in a variation: {error}");
                    found.push(Finding { text, ..fault(location_of(index), &error) });
                }
            }
        }
    }
    found.extend(contradictions(&game.game).into_iter().map(|(location, text)| note(location, text)));
    found.sort_by_key(|finding| (finding.location.line, finding.location.column));
    found
}

/// Returns the contradictions between the tags and the result of a game: the first repeated tag, and a result that
/// differs from the `Result` tag.
fn contradictions(game: &ReadGame<'_>) -> Vec<(Location, String)> {
    let (record, mut names) = (&game.record, HashSet::new());
    let mut tags = record.tags.iter().zip(&game.tags);
    let repeated = tags.find(|((name, _), _)| !names.insert(name)).map(|((name, value), location)| {
        let used = printable(record.tag(name).unwrap_or_default().chars());
        let value = printable(value.chars());
        (*location, format!("a repeated tag, ignored: '{name} \"{value}\"'; the first value is \"{used}\""))
    });
    let contradicting = record.contradicts_tag().then(|| {
        let (result, tag) = (record.result_text(), record.tag("Result").unwrap_or_default());
        let [result, tag] = [&result, tag].map(|text| printable(text.chars()));
        let text = format!("a result that contradicts the tag, used instead of it: '{result}', not [Result \"{tag}\"]");
        (game.result.unwrap_or(game.location), text)
    });
    repeated.into_iter().chain(contradicting).collect()
}

/// Returns the first capture with a hyphen and the first other move with a capture separator, each with its index.
fn wrong_separators(record: &GameRecord, parts: &[PlayableGame]) -> impl Iterator<Item = (usize, String)> {
    // In some variants, all moves are written with hyphens.
    let has_separators = |part: &&PlayableGame| part.variant().spec().notation.capture != '-';
    let wrong = move |is_capture: bool| {
        let parts = parts.iter().filter(has_separators);
        let mut moves = parts.flat_map(|part| (part.first()..).zip(part.written(record)).zip(part.moves()));
        moves.find_map(|((index, mv), played)| {
            let read = mv.record().ok()?;
            let has_hyphen = || mv.text.contains(['-', '‐', '‑', '–', '—', '−']);
            let is_wrong = is_capture != played.captured.is_empty()
                && read.capture != is_capture
                && (read.capture || has_hyphen());
            let kind = if is_capture { "a capture written with a hyphen" } else { "not a capture, read as a move" };
            is_wrong.then(|| (index, format!("{kind}: '{}'", printable(mv.text.chars()))))
        })
    };
    [true, false].into_iter().filter_map(wrong)
}

/// Returns the errors in the variations of a part, each with the index of the move that the variation replaces.
fn variation_errors(record: &GameRecord, part: &PlayableGame) -> Vec<(usize, AnnotateError)> {
    let (moves, mut game) = (record.moves.get(part.first()..).unwrap_or_default(), part.played().clone());
    if moves.iter().all(|mv| mv.variations.is_empty()) || game.undo(part.moves().len()).is_err() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (index, mv) in (part.first()..).zip(moves) {
        let mut errors = Vec::new();
        mv.variations.iter().for_each(|variation| add_errors(&variation.moves, game.clone(), &mut errors));
        found.extend(errors.into_iter().map(|error| (index, error)));
        let played = part.moves().get(index - part.first());
        if !played.is_some_and(|played| game.play_found(bitboard_move(played))) {
            break;
        }
    }
    found
}

/// Adds the first error of the line that is played in `game`, and those of the variations before it.
fn add_errors(line: &[PdnMove], mut game: WrittenGame, errors: &mut Vec<AnnotateError>) {
    for (index, mv) in line.iter().enumerate() {
        mv.variations.iter().for_each(|variation| add_errors(&variation.moves, game.clone(), errors));
        let played = AnnotateError::read(index, mv).and_then(|record| {
            let illegal = |reason| AnnotateError::IllegalMove { index, text: mv.text.clone(), reason };
            game.play_record(&record).map_err(illegal)
        });
        if let Err(error) = played {
            errors.extend((!mv.is_set_up() && !mv.is_unknown()).then_some(error));
            return;
        }
    }
}

/// Returns the year of a date, which is its first number with at least four digits. Some programs write the year last,
/// as in `31.12.1999`.
fn year(date: &str) -> Option<&str> {
    date.split(|c: char| !c.is_ascii_digit()).find_map(|number| number.get(..4))
}

fn stat(arguments: &CheckArguments) -> Result<()> {
    let (mut games, mut moves) = (0, 0);
    let (mut results, mut variants) = (BTreeMap::<String, usize>::new(), BTreeMap::<String, usize>::new());
    let (mut players, mut years) = (HashSet::new(), BTreeMap::<String, usize>::new());
    arguments.files.for_each(|game| {
        let record = &game.game.record;
        games += 1;
        moves += record.move_count();
        *results.entry(record.result_text()).or_default() += 1;
        let (default_variant, is_guess) = game.default_variant();
        let variant = record.variant().ok().flatten().or(default_variant);
        let name = variant.map_or("unknown", Variant::name);
        *variants
            .entry(if is_guess && variant.is_some() { format!("{name} (guessed)") } else { name.to_owned() })
            .or_default() += 1;
        let names = ["White", "Black"].into_iter().filter_map(|tag| record.tag(tag));
        players.extend(names.filter(|name| !matches!(*name, "" | "?")).map(str::to_owned));
        if let Some(year) = record.tag("Date").and_then(year) {
            *years.entry(year.to_owned()).or_default() += 1;
        }
        Ok(())
    })?;
    let players = players.len();
    let mut output = io::stdout().lock();
    if arguments.json {
        let object = json!({
            "games": games, "moves": moves, "players": players, "variants": variants, "results": results, "years": years
        });
        writeln!(output, "{object}")?;
        return Ok(());
    }
    let list = |counts: &BTreeMap<String, usize>| {
        counts.iter().map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
    };
    writeln!(output, "games     {games}\nmoves     {moves}\nplayers   {players}")?;
    writeln!(output, "variants  {}\nresults   {}", list(&variants), list(&results))?;
    if let (Some((first, _)), Some((last, _))) = (years.first_key_value(), years.last_key_value()) {
        writeln!(output, "years     {first} to {last}")?;
    }
    Ok(())
}
