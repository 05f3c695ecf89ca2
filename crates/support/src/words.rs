//! Formats counts, sizes and times.

use indicatif::HumanDuration;
use std::ops::RangeInclusive;
use std::time::Duration;

/// Formats a count with its noun, as in `1 game`, `2 games` or `3 plies`.
pub fn counted(count: impl TryInto<u64>, noun: &str) -> String {
    let count = count.try_into().unwrap_or(u64::MAX);
    match noun.strip_suffix('y') {
        _ if count == 1 => format!("1 {noun}"),
        Some(stem) if !stem.ends_with(['a', 'e', 'o']) => format!("{count} {stem}ies"),
        _ => format!("{count} {noun}s"),
    }
}

pub fn whole_number(range: &RangeInclusive<u64>) -> String {
    match range.clone().into_inner() {
        (least, u64::MAX) => format!("a whole number of at least {least}"),
        (least, most) => format!("a whole number from {least} to {most}"),
    }
}

const UNITS: [&str; 6] = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB"];

/// Formats `bytes` in the largest unit in which the number is at least 1, as in `1.2 TiB`.
pub fn size(bytes: u64) -> String {
    let (mut value, mut units) = (bytes as f64, UNITS.iter());
    let mut unit = units.next().copied().unwrap_or_default();
    // A value that would be printed as 1024.0 belongs to the next unit.
    while value >= 1023.95
        && let Some(larger) = units.next()
    {
        (value, unit) = (value / 1024.0, larger);
    }
    let is_whole = value.fract() == 0.0;
    if is_whole { format!("{value} {unit}") } else { format!("{value:.1} {unit}") }
}

pub fn duration(time: Duration) -> String {
    if time < Duration::from_secs(1) { "less than a second".to_owned() } else { HumanDuration(time).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_agree_with_their_numbers() {
        let counts = [(0_u64, "game"), (1, "game"), (2, "game"), (1, "ply"), (2, "ply"), (2, "play")];
        let texts = counts.map(|(count, noun)| counted(count, noun));
        assert_eq!(texts, ["0 games", "1 game", "2 games", "1 ply", "2 plies", "2 plays"]);
        let sizes = [0, 1000, 1024, 64 << 20, 1_268_346_060_800, 1 << 40, (1 << 30) - 1].map(size);
        assert_eq!(sizes, ["0 bytes", "1000 bytes", "1 KiB", "64 MiB", "1.2 TiB", "1 TiB", "1.0 GiB"]);
        let times = [0, 999, 1000, 120_000].map(|ms| duration(Duration::from_millis(ms)));
        assert_eq!(times, ["less than a second", "less than a second", "1 second", "2 minutes"]);
    }
}
