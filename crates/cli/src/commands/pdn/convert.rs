//! `soffio pdn convert`: converts games to a different format, encoding or notation, and selects, joins or splits them.

use super::files::{FileGame, PdnFiles};
use crate::input::{ensure_not_output, numbered_path};
use crate::progress::{ensure_not_stopped, print_line, stop_on_signal};
use crate::values::integer;
use anyhow::{Result, bail, ensure};
use clap::{Args, ValueEnum};
use serde_json::json;
use soffio::engine::SquareStyle;
use soffio::notation::pdn::{GameRecord, GameResult, PdnMove, TextEncoding, game_separator};
use soffio::notation::{FenRecord, WrittenGame, full_path};
use soffio::position::paths::Sequence;
use soffio::rules::{RuleSet, Variant};
use soffio_analysis::annotate::PlayableGame;
use soffio_support::output_file::OutputFile;
use soffio_support::words::counted;
use std::borrow::Cow;
use std::collections::HashSet;
use std::fs::remove_file;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::path::PathBuf;

#[derive(Clone, Debug, Args)]
pub struct ConvertArguments {
    #[command(flatten)]
    files: PdnFiles,
    /// Write the games to FILE [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite existing output files
    #[arg(long)]
    overwrite: bool,
    /// Write the games as PDN 3.0, in lines of up to 79 characters; unrecognised text is kept
    #[arg(long)]
    standard: bool,
    /// Write moves and positions in this notation
    #[arg(long, value_name = "STYLE", value_enum)]
    notation: Option<MoveStyle>,
    /// Write each jump of a capture separately, as in `22x15 15x6`
    #[arg(long)]
    jumps: bool,
    /// Print one JSON object per game instead of PDN
    #[arg(long, conflicts_with_all = ["standard", "split"])]
    json: bool,
    /// Encoding of the output [default: the encoding of the files, or UTF-8 if their encodings differ]
    #[arg(long, value_name = "NAME", value_parser = output_encoding)]
    to: Option<TextEncoding>,
    /// Select games whose NAME tag contains TEXT, ignoring case; may be repeated to require several tags
    #[arg(long, value_name = "NAME=TEXT", value_parser = tag_filter)]
    tag: Vec<(String, String)>,
    /// Select games with these results, separated by commas, such as 1-0,1/2-1/2 [default: all games]
    #[arg(long, value_name = "RESULTS", value_delimiter = ',', value_parser = result)]
    result: Vec<String>,
    /// Skip games with the same variant, start position and moves as an earlier game; games without moves are kept
    #[arg(long)]
    unique: bool,
    /// Write N games to each output file; NAME.pdn becomes NAME-1.pdn, NAME-2.pdn and so on
    #[arg(long, value_name = "N", requires = "out", value_parser = integer::<usize>(1..=u64::MAX))]
    split: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MoveStyle {
    /// The usual notation of the variant
    Usual,
    /// Square numbers
    Numeric,
    /// Squares as a letter and a digit
    Algebraic,
}

fn output_encoding(text: &str) -> Result<TextEncoding, &'static str> {
    const EXPECTED: &str =
        "expected the name of an output encoding such as cp1251, cp866, koi8-r, latin1, latin2 or utf-8";
    // Other encodings, such as UTF-16, are only read.
    let encoding = text.parse().ok().filter(|&encoding: &TextEncoding| encoding.can_encode());
    encoding.ok_or(EXPECTED)
}

fn result(text: &str) -> Result<String, &'static str> {
    let read = text.parse::<GameResult>();
    read.map(|_| text.to_owned()).map_err(|()| "expected a result such as 1-0, 2-0, 1/2-1/2, 1-1 or *")
}

fn tag_filter(text: &str) -> Result<(String, String), &'static str> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=TEXT, such as White=Sijbrands")?;
    Ok((name.to_owned(), value.to_lowercase()))
}

