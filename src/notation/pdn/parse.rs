//! Reads game records.

use super::{GameRecord, GameResult, PdnError, PdnMove};
use nom::branch::alt;
use nom::bytes::complete::{is_not, tag, take_till, take_while, take_while1};
use nom::character::complete::{char, digit1, line_ending, multispace0, multispace1, not_line_ending};
use nom::combinator::{eof, not, opt, peek, recognize, value};
use nom::multi::many0_count;
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Parser};

type Parsed<'a, T> = IResult<&'a str, T, ()>;

/// Deepest nesting of variations, which are left out.
const DEEPEST: usize = 100;

/// Reads all games of a file. Variations, annotations and move numbers are left out.
///
/// # Errors
/// When the text is not PDN: says where, and what must stand there.
pub fn read_games(text: &str) -> Result<Vec<GameRecord>, PdnError> {
    let text = text.trim_start_matches('\u{feff}');
    let mut games = Vec::new();
    let mut rest = skip(text);
    while !rest.is_empty() {
        let (after, game) = read_game(rest).map_err(|(at, expected)| PdnError::new(text, at, expected))?;
        games.push(game);
        rest = skip(after);
    }
    Ok(games)
}

/// Where reading failed, and what must stand there.
type Failure<'a> = (&'a str, &'static str);

/// Reads one game at the start of `input`: tags, then moves up to a result, or to the tags of the next game.
fn read_game(input: &str) -> Result<(&str, GameRecord), Failure<'_>> {
    let mut game = GameRecord::default();
    let mut rest = input;
    while rest.starts_with('[') {
        let (after, pair) = tag_pair(rest).map_err(|_| (rest, "a tag such as [Event \"Match\"]"))?;
        game.tags.push(pair);
        rest = skip(after);
    }
    loop {
        if rest.is_empty() || rest.starts_with('[') {
            return Ok((rest, game));
        }
        if let Ok((after, result)) = result(rest) {
            game.result = result;
            return Ok((after, game));
        }
        rest = skip(element(rest, &mut game)?);
    }
}

/// Reads one element of the moves; returns what follows it.
fn element<'a>(input: &'a str, game: &mut GameRecord) -> Result<&'a str, Failure<'a>> {
    if input.starts_with('{') {
        let (rest, text) = comment(input).map_err(|_| (input, "a comment that ends with '}'"))?;
        if let Some(last) = game.moves.last_mut() {
            let before = last.comment.take().map(|before| before + " ").unwrap_or_default();
            last.comment = Some(before + &text.split_whitespace().collect::<Vec<_>>().join(" "));
        }
        return Ok(rest);
    }
    if input.starts_with('(') {
        return variation(input).ok_or((input, "a variation that ends with ')'"));
    }
    if let Ok((rest, _)) = alt((move_number, annotation)).parse(input) {
        return Ok(rest);
    }
    let (rest, text) = move_text(input).map_err(|_| (input, "a move, a comment or a result"))?;
    game.moves.push(PdnMove { text: text.to_owned(), comment: None });
    Ok(rest)
}

/// Skips spaces, comments to the end of the line, and lines that begin with the escape character of PGN.
fn skip(input: &str) -> &str {
    let to_end_of_line = || preceded(alt((char(';'), char('%'))), not_line_ending);
    let ignored = alt((value((), multispace1), value((), to_end_of_line())));
    let skipped: Parsed<'_, usize> = many0_count(ignored).parse(input);
    skipped.map_or(input, |(rest, _)| rest)
}

fn tag_pair(input: &str) -> Parsed<'_, (String, String)> {
    let name = take_while1(|c: char| c.is_alphanumeric() || c == '_');
    let (rest, name) = delimited((char('['), multispace0), name, multispace0).parse(input)?;
    let (rest, text) = quoted(rest)?;
    let (rest, _) = (multispace0, char(']')).parse(rest)?;
    Ok((rest, (name.to_owned(), text)))
}

/// A string in quotation marks on one line, in which a backslash stands before a quotation mark or another one.
fn quoted(input: &str) -> Parsed<'_, String> {
    let (mut rest, _) = char('"').parse(input)?;
    let mut text = String::new();
    loop {
        let (after, plain) = take_till(|c| matches!(c, '"' | '\\' | '\n')).parse(rest)?;
        text.push_str(plain);
        let (after, sign) = alt((tag("\\\""), tag("\\\\"), tag("\\"), tag("\""))).parse(after)?;
        rest = after;
        match sign {
            "\"" => return Ok((rest, text)),
            sign => text.push_str(sign.strip_prefix('\\').filter(|sign| !sign.is_empty()).unwrap_or(sign)),
        }
    }
}

fn comment(input: &str) -> Parsed<'_, &str> {
    delimited(char('{'), take_till(|c| c == '}'), char('}')).parse(input)
}

/// What follows the variation at the start of `input`, with all variations and comments in it.
fn variation(input: &str) -> Option<&str> {
    let mut depth = 0usize;
    let mut rest = input;
    loop {
        let next = rest.find(['(', ')', '{'])?;
        let at = rest.get(next..)?;
        rest = at.get(1..)?;
        match at.chars().next()? {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1)?,
            _ => rest = comment(at).ok()?.0,
        }
        match depth {
            0 => return Some(rest),
            DEEPEST.. => return None,
            _ => {}
        }
    }
}

