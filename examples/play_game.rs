//! Lets the engine play a game against itself and prints the game as PDN.

use soffio::notation::pdn::{GameRecord, GameResult, PdnMove};
use soffio::{Engine, Limits, Status, Variant, WrittenGame};

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut game = WrittenGame::new(Variant::Italian);
    let mut engine = Engine::new();
    let mut record = GameRecord::default();
    record.set_variant(Variant::Italian);
    record.set_tag("White", "Soffio".to_owned());
    record.set_tag("Black", "Soffio".to_owned());
    while let Status::Playing { .. } = game.status() {
        let answer = engine.go(game.game(), Limits { nodes: Some(2_000), ..engine.limits() })?;
        let best = answer.best.ok_or("a game in progress has a legal move")?;
        record.moves.push(PdnMove::played(game.text(best)));
        game.play_found(best);
    }
    record.result = match game.status() {
        Status::Won { winner, .. } => GameResult::won_by(winner, Variant::Italian),
        _ => GameResult::Draw,
    };
    println!("{record}");
    Ok(())
}
