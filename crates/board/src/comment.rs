//! Parses comments into the parts that the page displays.

use serde::Serialize;
use soffio::notation::pdn::{Command, CommentPart, clock_text, comment_parts};
use soffio::rules::Color;
use soffio::score::WhiteScore;

#[derive(Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum PagePart {
    Text(String),
    /// The time left on a side's clock. The side is `None` if it is the side that has just moved.
    Clock(Option<Color>, String),
    MoveTime(String),
    /// The total time that the player has used for all moves.
    GameTime(String),
    Score(WhiteScore),
    /// The colour and the square of a mark, and its target square if the mark is an arrow.
    Mark(&'static str, String, Option<String>),
}

pub(crate) fn parts(text: &str) -> Vec<PagePart> {
    comment_parts(text).into_iter().flat_map(part).collect()
}

fn part(part: CommentPart<'_>) -> Vec<PagePart> {
    let command = match part {
        CommentPart::Text(text) => return vec![PagePart::Text(text.to_owned())],
        CommentPart::Unknown(_) => return Vec::new(),
        CommentPart::Command(command) => command,
    };
    match command {
        Command::Clocks(readings) => {
            readings.iter().map(|reading| PagePart::Clock(reading.side, clock_text(reading.left))).collect()
        }
        Command::MechanicalClock(time) => vec![PagePart::Clock(None, clock_text(time))],
        Command::MoveTime(time) => vec![PagePart::MoveTime(clock_text(time))],
        Command::GameTime(time) => vec![PagePart::GameTime(clock_text(time))],
        Command::Evaluation(evaluation) => vec![PagePart::Score(evaluation)],
        Command::Marks(marks) => {
            let square = |name: soffio::board::SquareName| name.to_string();
            marks.iter().map(|mark| PagePart::Mark(color(mark.color), square(mark.from), mark.to.map(square))).collect()
        }
    }
}

fn color(letter: char) -> &'static str {
    match letter {
        'R' => "red",
        'Y' => "yellow",
        'B' => "blue",
        _ => "green",
    }
}

pub(crate) fn score(text: &str) -> Option<WhiteScore> {
    comment_parts(text).iter().find_map(|part| match part {
        CommentPart::Command(Command::Evaluation(evaluation)) => Some(*evaluation),
        _ => None,
    })
}
