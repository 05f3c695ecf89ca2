//! A finished game as a game record.

use super::{Control, GameLog, MoveLog, Side};
use crate::notation::game_type;
use crate::notation::pdn::{GameRecord, GameResult, PdnMove};
use crate::rules::{Color, Variant};

/// The record of a game of `variant`; `controls` are those of White and Black.
pub fn game_record(log: &GameLog, variant: Variant, controls: [&Control; 2]) -> GameRecord {
    let first = Side::from(variant.spec().starts);
    let result = match log.winner {
        None => GameResult::Draw,
        Some(winner) if winner == first => GameResult::First,
        Some(_) => GameResult::Second,
    };
    let mut tags = vec![
        ("Event", "soffio match".to_owned()),
        ("Site", "?".to_owned()),
        ("Date", log.date.clone()),
        ("Round", log.game.to_string()),
        ("White", log.white.clone()),
        ("Black", log.black.clone()),
        ("Result", result.to_string()),
    ];
    // Only some variants have a number, and no reader takes anything else for one.
    let game_type = game_type(variant).map(|text| ("GameType", text));
    tags.push(game_type.unwrap_or_else(|| ("Variant", variant.name().to_owned())));
    if let Some(fen) = &log.fen {
        tags.extend([("SetUp", "1".to_owned()), ("FEN", fen.clone())]);
    }
    let [white, black] = controls;
    tags.extend([("WhiteTimeControl", white.to_string()), ("BlackTimeControl", black.to_string())]);
    let winner = log.winner.map_or("draw".to_owned(), |winner| match winner {
        Side::White => format!("{} wins", Color::White),
        Side::Black => format!("{} wins", Color::Black),
    });
    tags.push(("Termination", format!("{winner}: {}", log.detail)));
    GameRecord {
        tags: tags.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        moves: log.moves.iter().map(pdn_move).collect(),
        result,
    }
}

/// The move with `score/depth seconds` as its comment.
fn pdn_move(mv: &MoveLog) -> PdnMove {
    let comment = mv.us.map(|us| {
        let score = mv.score.map_or_else(String::new, |score| score.to_string());
        let depth = mv.depth.map_or_else(String::new, |depth| format!("/{depth}"));
        let seconds = us as f64 / 1e6;
        format!("{score}{depth} {seconds:.3}s").trim_start().to_owned()
    });
    // Some players write a colon, but not every reader of PDN knows it.
    PdnMove { text: mv.text.replace(':', "x"), comment }
}
