//! What the page says in words.

use soffio::annotate::{Analysis, JudgedMove, Mark, WhiteScore};
use soffio::notation::pdn::{GameRecord, GameResult};
use soffio::rules::{Color, Variant};

/// Tags that tell where and when a game was played, and why it ended.
const FACTS: [&str; 5] = ["Event", "Site", "Round", "Date", "Termination"];

/// `White` or `Black`.
pub(super) fn side(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// The name of `variant` at the beginning of a sentence, such as `Killer russian`.
pub(super) fn variant_name(variant: Variant) -> String {
    let name = variant.name().replace('-', " ");
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// How bad a move is.
pub(super) fn mark_name(mark: Mark) -> &'static str {
    match mark {
        Mark::Doubtful => "Doubtful move",
        Mark::Mistake => "Mistake",
        Mark::Blunder => "Blunder",
    }
}

/// The class of elements that a mark colours.
pub(super) fn class(mark: Mark) -> &'static str {
    match mark {
        Mark::Doubtful => "doubtful",
        Mark::Mistake => "mistake",
        Mark::Blunder => "blunder",
    }
}

/// The sign of a numeric annotation glyph, if it has one.
fn sign(glyph: u16) -> Option<&'static str> {
    match glyph {
        1 => Some("!"),
        2 => Some("?"),
        3 => Some("!!"),
        4 => Some("??"),
        5 => Some("!?"),
        6 => Some("?!"),
        _ => None,
    }
}

/// What the file itself says about a move: the signs of its glyphs, without that of `mark`, which is shown anyway.
pub(super) fn glyphs(glyphs: &[u16], mark: Option<Mark>) -> String {
    glyphs.iter().filter(|&&glyph| mark.map(Mark::glyph) != Some(glyph)).filter_map(|&glyph| sign(glyph)).collect()
}

/// `moves` with signs for glyphs, `28-22?` for `28-22 $2`.
pub(super) fn with_signs(moves: &str) -> String {
    let mut text = String::with_capacity(moves.len());
    for word in moves.split(' ') {
        match word.strip_prefix('$').and_then(|number| number.parse().ok()).and_then(sign) {
            Some(sign) => text.push_str(sign),
            None => {
                if !text.is_empty() {
                    text.push(' ');
                }
                text.push_str(word);
            }
        }
    }
    text
}

/// A score where there is little room.
pub(super) fn short_score(score: WhiteScore) -> String {
    let initial = |winner| side(winner).get(..1).unwrap_or_default();
    match score {
        WhiteScore::Centimen(_) => score.to_string(),
        WhiteScore::Wins(winner, 0) => format!("{} won", initial(winner)),
        WhiteScore::Wins(winner, moves) => format!("{} in {moves}", initial(winner)),
    }
}

/// What a bad move did, such as `Blunder by Black, from +0.17 to +1.94, gives the draw away`.
pub(super) fn verdict(mark: Mark, judged: JudgedMove<'_>) -> String {
    let JudgedMove { judgement, before, behind } = judged;
    let given = judgement.given_away.map(|given| format!(", {given}")).unwrap_or_default();
    format!("{} by {}, from {before} to {behind}{given}", mark_name(mark), side(judgement.side))
}

/// The result, such as `English: Black won`.
pub(super) fn result(variant: Variant, record: &GameRecord, analysis: &Analysis) -> String {
    let starts = variant.spec().starts;
    let won = |color| format!("{} won", side(color));
    let forfeit = if record.result_text().ends_with(['F', 'f']) { " by forfeit" } else { "" };
    let how = match record.result {
        GameResult::First => won(starts),
        GameResult::Second => won(starts.opponent()),
        GameResult::Draw => "a draw".to_owned(),
        GameResult::BothLost => "both lost".to_owned(),
        GameResult::Unknown => match analysis.scores.last() {
            Some(&WhiteScore::Wins(winner, 0)) => format!("{} on the board, no result is written", won(winner)),
            _ => "not finished".to_owned(),
        },
    };
    format!("{}: {how}{forfeit}", variant_name(variant))
}

/// The value of a tag, if it says anything.
fn said<'a>(record: &'a GameRecord, tag: &str) -> Option<&'a str> {
    record.tag(tag).map(str::trim).filter(|text| !text.trim_matches(['?', '-', '.']).is_empty())
}

/// The players, White first; those without a name by their colour.
pub(super) fn players(record: &GameRecord) -> [&str; 2] {
    [Color::White, Color::Black].map(|color| said(record, side(color)).unwrap_or(side(color)))
}

/// Where and when a game was played, and why it ended.
pub(super) fn facts(record: &GameRecord) -> String {
    let facts = FACTS.iter().filter_map(|&tag| match said(record, tag)? {
        round if tag == "Round" => Some(format!("round {round}")),
        text => Some(text.to_owned()),
    });
    facts.collect::<Vec<_>>().join(" \u{b7} ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use soffio::notation::pdn::read_games;

    #[test]
    fn results_are_said_in_words() {
        let said = |variant, result: &str, last| {
            let record = read_games(&format!("[Result \"{result}\"]\n\n1. 1-2 {result}\n")).unwrap().remove(0);
            result_of(variant, &record, last)
        };
        fn result_of(variant: Variant, record: &GameRecord, last: WhiteScore) -> String {
            result(variant, record, &Analysis { scores: vec![last], moves: Vec::new() })
        }
        let even = WhiteScore::Centimen(0);
        assert_eq!(said(Variant::English, "1-0", even), "English: Black won");
        assert_eq!(said(Variant::English, "0-1", even), "English: White won");
        assert_eq!(said(Variant::International, "2-0", even), "International: White won");
        assert_eq!(said(Variant::International, "1-1", even), "International: a draw");
        assert_eq!(said(Variant::KillerRussian, "0-2F", even), "Killer russian: Black won by forfeit");
        assert_eq!(said(Variant::Turkish, "*", even), "Turkish: not finished");
        assert_eq!(
            said(Variant::Turkish, "*", WhiteScore::Wins(Color::Black, 0)),
            "Turkish: Black won on the board, no result is written"
        );
    }

    #[test]
    fn tags_that_say_nothing_are_left_out() {
        let text = "[Event \"Cup\"]\n[Site \"?\"]\n[Round \"3\"]\n[Date \"????.??.??\"]\n[White \"-\"]\n[Black \"Ann\"]\n\n*\n";
        let record = read_games(text).unwrap().remove(0);
        assert_eq!((facts(&record), players(&record)), ("Cup \u{b7} round 3".to_owned(), ["White", "Ann"]));
    }

    #[test]
    fn signs_are_those_of_the_file() {
        assert_eq!(glyphs(&[1, 4, 7, 900], None), "!??");
        assert_eq!(glyphs(&[4, 5], Some(Mark::Blunder)), "!?");
        assert_eq!(with_signs("1. 11-15 $1 $900 {so $} 23-18 $6 8-11"), "1. 11-15! $900 {so $} 23-18?! 8-11");
    }
}
