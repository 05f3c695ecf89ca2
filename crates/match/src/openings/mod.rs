//! Openings from files, from the built-in collections, and from a generator.

use super::MoveTexts;
use anyhow::{Error, Result, anyhow, bail, ensure};
use derive_more::Display;
use fastrand::Rng;
use soffio::board::Square;
use soffio::book::{Book, Candidate, candidates};
use soffio::game::Move;
use soffio::notation::pdn::{NoteKind, PdnMove, PdnNote, PdnReader, ReadGame};
use soffio::notation::{FenError, FenRecord, GameError, IllegalMove, MoveRecord, WrittenGame, placements, printable};
use soffio::position::{Setup, Status};
use soffio::rules::{Color, RuleSet, Variant};
use soffio_support::words::counted;
use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

/// A start position and the opening moves played before the engines take over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    pub start: Option<FenRecord>,
    pub moves: Vec<String>,
}

pub(super) struct OpenedGame {
    pub(super) start: Option<FenRecord>,
    /// Position before the opening, in Hub notation.
    pub(super) hub_start: String,
    pub(super) game: WrittenGame,
    pub(super) moves: Vec<(Color, MoveTexts)>,
}

impl Opening {
    /// Plays the opening in a game of `variant`. Quiet moves may be written with the capture separator, because some
    /// collections use it for every move. Fails if the position is impossible, a move is illegal, or the game has
    /// ended.
    pub(super) fn open(&self, variant: Variant) -> Result<OpenedGame> {
        let wrong = |text: &str, error: &dyn fmt::Display| anyhow!("move {}: {error}", printable(text.chars()));
        let record = |text: &String| PdnMove::new(text).record().map_err(|error| wrong(text, &error));
        let records = self.moves.iter().map(record).collect::<Result<Vec<_>>>()?;
        let (start, placed) = match placements(variant.spec(), self.start.as_ref(), &records) {
            Some((placed, count)) => (Some(placed), count),
            None => (self.start.clone(), 0),
        };
        let mut game = WrittenGame::from_start(variant, start.as_ref()).map_err(GameError::from)?;
        let hub_start = game.hub_position();
        let mut moves = Vec::new();
        for (text, record) in self.moves.iter().zip(records).skip(placed) {
            let side = game.side();
            let played = match game.play_record(&record) {
                Err(IllegalMove::TakesNothing(..)) => game.play_record(&MoveRecord { capture: false, ..record }),
                other => other,
            };
            let sequence = played.map_err(|error| wrong(text, &error))?;
            moves.push((side, MoveTexts::new(game.spec(), &sequence)));
        }
        ensure!(matches!(game.status(), Status::Playing { .. }), "the game ends during the opening");
        Ok(OpenedGame { start, hub_start, game, moves })
    }

    pub fn played(&self, variant: Variant) -> Result<WrittenGame> {
        self.open(variant).map(|opened| opened.game)
    }
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = self.start.as_ref().map(ToString::to_string);
        let words: Vec<_> = start.iter().chain(&self.moves).map(String::as_str).collect();
        f.write_str(&words.join(" "))
    }
}

/// Parses an opening file and truncates each opening to at most `plies` plies. The file is PDN if a line begins with
/// `[`. Otherwise each line is an opening, unless it is a comment that begins with `#`. Fails if there are no openings;
/// errors contain the number of the game or line.
pub fn read_openings(text: &str, plies: Option<usize>, variant: Variant) -> Result<Vec<Opening>> {
    let is_pdn = text.trim_start_matches('\u{feff}').lines().any(|line| line.starts_with('['));
    let (place, openings) = if is_pdn {
        ("game", of_records(text))
    } else {
        ("line", numbered_lines(text).map(|(number, line)| (number, of_line(line))).collect())
    };
    ensure!(!openings.is_empty(), "no openings found");
    let playable = |(number, opening): (usize, Result<Opening>)| {
        let checked = opening.and_then(|mut opening| {
            opening.moves.truncate(plies.unwrap_or(usize::MAX));
            opening.open(variant).map(|_| opening)
        });
        checked.map_err(|error| anyhow!("{place} {number}: {error}"))
    };
    openings.into_iter().map(playable).collect()
}

