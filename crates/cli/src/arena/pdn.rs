//! A finished game as a game record.

use super::{Control, GameLog, MoveLog};
use soffio::notation::pdn::{GameRecord, GameResult, PdnMove, PlayedGame};
use soffio::rules::{Color, Variant};

/// The record of a game of `variant`, played at the `event` and `site`; `controls` are those of White and Black.
pub fn game_record(
    log: &GameLog,
    variant: Variant,
    (event, site): (&str, &str),
    controls: [&Control; 2],
) -> GameRecord {
    let result = match log.header.winner {
        None => GameResult::Draw,
        Some(Color::White) => GameResult::won_by(Color::White, variant),
        Some(Color::Black) => GameResult::won_by(Color::Black, variant),
    };
    let game = PlayedGame {
        event,
        site,
        round: log.header.game,
        date: &log.date,
        players: [&log.header.white, &log.header.black],
        variant,
        fen: log.fen.as_deref(),
        controls: controls.map(Control::written),
        moves: log.moves.iter().map(pdn_move).collect(),
        result,
        reason: &log.detail,
    };
    game.into()
}

/// The move with `score/depth seconds` as its comment.
fn pdn_move(mv: &MoveLog) -> PdnMove {
    let comment = mv.us.map(|us| {
        let score = mv.score.map_or_else(String::new, |score| score.to_string());
        let depth = mv.depth.map_or_else(String::new, |depth| format!("/{depth}"));
        let seconds = us as f64 / 1e6;
        format!("{score}{depth} {seconds:.3}s").trim_start().to_owned()
    });
    PdnMove { comment, ..PdnMove::played(&mv.text) }
}
