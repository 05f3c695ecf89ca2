//! `soffio annotate`: annotates the games in a file.

use super::board::{board_worker, has_board_worker};
use super::book::leaving;
use super::search_arguments::SearchArguments;
use super::shard::PdnShard;
use crate::input::{EncodingArguments, ensure_none_is_output, numbered_path, read};
use crate::plot::score_curve;
use crate::progress::{Progress, stop_on_signal};
use crate::values::{integer, threads, variant};
use anyhow::{Result, bail};
use clap::Args;
use soffio::book::Book;
use soffio::engine::{Engine, Limits, Setting};
use soffio::notation::pdn::{GameRecord, GameResult, Guesses, PdnReader, PdnText, ReadGame, game_end};
use soffio::notation::printable;
use soffio::rules::Variant;
use soffio::shard::Shard;
use soffio::stop::Stop;
use soffio_analysis::annotate::{
    Analysis, AnalysisTask, Analyst, AnnotateError, HashClearing, PlayableGame, Summary, annotate, clear, explain,
};
use soffio_batch::batch::{RequestedGame, game_records};
use soffio_board::{GameTree, Host, page};
use soffio_support::output_file::{NewContent, OutputFile};
use soffio_support::record::{AnalysisRecord, RecordFailure, input_hash, print};
use soffio_support::with_path::WithPath;
use soffio_support::words::counted;
use std::collections::HashMap;
use std::fmt::Display;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// Annotates the games. Returns whether all of them could be read and annotated completely.
pub fn annotate_games(arguments: &AnnotateArguments) -> Result<bool> {
    let file = arguments.encoding.decode(&read(&arguments.file)?);
    let mut games: Vec<_> = PdnReader::new(&file.text).collect();
    let guesses = match arguments.variant {
        None => Guesses::new(games.iter().map(|game| &game.record)),
        Some(_) => Guesses::default(),
    };
    let last = games.last().map_or(0, |game| game.number);
    games.retain(|game| arguments.games.as_ref().is_none_or(|range| range.contains(&game.number)));
    let name = arguments.file.display();
    match (games.len(), last) {
        (_, 0) => bail!("{name}: no games found"),
        (0, last) => bail!("{name}: --games selects no games; the file ends with game {last}"),
        _ => {}
    }
    let ends = [games.first(), games.last()].map(|game| game.map_or(0, |game| game.number));
    let shard = PdnShard::new(arguments.shard, ends);
    games.retain(|game| arguments.shard.contains(game.number as u64 - 1));
    let stop = stop_on_signal()?;
    let mut engine = Engine::new();
    let search = &arguments.search;
    for setting in [Setting::Hash(search.hash), Setting::TablePath(search.tables.clone())] {
        engine.apply(setting)?;
    }
    let limits = search.limits().apply_to(Limits { threads: arguments.threads, ..engine.limits() });
    engine.set_root_first(limits.move_time.is_some());
    let analyst = Analyst::new(engine, HashClearing::EachGame);
    let book = arguments.book.as_deref().map(open_book).transpose()?;
    let html = arguments.html.as_deref().map(|path| arguments.output(path)).transpose()?;
    let curves = curves(&games, arguments)?;
    let out = arguments.out.as_deref().map(|path| arguments.output(path)).transpose()?;
    let output = out.as_ref().map(OutputFile::begin).transpose()?;
    let mut work = Annotation {
        arguments,
        file: &file,
        first: ends[0],
        last: ends[1],
        shard,
        guesses,
        analyst,
        limits,
        stop,
        progress: AnnotationProgress { progress: Progress::new(), games: games.len(), game: 0, positions: (0, 0) },
        output,
        book,
        trees: Vec::new(),
        html,
        curves,
        done: 0,
        partial: 0,
    };
    let all = work.progress.games;
    let finished = work.annotate_all(games)?;
    work.finish(finished)?;
    Ok(work.done == all)
}

/// Opens a book and verifies all its records, because a damaged one would look like the end of the book.
fn open_book(path: &Path) -> Result<Book> {
    let book = Book::open(path).with_path(path)?;
    book.all_moves().map(drop).with_path(path)?;
    Ok(book)
}

