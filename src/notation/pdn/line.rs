//! Reads a line of moves with its comments, glyphs and variations: the game itself, or a variation.

use super::error::Failure;
use super::tokens::{braced, glyph, move_number, move_text, set_up, skip, strength, to_line_end};
use super::{GameResult, PdnMove, Variation};
use nom::Parser;
use nom::branch::alt;

/// Deepest nesting of variations: deeper than any real game, and shallow enough for the stack.
const DEEPEST: usize = 100;

/// Reads the elements of a line at the start of `input` up to what cannot be part of it: a tag, the end of a variation,
/// a result, or the end. `moved` is told what is left from each move of the line on. Returns what is left.
pub(super) fn read_line<'a>(
    input: &'a str,
    depth: usize,
    line: &mut Variation,
    moved: &mut dyn FnMut(&'a str),
) -> Result<&'a str, Failure<'a>> {
    let mut rest = skip(input);
    while let Some(first) = rest.chars().next() {
        rest = match first {
            '[' | ')' => break,
            '*' if depth == 0 => break,
            '{' | ';' => comment(rest, line)?,
            '$' => numbered_glyph(rest, line)?,
            '/' => {
                let (after, text) =
                    set_up(rest).map_err(|_| Failure::new(rest, "a position such as /FEN \"W:W31:B20\"/"))?;
                let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                moved(rest);
                line.moves.push(PdnMove::new(text));
                after
            }
            '!' | '?' | '(' => match strength(rest) {
                Ok((after, number)) => {
                    mark(line, number);
                    after
                }
                Err(_) if first == '(' => variation(rest, depth, line)?,
                Err(_) => return Err(nothing(rest)),
            },
            _ => match move_or_number(rest, depth, line, moved)? {
                Some(after) => after,
                None => break,
            },
        };
        rest = skip(rest);
    }
    Ok(rest)
}

fn nothing(rest: &str) -> Failure<'_> {
    Failure::new(rest, "a move, a comment or a result")
}

fn comment<'a>(input: &'a str, line: &mut Variation) -> Result<&'a str, Failure<'a>> {
    let read = alt((braced, to_line_end)).parse(input);
    let (rest, text) = read.map_err(|_| Failure::new(input, "a comment that ends with '}'"))?;
    line.say(text);
    Ok(rest)
}

fn numbered_glyph<'a>(input: &'a str, line: &mut Variation) -> Result<&'a str, Failure<'a>> {
    let wrong = || Failure::new(input, "an annotation from $0 to $65535");
    let (rest, digits) = glyph(input).map_err(|_| wrong())?;
    mark(line, digits.parse().map_err(|_| wrong())?);
    Ok(rest)
}

/// Takes note of a glyph. One before the first move is about the position: that is kept in words.
fn mark(line: &mut Variation, number: u16) {
    match line.moves.last_mut() {
        Some(last) if last.glyphs.contains(&number) => {}
        Some(last) => last.glyphs.push(number),
        None => line.say(&format!("${number}")),
    }
}

fn variation<'a>(input: &'a str, depth: usize, line: &mut Variation) -> Result<&'a str, Failure<'a>> {
    if depth == DEEPEST {
        return Err(Failure::new(input, "variations that are nested less deeply"));
    }
    let replaced = line.moves.last_mut().ok_or(Failure::new(input, "a move before its variation"))?;
    let mut variation = Variation::default();
    let inner = input.get(1..).unwrap_or_default();
    let rest = read_line(inner, depth + 1, &mut variation, &mut |_| {})?;
    let after = rest.strip_prefix(')').ok_or(Failure::new(input, "a variation that ends with ')'"))?;
    replaced.variations.push(variation);
    Ok(after)
}

/// Reads a move or its number; returns nothing if it is the result of the game.
fn move_or_number<'a>(
    input: &'a str,
    depth: usize,
    line: &mut Variation,
    moved: &mut dyn FnMut(&'a str),
) -> Result<Option<&'a str>, Failure<'a>> {
    if let Ok((rest, _)) = move_number(input) {
        return Ok(Some(rest));
    }
    // In a variation there can be an asterisk too.
    if let Some(rest) = input.strip_prefix('*') {
        line.say("*");
        return Ok(Some(rest));
    }
    let (rest, text) = move_text(input).map_err(|_| nothing(input))?;
    if text.chars().all(|c| c.is_ascii_digit()) {
        return Ok(Some(rest));
    }
    if text.parse::<GameResult>().is_ok() {
        if depth == 0 {
            return Ok(None);
        }
        line.say(&text);
        return Ok(Some(rest));
    }
    moved(input);
    let (text, remark) = split_remark(&text);
    let mut mv = PdnMove::new(text);
    mv.say(remark);
    let rest = match forced(rest) {
        Some(after) => {
            mv.glyphs.push(7);
            after
        }
        None => rest,
    };
    line.moves.push(mv);
    Ok(Some(rest))
}

/// Fewest letters of a word right after a move that make it a remark, and not a typing error.
const SHORTEST_REMARK: usize = 3;

/// A move of numbers, and the words that follow it without a blank or braces, as in `8-11Resigns`.
fn split_remark(text: &str) -> (&str, &str) {
    let is_of_numbers = text.starts_with(|c: char| c.is_ascii_digit());
    let is_letter = |c: char| c.is_alphabetic() && !matches!(c, 'x' | 'X');
    let (mv, remark) = text.find(is_letter).and_then(|end| text.split_at_checked(end)).unwrap_or((text, ""));
    let is_move = is_of_numbers && mv.ends_with(|c: char| c.is_ascii_digit()) && mv.contains(['-', 'x', ':']);
    let is_remark = remark.chars().take_while(|c| c.is_alphabetic()).count() >= SHORTEST_REMARK;
    // What is left would be read as a result.
    let is_result = mv.parse::<GameResult>().is_ok();
    if is_move && is_remark && !is_result { (mv, remark) } else { (text, "") }
}

/// What is left after an asterisk directly after a move, where it marks the move as forced. Before a tag or the end of the
/// text it is the end of the game.
fn forced(rest: &str) -> Option<&str> {
    let after = rest.strip_prefix('*')?;
    let next = after.trim_start();
    if next.is_empty() || next.starts_with('[') { None } else { Some(after) }
}
