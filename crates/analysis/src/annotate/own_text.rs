//! Recognises the text of earlier annotations, so that a later annotation can replace it. Only complete scores and
//! sentences count, because other annotators may use the same words.

use super::MoveMark;
use super::annotation::MAX_LINE_PLIES;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_while1};
use nom::character::complete::{alphanumeric1, digit1};
use nom::combinator::{opt, recognize, value, verify};
use nom::multi::separated_list1;
use nom::sequence::preceded;
use nom::{IResult, Parser};
use soffio::notation::pdn::{GameRecord, PdnMove, Variation};
use soffio::notation::printable;

/// The end of the sentence about a move that cannot be played.
pub(super) const FAULT_END: &str = "; annotated up to here";

/// Returns the command that attributes the mark `glyph` to another annotator, so that a later annotation does not
/// remove it.
pub(super) fn other_mark(glyph: u16) -> String {
    format!("{OTHER_MARK}{glyph}]")
}

const OTHER_MARK: &str = "[%marked $";

/// The command that attributes the earlier scores in a comment to other annotators. Without it, a score in words, such
/// as `White wins in 3`, belongs to another annotator if it follows a score and no sentence follows it.
pub(super) const OTHER_SCORE: &str = "[%scored]";

/// Returns whether a score begins at a word of `comment`.
pub(super) fn has_score(comment: &str) -> bool {
    score_starts(comment).any(|start| comment.get(start..).is_some_and(|rest| score(rest).is_ok()))
}

/// Returns the indices in `comment` where a score can begin, in descending order.
fn score_starts(comment: &str) -> impl Iterator<Item = usize> {
    comment.rmatch_indices(['[', 'W', 'B']).map(|(start, _)| start).filter(|&start| is_word_start(comment, start))
}

type Text<'a> = IResult<&'a str, &'a str>;

/// If the `Annotator` tag names this program, removes the scores, sentences, marks and lines of an earlier annotation
/// from `record`. Text stays if it may be the work of another annotator.
pub fn clear(record: &mut GameRecord) {
    if !record.tag("Annotator").is_some_and(|annotators| annotators.split("; ").any(is_this_program)) {
        return;
    }
    let mut before = None;
    let mut is_annotated = true;
    for mv in &mut record.moves {
        if mv.is_set_up() {
            (before, is_annotated) = (None, true);
        }
        // After the sentence about an illegal move, the game is not annotated up to the next setup position.
        if let Some(comment) = &mv.comment
            && let Some(others) = without_fault(comment, &mv.text)
        {
            (mv.comment, is_annotated) = (Some(others).filter(|others| !others.is_empty()), false);
        }
        if is_annotated {
            before = clear_move(mv, before.as_deref());
        }
    }
}

/// Returns the index of the last mark that this program may have set.
pub(super) fn last_mark(mv: &PdnMove) -> Option<usize> {
    let marks = [MoveMark::Dubious, MoveMark::Mistake, MoveMark::Blunder].map(MoveMark::glyph);
    mv.glyphs.iter().rposition(|glyph| marks.contains(glyph))
}

/// Removes an earlier annotation of a move. `before` is the score in the annotation of the previous move. Returns the
/// score in the removed annotation.
fn clear_move(mv: &mut PdnMove, before: Option<&str>) -> Option<String> {
    let comment = mv.comment.clone()?;
    let own = OwnText::find(&comment)?;
    mv.comment = None;
    mv.add_comment(&own.others);
    // The annotation adds its mark after the marks of other annotators, and its line after their variations.
    let Some(mark) = last_mark(mv) else { return Some(own.score) };
    let is_others = comment.contains(OTHER_MARK);
    let is_own = |variation: &Variation| match (line_score(variation), before) {
        (Some(score), Some(before)) => score == before && (own.has_sentence || !is_others),
        // The first move shows no score of the position before it.
        (Some(_), None) => own.has_sentence,
        (None, _) => false,
    };
    if let Some(line) = mv.variations.iter().rposition(is_own) {
        mv.variations.remove(line);
        if !is_others {
            mv.glyphs.remove(mark);
        }
    }
    Some(own.score)
}