fn curves(games: &[ReadGame<'_>], arguments: &AnnotateArguments) -> Result<HashMap<usize, OutputFile>> {
    let Some(path) = &arguments.svg else { return Ok(HashMap::new()) };
    let path_of = |number| if games.len() == 1 { Ok(path.clone()) } else { numbered_path(path, number) };
    let numbers = games.iter().map(|game| game.number);
    numbers.map(|number| Ok((number, arguments.output(&path_of(number)?)?))).collect()
}

/// The analysis of a part of a game. A new part begins wherever the record sets up a position.
struct AnalysedPart {
    game: PlayableGame,
    analysis: Analysis,
    records: Vec<AnalysisRecord>,
}

/// Progress of the annotation. `game` is the number of games started so far, and `games` is the total number.
/// `positions` contains the number of completed positions and the total number of positions in the current game.
struct AnnotationProgress {
    progress: Progress,
    games: usize,
    game: usize,
    positions: (u64, u64),
}

impl AnnotationProgress {
    fn end_position(&mut self) {
        self.positions.0 += 1;
        let ((done, all), Self { progress, games, game, .. }) = (self.positions, self);
        progress.show((done, all), || format!("game {game}/{games}, position {done}/{all}"));
    }
}

struct Annotation<'a> {
    arguments: &'a AnnotateArguments,
    file: &'a PdnText,
    /// Numbers of the first and the last game to annotate. The text of the first one begins the output.
    first: usize,
    last: usize,
    shard: Option<PdnShard>,
    guesses: Guesses,
    analyst: Analyst,
    limits: Limits,
    stop: Stop,
    progress: AnnotationProgress,
    output: Option<NewContent<'a>>,
    book: Option<Book>,
    trees: Vec<GameTree>,
    html: Option<OutputFile>,
    /// Output files for the score curves, by game number.
    curves: HashMap<usize, OutputFile>,
    done: usize,
    /// Number of games that were annotated only up to a move that cannot be replayed.
    partial: usize,
}

