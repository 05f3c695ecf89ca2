//! Comments as the page shows them.

use crate::position::Score;
use serde::Serialize;
use soffio::notation::pdn::{Command, CommentPart, clock_text, comment_parts};
use soffio::rules::Color;

/// A part of a comment.
#[derive(Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Part {
    /// Words.
    Text(String),
    /// The time left on the clock of a side, or of the one who moved.
    Clock(Option<Color>, String),
    /// The time that the move took.
    MoveTime(String),
    /// The time that all moves of the player took.
    GameTime(String),
    /// The score of the position.
    Score(Score),
    /// A square, or an arrow to another one, in a colour.
    Mark(&'static str, String, Option<String>),
}

/// The parts of the comment `text`, without commands that are not known.
pub(crate) fn parts(text: &str) -> Vec<Part> {
    comment_parts(text).into_iter().flat_map(part).collect()
}

fn part(part: CommentPart<'_>) -> Vec<Part> {
    let command = match part {
        CommentPart::Text(text) => return vec![Part::Text(text.to_owned())],
        CommentPart::Unknown(_) => return Vec::new(),
        CommentPart::Command(command) => command,
    };
    match command {
        Command::Clocks(readings) => {
            readings.iter().map(|reading| Part::Clock(reading.side, clock_text(reading.left))).collect()
        }
        Command::MechanicalClock(time) => vec![Part::Clock(None, clock_text(time))],
        Command::MoveTime(time) => vec![Part::MoveTime(clock_text(time))],
        Command::GameTime(time) => vec![Part::GameTime(clock_text(time))],
        Command::Evaluation(evaluation) => vec![Part::Score(Score::from(&evaluation))],
        Command::Marks(marks) => {
            let square = |name: soffio::board::SquareName| name.to_string();
            marks.iter().map(|mark| Part::Mark(color(mark.color), square(mark.from), mark.to.map(square))).collect()
        }
    }
}

/// The colour of a mark by its letter; others than those of chess programs are drawn in green.
fn color(letter: char) -> &'static str {
    match letter {
        'R' => "red",
        'Y' => "yellow",
        'B' => "blue",
        _ => "green",
    }
}

/// The score that the comment `text` says.
pub(crate) fn score(text: &str) -> Option<Score> {
    comment_parts(text).iter().find_map(|part| match part {
        CommentPart::Command(Command::Evaluation(evaluation)) => Some(Score::from(evaluation)),
        _ => None,
    })
}
