//! Recognises the text that annotations consist of, so that a later annotation can replace it. Only complete scores and
//! sentences count, because other annotators may use the same words.

use super::MoveMark;
use super::annotation::MAX_LINE_PLIES;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_while1};
use nom::character::complete::{alphanumeric1, digit1};
use nom::combinator::{opt, recognize, verify};
use nom::multi::{many0, separated_list1};
use nom::{IResult, Parser};
use soffio::notation::pdn::{GameRecord, PdnMove, Variation};

type Text<'a> = IResult<&'a str, &'a str>;

/// If the `Annotator` tag names this program, removes the scores, sentences and lines of an earlier annotation from
/// `record`.
pub fn clear(record: &mut GameRecord) {
    if !record.tag("Annotator").is_some_and(|annotators| annotators.split("; ").any(is_this_program)) {
        return;
    }
    for mv in &mut record.moves {
        let has_own = mv.variations.iter().any(is_own);
        mv.variations.retain(|variation| !is_own(variation));
        if let Some(comment) = mv.comment.take() {
            mv.say(&without_own(&comment));
        }
        if has_own {
            // The annotation adds its mark behind the glyphs of other annotators.
            let marks = [MoveMark::Dubious, MoveMark::Mistake, MoveMark::Blunder].map(MoveMark::glyph);
            if let Some(own) = mv.glyphs.iter().rposition(|glyph| marks.contains(glyph)) {
                mv.glyphs.remove(own);
            }
        }
    }
}

fn is_this_program(annotator: &str) -> bool {
    let version = annotator.strip_prefix("Soffio ");
    version.is_some_and(|version| version.starts_with(|c: char| c.is_ascii_digit()) && !version.contains(' '))
}

/// Returns whether a variation consists of a better line with its score, and of nothing else.
fn is_own(variation: &Variation) -> bool {
    let is_bare = |mv: &PdnMove| mv.glyphs.is_empty() && mv.extra.is_empty() && mv.variations.is_empty();
    let is_score = |comment: &String| score(comment).is_ok_and(|(rest, _)| rest.is_empty());
    variation.comment.is_none()
        && variation.extra.is_empty()
        && (1..=MAX_LINE_PLIES).contains(&variation.moves.len())
        && variation.moves.iter().all(is_bare)
        && variation.moves.iter().skip(1).all(|mv| mv.comment.is_none())
        && variation.moves.first().and_then(|mv| mv.comment.as_ref()).is_some_and(is_score)
}

/// Returns `text` without the last score and the sentences that belong to it. A score in words must be followed by such
/// a sentence, by a command such as `[%clk 0:05]`, or by the end.
fn without_own(text: &str) -> String {
    let starts = text.match_indices(['[', 'W', 'B']).map(|(start, _)| text.split_at(start)).collect::<Vec<_>>();
    let mut at_word = starts.into_iter().rev().filter(|(before, _)| before.is_empty() || before.ends_with(' '));
    let own = at_word.find_map(|(before, rest)| Some((before, after_own(rest)?)));
    let Some((before, after)) = own else { return text.to_owned() };
    [before.trim(), after.trim()].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Returns what follows the score at the start of `text` and its sentences, or `None` if there is no such score.
fn after_own(text: &str) -> Option<&str> {
    let is_end = |rest: &str| rest.is_empty() || rest.starts_with(" [%");
    let (rest, found) = score(text).ok()?;
    let sentence = recognize((opt(tag(",")), tag(" "), alt((sentence, book_remark))));
    match recognize(many0(sentence)).parse(rest) {
        Ok((rest, _)) if is_end(rest) => Some(rest),
        _ => (found.starts_with('[') || is_end(rest)).then_some(rest),
    }
}

fn score(text: &str) -> Text<'_> {
    let eval = recognize((tag("[%eval "), take_while1(|c: char| c.is_ascii_digit() || "#.-+".contains(c)), tag("]")));
    let side = || alt((tag("White"), tag("Black")));
    let win = recognize((side(), tag(" wins in "), digit1));
    alt((eval, win, recognize((side(), tag(" has won"))))).parse(text)
}

/// The sentences of [`BadMove`](super::explain::BadMove).
fn sentence(text: &str) -> Text<'_> {
    let given = || recognize((tag("gives the "), alt((tag("win"), tag("draw"))), tag(" away")));
    let reason = alt((recognize((given(), tag(": "), loss)), given(), loss, chances));
    recognize((reason, opt((tag("; "), plan)))).parse(text)
}

fn loss(text: &str) -> Text<'_> {
    let king = recognize((tag("lets "), alt((tag("White"), tag("Black"))), tag(" make a king: "), line));
    let shot = recognize((tag("allows the shot "), line, tag(", which gains "), material));
    let men = recognize((tag("loses "), material, opt(tag(" by force")), tag(": "), line));
    alt((king, shot, men)).parse(text)
}