impl Annotation<'_> {
    /// Annotates the games in order. Returns false if a signal interrupted the work.
    fn annotate_all(&mut self, games: Vec<ReadGame<'_>>) -> Result<bool> {
        self.write(self.shard.as_ref().map(PdnShard::heading).unwrap_or_default().as_bytes())?;
        for game in games {
            let number = game.number;
            for note in &game.notes {
                self.print_line(&format!("{}: game {number}, {note}", self.arguments.file.display()));
            }
            if !self.annotate_one(game)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Annotates and writes one game. A game that cannot be replayed is written unchanged. Returns false if a signal
    /// interrupted the work.
    fn annotate_one(&mut self, game: ReadGame<'_>) -> Result<bool> {
        let (number, mut record) = (game.number, game.record.clone());
        self.progress.game += 1;
        self.progress.positions = (0, game.moves.len() as u64 + 1);
        let guess = self.guess(&record);
        let text = record.to_string();
        if !self.arguments.keep {
            clear(&mut record);
        }
        let failure =
            |error: &str| RecordFailure { input_hash: Some(input_hash(&text)), ..RecordFailure::new(number, error) };
        match self.analyse(number, &text, &record, guess) {
            Ok(parts) => {
                for AnalysedPart { game: part, records, .. } in &parts {
                    if self.arguments.json {
                        records.iter().cloned().map(Ok).try_for_each(|record| print(&record))?;
                    }
                    for (index, text) in &part.settled {
                        let written = record.moves.get(*index).map(|mv| printable(mv.text.chars())).unwrap_or_default();
                        let location = game.move_location(*index);
                        self.print_line(&format!(
                            "game {number}, {location}: {written} is interpreted as {text}, based on the later moves"
                        ));
                    }
                    if let Some(fault) = part.fault() {
                        let location = game.move_location(part.fault_index());
                        let fault = format!("game {number}, {location}: {fault}; annotated up to there");
                        let failure = || RecordFailure { ply: Some(records.len()), ..failure(&fault) };
                        self.report_fault(&fault, part.mistake().map(|_| failure()))?;
                    }
                }
                self.complete(number, guess, &mut record, parts)?;
            }
            Err(AnnotateError::Stopped) => return Ok(false),
            Err(error @ AnnotateError::Engine(_)) => return Err(error.into()),
            Err(error) => {
                let location = error.location(&game);
                let hint = match guess {
                    _ if error == AnnotateError::NoVariant => "; use --variant".to_owned(),
                    Some(variant) => format!(" (guessed variant: {variant})"),
                    None => String::new(),
                };
                let fault = format!("game {number}, {location}: {error}{hint}");
                self.report_fault(&fault, Some(failure(&fault)))?;
                let mut text = game.on_own_lines().into_owned();
                if number < self.last && !text.ends_with('\n') {
                    text += &game_end(&text);
                }
                self.write_game(number, &text)?;
                return Ok(true);
            }
        }
        self.write_game(number, &record.to_string())?;
        Ok(true)
    }

    /// Adds the analysis to `record`, writes the requested plot, and reports a summary.
    fn complete(
        &mut self,
        number: usize,
        guess: Option<Variant>,
        record: &mut GameRecord,
        parts: Vec<AnalysedPart>,
    ) -> Result<()> {
        let is_guess = guess.is_some();
        let moves = parts.iter().flat_map(|part| part.analysis.moves.clone()).collect();
        let scores = parts.iter().flat_map(|part| part.analysis.scores.clone()).collect();
        let whole = Analysis { scores, moves };
        let Some(variant) = parts.first().map(|part| part.game.variant()) else { return Ok(()) };
        let title = title(record, number, guess, &outcome(variant, record, &whole));
        parts.iter().for_each(|part| part.game.complete(record, is_guess));
        if let Some(file) = self.curves.remove(&number) {
            file.write(score_curve(&title, &whole)?.as_bytes())?;
        }
        if self.html.is_some() {
            let (games, analyses): (Vec<_>, Vec<_>) =
                parts.iter().map(|part| (part.game.clone(), part.analysis.clone())).unzip();
            self.trees.push(GameTree::annotated(record, &games, &analyses, is_guess));
        }
        if record.moves.is_empty() {
            self.print_line(&format!("{title}: no moves"));
        } else {
            for AnalysedPart { game, analysis, .. } in &parts {
                annotate(record, game.first(), analysis);
                self.report_book(record, game);
            }
            self.print_line(&format!("{title}: {}", Summary::from(&whole)));
        }
        let is_whole = parts.iter().all(|part| part.game.mistake().is_none());
        *(if is_whole { &mut self.done } else { &mut self.partial }) += 1;
        Ok(())
    }

    fn report_book(&self, record: &mut GameRecord, game: &PlayableGame) {
        let Some(book) = &self.book else { return };
        if let Err(error) = book.header().check_variant(game.variant()) {
            self.print_line(&format!("{}: {error}", self.arguments.file.display()));
        } else if let Some((place, text)) = leaving(game, book)
            && let Some(mv) = record.moves.get_mut(game.first() + place)
        {
            mv.add_comment(&text);
        }
    }

    fn write_game(&mut self, number: usize, text: &str) -> Result<()> {
        let file = self.file;
        let mark = if number == self.first { file.mark() } else { b"" };
        let bytes = [mark, &file.encode(text)].concat();
        if self.shard.is_some() { self.write(&PdnShard::entry(number, &bytes)) } else { self.write(&bytes) }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        match &mut self.output {
            // Flush after every game, so that finished games are not lost if the process is killed.
            Some(NewContent { file, .. }) => file.write_all(bytes).and_then(|()| file.flush())?,
            None if self.arguments.json => {}
            None => {
                let mut output = io::stdout().lock();
                output.write_all(bytes)?;
                output.flush()?;
            }
        }
        Ok(())
    }

    fn guess(&self, record: &GameRecord) -> Option<Variant> {
        let is_named = self.arguments.variant.is_some() || record.variant() != Ok(None);
        if is_named { None } else { self.guesses.variant(record) }
    }

    fn analyse(
        &mut self,
        number: usize,
        text: &str,
        record: &GameRecord,
        guess: Option<Variant>,
    ) -> Result<Vec<AnalysedPart>, AnnotateError> {
        let parts = PlayableGame::parts(record, self.arguments.variant.or(guess))?;
        let id = number.to_string();
        let task = AnalysisTask { limits: &self.limits, blunder: self.arguments.blunder, stop: &self.stop };
        let mut analysed = Vec::new();
        for game in parts {
            let progress = &mut self.progress;
            let (records, mut analysis) = if self.arguments.json {
                game_records(&mut self.analyst, RequestedGame { game: &game, id: &id, text }, &task, &mut |record| {
                    progress.end_position();
                    record
                })?
            } else if game.moves().is_empty() {
                (Vec::new(), Analysis { scores: Vec::new(), moves: Vec::new() })
            } else {
                (Vec::new(), self.analyst.analyse(&game, &task, &mut |_, _, _| progress.end_position())?)
            };
            explain(&game, &mut analysis);
            analysed.push(AnalysedPart { game, analysis, records });
        }
        Ok(analysed)
    }

    fn print_line(&self, line: &str) {
        self.progress.progress.print_line(line);
    }

    /// Reports `fault` on standard error. With `--json`, also prints `failure` instead of a record.
    fn report_fault(&self, fault: &dyn Display, failure: Option<RecordFailure>) -> Result<()> {
        self.print_line(&format!("{}: {fault}", self.arguments.file.display()));
        failure.filter(|_| self.arguments.json).map_or(Ok(()), |failure| Ok(print(&Err(failure))?))
    }

    fn finish(&mut self, finished: bool) -> Result<()> {
        if let Some(output) = self.output.take() {
            self.save(output, finished)?;
        }
        if let Some(file) = self.html.take().filter(|_| finished || !self.trees.is_empty()) {
            let worker = if has_board_worker() && !self.arguments.no_engine { Some(board_worker(None)?) } else { None };
            let host = worker.as_deref().map_or(Host::None, Host::Worker);
            let mut content = file.begin()?;
            content.file.write_all(page(&page_title(&self.arguments.file), &self.trees, host).as_bytes())?;
            self.save(content, finished)?;
        }
        let games = self.progress.games;
        if self.done < games {
            let mut parts = vec![format!("{} of {} annotated", self.done, counted(games, "game"))];
            if self.partial > 0 {
                parts.push(format!("{} up to a move that cannot be replayed", self.partial));
            }
            if self.done + self.partial < games {
                let rest = games - self.done - self.partial;
                parts.push(if finished { format!("{rest} not annotated") } else { "then interrupted".to_owned() });
            }
            self.print_line(&parts.join(", "));
        }
        Ok(())
    }

    fn save(&self, content: NewContent<'_>, finished: bool) -> Result<()> {
        if finished {
            content.finish()?;
        } else if let Some(part) = content.interrupt()? {
            self.print_line(&format!(
                "the old file is unchanged; the games annotated so far are in {}",
                part.display()
            ));
        }
        Ok(())
    }
}

fn page_title(file: &Path) -> String {
    match file.file_name() {
        Some(name) if file != Path::new("-") => name.to_string_lossy().into_owned(),
        _ => "Annotated games".to_owned(),
    }
}

fn title(record: &GameRecord, number: usize, guess: Option<Variant>, outcome: &str) -> String {
    let name = |tag: &str| record.tag(tag).filter(|name| !name.is_empty()).unwrap_or("?").to_owned();
    let guess = guess.map(|variant| format!(", {variant} (guessed)")).unwrap_or_default();
    format!("game {number}, {} - {}, {outcome}{guess}", name("White"), name("Black"))
}

fn outcome(variant: Variant, record: &GameRecord, analysis: &Analysis) -> String {
    let (text, how) = (record.result_text(), record.result_in_words(variant));
    match analysis.scores.last().and_then(|score| score.winner()) {
        Some((winner, 0)) if text == "*" => {
            let won = GameResult::won_by(winner, variant).in_words(variant);
            format!("{won} on the board, no result recorded")
        }
        _ if record.result != GameResult::Unknown && text.ends_with(['F', 'f']) => format!("{how} by forfeit"),
        _ => how,
    }
}

#[derive(Clone, Debug, Args)]
pub struct AnnotateArguments {
    /// PDN file with games, or - for standard input
    file: PathBuf,
    /// Write the annotated games to FILE [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Annotate only these games, counted from 1, such as 3, 3-7 or 3- [default: all games]
    #[arg(long, value_name = "FIRST[-[LAST]]", value_parser = game_range)]
    games: Option<RangeInclusive<usize>>,
    /// Annotate only shard K/N of the games; combine the shards with `soffio merge`
    #[arg(long, value_name = "K/N", default_value = "1/1")]
    shard: Shard,
    /// Variant for games without a GameType or Variant tag [default: guessed from the squares and moves]
    #[arg(long, value_parser = variant)]
    variant: Option<Variant>,
    #[command(flatten)]
    encoding: EncodingArguments,
    #[command(flatten)]
    search: SearchArguments,
    /// Number of search threads (1 to 256)
    #[arg(long, default_value_t = NonZeroUsize::MIN, value_parser = threads())]
    threads: NonZeroUsize,
    /// Minimum loss in cp for a blunder (??), from 1 to 600; mistakes (?) start at half of this loss, dubious moves
    /// (?!) at a quarter
    #[arg(long, value_name = "LOSS", default_value_t = 100, value_parser = integer::<u32>(1..=600))]
    blunder: u32,
    /// Opening book; a comment marks where each game leaves the book
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Write an SVG plot of the scores to FILE; for several games, NAME.svg becomes NAME-1.svg, NAME-2.svg and so on
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write an HTML analysis board with all games to FILE; it includes the engine if the engine's browser script is
    /// installed with the program
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Do not include the engine in the HTML file
    #[arg(long, requires = "html")]
    no_engine: bool,
    /// Overwrite existing output files
    #[arg(long)]
    overwrite: bool,
    /// Keep Soffio's earlier annotations instead of replacing them
    #[arg(long)]
    keep: bool,
    /// Print one JSON record per position instead of the annotated games
    #[arg(long)]
    json: bool,
}

impl AnnotateArguments {
    fn output(&self, path: &Path) -> Result<OutputFile> {
        ensure_none_is_output([Some(self.file.as_path()), self.book.as_deref()].into_iter().flatten(), [path])?;
        Ok(OutputFile::new(path, self.overwrite)?)
    }
}

fn game_range(text: &str) -> Result<RangeInclusive<usize>, &'static str> {
    let number = |text: &str| text.parse().ok().filter(|&number: &usize| number > 0);
    let range = match text.split_once('-') {
        None => number(text).map(|only| only..=only),
        Some((first, "")) => number(first).map(|first| first..=usize::MAX),
        Some((first, last)) => number(first).zip(number(last)).map(|(first, last)| first..=last),
    };
    range.filter(|range| !range.is_empty()).ok_or("expected a game number such as 3, or a range such as 3-7 or 3-")
}