fn move_number(input: &str) -> Parsed<'_, &str> {
    recognize((digit1, multispace0, char('.'), take_while(|c| c == '.'))).parse(input)
}

/// A numeric annotation glyph, marks of praise and blame, or dots.
fn annotation(input: &str) -> Parsed<'_, &str> {
    let glyph = recognize((char('$'), digit1));
    alt((glyph, take_while1(|c| matches!(c, '!' | '?')), take_while1(|c| c == '.'))).parse(input)
}

fn move_text(input: &str) -> Parsed<'_, &str> {
    let first = peek(take_while1(|c: char| c.is_ascii_alphanumeric()));
    preceded(first, is_not(" \t\r\n{}()[];$!?*\"")).parse(input)
}

fn result(input: &str) -> Parsed<'_, GameResult> {
    let is_over = || alt((value((), eof), value((), line_ending), value((), peek(alt((multispace1, tag("[")))))));
    let kind = alt((
        value(GameResult::First, alt((tag("1-0"), tag("2-0")))),
        value(GameResult::Second, alt((tag("0-1"), tag("0-2")))),
        value(GameResult::Draw, alt((tag("1/2-1/2"), tag("1-1")))),
        value(GameResult::BothLost, tag("0-0")),
    ));
    alt((terminated(kind, is_over()), value(GameResult::Unknown, (char('*'), opt(not(char('*'))))))).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(text: &str, comment: Option<&str>) -> PdnMove {
        PdnMove { text: text.to_owned(), comment: comment.map(str::to_owned) }
    }

    #[test]
    fn games_are_read_with_everything_that_files_have() {
        let text = "\u{feff}% made by hand\n[Event \"a \\\"b\\\" \\\\\"]\r\n[Round\t\"1\"]\n\n1. 32-28!? {good\n move} 19x23?! $4 (1... 18-23 \
                    {:)} (2. 5-10)) 2.28x19 ; to the end\n14x23x30 1-0\n\n1... c3:e5 *[Event \"c\"] 1/2-1/2 2-0";
        let games = read_games(text).unwrap();
        assert_eq!(games.len(), 4);
        assert_eq!(games[0].tag("Event"), Some("a \"b\" \\"));
        assert_eq!(games[0].tag("Round"), Some("1"));
        let moves = [mv("32-28", Some("good move")), mv("19x23", None), mv("28x19", None), mv("14x23x30", None)];
        assert_eq!((games[0].moves.as_slice(), games[0].result), (&moves[..], GameResult::First));
        assert_eq!((games[1].moves.as_slice(), games[1].result), (&[mv("c3:e5", None)][..], GameResult::Unknown));
        assert_eq!((games[2].tag("Event"), games[2].result), (Some("c"), GameResult::Draw));
        assert_eq!(games[3].result, GameResult::First);
        assert_eq!(read_games(" \n"), Ok(Vec::new()));
    }

    #[test]
    fn errors_say_where() {
        let error = |text: &str| read_games(text).unwrap_err().to_string();
        assert_eq!(
            error("[Event \"a\"]\n[Round 1]\n"),
            "line 2 column 1: expected a tag such as [Event \"Match\"], found '[Round'"
        );
        assert_eq!(error("1. 32-28 {no end"), "line 1 column 10: expected a comment that ends with '}', found '{no'");
        assert_eq!(error("1. 32-28\n (1. 5"), "line 2 column 2: expected a variation that ends with ')', found '(1.'");
        assert_eq!(error("1. 32-28\né <"), "line 2 column 1: expected a move, a comment or a result, found 'é'");
        assert_eq!(error("]"), "line 1 column 1: expected a move, a comment or a result, found ']'");
        assert!(error(&"(".repeat(1000)).starts_with("line 1 column 1: expected a variation"));
    }

    #[test]
    fn what_is_printed_is_read_again() {
        let comments = [None, Some("+0.12/8 0.034s"), Some("a \"b\" [c]")];
        let moves = (0..200).map(|index| mv("32-28", comments[index % 3]));
        let tags = [("Event", "a \"quoted\" \\ text"), ("FEN", "B:W32:B1")];
        for (tags, result) in [(&tags[..], GameResult::Second), (&tags[..1], GameResult::Unknown)] {
            let tags = tags.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            let game = GameRecord { tags, moves: moves.clone().collect(), result };
            let text = game.to_string();
            assert!(text.lines().all(|line| line.len() < 80), "{text}");
            assert_eq!(read_games(&(text.clone() + &text)), Ok(vec![game.clone(), game]));
        }
    }

    #[test]
    fn a_game_that_black_begins_from_a_position_has_its_first_move_alone() {
        let tags = vec![("FEN".to_owned(), "B:W32:B1".to_owned())];
        let moves = vec![mv("1-5", None), mv("32-28", Some("a {b}")), mv("5-9", None)];
        let mut game = GameRecord { tags, moves, result: GameResult::Draw };
        assert_eq!(game.to_string(), "[FEN \"B:W32:B1\"]\n\n1... 1-5 2. 32-28 {a [b]} 5-9 1/2-1/2\n\n");
        game.tags.clear();
        assert_eq!(game.to_string(), "\n1. 1-5 32-28 {a [b]} 2. 5-9 1/2-1/2\n\n");
    }
}
