//! Measures the search speed of the libraries in order to compare systems.

use super::game::{opened, speed_in};
use super::library::{Handle, Shared, Slot};
use cpu_time::ProcessTime;
use soffio::Variant;
use std::time::Duration;

/// Searches `positions` positions of `variant` for `seconds` seconds each. The positions depend only on `random`.
/// Returns the number of searched positions in thousands, and the CPU time used.
pub fn measure(
    variant: Variant,
    slot: &Slot,
    (positions, seconds): (usize, f64),
    random: &mut fastrand::Rng,
) -> (f64, Duration) {
    let mut sum = (0.0, Duration::ZERO);
    for _ in 0..positions {
        let referee = opened(variant, random);
        let mut shared = Shared::new();
        let handle = Handle::new(&mut shared);
        let worked = ProcessTime::now();
        // Requests an exact time for a position that is unrelated to the previous one.
        let played = slot.play(&referee.board(), referee.color(), (seconds, 3, 0), handle);
        sum.1 += worked.elapsed();
        sum.0 += speed_in(&handle.status()).unwrap_or(0.0) * played.time.as_secs_f64();
    }
    sum
}
