//! Reads openings from lines of text and from PDN.

use super::Opening;
use anyhow::{Result, anyhow, bail, ensure};
use soffio::notation::pdn::{NoteKind, PdnNote, PdnReader, ReadGame};
use soffio::notation::{FenError, FenRecord, GameError, MoveRecord, printable};
use soffio::rules::Variant;

/// Parses an opening file and truncates each opening to at most `plies` plies. The file is PDN if a line begins with
/// `[`. Otherwise each line is an opening, unless it is a comment that begins with `#`. Fails if there are no openings;
/// errors contain the number of the game or line.
pub fn read_openings(text: &str, plies: Option<usize>, variant: Variant) -> Result<Vec<Opening>> {
    let is_pdn = text.trim_start_matches('\u{feff}').lines().any(|line| line.starts_with('['));
    let (place, openings) = if is_pdn {
        ("game", from_records(text))
    } else {
        ("line", numbered_lines(text).map(|(number, line)| (number, from_line(line))).collect())
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

fn from_records(text: &str) -> Vec<(usize, Result<Opening>)> {
    PdnReader::new(text).map(|game| (game.number, from_record(&game))).collect()
}

/// Returns the first note about text that the reader did not recognise. An opening must not contain such text, because
/// a move could be missing.
fn unclear<'a>(game: &'a ReadGame<'_>) -> Option<&'a PdnNote> {
    let is_unclear = |kind| matches!(kind, NoteKind::Unknown | NoteKind::OpenComment | NoteKind::OpenVariation);
    game.notes.iter().find(|note| is_unclear(note.kind))
}

/// Returns the opening of a game. It begins with the last position that is set up before the first move.
fn from_record(game: &ReadGame<'_>) -> Result<Opening> {
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

fn from_line(text: &str) -> Result<Opening> {
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
            let opening = from_record(&game)?;
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
}
