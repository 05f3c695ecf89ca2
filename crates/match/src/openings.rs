//! How games begin: openings, the files that have them, and those that are built in or made by a search.

use super::MoveTexts;
use anyhow::{Error, Result, anyhow, bail, ensure};
use fastrand::Rng;
use soffio::board::Square;
use soffio::book::{Book, Candidate, candidates};
use soffio::game::Move;
use soffio::notation::pdn::read_games;
use soffio::notation::{FenError, FenRecord, IllegalMove, MoveRecord, WrittenGame, printable};
use soffio::position::{Setup, Status};
use soffio::rules::{Color, RuleSet, Variant};
use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

/// A position to play from, and the moves that lead from it to the first that an engine is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// Where it begins, if not at the start position.
    pub start: Option<FenRecord>,
    /// Moves, each in its full path.
    pub moves: Vec<String>,
}

pub(super) struct OpenedGame {
    /// The position before the opening, if it is not the start position.
    pub(super) start: Option<FenRecord>,
    /// The same as Hub writes it.
    pub(super) hub_start: String,
    pub(super) game: WrittenGame,
    /// The moves and who made them.
    pub(super) moves: Vec<(Color, MoveTexts)>,
}

impl Opening {
    /// Plays the opening in a game of `variant`. Some collections write the sign of captures in every move. Fails when
    /// the position is impossible, a move is not legal, or the game is over.
    pub(super) fn open(&self, variant: Variant) -> Result<OpenedGame> {
        let start = self.start.clone();
        let mut game = WrittenGame::at(variant, start.as_ref()).map_err(|error| anyhow!("fen {error}"))?;
        let hub_start = game.hub_position();
        let mut moves = Vec::new();
        for text in &self.moves {
            let wrong = |error: &dyn fmt::Display| anyhow!("move {}: {error}", printable(text.chars()));
            let record = text.parse::<MoveRecord>().map_err(|error| wrong(&error))?;
            let side = game.side();
            let played = match game.play_way(&record) {
                Err(IllegalMove::TakesNothing(..)) => game.play_way(&MoveRecord { capture: false, ..record }),
                other => other,
            };
            let sequence = played.map_err(|error| wrong(&error))?;
            moves.push((side, MoveTexts::of(game.spec(), &sequence)));
        }
        ensure!(matches!(game.status(), Status::Playing { .. }), "the game is over there");
        Ok(OpenedGame { start, hub_start, game, moves })
    }

    /// Returns a game of `variant` after this opening.
    ///
    /// # Errors
    /// When the position is impossible, a move is not legal, or the game is over.
    pub fn played(&self, variant: Variant) -> Result<WrittenGame> {
        self.open(variant).map(|opened| opened.game)
    }
}

impl fmt::Display for Opening {
    /// Prints the line of a file of openings: the position, if it is not the start position, and the moves.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = self.start.as_ref().map(ToString::to_string);
        let words: Vec<_> = start.iter().chain(&self.moves).map(String::as_str).collect();
        f.write_str(&words.join(" "))
    }
}

/// Reads the openings of a file for `variant`, with `plies` moves each at most: PDN if a line begins with `[`, or else
/// an opening on each line that does not begin with `#`.
///
/// # Errors
/// When there is no opening, or one cannot be read or played. The error says where it stands.
pub fn read_openings(text: &str, plies: Option<usize>, variant: Variant) -> Result<Vec<Opening>> {
    let is_pdn = text.trim_start_matches('\u{feff}').lines().any(|line| line.starts_with('['));
    let (place, openings) = if is_pdn {
        ("game", of_records(text)?)
    } else {
        ("line", numbered_lines(text).map(|(number, line)| (number, of_line(line))).collect())
    };
    ensure!(!openings.is_empty(), "no opening");
    let playable = |(number, opening): (usize, Result<Opening>)| {
        let checked = opening.and_then(|mut opening| {
            opening.moves.truncate(plies.unwrap_or(usize::MAX));
            opening.open(variant).map(|_| opening)
        });
        checked.map_err(|error| anyhow!("{place} {number}: {error}"))
    };
    openings.into_iter().map(playable).collect()
}