/// Returns `comment` without the sentences that [`PlayableGame::complete`] added to an illegal move `text`, or `None`
/// if there are none.
///
/// [`PlayableGame::complete`]: super::PlayableGame::complete
fn without_fault(comment: &str, text: &str) -> Option<String> {
    let mut illegal = PdnMove::default();
    illegal.add_comment(&format!("move {}:", printable(text.chars())));
    let fixed = ["not a move:", "unknown move --", "not a position:"].map(str::to_owned);
    let begins: Vec<_> = fixed.into_iter().chain(illegal.comment).collect();
    let mut rest = comment.to_owned();
    while let Some((before, after)) = rest.rsplit_once(FAULT_END)
        && (after.is_empty() || after.starts_with(' '))
        && let starts = begins.iter().flat_map(|begin| before.rmatch_indices(begin.as_str()).map(|(start, _)| start))
        && let Some(start) = starts.filter(|&start| is_word_start(before, start)).max()
    {
        let parts = [before.get(..start).unwrap_or_default().trim(), after.trim()];
        rest = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    }
    (rest != comment).then_some(rest)
}

fn is_word_start(text: &str, start: usize) -> bool {
    text.get(..start).is_some_and(|before| before.is_empty() || before.ends_with(' '))
}

fn is_this_program(annotator: &str) -> bool {
    let version = annotator.strip_prefix("Soffio ");
    version.is_some_and(|version| version.starts_with(|c: char| c.is_ascii_digit()) && !version.contains(' '))
}

/// Returns the score of a variation that consists of a better line with its score, and of nothing else.
pub(super) fn line_score(variation: &Variation) -> Option<&str> {
    let is_bare = |mv: &PdnMove| mv.glyphs.is_empty() && mv.extra.is_empty() && mv.variations.is_empty();
    let is_line = variation.comment.is_none()
        && variation.extra.is_empty()
        && (1..=MAX_LINE_PLIES).contains(&variation.moves.len())
        && variation.moves.iter().all(is_bare)
        && variation.moves.iter().skip(1).all(|mv| mv.comment.is_none());
    let comment = variation.moves.first()?.comment.as_deref().filter(|_| is_line)?;
    score(comment).is_ok_and(|(rest, _)| rest.is_empty()).then_some(comment)
}

/// The last score in a comment, and the sentences that belong to it. A score in words must be followed by such a
/// sentence, by a command such as `[%clk 0:05]`, or by the end.
struct OwnText {
    score: String,
    has_sentence: bool,
    /// The rest of the comment.
    others: String,
}

impl OwnText {
    fn find(comment: &str) -> Option<Self> {
        let mut splits = score_starts(comment).filter_map(|start| comment.split_at_checked(start));
        splits.find_map(|(before, rest)| Self::parse(before, rest))
    }

    /// Parses the score at the start of `text` and its sentences.
    fn parse(before: &str, text: &str) -> Option<Self> {
        let is_end = |rest: &str| rest.is_empty() || rest.starts_with(" [%");
        let (after_score, found) = score(text).ok()?;
        let (mut rest, mut has_sentence) = (after_score, false);
        while let Ok((after, is_sentence)) = addition(rest) {
            (rest, has_sentence) = (after, has_sentence || is_sentence);
        }
        let is_whole = is_end(rest);
        let is_own = is_whole && (has_sentence || text.contains(OTHER_SCORE) || !has_score(before));
        if !found.starts_with('[') && !is_own {
            return None;
        }
        if !is_whole {
            // The text after the score was written by another annotator.
            (rest, has_sentence) = (after_score, false);
        }
        let parts = [before.trim(), rest.trim()];
        let others = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
        Some(Self { score: found.to_owned(), has_sentence, others })
    }
}

fn score(text: &str) -> Text<'_> {
    let eval = recognize((tag("[%eval "), take_while1(|c: char| c.is_ascii_digit() || "#.-+".contains(c)), tag("]")));
    let side = || alt((tag("White"), tag("Black")));
    let win = recognize((side(), tag(" wins in "), digit1));
    alt((eval, win, recognize((side(), tag(" has won"))))).parse(text)
}

/// Parses what can follow a score. Returns whether it is a sentence about the move.
fn addition(text: &str) -> IResult<&str, bool> {
    let other_mark = recognize((tag(OTHER_MARK), digit1, tag("]")));
    let kinds = alt((value(true, sentence), value(false, alt((book_remark, other_mark, tag(OTHER_SCORE))))));
    preceded((opt(tag(",")), tag(" ")), kinds).parse(text)
}