pub(super) fn convert(arguments: &ConvertArguments) -> Result<()> {
    // Without an output file, the signal ends the process.
    let stop = arguments.out.is_some().then(stop_on_signal).transpose()?;
    let ensure_not_stopped = || match &stop {
        Some(stop) if arguments.split.is_some() && arguments.overwrite => {
            ensure!(!stop.is_stopped(), "interrupted: only some of the files were written");
            Ok(())
        }
        stop => stop.as_ref().map_or(Ok(()), ensure_not_stopped),
    };
    let file = match (&arguments.out, arguments.split) {
        (Some(path), None) => Some(OutputFile::new(path, arguments.overwrite)?),
        _ => None,
    };
    let mut content = file.as_ref().map(OutputFile::begin).transpose()?;
    let sources = arguments.files.sources()?;
    let encodings = sources.iter().map(|source| source.encoding);
    let common = encodings.reduce(|one, other| if one == other { one } else { TextEncoding::UTF_8 });
    let encoding = arguments.to.or(common).unwrap_or(TextEncoding::UTF_8);
    let (mut seen, mut counts) = (HashSet::new(), [0; 2]);
    let mut part = SplitPart::default();
    let mut last: Option<(usize, usize, String)> = None;
    let mut visit = |file: usize, game: FileGame<'_>| -> Result<()> {
        ensure_not_stopped()?;
        counts[0] += 1;
        if !arguments.selects(&game) || (arguments.unique && game_hash(&game).is_some_and(|hash| !seen.insert(hash))) {
            return Ok(());
        }
        counts[1] += 1;
        let number = game.game.number;
        let before = last.as_ref().filter(|_| arguments.split.is_none() || part.games > 0);
        let is_next =
            before.is_some_and(|(last_file, last_number, _)| (*last_file, *last_number + 1) == (file, number));
        let text = arguments.text(&game, is_next);
        let bytes = match before {
            _ if arguments.json => text.clone().into_bytes(),
            None if counts[1] == 1 => [arguments.mark(&game, encoding), &encoded(&game, &text, encoding)?].concat(),
            Some((.., before)) if !is_next => encoded(&game, &(game_separator(before, &text) + &text), encoding)?,
            _ => encoded(&game, &text, encoding)?,
        };
        last = Some((file, number, text));
        match (&mut content, arguments.split) {
            (Some(content), _) => content.file.write_all(&bytes)?,
            (None, Some(max_games)) => part.add(arguments, &bytes, max_games)?,
            (None, None) => io::stdout().lock().write_all(&bytes)?,
        }
        Ok(())
    };
    let mut sources = sources.iter().enumerate();
    let visited = sources.try_for_each(|(file, source)| arguments.files.for_each_in(source, |game| visit(file, game)));
    let [read, written] = counts;
    if let Err(error) = visited.and_then(|()| ensure_not_stopped()).and_then(|()| part.write(arguments)) {
        part.remove(arguments);
        return Err(error);
    }
    ensure!(read > 0, "no games found");
    part.report_older_files(arguments)?;
    if let Some(content) = content {
        content.finish()?;
    }
    if written < read {
        print_line(&format!("{} of {} written", written, counted(read, "game")));
    }
    Ok(())
}

fn encoded(game: &FileGame<'_>, text: &str, encoding: TextEncoding) -> Result<Vec<u8>> {
    // Files that have been joined can contain byte order marks.
    let text = if encoding.is_unicode() { Cow::Borrowed(text) } else { Cow::Owned(text.replace('\u{feff}', "")) };
    match encoding.try_encode(&text) {
        Ok(bytes) => Ok(bytes.into_owned()),
        Err(missing) => {
            let (path, number) = (game.path.display(), game.game.number);
            bail!("{path}: game {number}: the encoding {encoding} cannot represent {missing:?}; use --to utf-8")
        }
    }
}

/// The games that are collected for the next output file of `--split`.
#[derive(Default)]
struct SplitPart {
    bytes: Vec<u8>,
    games: usize,
    number: usize,
    paths: Vec<PathBuf>,
}

impl SplitPart {
    fn add(&mut self, arguments: &ConvertArguments, bytes: &[u8], max_games: usize) -> Result<()> {
        self.bytes.extend_from_slice(bytes);
        self.games += 1;
        if self.games == max_games { self.write(arguments) } else { Ok(()) }
    }