fn of_records(text: &str) -> Result<Vec<(usize, Result<Opening>)>> {
    let openings = read_games(text)?.into_iter().map(|game| {
        let start = game.start().map_err(|error| anyhow!("fen {error}"))?;
        Ok(Opening { start, moves: game.moves.into_iter().map(|mv| mv.text).collect() })
    });
    Ok((1..).zip(openings).collect())
}

/// Returns the lines of `text` with their numbers, without those that are blank or begin with `#`.
pub fn numbered_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// Reads a FEN, a line of EPD, moves, or a FEN with moves after it.
fn of_line(text: &str) -> Result<Opening> {
    if let Ok(fen) = read_position(text) {
        return Ok(Opening { start: Some(fen), moves: Vec::new() });
    }
    let (first, others) = text.split_once(' ').unwrap_or((text, ""));
    let start = first.trim_end_matches(';').parse::<FenRecord>();
    if first.contains(':')
        && let Err(error) = &start
    {
        bail!("fen {error}");
    }
    match read_games(if start.is_ok() { others } else { text }).as_deref() {
        Ok([game]) => Ok(Opening { start: start.ok(), moves: game.moves.iter().map(|mv| mv.text.clone()).collect() }),
        _ => bail!("expected a FEN or moves, found '{}'", printable(text.chars())),
    }
}

/// Reads a FEN, or a line of EPD, which is a FEN and operations such as `id "start";`.
///
/// # Errors
/// When it is neither.
pub fn read_position(line: &str) -> Result<FenRecord, FenError> {
    let ends = [line.find(';'), line.find(char::is_whitespace)];
    let found = ends.into_iter().flatten().find_map(|end| {
        let (fen, rest) = line.split_at(end);
        fen.parse().ok().filter(|_| are_operations(rest))
    });
    found.map_or_else(|| line.parse(), Ok)
}

/// Returns true if `text` has nothing but operations of EPD, each of which begins with its name and ends with a semicolon.
fn are_operations(text: &str) -> bool {
    let outside_quotes: String = text.split('"').step_by(2).collect();
    let is_name =
        |word: &str| word.starts_with(|c: char| c.is_ascii_alphabetic()) && word.parse::<MoveRecord>().is_err();
    let is_operation = |part: &str| part.split_whitespace().next().is_none_or(is_name);
    outside_quotes.trim_end().ends_with(';') && outside_quotes.split(';').all(is_operation)
}

/// Returns the text of a file of openings, with a part for each variant that it is for.
macro_rules! file {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/openings/", $name, ".txt"))
    };
}

/// The built-in collections, made by `soffio openings`: their names, and the texts, in which the arguments stand above the lines of each
/// variant.
const COLLECTIONS: [(&str, &str); 4] =
    [("2-move", file!("2-move")), ("3-move", file!("3-move")), ("11-man", file!("11-man")), ("lines", file!("lines"))];

/// Returns the part of a collection for `variant`, which begins with the command that made it.
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

/// Returns the openings of `variant` that are called `name`, or the first of several collections.
///
/// # Errors
/// When there is no such collection.
pub fn built_in(variant: Variant, name: Option<&str>) -> Result<Vec<Opening>> {
    let found = collections(variant).find(|(known, _)| name.is_none_or(|name| name == *known));
    if let Some((_, text)) = found {
        return read_openings(text, None, variant);
    }
    let names: Vec<_> = collections(variant).map(|(name, _)| name).collect();
    ensure!(!names.is_empty(), "there are no built-in openings of {variant}");
    bail!("built-in openings of {variant} are: {}", names.join(", "))
}

