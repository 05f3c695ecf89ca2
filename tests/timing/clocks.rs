//! Fast games with clocks, measured where the opponent would measure: at the pipe.

use crate::process::Engine;
use crate::process::referee::{Clock, Player, play};
use fastrand::Rng;
use soffio::rules::Variant;
use std::time::Duration;

/// The time manager does not know the variant: one of each board will do.
const VARIANTS: [Variant; 5] =
    [Variant::Italian, Variant::English, Variant::International, Variant::Turkish, Variant::Canadian];

/// One test for all variants: only one engine thinks at a time.
#[test]
#[ignore = "measures time: run it on a quiet machine"]
fn no_flag_falls() {
    let clock = Clock { left: Duration::from_millis(300), increment: Duration::from_millis(10) };
    for variant in VARIANTS {
        let options = [("UCI_Variant", variant.name()), ("Hash", "8")];
        let (mut one, mut other) = (Engine::with_options(&options), Engine::with_options(&options));
        for seed in 0..4 {
            let players = [Player::Clocked(&mut one, clock), Player::Clocked(&mut other, clock)];
            let record = play(variant, players, 3, &mut Rng::with_seed(seed));
            println!("{variant}: {} plies, {}, least on a clock {:?}", record.plies, record.reason, record.least);
        }
    }
}