    fn write(&mut self, arguments: &ConvertArguments) -> Result<()> {
        if let (Some(path), true) = (&arguments.out, self.games > 0) {
            self.number += 1;
            let path = numbered_path(path, self.number)?;
            // An input file that has not been read yet must not be replaced.
            arguments.files.files.iter().try_for_each(|input| ensure_not_output(input, Some(&path)))?;
            OutputFile::new(&path, arguments.overwrite)?.write(&self.bytes)?;
            self.paths.push(path);
            (self.bytes, self.games) = (Vec::new(), 0);
        }
        Ok(())
    }

    /// Reports files with the next numbers, which would be taken for a part of the output.
    fn report_older_files(&self, arguments: &ConvertArguments) -> Result<()> {
        let Some(path) = arguments.out.as_ref().filter(|_| arguments.split.is_some()) else { return Ok(()) };
        for number in self.number + 1.. {
            let next = numbered_path(path, number)?;
            if !next.exists() {
                break;
            }
            print_line(&format!(
                "{}: not part of this output; remove the file if an earlier run wrote it",
                next.display()
            ));
        }
        Ok(())
    }

    /// Removes the files that have been written, unless they can be overwritten when the command is repeated.
    fn remove(&self, arguments: &ConvertArguments) {
        for path in self.paths.iter().filter(|_| !arguments.overwrite) {
            if let Err(error) = remove_file(path) {
                log::debug!("{}: {error}", path.display());
            }
        }
    }
}

/// Returns a hash of the variant, the start position and the moves of a game, or `None` if the game has no moves. The
/// hash of a game that cannot be replayed depends on how its moves and its start position are written.
fn game_hash(game: &FileGame<'_>) -> Option<u64> {
    let record = &game.game.record;
    if record.moves.is_empty() {
        return None;
    }
    let mut hasher = DefaultHasher::new();
    let variant = record.variant().map(|variant| variant.or(game.default_variant().0).map(Variant::name));
    variant.map_err(|error| error.to_string()).hash(&mut hasher);
    let parts = game.played().unwrap_or_default();
    let set_ups = record.moves.iter().filter(|mv| mv.is_set_up()).count();
    if set_ups + legal_move_count(&parts) == record.moves.len() {
        parts.iter().for_each(|part| hash_part(part, &mut hasher));
    } else {
        record.tag("FEN").hash(&mut hasher);
        for mv in &record.moves {
            mv.record().map_or_else(|_| mv.text.clone(), |record| record.to_string()).hash(&mut hasher);
        }
    }
    Some(hasher.finish())
}

fn hash_part(part: &PlayableGame, hasher: &mut impl Hasher) {
    let mut start = WrittenGame::from(part.played().game().clone());
    // All moves of a part can be undone.
    let undone = start.undo(part.moves().len());
    debug_assert!(undone.is_ok());
    FenRecord { move_number: None, ..start.fen() }.to_string().hash(hasher);
    part.moves().iter().for_each(|sequence| full_path(start.spec(), sequence).hash(hasher));
}

/// Returns the number of moves that can be played, including placements of pieces.
fn legal_move_count(parts: &[PlayableGame]) -> usize {
    parts.iter().map(|part| part.placements() + part.moves().len()).sum()
}

impl ConvertArguments {
    fn selects(&self, game: &FileGame<'_>) -> bool {
        let record = &game.game.record;
        let has_tag =
            |(name, text): &(String, String)| record.tag(name).is_some_and(|value| value.to_lowercase().contains(text));
        let text = record.result_text();
        let has_result = |result: &String| text == *result || result != "*" && result.parse() == Ok(record.result);
        self.tag.iter().all(has_tag) && (self.result.is_empty() || self.result.iter().any(has_result))
    }