fn of_records(text: &str) -> Vec<(usize, Result<Opening>)> {
    PdnReader::new(text).map(|game| (game.number, of_record(&game))).collect()
}

/// Returns the first note about text that the reader did not recognise. An opening must not contain such text, because
/// a move could be missing.
fn unclear<'a>(game: &'a ReadGame<'_>) -> Option<&'a PdnNote> {
    let is_unclear = |kind| matches!(kind, NoteKind::Unknown | NoteKind::OpenComment | NoteKind::OpenVariation);
    game.notes.iter().find(|note| is_unclear(note.kind))
}

/// Returns the opening of a game. It begins with the last position that is set up before the first move.
fn of_record(game: &ReadGame<'_>) -> Result<Opening> {
    if let Some(note) = unclear(game) {
        bail!("{note}");
    }
    let moves = &game.record.moves;
    let leading = moves.iter().take_while(|mv| mv.is_set_up()).count();
    let position = leading.checked_sub(1).and_then(|index| moves.get(index)?.set_up());
    let start = position.map_or_else(|| game.record.start(), |position| position.map(Some));
    let moves = moves.iter().skip(leading).map(|mv| mv.text.clone()).collect();
    Ok(Opening { start: start.map_err(GameError::from)?, moves })
}

pub fn numbered_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

fn of_line(text: &str) -> Result<Opening> {
    if let Ok(fen) = read_position(text) {
        return Ok(Opening { start: Some(fen), moves: Vec::new() });
    }
    let (first, others) = text.split_once(' ').unwrap_or((text, ""));
    let start = first.trim_end_matches(';').parse::<FenRecord>();
    if first.contains(':')
        && let Err(error) = &start
    {
        return Err(GameError::from(error.clone()).into());
    }
    let mut games = PdnReader::new(if start.is_ok() { others } else { text });
    match (games.next(), games.next()) {
        (Some(game), None) => {
            if let Some(PdnNote { kind, text, .. }) = unclear(&game) {
                bail!("{kind} '{text}'");
            }
            let opening = of_record(&game)?;
            Ok(Opening { start: start.ok().or(opening.start), ..opening })
        }
        _ => bail!("expected a FEN or moves, found '{}'", printable(text.chars())),
    }
}

/// Parses a FEN, or a line of EPD, which is a FEN followed by operations such as `id "start";`.
pub fn read_position(line: &str) -> Result<FenRecord, FenError> {
    let ends = [line.find(';'), line.find(char::is_whitespace)];
    let found = ends.into_iter().flatten().find_map(|end| {
        let (fen, rest) = line.split_at(end);
        fen.parse().ok().filter(|_| are_operations(rest))
    });
    found.map_or_else(|| line.parse(), Ok)
}

/// Returns true if `text` consists of EPD operations, each of which begins with a name and ends with a semicolon.
fn are_operations(text: &str) -> bool {
    let outside_quotes: String = text.split('"').step_by(2).collect();
    let is_name =
        |word: &str| word.starts_with(|c: char| c.is_ascii_alphabetic()) && word.parse::<MoveRecord>().is_err();
    let is_operation = |part: &str| part.split_whitespace().next().is_none_or(is_name);
    outside_quotes.trim_end().ends_with(';') && outside_quotes.split(';').all(is_operation)
}

macro_rules! file {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/openings/", $name, ".txt"))
    };
}

/// Names and texts of the built-in collections, which were generated by `soffio openings`. The comment above the lines
/// of each variant contains the arguments of the command.
const COLLECTIONS: [(&str, &str); 4] =
    [("2-move", file!("2-move")), ("3-move", file!("3-move")), ("11-man", file!("11-man")), ("lines", file!("lines"))];

