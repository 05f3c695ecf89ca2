//! The progress bars of long jobs.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::Duration;

/// How often the state of a job is printed where it cannot be overwritten.
pub(super) const REPORT: Duration = Duration::from_secs(10);

/// A bar of `length` steps with a message after it.
pub(super) fn bar(length: u64, target: ProgressDrawTarget) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(length), target);
    let style = ProgressStyle::with_template("{wide_bar} {msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}