    /// Returns the byte order mark of the output.
    fn mark(&self, game: &FileGame<'_>, encoding: TextEncoding) -> &'static [u8] {
        if self.to.is_none() || encoding.is_unicode() { game.text.mark() } else { b"" }
    }

    /// Returns the text of the game. `is_next` is whether the previous game of the file has just been written.
    fn text(&self, game: &FileGame<'_>, is_next: bool) -> String {
        if !self.standard && self.notation.is_none() && !self.jumps && !self.json {
            // The next game of a file may be on the same line.
            return if is_next { game.game.source.to_owned() } else { game.game.on_own_lines().into_owned() };
        }
        let mut record = game.game.record.clone();
        let parts = game.played().unwrap_or_default();
        if self.notation.is_some() || self.jumps {
            parts.iter().for_each(|part| self.rewrite(&mut record, part));
        }
        // A guessed variant is not written to the record.
        if let (Some(part), (_, false)) = (parts.first(), game.default_variant()) {
            record.set_variant(part.variant());
        }
        if self.json {
            json_of(game.game.number, &record, &parts, game.default_variant().0)
        } else {
            record.to_string()
        }
    }

    /// Rewrites the moves of a part in the requested notation, up to the first move that cannot be played.
    fn rewrite(&self, record: &mut GameRecord, part: &PlayableGame) {
        let mut start = part.played().clone();
        if start.undo(part.moves().len()).is_err() {
            return;
        }
        if let Some(style) = self.notation {
            start.set_notation(style.square_style().apply(part.variant().spec().notation));
        }
        if self.notation.is_some() {
            let before = part.first().checked_sub(1).and_then(|index| record.moves.get_mut(index));
            if let Some(set_up) = before.filter(|mv| mv.is_set_up()) {
                set_up.text = format!("/FEN \"{}\"/", start.fen());
            } else if record.tag("FEN").is_some() && part.placements() == 0 {
                record.set_tag("FEN", start.fen().to_string());
            }
            record.set_square_notation(start.spec().notation);
        }
        let moves = record.moves.get_mut(part.first()..).unwrap_or_default();
        self.rewrite_line(moves, &start, part.moves());
    }

    fn rewrite_line(&self, moves: &mut [PdnMove], start: &WrittenGame, known: &[Sequence]) {
        let mut game = start.clone();
        for (index, mv) in moves.iter_mut().enumerate() {
            for variation in &mut mv.variations {
                self.rewrite_line(&mut variation.moves, &game, &[]);
            }
            let sequence = match known.get(index) {
                Some(sequence) => game.play_found(soffio::notation::bitboard_move(sequence)).then(|| sequence.clone()),
                None => mv.record().ok().and_then(|record| game.play_record(&record).ok()),
            };
            let Some(sequence) = sequence else { return };
            mv.text = PdnMove::played(if self.jumps {
                jumps(game.spec(), &sequence)
            } else {
                full_path(game.spec(), &sequence)
            })
            .text;
        }
    }
}

impl MoveStyle {
    fn square_style(self) -> SquareStyle {
        match self {
            Self::Usual => SquareStyle::OfVariant,
            Self::Numeric => SquareStyle::Numeric,
            Self::Algebraic => SquareStyle::Algebraic,
        }
    }
}

/// Returns the text of a move. Each jump of a capture is written as a separate move.
fn jumps(spec: &RuleSet, sequence: &Sequence) -> String {
    if sequence.captured.len() < 2 {
        return full_path(spec, sequence);
    }
    let squares: Vec<_> =
        std::iter::once(&sequence.from).chain(&sequence.landings).map(|&square| spec.square_name(square)).collect();
    let jump = |pair: &[soffio::board::SquareName]| pair.iter().map(ToString::to_string).collect::<Vec<_>>().join("x");
    squares.windows(2).map(jump).collect::<Vec<_>>().join(" ")
}

/// Returns the JSON object of a game. `default_variant` is the variant of a game without a tag that names it.
fn json_of(number: usize, record: &GameRecord, parts: &[PlayableGame], default_variant: Option<Variant>) -> String {
    let mut tags = serde_json::Map::new();
    for (name, value) in &record.tags {
        tags.entry(name).or_insert_with(|| value.as_str().into());
    }
    let moves: Vec<_> = record.moves.iter().map(|mv| &mv.text).collect();
    let legal = legal_move_count(parts);
    let mut object = json!({
        "game": number, "tags": tags, "moves": moves, "legal": legal, "result": record.result_text()
    });
    // If not even the first move is legal, the final position is the start position.
    let start =
        || WrittenGame::from_start(record.variant().ok()?.or(default_variant)?, record.start().ok()?.as_ref()).ok();
    if let (Some(last), Some(object)) =
        (parts.last().map(|part| part.played().clone()).or_else(start), object.as_object_mut())
    {
        object.insert("variant".to_owned(), last.variant().name().into());
        object.insert("fen".to_owned(), last.fen().to_string().into());
    }
    format!("{object}\n")
}