fn part(text: &'static str, variant: Variant) -> Option<&'static str> {
    let is_for_variant = |part: &&str| {
        let command = part.split_once("soffio openings --variant ").map_or("", |(_, arguments)| arguments);
        command.split(' ').next() == Some(variant.name())
    };
    text.split("# ").find(is_for_variant).and_then(|part| part.split_once('\n')).map(|(_, lines)| lines)
}

fn collections(variant: Variant) -> impl Iterator<Item = (&'static str, &'static str)> {
    COLLECTIONS.iter().filter_map(move |(name, text)| Some((*name, part(text, variant)?)))
}

/// Returns the collection called `name` for `variant`, or the variant's first collection if `name` is `None`. If the
/// variant has no collections and `name` is `None`, returns random lines of three plies.
pub fn built_in(variant: Variant, name: Option<&str>) -> Result<Vec<Opening>> {
    let found = collections(variant).find(|(known, _)| name.is_none_or(|name| name == *known));
    if let Some((_, text)) = found {
        return read_openings(text, None, variant);
    }
    let names: Vec<_> = collections(variant).map(|(name, _)| name).collect();
    if names.is_empty() && name.is_none() {
        let margin = Margin { min: 0, max: 0 };
        let generator = OpeningGenerator { variant, plies: 3, margin, seed: 1, start: LineStart::AllMen };
        return generator.openings(100, &mut |_| Some(0));
    }
    ensure!(!names.is_empty(), "{variant} has no named collection of openings: use built-in without a name");
    bail!("unknown collection of openings; {variant} has {}", names.join(", "))
}

/// Returns the book lines of `plies` plies in which no move is more than `margin` cp worse than the best move. If
/// several lines lead to the same position, only one of them is returned.
pub fn of_book(book: &Book, variant: Variant, plies: usize, margin: u32) -> Result<Vec<Opening>> {
    let roots = book.header().roots.iter().map(|root| Ok(Some(root.parse::<FenRecord>()?)));
    let starts = std::iter::once(Ok(None)).chain(roots).collect::<Result<Vec<_>, FenError>>();
    let lines = starts.and_then(|starts| starts.into_iter().map(|start| begun(variant, start)).collect());
    let mut lines: Vec<OpeningLine> = lines.map_err(|error| anyhow!("root: {error}"))?;
    let near = |game: &WrittenGame| {
        let found = candidates(book, game.game());
        let best = found.first().map(|candidate| candidate.record.score);
        let is_near = |candidate: &&Candidate| best.is_some_and(|b| b.falls_to(candidate.record.score) <= margin);
        found.iter().filter(is_near).map(|candidate| candidate.mv).collect()
    };
    for _ in 0..plies {
        lines = longer(&lines, near, "fewer plies or a smaller margin")?;
    }
    ensure!(!lines.is_empty(), "the book has no line of {} within the margin", counted(plies, "ply"));
    Ok(lines.into_iter().map(|(_, line)| line).collect())
}

type OpeningLine = (WrittenGame, Opening);

fn begun(variant: Variant, start: Option<FenRecord>) -> Result<OpeningLine, FenError> {
    Ok((WrittenGame::from_start(variant, start.as_ref())?, Opening { start, moves: Vec::new() }))
}

/// Extends each line by every move that `moves` returns for it. Omits lines that end the game, and lines that lead to
/// the same position as an earlier line. Fails if there are too many lines; the error contains `advice`.
fn longer(lines: &[OpeningLine], moves: impl Fn(&WrittenGame) -> Vec<Move>, advice: &str) -> Result<Vec<OpeningLine>> {
    let (mut seen, mut longer) = (HashSet::new(), Vec::new());
    for (game, line) in lines {
        for mv in moves(game) {
            let (mut next, mut line) = (game.clone(), line.clone());
            let is_new = next.play_found(mv) && seen.insert(next.game().key());
            if is_new && matches!(next.status(), Status::Playing { .. }) {
                line.moves.push(game.text(mv));
                longer.push((next, line));
            }
        }
        ensure!(longer.len() <= MAX_LINES, "more than {MAX_LINES} lines; use {advice}");
    }
    Ok(longer)
}

/// Maximum number of lines, which limits memory use.
const MAX_LINES: usize = 100_000;

/// A function that returns the value of the position after an opening, in cp from the point of view of the side to
/// move. It returns `None` if the position is decided.
pub type OpeningEvaluator<'a> = &'a mut dyn FnMut(&Opening) -> Option<i32>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpeningGenerator {
    pub variant: Variant,
    pub plies: u32,
    pub margin: Margin,
    pub seed: u64,
    pub start: LineStart,
}

/// Range of the advantage, in cp, that an opening may give to either side. It is written `60` or `30-60`. Uneven
/// openings, each played with both colours, lead to more decisive games.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
#[display("{}{max}", if *min > 0 { format!("{min}-") } else { String::new() })]
pub struct Margin {
    pub min: u32,
    pub max: u32,
}

impl FromStr for Margin {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (min, max) = text.split_once('-').unwrap_or(("0", text));
        let margin = Self { min: min.parse()?, max: max.parse()? };
        ensure!(margin.min <= margin.max, "no score is between {} and {}", margin.min, margin.max);
        Ok(margin)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineStart {
    AllMen,
    /// All positions obtained by removing one man from each side in the start position.
    OneManLess,
}

impl OpeningGenerator {
    /// Returns up to `count` openings that lead to different positions with values within the margin. The values come
    /// from `evaluate`. The opening order depends only on the seed.
    pub fn openings(&self, count: usize, evaluate: OpeningEvaluator<'_>) -> Result<Vec<Opening>> {
        let mut lines = self.all_lines()?;
        Rng::with_seed(self.seed).shuffle(&mut lines);
        let margin = self.margin.min..=self.margin.max;
        let is_within = |line: &Opening| evaluate(line).is_some_and(|value| margin.contains(&value.unsigned_abs()));
        let openings: Vec<_> = lines.into_iter().filter(is_within).take(count).collect();
        ensure!(!openings.is_empty(), "no line is within the margin: use a wider one");
        Ok(openings)
    }

    fn all_lines(&self) -> Result<Vec<Opening>> {
        let starts = starts(self.variant.spec(), self.start);
        let mut lines: Vec<_> = starts.into_iter().filter_map(|start| begun(self.variant, start).ok()).collect();
        for _ in 0..self.plies {
            lines = longer(&lines, |game| game.game().legal_moves(), "fewer plies")?;
        }
        Ok(lines.into_iter().map(|(_, line)| line).collect())
    }
}

fn starts(spec: &RuleSet, start: LineStart) -> Vec<Option<FenRecord>> {
    let all_men = Setup::start(spec);
    let of =
        |color: Color| spec.shape.all_squares().filter(move |square| spec.start_mask(color) >> square.index() & 1 == 1);
    let without = |white: Square, black: Square| {
        let mut setup = all_men.clone();
        setup.pieces.retain(|&square, _| square != white && square != black);
        Some(FenRecord::from_setup(spec, &setup))
    };
    match start {
        LineStart::AllMen => vec![None],
        LineStart::OneManLess => {
            let pairs = of(Color::White).flat_map(|white| of(Color::Black).map(move |black| (white, black)));
            pairs.map(|(white, black)| without(white, black)).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, plies: usize) -> Result<Vec<Opening>> {
        read_openings(text, Some(plies), Variant::Italian)
    }

    fn reprinted(text: &str, plies: usize) -> Vec<String> {
        read(text, plies).unwrap().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn lines_are_positions_or_moves_and_are_printed_as_they_were_parsed() {
        let text = "# two\n\nB:W21:B1\r\n 23-19 10-14 22-18\n1. 23-19 10-14 *";
        assert_eq!(reprinted(text, 2), ["B:W21:B1", "23-19 10-14", "23-19 10-14"]);
        let text = "W:W21:B1 21-17 1-5\nB:W21:B1\n23-19 10-14";
        assert_eq!(reprinted(text, 9), text.lines().collect::<Vec<_>>());
        assert_eq!(read(text, 9).unwrap()[0].moves.len(), 2);
    }

    #[test]
    fn epd_positions_are_parsed_whatever_operations_follow() {
        for operations in
            ["", ";", "; id \"start\";", " id \"a; b\";", " id \"x\"; ce 12; c0 \"W:W1:B2\";", "; bm 21-17;"]
        {
            let openings = read(&format!("B:W21:B1{operations}"), 9).unwrap();
            assert_eq!(openings, [Opening { start: "B:W21:B1".parse().ok(), moves: Vec::new() }], "{operations}");
        }
        let error = read("B:W21:B1;\nB:W21:Bx; id \"start\";", 9).unwrap_err().to_string();
        assert!(error.starts_with("line 2: fen "), "{error}");
        assert!(read("B:W21:B1 id \"no end\"", 9).is_err());
    }

    #[test]
    fn records_are_positions_with_moves() {
        let text = "[Event \"a\"]\n\n1. 23-19 10-14 1-0\n\n[FEN \"B:W21:B1\"] 1... 1-5 *\n";
        assert_eq!(reprinted(text, 9), ["23-19 10-14", "B:W21:B1 1-5"]);
    }

    #[test]
    fn errors_have_a_position_and_a_reason() {
        for (text, expected) in [
            ("# nothing\n", "no openings found"),
            ("23-19\n<what>", "line 2: expected a FEN or moves, found '<what>'"),
            ("# x\n23-19 x", "line 2: unrecognised text, kept as is: 'x'"),
            ("23-19 1-5", "line 1: move 1-5: 5 is occupied"),
            ("W:W21:B1\n\nW:W:B5", "line 3: the game ends during the opening"),
            ("[FEN \"W\"] *", "game 1: fen white pieces: the list is missing"),
        ] {
            assert_eq!(read(text, 9).unwrap_err().to_string(), expected);
        }
        let error = read("[Event \"a\"]\n1. 23-19 {", 9).unwrap_err().to_string();
        assert!(error.starts_with("game 1: line 2 column 10: unclosed comment"), "{error}");
    }

    #[test]
    fn moves_are_accepted_in_every_capture_notation() {
        let played = |text: &str| {
            let moves = text.split(' ').map(str::to_owned).collect();
            let opened = Opening { start: None, moves }.open(Variant::English).unwrap();
            opened.moves.into_iter().map(|(_, mv)| mv.path).collect::<Vec<_>>()
        };
        let moves = played("11-15 23-18 8-11 27-23 4-8 23-19 10-14 19-10 14x23 26x19");
        assert_eq!(moves[7], "19x10", "a hyphen is accepted in a capture");
        assert_eq!(played("11x15 23x18"), ["11-15", "23-18"], "some programs write every move like this");
    }

    #[test]
    fn every_variant_has_openings_that_can_be_played() {
        for &variant in Variant::ALL {
            for name in [None].into_iter().chain(collections(variant).map(|(name, _)| Some(name))) {
                let openings = built_in(variant, name).unwrap();
                assert!(openings.iter().all(|opening| opening.clone().open(variant).is_ok()), "{variant} {name:?}");
                assert!(openings.len() >= 20, "{variant} {name:?}: {}", openings.len());
                let different: HashSet<_> = openings.iter().map(ToString::to_string).collect();
                assert_eq!(different.len(), openings.len(), "{variant} {name:?}");
            }
        }
    }

    #[test]
    fn every_section_belongs_to_a_variant() {
        for (name, text) in COLLECTIONS {
            let found = Variant::listed().filter(|&variant| part(text, variant).is_some()).count();
            assert_eq!(found, text.matches("# ").count(), "{name}");
        }
    }

    #[test]
    fn errors_list_the_collections() {
        let error = built_in(Variant::English, Some("x")).unwrap_err().to_string();
        assert_eq!(error, "unknown collection of openings; english has 2-move, 3-move, 11-man");
        let error = built_in(Variant::EnglishOptional, Some("x")).unwrap_err().to_string();
        assert_eq!(error, "english-optional has no named collection of openings: use built-in without a name");
    }
}
