//! Lets the calling program decide when a search ends. The analysis stops once the best move has stayed the same for
//! three iterations.

use soffio::engine::Event;
use soffio::{Engine, Game, Limits, Variant};
use std::time::{Duration, Instant};

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = Game::new(Variant::Russian);
    let mut engine = Engine::new();
    let (sender, events) = crossbeam_channel::unbounded();
    // This limit ends the search even if the best move keeps changing.
    let limits = Limits { move_time: Some(Duration::from_secs(2)), ..engine.limits() };
    engine.start(&game, limits, Instant::now(), &sender)?;
    let (mut best, mut repeated) = (None, 0);
    for event in events {
        match event {
            Event::Report(report) => {
                let first = report.line.first().copied();
                repeated = if first == best { repeated + 1 } else { 0 };
                best = first;
                if repeated == 3 {
                    engine.stop();
                }
            }
            Event::BestMove { best, .. } => {
                println!("{best:?}");
                break;
            }
            _ => {}
        }
    }
    Ok(())
}
