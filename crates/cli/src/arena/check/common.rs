//! What the steps of several protocols share.

use super::positions::Sample;
use crate::arena::MoveEvaluation;
use crate::arena::line_protocol::Line;
use soffio::notation::{MoveRecord, WrittenGame, printable};
use soffio::rules::Variant;

/// Checks that `text` is a legal move of the position `sample`.
pub(super) fn legal(variant: Variant, sample: &Sample, text: &str) -> Result<(), String> {
    let shown = || printable(text.chars());
    let record: MoveRecord = text.parse().map_err(|error| format!("'{}' is no move: {error}", shown()))?;
    let mut game = WrittenGame::at(variant, Some(&sample.fen)).map_err(|error| error.to_string())?;
    game.play_way(&record).map(drop).map_err(|error| format!("'{}' is not legal at {}: {error}", shown(), sample.fen))
}

/// Checks that `played` says that there is no move.
pub(super) fn no_move(played: &str) -> Result<(), String> {
    if played == "none" { Ok(()) } else { Err(format!("it played '{}'", printable(played.chars()))) }
}

/// Everything that the info lines among `lines` say; of what is said twice the last.
pub(super) fn told(read: fn(&str) -> Line, lines: &[String]) -> MoveEvaluation {
    lines.iter().fold(MoveEvaluation::default(), |sum, line| match read(line) {
        Line::Info(info, _) => info.or(sum),
        _ => sum,
    })
}

/// Checks that a search told what a report needs.
pub(super) fn complete(evaluation: MoveEvaluation) -> Result<(), String> {
    let missing = [
        (evaluation.depth.is_none(), "depth"),
        (evaluation.score.is_none(), "score"),
        (evaluation.nodes.is_none(), "nodes"),
    ];
    let missing: Vec<_> = missing.iter().filter(|(is_missing, _)| *is_missing).map(|(_, name)| *name).collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("no info line has {}", missing.join(", "))) }
}

/// The first of `lines` for which `problem` finds one, or nothing.
pub(super) fn none_has<'a>(
    lines: impl IntoIterator<Item = &'a String>,
    problem: impl Fn(&str) -> Option<&'static str>,
) -> Result<(), String> {
    let found = lines.into_iter().find_map(|line| Some((line, problem(line)?)));
    found.map_or(Ok(()), |(line, problem)| Err(format!("{problem}: '{}'", printable(line.chars()))))
}