/// Returns the lines of `book` of so many plies that lead to different positions, in which no move is worse than the
/// best one of its position by more than `margin`, in 1/100 man.
///
/// # Errors
/// When there is none, there are too many, or a position that the book begins with is none of `variant`.
pub fn of_book(book: &Book, variant: Variant, plies: usize, margin: u32) -> Result<Vec<Opening>> {
    let roots = book.header().roots.iter().map(|root| Ok(Some(root.parse::<FenRecord>()?)));
    let starts = std::iter::once(Ok(None)).chain(roots).collect::<Result<Vec<_>, FenError>>();
    let lines = starts.and_then(|starts| starts.into_iter().map(|start| begun(variant, start)).collect());
    let mut lines: Vec<Line> = lines.map_err(|error| anyhow!("root: {error}"))?;
    let near = |game: &WrittenGame| {
        let found = candidates(book, game.game());
        let best = found.first().map(|candidate| candidate.record.score);
        let is_near = |candidate: &&Candidate| best.is_some_and(|b| b.falls_to(candidate.record.score) <= margin);
        found.iter().filter(is_near).map(|candidate| candidate.mv).collect()
    };
    for _ in 0..plies {
        lines = longer(&lines, near, "fewer plies or a smaller margin")?;
    }
    ensure!(!lines.is_empty(), "it has no line of {plies} plies");
    Ok(lines.into_iter().map(|(_, line)| line).collect())
}

type Line = (WrittenGame, Opening);

/// Returns the line without moves that begins at `start`.
fn begun(variant: Variant, start: Option<FenRecord>) -> Result<Line, FenError> {
    Ok((WrittenGame::at(variant, start.as_ref())?, Opening { start, moves: Vec::new() }))
}

/// Returns `lines`, each with one of its next `moves`, as far as they lead to different positions in which the game goes on.
/// Fails when there are too many; the `advice` says what to ask for.
fn longer(lines: &[Line], moves: impl Fn(&WrittenGame) -> Vec<Move>, advice: &str) -> Result<Vec<Line>> {
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
        ensure!(longer.len() <= MOST, "more than {MOST} lines, ask for {advice}");
    }
    Ok(longer)
}

/// Most positions that are examined; more would fill the memory.
const MOST: usize = 100_000;

/// Returns the value of the position after an opening, in 1/100 man for the side to move; `None` if it is decided.
pub type Judge<'a> = &'a mut dyn FnMut(&Opening) -> Option<i32>;

/// Which lines to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generator {
    pub variant: Variant,
    /// The length of each.
    pub plies: u32,
    /// The distance that the value may have from 0.
    pub margin: Margin,
    /// The seed of their order.
    pub seed: u64,
    pub start: LineStart,
}

/// How far from even openings are for either side, in 1/100 man: from `least` to `most`. It is written `60`, or `30-60`: uneven openings,
/// each from both sides, decide more games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Margin {
    pub least: u32,
    pub most: u32,
}

impl fmt::Display for Margin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.least > 0 {
            write!(f, "{}-", self.least)?;
        }
        write!(f, "{}", self.most)
    }
}

impl FromStr for Margin {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (least, most) = text.split_once('-').unwrap_or(("0", text));
        let margin = Self { least: least.parse()?, most: most.parse()? };
        ensure!(margin.least <= margin.most, "no score is between {} and {}", margin.least, margin.most);
        Ok(margin)
    }
}

/// Where lines begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineStart {
    /// At the start position.
    AllMen,
    /// At the start position without one man of each side, any two.
    OneManLess,
}

impl Generator {
    /// Returns up to `count` openings in an order that depends on the seed only: lines that lead to different
    /// positions, which `judge` calls as even as they shall be.
    ///
    /// # Errors
    /// When there are too many lines, or none is within the margin.
    pub fn openings(&self, count: usize, judge: Judge<'_>) -> Result<Vec<Opening>> {
        let mut lines = self.all_lines()?;
        Rng::with_seed(self.seed).shuffle(&mut lines);
        let margin = self.margin.least..=self.margin.most;
        let is_within = |line: &Opening| judge(line).is_some_and(|value| margin.contains(&value.unsigned_abs()));
        let openings: Vec<_> = lines.into_iter().filter(is_within).take(count).collect();
        ensure!(!openings.is_empty(), "no line is within the margin");
        Ok(openings)
    }

    /// Returns all lines of so many plies that lead to different positions in which the game goes on.
    fn all_lines(&self) -> Result<Vec<Opening>> {
        let starts = starts(self.variant.spec(), self.start);
        let mut lines: Vec<_> = starts.into_iter().filter_map(|start| begun(self.variant, start).ok()).collect();
        for _ in 0..self.plies {
            lines = longer(&lines, |game| game.game().legal_moves(), "fewer plies")?;
        }
        Ok(lines.into_iter().map(|(_, line)| line).collect())
    }
}

