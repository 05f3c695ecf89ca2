//! The forms of answers: records as lines of JSON, tables for spreadsheets, games.

use super::Answer;
use crate::record::{Failure, Line, Record, Score, text};
use soffio::annotate::annotate;

/// The form of answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A JSON object a line.
    Json,
    /// Values with tabulators between them: a row for each line of play.
    Tsv,
    /// Games with scores in comments and better lines as variations; an error is a comment.
    Pdn,
}

/// The columns of the table.
const COLUMNS: [&str; 21] = [
    "id",
    "ply",
    "variant",
    "fen",
    "to_move",
    "score_for",
    "rank",
    "move",
    "score",
    "bound",
    "wdl",
    "depth",
    "nodes",
    "static",
    "table",
    "played",
    "loss",
    "mark",
    "time",
    "pv",
    "error",
];

impl Format {
    /// The text before all answers.
    pub fn heading(self) -> String {
        if self == Self::Tsv { COLUMNS.join("\t") + "\n" } else { String::new() }
    }

    /// The text of `answer`.
    pub fn text(self, answer: &Answer) -> String {
        let records = answer.records.iter();
        match self {
            Self::Json => records.map(|record| text(record) + "\n").collect(),
            Self::Tsv => records.map(rows).collect(),
            Self::Pdn => match &answer.game {
                Some((game, analysis)) => {
                    let mut game = game.clone();
                    annotate(&mut game, analysis);
                    game.to_string()
                }
                None => records.map(remark).collect(),
            },
        }
    }
}

/// The rows of a record, one for each line of play.
fn rows(record: &Result<Record, Failure>) -> String {
    match record {
        Err(Failure { id, ply, error, .. }) => {
            row([("id", id.clone()), ("ply", shown(*ply)), ("error", error.clone())])
        }
        Ok(record) => match record.lines.as_deref() {
            None | Some([]) => row_of(record, None),
            Some(lines) => lines.iter().zip(1..).map(|line| row_of(record, Some(line))).collect(),
        },
    }
}

fn row_of(record: &Record, line: Option<(&Line, usize)>) -> String {
    let Record { id, ply, variant, fen, to_move, score_for, static_value, table, played, time, .. } = record;
    let of_record = [
        ("id", id.clone()),
        ("ply", shown(*ply)),
        ("variant", shown(*variant)),
        ("fen", shown(fen.as_ref())),
        ("to_move", shown(to_move.as_ref())),
        ("score_for", shown(score_for.as_ref())),
        ("static", static_value.map(score).unwrap_or_default()),
        ("table", shown(table.as_ref())),
        ("played", shown(played.as_ref().map(|played| &played.text))),
        ("loss", shown(played.as_ref().map(|played| played.loss))),
        ("mark", shown(played.as_ref().and_then(|played| played.mark))),
        ("time", shown(*time)),
    ];
    let of_line = line.into_iter().flat_map(|(line, rank)| {
        let wdl = line.wdl.map(|wdl| wdl.map(|chance| chance.to_string()).join("/"));
        [
            ("rank", rank.to_string()),
            ("move", line.first.clone()),
            ("score", score(line.score)),
            ("bound", shown(line.bound)),
            ("wdl", wdl.unwrap_or_default()),
            ("depth", shown(line.depth)),
            ("nodes", shown(line.nodes)),
            ("pv", line.pv.join(" ")),
        ]
    });
    row(of_record.into_iter().chain(of_line))
}

/// A row with these values, which have the names of their columns.
fn row(values: impl IntoIterator<Item = (&'static str, String)>) -> String {
    let values: Vec<_> = values.into_iter().collect();
    let value = |column: &str| values.iter().find(|(name, _)| *name == column).map_or("", |(_, value)| value.as_str());
    // Neither may stand within a value.
    let cell = |column: &&str| value(column).replace(['\t', '\n', '\r'], " ");
    COLUMNS.iter().map(cell).collect::<Vec<_>>().join("\t") + "\n"
}

fn shown(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// A score as spreadsheets can sort it as long as it is a number.
fn score(score: Score) -> String {
    match score {
        Score::Cp(value) => value.to_string(),
        Score::Win(moves) => format!("win {moves}"),
        Score::Loss(moves) => format!("loss {moves}"),
    }
}

/// A comment between games: there is no game for this record.
fn remark(record: &Result<Record, Failure>) -> String {
    let (id, problem) = match record {
        Ok(record) => (&record.id, "a position, not a game"),
        Err(failure) => (&failure.id, failure.error.as_str()),
    };
    format!("; {}: {}\n\n", id.replace(['\n', '\r'], " "), problem.replace(['\n', '\r'], " "))
}
