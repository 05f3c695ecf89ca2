//! Reads games from PDN, replays them, and prints the final position of each game.

use soffio::notation::pdn::read_games;
use soffio::{Variant, WrittenGame};

const GAMES: &str = r#"
[Event "Example"]
[White "First"]
[Black "Second"]
[GameType "21"]
[Result "*"]

1. 11-15 22-18 2. 15x22 25x18 3. 8-11 {the usual reply} *
"#;

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    for record in read_games(GAMES) {
        let variant = record.variant()?.unwrap_or(Variant::International);
        let mut game = WrittenGame::from_start(variant, record.start()?.as_ref())?;
        for mv in &record.moves {
            game.play(&[mv.record()?])?;
        }
        println!("{}: {} moves, {}", record.tag("Event").unwrap_or("?"), record.moves.len(), game.fen());
    }
    Ok(())
}
