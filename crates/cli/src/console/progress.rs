//! The progress bars of long jobs, and how they are interrupted.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use soffio::stop::Stop;
use std::time::Duration;

/// How often the state of a job is printed where it cannot be overwritten.
pub(super) const REPORT: Duration = Duration::from_secs(10);

/// The exit status of a process that an interrupt has ended.
const INTERRUPTED: i32 = 130;

/// A bar of `length` steps with a message after it.
pub(super) fn bar(length: u64, target: ProgressDrawTarget) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(length), target);
    let style = ProgressStyle::with_template("{wide_bar} {msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

/// A stop that an interrupt from the keyboard gives. A second one ends the process, which may wait for input.
///
/// # Errors
/// When the system lets nobody listen to interrupts.
pub(super) fn stop_on_signal() -> anyhow::Result<Stop> {
    let stop = Stop::new();
    let on_signal = stop.clone();
    ctrlc::set_handler(move || {
        if on_signal.is_stopped() {
            std::process::exit(INTERRUPTED);
        }
        on_signal.stop();
    })?;
    Ok(stop)
}
