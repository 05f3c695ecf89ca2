//! A finished game as a line of JSON, for other programs and for a match that is resumed.

use super::game::Played;
use crate::arena::{GameHeader, MoveLog, Pairing};
use serde::{Deserialize, Serialize};

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameLog {
    /// Number, engines and winner. White begins.
    #[serde(flatten)]
    pub header: GameHeader,
    /// The points that the winner has won.
    pub points: u8,
    /// How it ended: a kind that is counted.
    pub termination: String,
    /// Whether the loser did something wrong.
    pub fault: bool,
    /// More about the end.
    pub detail: String,
    /// All turns: the dice, a colon, and the play, as `31:8/5,6/5`. A side that had to pass was not asked, and has no time.
    pub moves: Vec<MoveLog>,
    /// The date, as `2026.01.31`.
    pub date: String,
}

impl GameLog {
    /// The log of the game `pairing` between engines with these `names`, White's first.
    pub(super) fn new(pairing: &Pairing, played: Played, names: [&str; 2], date: &str) -> Self {
        let Played { moves, winner, points, end, .. } = played;
        Self {
            header: GameHeader::new(pairing, names, winner),
            points,
            termination: end.kind().to_owned(),
            fault: end.is_fault(),
            detail: end.to_string(),
            moves,
            date: date.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use soffio::color::Color;

    #[test]
    fn what_is_written_is_read_again() {
        let log = GameLog {
            header: GameHeader { game: 2, white: "a".to_owned(), black: "b".to_owned(), winner: Some(Color::Black) },
            points: 2,
            termination: "mars".to_owned(),
            fault: false,
            detail: "mars".to_owned(),
            moves: vec![MoveLog::new("31:8/5,6/5".to_owned(), Color::White, None)],
            date: "2026.01.31".to_owned(),
        };
        let text = serde_json::to_string(&log).unwrap();
        let expected =
            r#"{"game":2,"white":"a","black":"b","winner":"black","points":2,"termination":"mars","fault":false,"#
                .to_owned()
                + r#""detail":"mars","moves":[{"move":"31:8/5,6/5","side":"white"}],"date":"2026.01.31"}"#;
        assert_eq!(text, expected);
        assert_eq!(serde_json::from_str::<GameLog>(&text).unwrap(), log);
    }
}
