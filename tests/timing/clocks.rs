//! Tests of fast games with clocks. Times are measured at the pipe, as an opponent would measure them.

use crate::process::Engine;
use crate::process::referee::{Clock, Player, play};
use fastrand::Rng;
use soffio::rules::Variant;
use std::time::Duration;

/// The time manager does not depend on the variant, so one variant per board is sufficient.
const VARIANTS: [Variant; 5] =
    [Variant::Italian, Variant::English, Variant::International, Variant::Turkish, Variant::Canadian];

/// A single test covers all variants, so that only one engine searches at a time.
#[test]
#[ignore = "measures time: run it on a quiet machine"]
fn no_engine_loses_on_time() {
    let clock = Clock { left: Duration::from_millis(300), increment: Duration::from_millis(10) };
    for variant in VARIANTS {
        let options = [("UCI_Variant", variant.name()), ("Hash", "8")];
        let (mut one, mut other) = (Engine::with_options(&options), Engine::with_options(&options));
        for seed in 0..4 {
            let players = [Player::Clocked(&mut one, clock), Player::Clocked(&mut other, clock)];
            let record = play(variant, players, 3, &mut Rng::with_seed(seed));
            println!("{variant}: {} plies, {}, minimum on a clock {:?}", record.plies, record.reason, record.least);
        }
    }
}