/// The sentences of [`BadMove`](super::explain::BadMove), including those of earlier versions.
fn sentence(text: &str) -> Text<'_> {
    let given = || recognize((tag("gives the "), alt((tag("win"), tag("draw"))), tag(" away")));
    let reason = alt((recognize((given(), tag(": "), loss)), given(), loss, chances));
    let win = recognize((line, tag(" wins in "), digit1));
    let faster_win = recognize((tag("there was a win in "), digit1));
    alt((recognize((reason, opt((tag("; "), plan)))), win, faster_win)).parse(text)
}

fn loss(text: &str) -> Text<'_> {
    let king = recognize((tag("lets "), alt((tag("White"), tag("Black"))), tag(" make a king: "), line));
    let shot = recognize((tag("allows the shot "), line, tag(", which gains "), material));
    // Earlier versions added "by force" to some of these sentences.
    let men = recognize((tag("loses "), material, opt(tag(" by force")), tag(": "), line));
    alt((king, shot, men)).parse(text)
}

fn chances(text: &str) -> Text<'_> {
    let number = || recognize((digit1, tag("."), digit1));
    let cost = recognize((tag("the score falls by "), number()));
    // Files that were annotated in November 2026 contain this sentence.
    let old_cost = recognize((tag("it costs "), number(), tag(" men")));
    let direction = alt((tag("winning falls"), tag("losing rises")));
    let change = recognize((tag("the chance of "), direction, tag(" from "), digit1, tag(" to "), digit1, tag(" %")));
    alt((cost, old_cost, change)).parse(text)
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
    alt((
        tag("the book ends here"),
        recognize((alt((tag("leaves the book; book moves: "), tag("left the book, which has "))), moves)),
    ))
    .parse(text)
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

    fn without_own(text: &str) -> String {
        OwnText::find(text).map_or_else(|| text.to_owned(), |own| own.others)
    }

    #[test]
    fn only_scores_and_their_sentences_are_cleared() {
        for (text, rest) in [
            ("[%eval 0.10]", ""),
            ("good [%clk 0:05] [%eval -1.00] loses a man: 1-5; 5-9 is better", "good [%clk 0:05]"),
            ("[%eval -1.00] loses 2 men by force: 1-5 9x2; 5-9 gains a piece", ""),
            ("[%eval 0.10] leaves the book; book moves: 1-5 cp 3, 2-6 [%clk 0:05]", "[%clk 0:05]"),
            ("[%eval 0.10] left the book, which has 1-5 cp 3, 2-6 [%clk 0:05]", "[%clk 0:05]"),
            ("White wins in 4, it costs 1.00 men", ""),
            ("White wins in 44, there was a win in 11", ""),
            ("White wins in 14, a6-b6 wins in 13", ""),
            (
                "Black has won, gives the draw away: allows the shot 1x10 2-6, which gains 2 men; 1-5 exchanges a man",
                "",
            ),
            ("[%eval #-3] the chance of losing rises from 3 to 97 %; c3-d4 e5:c3 brings the piece on c3 to f6", ""),
            ("[%eval 0.10] as I thought", "as I thought"),
            ("[%eval 0.10] loses a man: 1-5 [%marked $2] the book ends here [%clk 0:05]", "[%clk 0:05]"),
            ("so Black has won [%emt 3] here", "so [%emt 3] here"),
            ("[%eval -0.20] White wins in 3 [%scored] leaves the book; book moves: 1-5", "[%eval -0.20]"),
            ("[%eval -0.20] White wins in 14, a6-b6 wins in 13", "[%eval -0.20]"),
        ] {
            assert_eq!(without_own(text), rest, "{text}");
        }
    }

    #[test]
    fn text_by_other_annotators_is_kept() {
        for text in [
            "I think White has won a tempo here, a fine plan.",
            "Bob claims White wins in 3 but he is wrong",
            "Black has wonderful play",
            "(White has won)",
            "White wins in 4 White wins in 3",
        ] {
            assert_eq!(without_own(text), text);
        }
        for (text, rest) in [
            ("[%eval 0.30] mine [%eval 0.03]", "[%eval 0.30] mine"),
            ("[%eval 0.30] mine (White has won", "mine (White has won"),
            ("[%eval 0.30] White wins in 3", "White wins in 3"),
            ("[%eval 0.30] Ann: White has won", "Ann: White has won"),
            ("[%eval 0.30] loses nothing, whatever the books say", "loses nothing, whatever the books say"),
            (
                "[%eval 0.19] it costs 0.20 men; 8-11 is better. Ann: I disagree",
                "it costs 0.20 men; 8-11 is better. Ann: I disagree",
            ),
        ] {
            assert_eq!(without_own(text), rest);
        }
    }

    fn cleared(text: &str) -> GameRecord {
        let mut record = read_games(text).remove(0);
        clear(&mut record);
        record
    }

    #[test]
    fn only_bare_lines_of_this_program_are_removed() {
        let is_removed = |annotator: &str, variation: &str| {
            let text = format!(
                "[Annotator \"{annotator}\"]\n\n1. 10-15 {{[%eval 0.10]}} 23-18 $6 {{[%eval 0.40]}} ({variation}) *"
            );
            cleared(&text).moves[1].variations.is_empty()
        };
        let line = "1... 22-17 {[%eval 0.10]} 2. 11-15";
        assert!(is_removed("Soffio 0.1.0", line) && is_removed("Ann; Soffio 0.2.1", line));
        assert!(!is_removed("Carlo Soffio Bianchi", line) && !is_removed("Soffio Bianchi", line));
        for kept in [
            "1... 22-17 {[%eval 0.10]} 2. 11-15 $1",
            "1... 22-17 {[%eval 0.10] good} 2. 11-15",
            "1... 22-17 2. 11-15",
            "1... 22-17 {[%eval 0.11]} 2. 11-15",
        ] {
            assert!(!is_removed("Soffio 0.1.0", kept), "{kept}");
        }
    }

    #[test]
    fn a_line_needs_a_mark_and_the_score_before_the_move() {
        let variations = |moves: &str| {
            let record = cleared(&format!("[Annotator \"Soffio 0.1.0\"]\n\n{moves} *"));
            record.moves.iter().map(|mv| mv.variations.len()).sum::<usize>()
        };
        // The first move has no score before it, so it needs a sentence.
        assert_eq!(variations("1. 10-15 $6 {[%eval 0.40] it costs 0.20 men} (1. 9-14 {[%eval 0.10]})"), 0);
        assert_eq!(variations("1. 10-15 $6 {[%eval 0.40]} (1. 9-14 {[%eval 0.10]})"), 1);
        assert_eq!(variations("1. 10-15 {[%eval 0.40] it costs 0.20 men} (1. 9-14 {[%eval 0.10]})"), 1);
        let line = "(1... 22-17 {[%eval 0.10]})";
        assert_eq!(variations(&format!("1. 10-15 {{[%eval 0.10]}} 23-18 $6 {{[%eval 0.40]}} {line} {line}")), 1);
        assert_eq!(variations(&format!("1. 10-15 {{[%eval 0.10]}} 23-18 $6 {line}")), 1);
    }

    #[test]
    fn sentences_about_illegal_moves_are_removed() {
        let fault = "move 9-50: no such move; annotated up to here";
        let text = |comment: &str| {
            format!(
                "[Annotator \"Soffio 0.1.0\"]\n\n1. 32-28 {{[%eval 0.10]}} 9-50 {{{comment}}} 2. 1-2 {{[%eval 0.20]}} *"
            )
        };
        for (comment, others) in [
            (fault.to_owned(), None),
            (format!("boo {fault}"), Some("boo")),
            (format!("boo {fault} {fault} [%clk 0:05]"), Some("boo [%clk 0:05]")),
            (format!("the move {fault}"), Some("the move")),
            ("not a move: expected a square; annotated up to here".to_owned(), None),
            ("unknown move --; annotated up to here".to_owned(), None),
        ] {
            let record = cleared(&text(&comment));
            assert_eq!(record.moves[1].comment.as_deref(), others, "{comment}");
            assert_eq!((&record.moves[0].comment, record.moves[2].comment.is_some()), (&None, true), "{comment}");
        }
        for comment in ["I annotated up to here", "move 9-51: no such move; annotated up to here"] {
            assert_eq!(cleared(&text(comment)).moves[1].comment.as_deref(), Some(comment));
        }
    }
}