/// Returns the positions where lines begin; `None` is the start position.
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

    #[test]
    fn lines_are_positions_or_moves_and_are_printed_as_they_are_read() {
        let openings = read("# two\n\nB:W21:B1\r\n 23-19 10-14 22-18\n1. 23-19 10-14 *", 2).unwrap();
        assert_eq!(
            openings.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["B:W21:B1", "23-19 10-14", "23-19 10-14"]
        );
        let text = "W:W21:B1 21-17 1-5\nB:W21:B1\n23-19 10-14";
        let openings = read(text, 9).unwrap();
        assert_eq!(openings.iter().map(ToString::to_string).collect::<Vec<_>>(), text.lines().collect::<Vec<_>>());
        assert_eq!(openings[0].moves.len(), 2);
    }

    #[test]
    fn positions_of_epd_are_read_whatever_operations_follow() {
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
        let openings = read("[Event \"a\"]\n\n1. 23-19 10-14 1-0\n\n[FEN \"B:W21:B1\"] 1... 1-5 *\n", 9).unwrap();
        assert_eq!(openings.iter().map(ToString::to_string).collect::<Vec<_>>(), ["23-19 10-14", "B:W21:B1 1-5"]);
    }

    #[test]
    fn errors_say_where_and_what() {
        for (text, expected) in [
            ("# nothing\n", "no opening"),
            ("23-19\n<what>", "line 2: expected a FEN or moves, found '<what>'"),
            ("# x\n23-19 x", "line 2: move x: expected a square, found 'x' at column 1"),
            ("23-19 1-5", "line 1: move 1-5: 5 is occupied"),
            ("W:W21:B1\n\nW:W:B5", "line 3: the game is over there"),
            ("[FEN \"W\"] *", "game 1: fen white pieces: the list is missing"),
        ] {
            assert_eq!(read(text, 9).unwrap_err().to_string(), expected);
        }
        assert!(
            read("[Event \"a\"]\n1. 23-19 {", 9).unwrap_err().to_string().starts_with("game 1, line 2 column 10: ")
        );
    }

    #[test]
    fn moves_are_played_however_captures_are_written() {
        let played = |text: &str| {
            let moves = text.split(' ').map(str::to_owned).collect();
            let opened = Opening { start: None, moves }.open(Variant::English).unwrap();
            opened.moves.into_iter().map(|(_, mv)| mv.path).collect::<Vec<_>>()
        };
        let moves = played("11-15 23-18 8-11 27-23 4-8 23-19 10-14 19-10 14x23 26x19");
        assert_eq!(moves[7], "19x10", "a hyphen is good enough for a capture");
        assert_eq!(played("11x15 23x18"), ["11-15", "23-18"], "some write every move so");
    }

    #[test]
    fn every_variant_has_openings_that_can_be_played() {
        for variant in Variant::listed() {
            // `soffio openings` makes a part of crates/match/openings/lines.txt, where the command stands.
            assert!(collections(variant).next().is_some(), "{variant} has no openings in crates/match/openings");
            for (name, _) in collections(variant) {
                let openings = built_in(variant, Some(name)).unwrap();
                assert!(openings.len() >= 20, "{variant} {name}: {}", openings.len());
                let different: HashSet<_> = openings.iter().map(ToString::to_string).collect();
                assert_eq!(different.len(), openings.len(), "{variant} {name}");
            }
        }
    }

    #[test]
    fn every_part_belongs_to_a_variant() {
        for (name, text) in COLLECTIONS {
            let found = Variant::listed().filter(|&variant| part(text, variant).is_some()).count();
            assert_eq!(found, text.matches("# ").count(), "{name}");
        }
    }

    #[test]
    fn errors_name_the_collections() {
        let error = built_in(Variant::English, Some("x")).unwrap_err().to_string();
        assert_eq!(error, "built-in openings of english are: 2-move, 3-move, 11-man");
        let error = built_in(Variant::EnglishOptional, None).unwrap_err().to_string();
        assert_eq!(error, "there are no built-in openings of english-optional");
    }
}