#[cfg(test)]
mod tests {
    use super::*;
    use soffio::notation::pdn::read_games;
    use soffio::score::WhiteScore;

    #[test]
    fn results_are_printed_in_words() {
        let words = |variant, result: &str, last| {
            let (tag, end) = result.split_once(' ').unwrap_or((result, result));
            let record = read_games(&format!("[Result \"{tag}\"]\n\n1. 1-2 {end}\n")).remove(0);
            outcome(variant, &record, &Analysis { scores: vec![last], moves: Vec::new() })
        };
        let even = WhiteScore::Cp(0);
        for (variant, result, last, expected) in [
            (Variant::English, "1-0", even, "Black won"),
            (Variant::English, "0-1", even, "White won"),
            (Variant::International, "2-0", even, "White won"),
            (Variant::International, "1-1", even, "a draw"),
            (Variant::KillerRussian, "0-2F", even, "Black won by forfeit"),
            (Variant::Turkish, "*", even, "not finished"),
            (Variant::Turkish, "*", WhiteScore::Black(0), "Black won on the board, no result recorded"),
            (Variant::International, "4-6 *", even, "result 4-6"),
            (Variant::International, "12-8", WhiteScore::White(0), "result 12-8"),
            (Variant::International, "? 0.5-0.5", even, "result 0.5-0.5"),
        ] {
            assert_eq!(words(variant, result, last), expected);
        }
    }

    #[test]
    fn ranges_are_parsed() {
        for (text, range) in [("3", 3..=3), ("3-7", 3..=7), ("3-", 3..=usize::MAX)] {
            assert_eq!(game_range(text), Ok(range));
        }
        for text in ["", "0", "-3", "7-3", "a", "1-2-3", "3..7"] {
            assert!(game_range(text).is_err(), "{text}");
        }
    }
}
