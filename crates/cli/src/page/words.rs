//! Results, marks, comments and facts in words.

use soffio::annotate::{Analysis, JudgedMove, Mark, WhiteScore};
use soffio::notation::pdn::{
    BoardMark, ClockReading, Command, CommentPart, Evaluation, GameRecord, GameResult, PdnMove, Variation, clock_text,
    comment_parts,
};
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

/// The remarks of the file itself on a move: the signs of its glyphs, without that of `mark`, which is shown anyway.
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

/// The account of a bad move, such as `Blunder by Black, from +0.17 to +1.94, gives the draw away`.
pub(super) fn verdict(mark: Mark, judged: JudgedMove<'_>) -> String {
    let JudgedMove { judgement, before, behind } = judged;
    let given = judgement.given_away.map(|given| format!(", {given}")).unwrap_or_default();
    format!("{} by {}, from {before} to {behind}{given}", mark_name(mark), side(judgement.side))
}

/// The result, such as `English: Black won`.
pub(super) fn result(variant: Variant, record: &GameRecord, analysis: &Analysis) -> String {
    format!("{}: {}", variant_name(variant), outcome(variant, record, analysis))
}

/// The side that won, or how the game ended else, such as `Black won`.
pub fn outcome(variant: Variant, record: &GameRecord, analysis: &Analysis) -> String {
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
    format!("{how}{forfeit}")
}

/// A comment of the file as people read it: clocks, times and marks in words, and without commands that are not known.
pub(super) fn comment(text: &str) -> Option<String> {
    let parts = comment_parts(text).into_iter().filter_map(|part| match part {
        CommentPart::Text(text) => Some(text.to_owned()),
        CommentPart::Command(command) => Some(format!("[{}]", command_in_words(&command))),
        CommentPart::Unknown(_) => None,
    });
    Some(parts.collect::<Vec<_>>().join(" ")).filter(|text| !text.is_empty())
}

fn command_in_words(command: &Command) -> String {
    let list = |texts: Vec<String>| texts.join(", ");
    match command {
        Command::Clocks(readings) => {
            let reading = |reading: &ClockReading| {
                let name = reading.side.map(|color| format!("{} ", side(color))).unwrap_or_default();
                let runs = if reading.is_running { " and running" } else { "" };
                format!("{name}{}{runs}", clock_text(reading.left))
            };
            format!("clock {}", list(readings.iter().map(reading).collect()))
        }
        Command::MechanicalClock(time) => format!("clock shows {}", clock_text(*time)),
        Command::MoveTime(time) => format!("{} for the move", clock_text(*time)),
        Command::GameTime(time) => format!("{} for all moves", clock_text(*time)),
        Command::Evaluation(Evaluation::Men(men)) => format!("score {men:+.2}"),
        Command::Evaluation(Evaluation::Wins(winner, moves)) => format!("{} wins in {moves}", side(*winner)),
        Command::Marks(marks) => {
            let mark = |mark: &BoardMark| {
                let to = mark.to.map(|to| format!("\u{2013}{to}")).unwrap_or_default();
                format!("{} {}{to}", mark_color(mark.color), mark.from)
            };
            list(marks.iter().map(mark).collect())
        }
    }
}

/// The colour of a mark on the board by its letter; others than those of chess programs are drawn in green.
pub(super) fn mark_color(letter: char) -> &'static str {
    match letter {
        'R' => "red",
        'Y' => "yellow",
        'B' => "blue",
        _ => "green",
    }
}

/// `variation` with its comments as people read them.
pub(super) fn readable(variation: &Variation) -> Variation {
    let read = |text: &Option<String>| text.as_deref().and_then(comment);
    let mv = |mv: &PdnMove| PdnMove {
        comment: read(&mv.comment),
        variations: mv.variations.iter().map(readable).collect(),
        ..mv.clone()
    };
    Variation { comment: read(&variation.comment), moves: variation.moves.iter().map(mv).collect() }
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
    fn commands_in_comments_are_said_in_words() {
        let said = |text: &str| comment(text).unwrap_or_default();
        assert_eq!(said("good [%clk 1:00:00] [%x 1] move"), "good [clock 1:00:00] move");
        assert_eq!(said("[%clock w0:10 B0:00:03]"), "[clock White 0:00:10, Black 0:00:03 and running]");
        assert_eq!(
            said("[%emt 0:07][%egt 1:00][%mct 2:00]"),
            "[0:00:07 for the move] [0:01:00 for all moves] [clock shows 0:02:00]"
        );
        assert_eq!(said("[%eval 0.1] [%eval #-3]"), "[score +0.10] [Black wins in 3]");
        assert_eq!(said("[%csl Gd4,R28][%cal Yc3d4]"), "[green d4, red 28] [yellow c3\u{2013}d4]");
        assert_eq!(comment("[%x 1]"), None);
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