fn chances(text: &str) -> Text<'_> {
    let cost = recognize((tag("it costs "), digit1, tag("."), digit1, tag(" men")));
    let way = alt((tag("winning falls"), tag("losing rises")));
    let change = recognize((tag("the chance of "), way, tag(" from "), digit1, tag(" to "), digit1, tag(" %")));
    alt((cost, change)).parse(text)
}

fn plan(text: &str) -> Text<'_> {
    let gain = recognize((alt((tag("gains "), tag("exchanges "), tag("sacrifices "))), material));
    let win = recognize((tag("wins in "), digit1));
    let walk = recognize((tag("brings the piece on "), alphanumeric1, tag(" to "), alphanumeric1));
    let aim = alt((gain, win, walk, tag("makes a king"), tag("is better")));
    recognize((line, tag(" "), aim)).parse(text)
}

fn book_remark(text: &str) -> Text<'_> {
    let number = recognize((opt(tag("-")), digit1));
    let value = (tag(" "), alt((tag("cp "), tag("win "), tag("loss "))), number);
    let moves = separated_list1(tag(", "), (mv, opt(value)));
    alt((tag("the book ends here"), recognize((tag("left the book, which has "), moves)))).parse(text)
}

fn material(text: &str) -> Text<'_> {
    let several = recognize((digit1, alt((tag(" men"), tag(" pieces")))));
    alt((tag("a man"), tag("a piece"), several)).parse(text)
}

fn line(text: &str) -> Text<'_> {
    recognize(separated_list1(tag(" "), mv)).parse(text)
}

fn mv(text: &str) -> Text<'_> {
    let is_move = |text: &str| text.contains(['-', 'x', ':']) && text.contains(|c: char| c.is_ascii_digit());
    verify(take_while1(|c: char| c.is_alphanumeric() || "-:".contains(c)), is_move).parse(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use soffio::notation::pdn::read_games;

    #[test]
    fn only_scores_and_their_sentences_are_cleared() {
        for (text, rest) in [
            ("[%eval 0.10]", ""),
            ("good [%clk 0:05] [%eval -1.00] loses a man: 1-5; 5-9 is better", "good [%clk 0:05]"),
            ("[%eval 0.10] left the book, which has 1-5 cp 3, 2-6 [%clk 0:05]", "[%clk 0:05]"),
            ("White wins in 4, it costs 1.00 men", ""),
            (
                "Black has won, gives the draw away: allows the shot 1x10 2-6, which gains 2 men; 1-5 exchanges a man",
                "",
            ),
            ("[%eval #-3] the chance of losing rises from 3 to 97 %; c3-d4 e5:c3 brings the piece on c3 to f6", ""),
            ("[%eval 0.10] as I thought", "as I thought"),
            ("so Black has won [%emt 3] here", "so [%emt 3] here"),
        ] {
            assert_eq!(without_own(text), rest, "{text}");
        }
    }

    #[test]
    fn the_words_of_other_annotators_stay() {
        for text in [
            "I think White has won a tempo here, a fine plan.",
            "Bob claims White wins in 3 but he is wrong",
            "Black has wonderful play",
            "(White has won)",
        ] {
            assert_eq!(without_own(text), text);
        }
        for (text, rest) in [
            ("[%eval 0.30] mine [%eval 0.03]", "[%eval 0.30] mine"),
            ("[%eval 0.30] mine (White has won", "mine (White has won"),
            ("[%eval 0.30] loses nothing, whatever the books say", "loses nothing, whatever the books say"),
            (
                "[%eval 0.19] it costs 0.20 men; 8-11 is better. Ann: I disagree",
                "it costs 0.20 men; 8-11 is better. Ann: I disagree",
            ),
        ] {
            assert_eq!(without_own(text), rest);
        }
    }

    #[test]
    fn only_bare_lines_of_this_program_are_removed() {
        let cleared = |annotator: &str, variation: &str| {
            let text = format!("[Annotator \"{annotator}\"]\n\n1. 11-15 ({variation}) 23-18 *");
            let mut record = read_games(&text).remove(0);
            clear(&mut record);
            record.moves[0].variations.is_empty()
        };
        let line = "1. 9-14 {[%eval 0.10]} 22-17 2. 11-15";
        assert!(cleared("Soffio 0.1.0", line) && cleared("Ann; Soffio 0.2.1", line));
        assert!(!cleared("Carlo Soffio Bianchi", line) && !cleared("Soffio Bianchi", line));
        for kept in ["1. 9-14 {[%eval 0.10]} 22-17 $1 2. 11-15", "1. 9-14 {[%eval 0.10] good} 22-17", "1. 9-14 22-17"] {
            assert!(!cleared("Soffio 0.1.0", kept), "{kept}");
        }
    }
}
