//! Analyses a position and prints the score from White's point of view and the principal variation at every depth.

use soffio::engine::Event;
use soffio::{Color, Engine, FenRecord, Limits, Variant, WrittenGame};
use std::time::Instant;

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let fen: FenRecord = "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,16".parse()?;
    let game = WrittenGame::from_start(Variant::English, Some(&fen))?;
    let mut engine = Engine::new();
    let (sender, events) = crossbeam_channel::unbounded();
    let limits = Limits { depth: Some(8), ..engine.limits() };
    engine.start(game.game(), limits, Instant::now(), &sender)?;
    for event in events {
        match event {
            Event::Report(report) => {
                // The engine reports the score from the point of view of the side to move.
                let value = if game.side() == Color::White { report.value } else { -report.value };
                println!("depth {}: {value} for White, {}", report.depth, game.line_text(&report.line).join(" "));
            }
            Event::BestMove { best: Some(best), .. } => {
                println!("best move {}", game.text(best));
                break;
            }
            _ => {}
        }
    }
    Ok(())
}
